package delivery

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/console"
	"orbweaver/sink"
)

// ErrBehind says that sinks lack pages of a crawl that is over. The command line maps it to a separate exit status.
const ErrBehind orbweaver.Failure = "sinks-behind"

// drainLook is how often Drain looks whether sinks have all.
const drainLook = 20 * time.Millisecond

// Drain ends the run when the crawl has ended. If drains is set it waits until each sink has all, or has failed for patience in a row. Stop ends the wait. The error wraps ErrBehind if sinks lack something of a crawl that is over.
func (r *Run) Drain(drains bool, patience time.Duration) error {
	if r == nil || r.drained {
		return nil
	}
	r.drained = true
	if r.o.Within != nil {
		close(r.over)
		for _, f := range r.feeders {
			f.mark(false, time.Now())
		}
	}
	var settled error
	if drains {
		r.drain(patience)
		settled = r.settle()
	}
	r.cancel()
	r.running.Wait()
	errs := []error{settled}
	for _, f := range r.feeders {
		errs = append(errs, f.Sink.Close())
	}
	if !drains {
		return errors.Join(errs...)
	}
	return errors.Join(append(errs, r.lacking())...)
}

// Stop ends the wait of Drain.
func (r *Run) Stop() {
	if r != nil && !r.runs() {
		r.cancel()
	}
}

// Between runs f while Drain waits. The error wraps engine.ErrOver if the sinks have ended, too.
func (r *Run) Between(f func()) error {
	if r == nil || r.runs() || r.ctx.Err() != nil {
		return engine.ErrOver
	}
	r.at.Lock()
	defer r.at.Unlock()
	f()
	return nil
}

func (r *Run) drain(patience time.Duration) {
	for _, f := range r.feeders {
		f.wake()
	}
	told := false
	failing := map[*feeder]time.Time{}
	t := time.NewTicker(drainLook)
	defer t.Stop()
	for began := time.Now(); ; {
		left := 0
		for _, f := range r.feeders {
			f.mu.Lock()
			done, failed, gone := f.all(), f.state.Error != "", f.state.Gone
			f.mu.Unlock()
			if since, is := failing[f]; !failed {
				delete(failing, f)
			} else if !is {
				failing[f] = time.Now()
			} else if time.Since(since) >= patience {
				continue
			}
			if !done && !gone {
				left++
			}
		}
		if left == 0 {
			return
		}
		if !told && time.Since(began) > 2*time.Second {
			told = true
			r.o.Tell("the crawl is over; waiting until its sinks have all pages")
		}
		select {
		case <-r.ctx.Done():
			return
		case <-t.C:
		}
	}
}

// settle has sinks do what they do when the crawl is over, if all of them have all. What is left of it when it is stopped is done by the next run.
func (r *Run) settle() error {
	if slices.ContainsFunc(r.feeders, func(f *feeder) bool { return !f.all() }) || len(r.feeders) == 0 {
		return nil
	}
	var errs []error
	for _, f := range r.feeders {
		if s, is := f.Sink.(sink.Settler); is {
			if err := s.Settle(r.ctx); err != nil && r.ctx.Err() == nil {
				errs = append(errs, fmt.Errorf("sink %s: %w", f.Name, err))
			}
		}
	}
	return errors.Join(errs...)
}

// lacking returns an error for the sinks that lack something.
func (r *Run) lacking() error {
	var words []string
	for _, f := range r.feeders {
		f.mu.Lock()
		why := f.state.Error
		f.mu.Unlock()
		if f.all() {
			continue
		}
		if why == "" {
			why = "it was not finished"
		}
		words = append(words, fmt.Sprintf("sink %s lacks %s: %s", f.Name, console.Several(int(f.behind.Load()), "page"), why))
	}
	if len(words) == 0 {
		return nil
	}
	return fmt.Errorf("%s (%w)", strings.Join(words, "; "), ErrBehind)
}
