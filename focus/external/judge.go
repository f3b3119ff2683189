package external

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"orbweaver"
)

// The rules of page judgements.
const (
	// RuleJudge is the rule of a reason of the judge. One that the judge names follows after a colon: "judge:word".
	RuleJudge = "judge"
	// RuleNoAnswer says why a page has no answer although the judge was asked. Its weight is 0.
	RuleNoAnswer = "no-answer"
	// RuleNotAsked says why the judge was not asked about a page. Its weight is 0.
	RuleNotAsked = "not-asked"
)

// findings are what Prepare makes of a page.
type findings struct {
	question *Question
	answer   Answer
	answered bool  // the answer is there: the judge is asked Ahead
	err      error // of the records: it ends the crawl
}

// Prepare makes the question about a page, and asks it if the judge is asked Ahead.
func (f *Focus) Prepare(ctx context.Context, p *orbweaver.Page) (any, error) {
	found := &findings{question: NewQuestion(p, f.opts.Links)}
	if f.opts.When != Ahead || p.Request.Purpose == orbweaver.ForSitemap { // no sitemap is judged
		return found, nil
	}
	found.answer, found.err = f.opts.Source.Ask(ctx, found.question)
	if found.err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	found.answered = found.err == nil
	return found, nil
}

// found returns the findings of a page, also of one that was not prepared.
func (f *Focus) found(p *orbweaver.Page) *findings {
	if found, ok := p.Findings.(*findings); ok {
		return found
	}
	return &findings{question: NewQuestion(p, f.opts.Links)}
}

// Judge returns the judge's judgement of a page. An error of the records ends the crawl.
func (f *Focus) Judge(ctx context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	return f.JudgeIf(ctx, p, true)
}

// JudgeIf is Judge, but for a focus that asks WhenTold: with ask false it does not ask the judge, and the judgement has
// the reason RuleNotAsked. A combination of focuses calls it to ask only about pages of which the others are unsure.
// Whether to ask must depend on the page and on earlier outcomes alone, so that a repeated crawl is the same.
func (f *Focus) JudgeIf(ctx context.Context, p *orbweaver.Page, ask bool) (orbweaver.Judgement, error) {
	found := f.found(p)
	if found.err != nil {
		return orbweaver.Judgement{}, found.err
	}
	answer := found.answer
	if !found.answered {
		var err error
		if answer, err = f.answer(ctx, found.question, ask || f.opts.When != WhenTold); err != nil {
			return orbweaver.Judgement{}, err
		}
	}
	f.last = remembered{found.question.Key, answer}
	return f.judgement(answer), nil
}

// Abstains reports whether a judgement has no answer, and so says nothing about its page.
func (f *Focus) Abstains(j orbweaver.Judgement) bool { return lacks(j) != "" }

// answer asks the judge about a page at its turn, unless the budget, a row of failures or the caller forbids it.
func (f *Focus) answer(ctx context.Context, q *Question, ask bool) (Answer, error) {
	why := f.opts.Budget.spent(f.state.tally)
	switch {
	case !ask:
		why = "the other focuses are sure without"
	case why == "" && !f.state.breaker.Admits():
		why = f.state.breaker.String()
	}
	if why != "" {
		a := Lacking(why)
		a.Unasked = true
		return a, nil
	}
	return f.opts.Source.Ask(ctx, q)
}

// tooOften begins what String says.
const tooOften = "the judge failed too often: "

// String says why a judge is left alone.
func (b Breaker) String() string {
	return fmt.Sprintf("%s%d times in a row; it is left alone for some pages", tooOften, b.Failures)
}

// spent returns which bound of the budget is reached; empty if none is.
func (b Budget) spent(t Tally) string {
	switch {
	case b.Calls > 0 && t.Answered+t.Without >= b.Calls:
		return "the budget of " + strconv.FormatInt(b.Calls, 10) + " calls is spent"
	case b.Time > 0 && t.Took >= b.Time:
		return "the budget of " + b.Time.Round(time.Millisecond).String() + " of the judge's time is spent"
	case b.Cost > 0 && t.Cost >= b.Cost:
		return "the budget of cost, " + strconv.FormatFloat(b.Cost, 'g', -1, 64) + ", is spent"
	}
	return ""
}

// judgement returns what an answer means for a page.
func (f *Focus) judgement(a Answer) orbweaver.Judgement {
	if a.Lack != "" {
		rule := RuleNoAnswer
		if a.Unasked {
			rule = RuleNotAsked
		}
		return orbweaver.Judgement{Reasons: []orbweaver.Reason{{Rule: rule, Evidence: a.Lack}}}
	}
	j := orbweaver.Judgement{Score: a.Score, Class: a.Class, Reasons: append([]orbweaver.Reason(nil), a.Reasons...)}
	if len(j.Reasons) == 0 {
		j.Reasons = []orbweaver.Reason{{Rule: RuleJudge, Evidence: "gives a score and no reasons", Weight: a.Score}}
	}
	switch {
	case a.Accepted != nil:
		j.Accepted = *a.Accepted
	case f.opts.Accept != nil:
		j.Accepted = j.Score >= *f.opts.Accept
	default:
		f.state.accept.Judge(&j)
	}
	return j
}
