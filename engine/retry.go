package engine

import (
	"errors"
	"maps"
	"slices"

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

// again reports whether a request is to be made again. A repeated request is always safe, so it depends on
// whether the failure is transient, and on robots.txt, which may have come to forbid it meanwhile. What failed for its host
// waits until the host answers, or is down; what failed in an outage of the network was not tried.
func (l *live) again(waiting step.Waiting, r reading) bool {
	id := waiting.ID
	switch {
	case r.err == nil || !l.c.inScope(waiting.URL):
	case l.network.down() && (missed(r.reply) || r.reply.Fault == step.FaultDocument):
		l.lose(id)
		return true
	case !hopeful(r) || l.unheard(waiting, r):
	case r.reply.Fault == step.FaultHost && waiting.Query == "":
		return true
	case l.tries[id] < l.c.cfg.Live.Retries:
		l.tries[id]++
		return true
	}
	delete(l.tries, id)
	return false
}

// putBack queues a request that is to be made again. If it may be the document that fails, and not the host, another
// request of the host goes first, so that one tells from the other.
func (l *live) putBack(host string, w step.Waiting, r reading) {
	if r.reply.Fault == step.FaultHost || l.network.down() || !l.hosts.More(host) {
		l.comeBack(w)
		return
	}
	l.held[host] = append(l.held[host], w)
}

// release queues the requests of a host that let another go first; of all hosts if the host is empty.
func (l *live) release(host string) (some bool) {
	if host == "" {
		for _, host := range slices.Sorted(maps.Keys(l.held)) {
			some = l.release(host) || some
		}
		return some
	}
	held := l.held[host]
	delete(l.held, host)
	for _, w := range held {
		l.comeBack(w)
	}
	return len(held) > 0
}
