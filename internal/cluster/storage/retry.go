package storage

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Times.
const (
	patience     = 2 * time.Minute  // how long an operation may fail for what passes
	openPatience = 10 * time.Second // likewise, while somebody waits for a crawl to start
	firstPause   = 100 * time.Millisecond
	longestPause = 10 * time.Second
)

// A failure is why one attempt failed.
type failure struct {
	reason error  // ErrAbsent, ErrFull, orbweaver.ErrInput, or nil
	text   string // what it means, and what to do
	err    error  // as the disk or the server has it; nil: the text says all
	passes bool   // the same may succeed later
}

func (f *failure) Error() string {
	text := f.text
	for _, err := range []error{f.reason, f.err} {
		switch {
		case err == nil:
		case text == "":
			text = err.Error()
		case err == f.reason:
			text += " (" + err.Error() + ")"
		default:
			text += ": " + err.Error()
		}
	}
	return text
}

func (f *failure) Unwrap() []error {
	var errs []error
	for _, err := range []error{f.reason, f.err} {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// errGivenUp says that a failure that may pass did not pass in time.
var errGivenUp = errors.New("given up")

// passing reports whether another attempt may succeed.
func passing(err error) bool {
	var f *failure
	return errors.As(err, &f) && f.passes && !errors.Is(err, errGivenUp)
}

// A trial is a row of attempts that fail.
type trial struct {
	patience time.Duration
	attempts int
	since    time.Time
	pause    time.Duration
}

// wait waits before the next attempt, by half and up to the whole of a pause, so that those who wait for the same spread. It returns an
// error if there is to be none: what failed does not pass, did not in time, or the context is done.
func (t *trial) wait(ctx context.Context, err error) error {
	if stop := ctx.Err(); stop != nil {
		return fmt.Errorf("%w (last: %w)", stop, err)
	}
	if !passing(err) {
		return err
	}
	if t.attempts++; t.attempts == 1 {
		t.since = time.Now()
	}
	t.pause = min(max(2*t.pause, firstPause), longestPause)
	failing := time.Since(t.since)
	if failing+t.pause > t.patience {
		return fmt.Errorf("%w (%w after %d attempts in %v)", err, errGivenUp, t.attempts, failing.Round(time.Second))
	}
	timer := time.NewTimer(t.pause/2 + rand.N(t.pause/2))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return fmt.Errorf("%w (last: %w)", ctx.Err(), err)
	case <-timer.C:
		return nil
	}
}

// retry makes an attempt until it succeeds or fails for good.
func retry(ctx context.Context, patience time.Duration, attempt func() error) error {
	t := trial{patience: patience}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := attempt()
		if err == nil {
			return nil
		}
		if err := t.wait(ctx, err); err != nil {
			return err
		}
	}
}
