package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/worker"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/server"
	"orbweaver/weburl"
)

// An Order is a decision of a person on a crawl that several workers share. All orders of a crawl are kept in one note, in the order in which they were given; each worker follows those that it has not
// followed, also one that was away or comes later, and keeps in its folder how far it is.
type Order struct {
	N       int             `json:"n"`                 // 1 and so on
	Exclude []string        `json:"exclude,omitempty"` // patterns, as inspect.Exclusion has them
	Limits  *inspect.Limits `json:"limits,omitempty"`  // of the whole crawl, until its next session
}

// Orders are those of a crawl.
type Orders struct {
	Last int     `json:"last"` // number of the last that was given
	List []Order `json:"list,omitempty"`
}

// Add adds an order.
func (all *Orders) Add(o Order) {
	all.Last++
	o.N = all.Last
	all.List = append(all.List, o)
}

// Lasting returns the orders that hold beyond a session.
func (all Orders) Lasting() (left Orders) {
	left.Last = all.Last
	for _, o := range all.List {
		if o.Limits == nil {
			left.List = append(left.List, o)
		}
	}
	return left
}

// CheckExclusion checks patterns. The error wraps orbweaver.ErrInput.
func CheckExclusion(patterns []string) error {
	if len(patterns) == 0 {
		return fmt.Errorf("exclude: no pattern is given (%w)", orbweaver.ErrInput)
	}
	if _, err := weburl.CompileScope(nil, patterns, nil); err != nil {
		return fmt.Errorf("exclude: %w (%w)", err, orbweaver.ErrInput)
	}
	return nil
}

// CheckLimits checks new limits of a crawl that workers share: what they count together is leased of a limit from the crawl's beginning on. The error wraps orbweaver.ErrInput.
func CheckLimits(file *crawlfile.Crawl, l inspect.Limits) error {
	var errs []error
	for _, one := range []struct {
		name string
		to   *int64
		now  int64
	}{{"requests", l.Requests, int64(file.Limits.Requests)}, {"pages", l.Pages, int64(file.Limits.Pages)}, {"bytes", l.Bytes, int64(file.Limits.Bytes)}} {
		switch {
		case one.to == nil:
		case one.now == 0:
			errs = append(errs, fmt.Errorf("limits.%s: the crawl file has none, and workers that share the crawl take up none later (%w)", one.name, orbweaver.ErrInput))
		case *one.to <= 0:
			errs = append(errs, fmt.Errorf("limits.%s: %d: workers that share the crawl need one above 0 (%w)", one.name, *one.to, orbweaver.ErrInput))
		}
	}
	if l.Time != nil && *l.Time < 0 || l.Depth != nil && *l.Depth < 0 {
		errs = append(errs, fmt.Errorf("limits: time and depth are not below 0 (%w)", orbweaver.ErrInput))
	}
	return errors.Join(errs...)
}

// ordersFile says, in a worker's folder, which order it followed last.
const ordersFile = "orders.json"

// orderPause is between two looks at orders.
const orderPause = time.Second

// A following is a worker that follows orders.
type following struct {
	j      *job.Job
	worker *worker.Worker
	crawl  *engine.Crawl
	folder string
	orders func(context.Context) (Orders, error)
	limits int // the last order about limits that this session followed
}

// run follows orders until ctx is done.
func (f *following) run(ctx context.Context) {
	if f.orders == nil {
		return
	}
	tick := time.NewTicker(orderPause)
	defer tick.Stop()
	for last := ""; ; {
		if err := f.look(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, server.ErrNoCrawl) && err.Error() != last { // it just begins or ends: the next look, or session, does it
			last = err.Error()
			console.Say(f.j.Err, "warning: orders: %v", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// look follows those that are new.
func (f *following) look(ctx context.Context) error {
	all, err := f.orders(ctx)
	if err != nil || len(all.List) == 0 {
		return err
	}
	path := filepath.Join(f.folder, ordersFile)
	done := 0
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &done)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, o := range all.List {
		switch {
		case o.Limits != nil && o.N > f.limits: // each session does
			if err := f.crawl.Call(ctx, func() { f.worker.Limit(f.crawl, o.Limits.Onto) }); err != nil {
				return nil // the crawl is over
			}
			f.limits = o.N
		case o.Limits == nil && o.N > done:
			if _, err := Excluding(ctx, f.folder, inspect.Exclusion{Patterns: o.Exclude}); err != nil {
				return err
			}
		}
		if o.N > done {
			done = o.N
			if err := atomicfile.WriteFile(path, fmt.Appendln(nil, done), 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// Excluding excludes at the worker that runs in a folder. The error wraps server.ErrNoCrawl if none does.
func Excluding(ctx context.Context, folder string, e inspect.Exclusion) (out inspect.Excluded, err error) {
	c, err := server.Dial(folder)
	if err != nil {
		return out, err
	}
	defer c.Close()
	return out, c.Ask(ctx, http.MethodPost, "/call/exclude", e, &out)
}

// Sum adds what an exclusion removes at two workers.
func Sum(a, b inspect.Excluded) inspect.Excluded {
	a.Waiting += b.Waiting
	a.Examples = append(a.Examples, b.Examples...)
	a.Examples = append([]string{}, a.Examples[:min(len(a.Examples), 10)]...)
	return a
}

// ordersNote is the note with the orders of a crawl by several processes.
const ordersNote = "orders"

// noted reads it.
func noted(ctx context.Context, b *bus.Bus) (all Orders, err error) {
	_, err = b.Noted(ctx, ordersNote, &all)
	return all, err
}

// note changes it.
func note(ctx context.Context, b *bus.Bus, do func(*Orders)) error {
	for {
		var all Orders
		revision, err := b.Noted(ctx, ordersNote, &all)
		if err != nil {
			return err
		}
		if do(&all); revision == 0 && all.Last == 0 {
			return nil
		}
		if _, err = b.Note(ctx, ordersNote, all, revision); !errors.Is(err, bus.ErrChanged) {
			return err
		}
	}
}
