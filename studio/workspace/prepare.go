package workspace

import (
	"context"
	"errors"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/order"
)

// usualQuiet is the time for which nobody must have asked a crawl before its indexes are made in the background.
const usualQuiet = time.Second

// Want has the indexes of a crawl at rest made in the background: those behind lists, explanations and searches. One crawl is prepared at
// a time. Whoever asks the crawl meanwhile, starts or deletes it goes first; a session that runs goes before all crawls that nobody asked for.
func (w *Workspace) Want(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if m, err := w.find(id); err == nil {
		w.want(m, true)
	}
}

// want is Want for a crawl that a person looks at, or one that has ended. It must be called with w.mu held.
func (w *Workspace) want(m *member, asked bool) {
	m.asked = m.asked || asked
	if m.wanted || m.session != nil {
		return
	}
	if of := touched(m.folder); !of.IsZero() && !of.Equal(m.prepared) {
		m.wanted = true
		w.wake()
	}
}

// wake has the background look for what there is to do.
func (w *Workspace) wake() {
	select {
	case w.work <- struct{}{}:
	default:
	}
}

// claim waits for a crawl at rest; a slice of the background's work on it ends at once. release ends it.
func (w *Workspace) claim(m *member) (release func()) {
	w.mu.Lock()
	m.claims++
	if m.cut != nil {
		m.cut()
	}
	w.mu.Unlock()
	m.rest.Lock()
	return func() {
		m.rest.Unlock()
		w.mu.Lock()
		m.claims--
		m.left = time.Now()
		w.mu.Unlock()
		w.wake()
	}
}

// prepareAll makes indexes of crawls until the workspace is closed.
func (w *Workspace) prepareAll() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		m, wait := w.nextWanted()
		if m != nil {
			w.prepare(m)
			continue
		}
		if timer.Reset(wait); wait == 0 {
			timer.Stop()
		}
		select {
		case <-w.work:
		case <-timer.C:
		case <-w.ctx.Done():
			return
		}
	}
}

// nextWanted takes the crawl whose indexes are to be made now, so that nobody else can ask it until prepare has ended. nil: none is; then wait
// is the time after which one may be, or zero.
func (w *Workspace) nextWanted() (next *member, wait time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ctx.Err() != nil || w.full != "" {
		return nil, 0
	}
	busy := len(w.queue) > 0
	var wanted []*member
	for _, m := range w.crawls {
		busy = busy || m.session != nil
		if m.wanted && m.session == nil && m.claims == 0 && m.crawl != nil {
			wanted = append(wanted, m)
		}
	}
	order.By(wanted, func(a, b *member) int { return b.left.Compare(a.left) }) // the one looked at last first
	for _, m := range wanted {
		if busy && !m.asked {
			continue
		}
		if left := w.opts.Quiet - time.Since(m.left); left > 0 {
			if wait == 0 || left < wait {
				wait = left
			}
			continue
		}
		if m.rest.TryLock() {
			return m, 0
		}
	}
	return nil, wait
}

// prepare makes indexes of a crawl that nextWanted took, until they are made or somebody claims the crawl.
func (w *Workspace) prepare(m *member) {
	ctx, cut := context.WithCancel(w.ctx)
	w.mu.Lock()
	if m.cut = cut; m.claims > 0 {
		cut()
	}
	c, of := m.crawl, touched(m.folder)
	w.mu.Unlock()
	p, err := c.Prepare(ctx)
	cut()
	m.rest.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	m.cut, m.progress = nil, p
	if err == nil || errors.Is(err, orbweaver.ErrInput) || ctx.Err() == nil { // what fails is tried again when the crawl has changed
		m.wanted, m.asked, m.prepared = false, false, of
	}
	w.change()
}

// Prepared returns how far the words of a crawl were indexed when the background last worked on them.
func (w *Workspace) Prepared(id string) (p crawl.Prepared, working bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if m, err := w.find(id); err == nil {
		return m.progress, m.wanted
	}
	return p, false
}
