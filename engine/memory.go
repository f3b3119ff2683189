package engine

import (
	"context"

	"golang.org/x/sync/semaphore"

	"orbweaver"
)

// The memory budgets of all requests in flight: for bodies being received and for pages that wait to be
// decided. A single larger one is admitted alone. A request that finds its budget exhausted waits, and
// reads no more from its connection.
const (
	bodyMemory = 256 << 20
	pageMemory = 256 << 20
)

// The budgets of a live session, by index.
const (
	bodies = iota
	pages
)

// budget returns a budget of the session; nil, which is unlimited, if there is none.
func (l *live) budget(which int) *budget {
	if l == nil {
		return nil
	}
	return l.budgets[which]
}

// A budget is an amount of memory to take and give back. Nil is unlimited.
type budget struct {
	free *semaphore.Weighted
	size int64
}

func newBudget(size int64) *budget { return &budget{semaphore.NewWeighted(size), size} }

// take waits until n bytes are free, or ctx ends. back releases them.
func (r *budget) take(ctx context.Context, n int64) (back func(), err error) {
	if r == nil {
		return func() {}, nil
	}
	if n <= 0 { // the size is unknown
		n = r.size
	}
	n = min(n, r.size)
	if err := r.free.Acquire(ctx, n); err != nil {
		return func() {}, err
	}
	return func() { r.free.Release(n) }, nil
}

// weight estimates the bytes that a page holds.
func weight(p *orbweaver.Page) int64 {
	n := int64(len(p.Text) + len(p.Body) + 1024)
	if p.Quads != nil {
		n += 4 * p.Size // their size in memory
	}
	if p.Results != nil {
		n += 4 * p.Size // strings, and as much again for their terms
	}
	for i := range p.Links {
		n += int64(len(p.Links[i].To) + len(p.Links[i].Anchor) + len(p.Links[i].Context) + 512)
	}
	return n
}
