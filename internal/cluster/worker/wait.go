package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"orbweaver/internal/cluster/record"
)

// Times of a storage that fails.
const (
	slowTime = 15 * time.Second // that a write to the record takes before the worker waits for it
	lastTime = 10 * time.Second // for the last write of a session while the storage fails
)

// errSlow says why a worker waits whose storage has not answered yet.
var errSlow = fmt.Errorf("a write to the storage takes more than %v", slowTime)

// away reports whether an error is one of the storage.
func away(err error) bool {
	var f record.Failure
	return errors.As(err, &f)
}

// wait has the crawl make no requests while the storage fails: what it finds would be on this machine alone, and nobody could go on from there. Requests in flight are finished, what others send is
// taken, and nobody is told of it. A nil error ends that.
func (w *Worker) wait(why error) {
	w.mu.Lock()
	before := w.trouble
	w.trouble = why
	w.mu.Unlock()
	if (before == nil) == (why == nil) {
		return
	}
	if w.o.Say != nil && why != nil {
		w.o.Say(fmt.Sprintf("the crawl makes no requests while its storage fails: %v", why))
	} else if w.o.Say != nil {
		w.o.Say("the storage works again, and the crawl goes on")
	}
	go func() { // the crawl may be over, and then there is nothing to hold
		_ = w.crawl.Call(w.ctx, func() { w.crawl.Hold(w.Trouble() != nil) })
	}()
}

// Trouble returns the error of the storage for which this worker waits; nil: it does not.
func (w *Worker) Trouble() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.trouble
}

// unlessAway is nil for an error of the storage, which is tried again.
func (w *Worker) unlessAway(err error) error {
	if !away(err) {
		return err
	}
	return nil
}

// lastCheckpoint is that at the end of a session. While the storage fails it does not wait for long: what is not in the record is in the folder.
func (w *Worker) lastCheckpoint(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	if w.Trouble() != nil {
		within, cancel := context.WithTimeout(ctx, lastTime)
		defer cancel()
		ctx = within
	}
	return w.checkpoint(ctx)
}
