package engine

import (
	"context"

	"golang.org/x/sync/semaphore"

	"orbweaver"
)

// What requests in flight may hold in memory all together, but for one that is larger: of bodies that are
// received, and of pages that wait to be decided. Whoever finds no room waits, and takes no more off the
// wire meanwhile.
const (
	bodyMemory = 256 << 20
	pageMemory = 256 << 20
)

// The budgets of a live session.
const (
	bodies = iota
	pages
)

// room is one of a session; nil, which has no end, where there is none.
func (l *live) budget(which int) *budget {
	if l == nil {
		return nil
	}
	return l.budgets[which]
}

// A room is so much memory, to be taken and given back.
type budget struct {
	free *semaphore.Weighted
	size int64
}

func newBudget(size int64) *budget { return &budget{semaphore.NewWeighted(size), size} }

// take waits until there is room for n bytes, and returns what gives it back; or ctx ends.
func (r *budget) take(ctx context.Context, n int64) (back func(), err error) {
	if r == nil {
		return func() {}, nil
	}
	if n <= 0 { // no limit is known
		n = r.size
	}
	n = min(n, r.size)
	if err := r.free.Acquire(ctx, n); err != nil {
		return func() {}, err
	}
	return func() { r.free.Release(n) }, nil
}

// weight is about how many bytes a page holds.
func weight(p *orbweaver.Page) int64 {
	n := int64(len(p.Text) + len(p.Body) + 1024)
	if p.Quads != nil {
		n += 4 * p.Size // what they take where they are kept
	}
	if p.Results != nil {
		n += 4 * p.Size // strings, and as much again for what they are terms of
	}
	for i := range p.Links {
		n += int64(len(p.Links[i].To) + len(p.Links[i].Anchor) + len(p.Links[i].Context) + 512)
	}
	return n
}
