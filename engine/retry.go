package engine

import (
	"errors"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// hopeful reports whether a failure may be over soon. An error that knows says so itself, as those of
// endpoints do: whose query takes too long, or is wrong, has the same answer tomorrow, whatever its status.
func hopeful(r reading) bool {
	var told interface{ Again() bool }
	if errors.As(r.err, &told) {
		return told.Again()
	}
	return r.err != nil && pipeline.Transient(orbweaver.FailureOf(r.err)) || pipeline.Overloaded(r.status)
}

// unheard reports whether an endpoint took a query and did not answer it, and the focus has other words: they are
// the next try, after the same pause.
func (l *live) unheard(waiting step.Waiting, r reading) bool {
	return waiting.Query != "" && l.c.focus.rephraser != nil && !r.reply.Started.IsZero() &&
		orbweaver.FailureOf(r.err) != orbweaver.ErrConnect && l.c.focus.rephraser.Rephrases(waiting.Request)
}

// again reports whether a request is worth another try: asking twice for a page is always safe, so
// what matters is whether the failure may be over soon, and that robots.txt has not come to forbid it
// meanwhile.
func (l *live) again(waiting step.Waiting, r reading) bool {
	id := waiting.ID
	if !hopeful(r) || l.unheard(waiting, r) || !l.c.inScope(waiting.URL) || l.tries[id] >= l.c.cfg.Live.Retries {
		delete(l.tries, id)
		return false
	}
	l.tries[id]++
	return true
}
