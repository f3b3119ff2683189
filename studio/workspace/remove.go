package workspace

import (
	"context"
	"fmt"

	"orbweaver"
	"orbweaver/crawl"
)

// A Removing says how far the removal of pages from a crawl is.
type Removing struct {
	Step string `json:"step,omitempty"` // archive, ledger, words, space or pages.jsonl; empty: it begins
	Done int64  `json:"done,omitempty"`
	All  int64  `json:"all,omitempty"`
}

// A RemovalEnd is how a removal ended.
type RemovalEnd struct {
	Removed crawl.Removed
	Err     error
}

// PreviewRemoval counts what a removal of pages would remove from a crawl. Errors are as of crawl.Crawl.Remove.
func (w *Workspace) PreviewRemoval(ctx context.Context, id string, q crawl.RemovalQuery) (r crawl.Removed, err error) {
	q.Preview = true
	err = w.Use(ctx, id, func(c *crawl.Crawl) (err error) {
		r, err = c.Remove(ctx, q)
		return err
	})
	return r, err
}

// Remove begins to remove pages from a crawl that rests, for good, and returns a channel that receives how that ended. It goes on when
// the caller has gone; if the program ends before, the workspace finishes it when it is opened again. Until it has ended the crawl answers
// no other calls: their errors wrap orbweaver.ErrBusy. So does that of Remove if the crawl runs or waits to run.
func (w *Workspace) Remove(ctx context.Context, id string, q crawl.RemovalQuery) (<-chan RemovalEnd, error) {
	if _, err := w.PreviewRemoval(ctx, id, q); err != nil {
		return nil, err
	}
	view, err := w.Crawl(ctx, id)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	m, err := w.find(id)
	if err == nil && (m.session != nil || w.waits(id) || view.Elsewhere) {
		err = fmt.Errorf("crawl %s: it runs, or waits to run: stop it first (%w)", id, orbweaver.ErrBusy)
	}
	if err == nil && m.removing != nil {
		err = m.removes()
	}
	if err != nil {
		return nil, err
	}
	return w.takeOut(m, q), nil
}

// takeOut removes pages beside all else. It must be called with w.mu held.
func (w *Workspace) takeOut(m *member, q crawl.RemovalQuery) <-chan RemovalEnd {
	m.removing = &Removing{}
	w.change()
	c, ended := m.crawl, make(chan RemovalEnd, 1)
	q.Preview, q.Progress = false, func(step string, done, all int64) {
		w.mu.Lock()
		defer w.mu.Unlock()
		m.removing = &Removing{step, done, all}
	}
	w.running.Go(func() {
		release := w.claim(m)
		r, err := c.Remove(w.ctx, q)
		release()
		w.mu.Lock()
		defer w.mu.Unlock()
		if m.removing = nil; err != nil {
			m.failed = err.Error()
		}
		m.last = standing{} // its counts are others now
		w.want(m, false)
		w.change()
		ended <- RemovalEnd{r, err}
	})
	return ended
}

// removes is the error of calls to a crawl while pages are removed from it. It must be called with the workspace's mu held.
func (m *member) removes() error {
	how := ""
	if r := m.removing; r.All > 0 {
		how = fmt.Sprintf(" (%s, %d %%)", r.Step, 100*r.Done/r.All)
	}
	return fmt.Errorf("crawl %s: pages are being removed from it%s: ask again in a while (%w)", m.id, how, orbweaver.ErrBusy)
}

// Removals returns what was removed from a crawl, oldest first, and how far the removal is that is under way; nil: none is.
func (w *Workspace) Removals(id string) (all []crawl.Removal, now *Removing, err error) {
	w.mu.Lock()
	m, err := w.find(id)
	if err != nil || m.crawl == nil {
		w.mu.Unlock()
		return nil, nil, cmpErr(err, m.fault, orbweaver.ErrInput)
	}
	c, now := m.crawl, m.removing
	w.mu.Unlock()
	all, err = c.Removals()
	return all, now, err
}

// finishRemovals goes on with removals that the last process did not finish.
func (w *Workspace) finishRemovals() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.crawls {
		w.load(m)
		if m.crawl == nil || m.session != nil {
			continue // a session finishes it
		}
		if all, err := m.crawl.Removals(); err == nil && len(all) > 0 && all[len(all)-1].Done.IsZero() {
			w.takeOut(m, crawl.RemovalQuery{})
		}
	}
}
