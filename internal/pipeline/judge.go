package pipeline

import (
	"context"
	"fmt"
	"slices"

	"orbweaver"
)

// Judge returns the focus's judgement of a prepared page, corrected by Correct and adjusted by Adjust.
func (p *Pipeline) Judge(ctx context.Context, page *orbweaver.Page) (j orbweaver.Judgement, err error) {
	defer Catch(&err, "judge", page.Request.URL)
	if j, err = p.Focus.Judge(ctx, page); err != nil {
		return orbweaver.Judgement{}, failed("judge", page.Request, err)
	}
	if p.Correct != nil {
		p.Correct(page, &j)
	}
	return p.Adjust(page, j), nil
}

// Adjust applies a page's own directives to its judgement: a noindex page is not accepted unless ListAll,
// and a page without text, before its scripts run or at all, gets a reason that says so.
func (p *Pipeline) Adjust(page *orbweaver.Page, j orbweaver.Judgement) orbweaver.Judgement {
	if page.NoIndex && !p.ListAll {
		j.Accepted = false
		j.Reasons = append(slices.Clip(j.Reasons), orbweaver.Reason{Rule: orbweaver.RuleNoIndex, Evidence: "the page asks not to be shown in results"})
	}
	if page.Scripted {
		j.Reasons = append(slices.Clip(j.Reasons), orbweaver.Reason{Rule: "needs-script", Evidence: "hardly any text before its scripts run"})
	}
	if page.Textless != "" {
		j.Reasons = append(slices.Clip(j.Reasons), orbweaver.Reason{Rule: "no-text", Evidence: page.Textless})
	}
	return j
}

// Plan returns the requests that the focus proposes after a page, without those that Followable drops.
func (p *Pipeline) Plan(ctx context.Context, page *orbweaver.Page, j orbweaver.Judgement) (plan []orbweaver.Proposal, err error) {
	defer Catch(&err, "plan after", page.Request.URL)
	if plan, err = p.Focus.Plan(ctx, page, j); err != nil {
		return nil, failed("plan after", page.Request, err)
	}
	return Followable(page, plan), nil
}

// Followable returns the proposals that the page permits. It drops a URL if all links of the page to it
// are nofollow. On a nofollow page it drops everything but queries, which are not links.
func Followable(p *orbweaver.Page, plan []orbweaver.Proposal) []orbweaver.Proposal {
	noFollow := noFollowTargets(p)
	if !p.NoFollow && len(noFollow) == 0 {
		return plan
	}
	kept := make([]orbweaver.Proposal, 0, len(plan))
	for _, proposal := range plan {
		if proposal.Query != "" || !p.NoFollow && !noFollow[proposal.URL] {
			kept = append(kept, proposal)
		}
	}
	return kept
}

// noFollowTargets returns the URLs to which a page has only nofollow links.
func noFollowTargets(p *orbweaver.Page) map[string]bool {
	var targets map[string]bool
	for i := range p.Links {
		if l := &p.Links[i]; l.Rel != "" && l.NoFollow() {
			if targets == nil {
				targets = map[string]bool{}
			}
			targets[l.To] = true
		}
	}
	for i := range p.Links {
		if l := &p.Links[i]; len(targets) > 0 && targets[l.To] && !l.NoFollow() {
			delete(targets, l.To)
		}
	}
	return targets
}

// Crash is a panic of a parser, a browser or a focus. Only that page or host fails.
type Crash struct {
	Step  string // step that panicked
	URL   string // of the page or host
	Cause any    // the panic's value
}

// Error says what panicked on which URL.
func (c *Crash) Error() string {
	return fmt.Sprintf("%s %s: %v: %v", c.Step, c.URL, orbweaver.ErrUnreadable, c.Cause)
}

// Unwrap is the Failure: the page counts as unreadable.
func (c *Crash) Unwrap() error { return orbweaver.ErrUnreadable }

// Catch, deferred, turns a panic into a *Crash.
func Catch(err *error, step, url string) {
	if cause := recover(); cause != nil {
		*err = &Crash{Step: step, URL: url, Cause: cause}
	}
}
