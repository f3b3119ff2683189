package engine

import (
	"errors"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// hopeful reports whether a retry may succeed. An error with a method Again decides for itself, as those of
// endpoints do: a query that is wrong, or takes too long, fails the same way tomorrow, whatever the status.
func hopeful(r reading) bool {
	var knows interface{ Again() bool }
	if errors.As(r.err, &knows) {
		return knows.Again()
	}
	return r.err != nil && pipeline.Transient(orbweaver.FailureOf(r.err)) || pipeline.Overloaded(r.status)
}

// unheard reports whether an endpoint received a query and did not answer it, and the focus can rephrase it:
// the rephrased query is the next try, after the same pause.
func (l *live) unheard(waiting step.Waiting, r reading) bool {
	return waiting.Query != "" && l.c.focus.rephraser != nil && !r.reply.Started.IsZero() &&
		orbweaver.FailureOf(r.err) != orbweaver.ErrConnect && l.c.focus.rephraser.Rephrases(waiting.Request)
}

// again reports whether a request deserves a retry. A repeated request is always safe, so it depends on
// whether the failure is transient, and on robots.txt, which may have come to forbid it meanwhile.
func (l *live) again(waiting step.Waiting, r reading) bool {
	id := waiting.ID
	if !hopeful(r) || l.unheard(waiting, r) || !l.c.inScope(waiting.URL) || l.tries[id] >= l.c.cfg.Live.Retries {
		delete(l.tries, id)
		return false
	}
	l.tries[id]++
	return true
}
