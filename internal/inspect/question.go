package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/kind"
	"orbweaver/kb/relevance"
)

// An Asking is what a crawl asks a person about classes, and what was answered.
type Asking struct {
	Question *relevance.Question `json:"question"` // nil: there is none
	Answers  []ClassAnswer       `json:"answers"`  // that hold, by class
	Waits    bool                `json:"waits"`    // the search is not over: a session goes on with it, and takes the answers up
}

// A ClassAnswer is what a person says of a class: that it belongs to the topic, with what is below it, or that it does not.
type ClassAnswer struct {
	Class     string `json:"class"` // its IRI
	Yes       bool   `json:"yes"`
	Withdrawn bool   `json:"withdrawn,omitempty"` // what was answered before holds no more; Yes does not count
	By        string `json:"by,omitempty"`        // who answers, as they say
}

// The bounds of answers.
const (
	maxClassAnswers = 100  // at once
	maxClassIRI     = 2000 // bytes
	maxAnswerer     = 200  // bytes of By
)

// Question returns what the crawl asks about classes. The error wraps ErrInput if its focus asks nothing.
func (h *Handle) Question(ctx context.Context) (Asking, error) {
	return questionCall.ask(ctx, h, struct{}{})
}

var questionCall = call[struct{}, Asking]{name: "question", focus: true, judge: true, do: func(ctx context.Context, p *spot, _ struct{}) (a Asking, err error) {
	ended := p.between(ctx, func() { a, err = p.asking() })
	return a, cmp.Or(ended, err)
}}

// Answer gives the crawl answers about classes, and commits each; it returns what the crawl asks then. An answer that contradicts one that
// holds replaces it; one that repeats it changes nothing. The error wraps ErrInput if the focus asks nothing, or a class is none that it has judged; the
// answers before that one stand.
func (h *Handle) Answer(ctx context.Context, all []ClassAnswer) (Asking, error) {
	if len(all) == 0 || len(all) > maxClassAnswers {
		return Asking{}, fmt.Errorf("answers: from 1 to %d, not %d (%w)", maxClassAnswers, len(all), orbweaver.ErrInput)
	}
	for _, one := range all {
		if len(one.Class) > maxClassIRI || len(one.By) > maxAnswerer || console.Visible(one.By, maxAnswerer+1) != one.By {
			return Asking{}, fmt.Errorf("answer about %s: the IRI has at most %d bytes, the name of who answers is one line of at most %d (%w)",
				console.Visible(one.Class, maxAnswerer), maxClassIRI, maxAnswerer, orbweaver.ErrInput)
		}
	}
	return answerCall.ask(ctx, h, all)
}

var answerCall = call[[]ClassAnswer, Asking]{name: "answer", focus: true, do: func(ctx context.Context, p *spot, all []ClassAnswer) (a Asking, err error) {
	ended := p.between(ctx, func() {
		taken := 0
		for _, one := range all {
			var n int
			n, err = p.answer(ctx, one)
			if taken += n; err != nil {
				break
			}
		}
		if taken > 0 {
			err = errors.Join(err, p.bench.c.WriteDecisions())
		}
		if err == nil {
			a, err = p.asking()
		}
	})
	return a, cmp.Or(ended, err)
}}

// questioner is the instance that asks.
func (p *spot) questioner() (kind.Questioner, error) {
	if q, ok := p.bench.c.Focus.(kind.Questioner); ok {
		return q, nil
	}
	return nil, fmt.Errorf("%s: the %s focus asks nothing about classes (%w)", p.file.Name(), p.file.Focus.Key(), orbweaver.ErrInput)
}

// asking runs on the decider goroutine.
func (p *spot) asking() (a Asking, err error) {
	q, err := p.questioner()
	if err != nil {
		return a, err
	}
	a = Asking{Question: q.Question(), Answers: []ClassAnswer{}, Waits: q.Waits()}
	answers := q.Answers()
	for _, class := range slices.Sorted(maps.Keys(answers)) {
		a.Answers = append(a.Answers, ClassAnswer{Class: class, Yes: answers[class]})
	}
	return a, nil
}

// answer commits an answer, and before it the withdrawal of one that it replaces, and returns the number of decisions. It runs on the decider goroutine.
func (p *spot) answer(ctx context.Context, one ClassAnswer) (taken int, err error) {
	q, err := p.questioner()
	if err != nil {
		return 0, err
	}
	before, said := q.Answers()[one.Class]
	var decisions []orbweaver.Decision
	if said && (one.Withdrawn || before != one.Yes) {
		decisions = append(decisions, orbweaver.Decision{ID: one.Class, As: orbweaver.AsTopic, Withdrawn: true})
	}
	switch {
	case one.Withdrawn && !said:
		return 0, fmt.Errorf("withdraw the answer about %s: there is none (%w)", one.Class, orbweaver.ErrInput)
	case !one.Withdrawn && (!said || before != one.Yes):
		d, err := q.Answering(one.Class, one.Yes)
		if err != nil {
			return 0, err
		}
		decisions = append(decisions, d)
	}
	for _, d := range decisions {
		d.By, d.At = strings.TrimSpace(one.By), time.Now().UTC().Truncate(time.Second)
		d.After = p.bench.session.Progress().Requests
		if err := p.bench.session.Decide(ctx, d); err != nil {
			return taken, err
		}
		taken++
	}
	return taken, nil
}
