package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/internal/cluster"
)

const (
	learnPause = 2 * time.Second  // between two looks at what was learned, unless Options say
	learnTime  = 10 * time.Second // for what is published, and for what others have
)

// learning is what this worker knows of what all have learned.
type learning struct {
	shares, takes cluster.Growth
	pages         map[string]int64 // of others, as they are in bodies
	bodies        map[string][]byte
	told          bool // that something of others can't be read
}

// learn publishes what this worker has learned, and takes what others publish, each when it has become a quarter more: see engine.Sharer. Without the bus, or when a
// worker publishes what this one can't read, as one of another version may, each goes on with what it has.
func (w *Worker) learn(ctx context.Context) error {
	if !w.crawl.Shares() {
		return nil
	}
	l := &learning{pages: map[string]int64{}, bodies: map[string][]byte{}}
	tick := time.NewTicker(cmp.Or(w.o.Lessons, learnPause))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		within, cancel := context.WithTimeout(ctx, learnTime)
		err := w.teach(within, l)
		err = errors.Join(err, w.learnOfOthers(within, l)) // who cannot teach can learn
		cancel()
		if errors.Is(err, errFocus) {
			return w.ended(ctx, err)
		}
		if errors.Is(err, orbweaver.ErrDamaged) && !l.told && w.o.Say != nil {
			l.told = true
			w.o.Say(fmt.Sprintf("what others have learned is left out: %v", err))
		}
	}
}

// errFocus is an error of the focus, or of the ledger: the crawl can't go on with it.
var errFocus = errors.New("learning together")

// teach publishes what this worker has learned, when that is worth it.
func (w *Worker) teach(ctx context.Context, l *learning) error {
	var body []byte
	var pages int64
	var failed error
	err := w.crawl.Call(ctx, func() {
		if l.shares.Due(w.book.Progress().Pages) {
			body, pages, failed = w.crawl.Share()
		}
	})
	if failed != nil {
		return fmt.Errorf("%w: %w", errFocus, failed)
	}
	if err == nil && body != nil {
		if err = w.o.Bus.Teach(ctx, pages, body); err != nil {
			l.shares = cluster.Growth{} // again
		}
	}
	return err
}

// learnOfOthers takes what others have learned, when it has become enough more.
func (w *Worker) learnOfOthers(ctx context.Context, l *learning) error {
	pages, err := w.o.Bus.Lessons(ctx)
	if err != nil {
		return err
	}
	delete(pages, w.o.Worker)
	var sum int64
	for _, n := range pages {
		sum += n
	}
	before := l.takes
	if !l.takes.Due(sum) {
		return nil
	}
	err = w.fetchLessons(ctx, l, pages)
	if err == nil {
		err = w.takeLessons(ctx, l)
	}
	if err != nil {
		l.takes = before
	}
	return err
}

// fetchLessons fetches what has changed.
func (w *Worker) fetchLessons(ctx context.Context, l *learning, pages map[string]int64) error {
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		if l.pages[name] == pages[name] {
			continue
		}
		body, err := w.o.Bus.Lesson(ctx, name)
		if err != nil {
			return err
		}
		l.pages[name], l.bodies[name] = pages[name], body
	}
	return nil
}

// takeLessons teaches the focus what others have learned.
func (w *Worker) takeLessons(ctx context.Context, l *learning) error {
	var failed error
	err := w.crawl.Call(ctx, func() { failed = w.crawl.Take(ctx, l.bodies) })
	if failed != nil && !errors.Is(failed, orbweaver.ErrDamaged) {
		return fmt.Errorf("%w: %w", errFocus, failed)
	}
	return errors.Join(err, failed)
}
