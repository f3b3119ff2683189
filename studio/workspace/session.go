package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/atomicfile"
)

// A session of a crawl in this process.
type session struct {
	begun   bool          // it has opened the crawl folder
	answers bool          // it has been steered
	opened  chan struct{} // closed then, or at its end
	ended   chan struct{}
	cancel  context.CancelFunc
}

// waits reports whether a crawl waits in the queue. It must be called with w.mu held.
func (w *Workspace) waits(id string) bool { return slices.Contains(w.queue, id) }

// Start puts a crawl into the queue; it begins, or goes on, when less than Options.AtOnce run. A crawl that is over is asked whether
// there is more to do, as by the command line. Starting what runs or waits already changes nothing. The error wraps orbweaver.ErrInput
// if its crawl file has problems, and orbweaver.ErrBusy if another process runs it.
func (w *Workspace) Start(ctx context.Context, id string) error {
	view, err := w.Crawl(ctx, id)
	if err != nil {
		return err
	}
	if view.Elsewhere {
		return fmt.Errorf("crawl %s: another process runs it (%w)", id, orbweaver.ErrBusy)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	m, err := w.find(id)
	if err != nil {
		return err
	}
	if m.crawl == nil {
		return cmpErr(m.fault, orbweaver.ErrInput)
	}
	if m.session == nil && !w.waits(id) {
		w.queue = append(w.queue, id)
	}
	m.paused = false
	return w.turn()
}

// turn starts crawls from the queue while there is room, and remembers what is to run. It must be called with w.mu held.
func (w *Workspace) turn() error {
	active := 0
	for _, m := range w.crawls {
		if m.session != nil && !m.crawl.Watched() { // a watch mostly waits
			active++
		}
	}
	for active < w.opts.AtOnce && len(w.queue) > 0 && w.ctx.Err() == nil && w.full == "" {
		id := w.queue[0]
		w.queue = w.queue[1:]
		if m, err := w.find(id); err == nil && m.crawl != nil && m.session == nil {
			w.launch(m)
			active++
		}
	}
	w.change()
	w.wake()
	return w.remember()
}

// launch runs a session of a crawl. It must be called with w.mu held.
func (w *Workspace) launch(m *member) {
	ctx, cancel := context.WithCancel(w.ctx)
	s := &session{opened: make(chan struct{}), ended: make(chan struct{}), cancel: cancel}
	m.session, m.failed = s, ""
	c := m.crawl
	w.running.Go(func() {
		defer cancel()
		release := w.claim(m) // until the session has opened the folder
		done := make(chan error, 1)
		go func() {
			run := c.Run
			if c.Scheduled() {
				run = c.Watch
			}
			_, err := run(ctx)
			done <- err
		}()
		var err error
		select {
		case <-s.opened:
			release()
			err = <-done
		case err = <-done:
			release()
		}
		w.over(m, s, err)
	})
}

// begun notes that the session of a crawl has opened its folder.
func (w *Workspace) begun(m *member) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := m.session; s != nil && !s.begun {
		s.begun = true
		close(s.opened)
		w.change()
	}
}

// over notes that a session has ended.
func (w *Workspace) over(m *member, s *session, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	m.session = nil
	if err != nil && !errors.Is(err, crawl.ErrInterrupted) {
		m.failed = err.Error()
	}
	close(s.ended)
	if err == nil {
		w.want(m, false)
		w.running.Go(func() { w.see(w.ctx, m) }) // who asks first does not wait for the counts
	}
	if w.ctx.Err() == nil {
		_ = w.turn() // what cannot be remembered now is at the next change
	}
}

// Pause keeps a crawl from starting requests until Resume. One that waits in the queue does not begin until then.
func (w *Workspace) Pause(ctx context.Context, id string) error {
	return w.steer(ctx, id, func(m *member, c *crawl.Crawl) error {
		w.mu.Lock()
		here := m.session != nil
		if here || w.waits(id) {
			m.paused = true
		}
		w.queue = slices.DeleteFunc(w.queue, func(q string) bool { return q == id })
		err := w.remember()
		w.change()
		w.mu.Unlock()
		if !here && m.paused || err != nil {
			return err
		}
		return w.reached(ctx, m, c.Pause)
	})
}

// Resume ends a pause.
func (w *Workspace) Resume(ctx context.Context, id string) error {
	return w.steer(ctx, id, func(m *member, c *crawl.Crawl) error {
		w.mu.Lock()
		here, wanted := m.session != nil, m.paused
		w.mu.Unlock()
		if !here && wanted {
			return w.Start(ctx, id)
		}
		err := c.Resume(ctx)
		w.mu.Lock()
		defer w.mu.Unlock()
		if m.paused = m.paused && err != nil; err == nil {
			err = w.remember()
		}
		w.change()
		return err
	})
}

// Stop ends the session of a crawl after the requests in flight, or takes it out of the queue. It can be started again.
func (w *Workspace) Stop(ctx context.Context, id string) error {
	return w.steer(ctx, id, func(m *member, c *crawl.Crawl) error {
		w.mu.Lock()
		here, idle := m.session != nil, w.waits(id) || m.paused && m.session == nil
		w.queue = slices.DeleteFunc(w.queue, func(q string) bool { return q == id })
		m.paused = false
		err := w.remember()
		w.change()
		w.mu.Unlock()
		if idle && !here || err != nil {
			return err
		}
		return w.reached(ctx, m, c.Stop)
	})
}

// again is the time between two tries to reach a session that begins.
const again = 5 * time.Millisecond

// reached steers a crawl; a session of this process that has only begun is waited for.
func (w *Workspace) reached(ctx context.Context, m *member, steer func(context.Context) error) error {
	for {
		err := steer(ctx)
		w.mu.Lock()
		begins := m.session != nil && !m.session.answers
		if err == nil && begins {
			m.session.answers = true
		}
		w.mu.Unlock()
		if err == nil || !begins {
			return err
		}
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// steer calls f with a crawl that has no problems. It does not wait for who asks the crawl at rest.
func (w *Workspace) steer(ctx context.Context, id string, f func(*member, *crawl.Crawl) error) error {
	w.mu.Lock()
	m, err := w.find(id)
	if err == nil && m.crawl == nil {
		err = cmpErr(m.fault, orbweaver.ErrInput)
	}
	w.mu.Unlock()
	if err != nil {
		return err
	}
	return f(m, m.crawl)
}

// A memory is what a workspace does when it is opened again.
type memory struct {
	Run   []string `json:"run"`   // ids of crawls, in order
	Pause []string `json:"pause"` // those that wait for a person to resume them

	Prepare []string `json:"prepare,omitempty"` // those whose indexes are to be made
}

// remember writes what is to run when the workspace is opened again. It must be called with w.mu held.
func (w *Workspace) remember() error {
	var m memory
	for id, c := range w.crawls {
		if c.wanted {
			m.Prepare = append(m.Prepare, id)
		}
		switch {
		case c.paused:
			m.Pause = append(m.Pause, id)
		case c.session != nil:
			m.Run = append(m.Run, id)
		}
	}
	slices.Sort(m.Run)
	slices.Sort(m.Pause)
	slices.Sort(m.Prepare)
	m.Run = append(m.Run, w.queue...)
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("workspace: %w", err)
	}
	return replace(filepath.Join(w.dir, ownFolder, stateFile), text)
}

// goOn starts what ran when the workspace was left. What is not there any more is passed over.
func (w *Workspace) goOn() error {
	text, err := os.ReadFile(filepath.Join(w.dir, ownFolder, stateFile))
	if os.IsNotExist(err) {
		return nil
	}
	var m memory
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		return fmt.Errorf("workspace: %w (%w): remove the file to start no crawl", err, orbweaver.ErrInput)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range m.Pause {
		if c, ok := w.crawls[id]; ok {
			c.paused = true
		}
	}
	for _, id := range m.Prepare {
		if c, ok := w.crawls[id]; ok {
			c.wanted = true
		}
	}
	for _, id := range m.Run {
		if _, ok := w.crawls[id]; ok && !w.waits(id) {
			w.queue = append(w.queue, id)
		}
	}
	return w.turn()
}

// replace writes a file whole, or not at all.
func replace(path string, content []byte) error {
	if err := atomicfile.WriteFile(path, content, 0o600); err != nil {
		return fmt.Errorf("workspace: %w", err)
	}
	return nil
}
