package engine

import (
	"context"
	"iter"
	"runtime"

	"orbweaver"
)

// A rereading reads the pages of outcomes again, a few of them at a time.
type rereading struct {
	c     *Crawl
	queue []chan reread // in the order of the outcomes
}

// A reread is an outcome whose page was read again.
type reread struct {
	outcome orbweaver.Outcome
	err     error
}

// all ranges over the outcomes after the n-th one, in order, each with the page that it teaches the focus, if there is one.
func (r *rereading) all(ctx context.Context, n int64) iter.Seq2[orbweaver.Outcome, error] {
	return func(yield func(orbweaver.Outcome, error) bool) {
		for o, err := range r.c.cfg.Ledger.Outcomes(n) {
			if err != nil {
				yield(o, err)
				return
			}
			if r.read(ctx, o); len(r.queue) > 2*runtime.GOMAXPROCS(0) && !yield(r.next()) {
				return
			}
		}
		for len(r.queue) > 0 && yield(r.next()) {
		}
	}
}

// read reads the page of an outcome, if it teaches something.
func (r *rereading) read(ctx context.Context, o orbweaver.Outcome) {
	done := make(chan reread, 1)
	r.queue = append(r.queue, done)
	if o.Page == nil || teachesNothing(o) || r.c.cfg.NoReplay {
		done <- reread{outcome: o}
		return
	}
	go func() {
		var err error
		o.Page, err = r.c.readAgain(ctx, o)
		done <- reread{o, err}
	}()
}

// next waits for the first of the outcomes.
func (r *rereading) next() (orbweaver.Outcome, error) {
	first := <-r.queue[0]
	r.queue = r.queue[1:]
	return first.outcome, first.err
}

// close waits until nothing is read any more.
func (r *rereading) close() {
	for len(r.queue) > 0 {
		_, _ = r.next()
	}
}
