package delivery

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/engine"
	"orbweaver/sink"
)

// A place is a sink in memory, which takes its time and fails as told.
type place struct {
	mu    sync.Mutex
	items []sink.Item
	takes time.Duration // for each item
	err   error
}

func (p *place) Check(context.Context) error { return nil }
func (p *place) Close() error                { return nil }

func (p *place) Deliver(ctx context.Context, items []sink.Item) error {
	p.mu.Lock()
	takes, err := p.takes, p.err
	p.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case <-time.After(takes * time.Duration(len(items))):
	case <-ctx.Done():
		return ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.items = append(p.items, items...)
	return nil
}

func (p *place) set(takes time.Duration, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.takes, p.err = takes, err
}

// A crawl is a crawl whose pages are all accepted, ten a second.
type crawl struct {
	*book
	run   *Run
	calls chan func()
	stop  chan struct{} // closed when it is over
	held  bool
	told  []string
	tells sync.Mutex
}

func newCrawl(b *book) *crawl {
	return &crawl{book: b, calls: make(chan func()), stop: make(chan struct{})}
}

func (c *crawl) options(folder string) Options {
	return Options{
		Folder: folder, Crawl: "c", Ledger: c.book, Pages: &Pages{},
		Within: func(ctx context.Context, f func()) error {
			done := make(chan struct{})
			select {
			case c.calls <- func() { f(); close(done) }:
				<-done
				return nil
			case <-c.stop:
				return engine.ErrOver
			case <-ctx.Done():
				return ctx.Err()
			}
		},
		Hold: func(is bool) { c.held = is },
		Tell: func(format string, args ...any) {
			c.tells.Lock()
			defer c.tells.Unlock()
			c.told = append(c.told, fmt.Sprintf(format, args...))
		},
	}
}

// crawl gets pages until there are so many, or until a time is over; it returns how long it was held.
func (c *crawl) crawl(pages int, most time.Duration) (held time.Duration) {
	for end := time.Now().Add(most); len(c.outcomes) < pages && time.Now().Before(end); {
		select {
		case f := <-c.calls:
			f()
		case <-time.After(100 * time.Millisecond):
			if c.held {
				held += 100 * time.Millisecond
				continue
			}
			c.run.Observe(c.add(fmt.Sprintf("http://p%d.test/", len(c.outcomes)), 200, 0.9))
		}
	}
	return held
}

// over ends the crawl, which is over if ended is set.
func (c *crawl) over(ended string) error {
	c.progress.Ended = ended
	close(c.stop)
	return c.run.Drain(ended != "", Patience)
}

func (c *crawl) begin(t *testing.T, folder string, behind int64, to sink.Sink) {
	t.Helper()
	var err error
	c.run, err = Begin(t.Context(), []Target{{Name: "place", Sink: to, To: "memory", Behind: behind}}, c.options(folder))
	if err != nil {
		t.Fatal(err)
	}
	c.run.Start()
}

// inOrder fails unless items are pages 0 to n-1 in order, each once, and the end.
func inOrder(t *testing.T, items []sink.Item, n int) {
	t.Helper()
	for i, item := range items {
		if i < n && item.URL != fmt.Sprintf("http://p%d.test/", i) || i == n && item.Kind != sink.End {
			t.Fatalf("item %d of %d is %s %s", i, len(items), item.Kind, item.URL)
		}
	}
	if len(items) != n+1 {
		t.Errorf("%d items, want %d", len(items), n+1)
	}
}

// TestSlow: a crawl is as slow as its sink, says so, and loses nothing.
func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newCrawl(&book{}), &place{takes: 500 * time.Millisecond} // two a second
		c.begin(t, t.TempDir(), 50, p)
		began := time.Now()
		held := c.crawl(400, time.Hour)
		took := time.Since(began)
		if took < 150*time.Second || held < 100*time.Second {
			t.Errorf("400 pages took %v, held for %v", took, held)
		}
		if s := c.run.States()[0]; s.Behind > 50+atOnce || s.Held < 50*time.Second {
			t.Errorf("%+v", s)
		}
		if err := c.over("enough"); err != nil {
			t.Error(err)
		}
		inOrder(t, p.items, 400)
		if told := strings.Join(c.told, "\n"); !strings.Contains(told, "the crawl waits for sink place, 51 pages behind") || !strings.Contains(told, "caught up") {
			t.Error(told)
		}
	})
}

// TestFullAndBack: a sink that fails is tried again, the crawl waits, its last failure is shown, and all comes in order when it is back.
func TestFullAndBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newCrawl(&book{}), &place{}
		c.begin(t, t.TempDir(), 50, p)
		c.crawl(40, time.Hour)
		p.set(0, errors.New("no space left on device"))
		c.crawl(1000, 10*time.Minute)
		s := c.run.States()[0]
		if !s.Waits || s.Behind != 51 || s.Error != "no space left on device" || len(c.outcomes) > 95 || s.Failures < 5 || s.Failures > 12 {
			t.Errorf("%+v after %d pages", s, len(c.outcomes))
		}
		p.set(0, nil)
		c.crawl(200, time.Hour)
		if s := c.run.States()[0]; s.Waits || s.Error != "" {
			t.Errorf("%+v", s)
		}
		if err := c.over("enough"); err != nil {
			t.Error(err)
		}
		inOrder(t, p.items, 200)
	})
}

// TestDownAtTheEnd: a crawl ends though a sink fails, says so, and the next command delivers the rest.
func TestDownAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder, b, p := t.TempDir(), &book{}, &place{}
		c := newCrawl(b)
		c.begin(t, folder, 1000, p)
		c.crawl(100, time.Hour)
		p.set(0, errors.New("connection refused"))
		c.crawl(150, time.Hour)
		began := time.Now()
		err := c.over("enough")
		if took := time.Since(began); !errors.Is(err, ErrBehind) || !strings.Contains(err.Error(), "connection refused") || took > Patience+time.Minute {
			t.Errorf("%v after %v", err, took)
		}
		p.set(0, nil)
		c = newCrawl(b)
		c.begin(t, folder, 1000, p)
		if s := c.run.States()[0]; s.Behind == 0 {
			t.Errorf("%+v", s)
		}
		if err := c.over("enough"); err != nil {
			t.Error(err)
		}
		inOrder(t, p.items, 150)
	})
}

// TestStopped: a crawl that is stopped does not wait; the next session goes on.
func TestStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder, b, p := t.TempDir(), &book{}, &place{takes: time.Hour}
		c := newCrawl(b)
		c.begin(t, folder, 1000, p)
		c.crawl(100, time.Hour)
		began := time.Now()
		if err := c.over(""); err != nil || time.Since(began) > time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		p.set(100*time.Millisecond, nil)
		c = newCrawl(b)
		c.begin(t, folder, 10, p) // it is held from the start
		if c.crawl(130, time.Hour) == 0 {
			t.Error("it was not held")
		}
		if err := c.over("enough"); err != nil {
			t.Error(err)
		}
		inOrder(t, p.items, 130)
	})
}

// later is a failure that says when to try again.
type later time.Duration

func (l later) Error() string             { return "busy" }
func (l later) RetryAfter() time.Duration { return time.Duration(l) }

// TestWaits: tries come after 1, 2, 4 ... 300 seconds, or when the sink says; one that is gone is tried no more, and no crawl waits for it.
func TestWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newCrawl(&book{}), &place{err: later(7 * time.Minute)}
		c.begin(t, t.TempDir(), 10, p)
		c.crawl(1000, time.Hour)
		if s := c.run.States()[0]; s.Failures != 9 {
			t.Errorf("%+v", s)
		}
		p.set(0, fmt.Errorf("410: %w", sink.ErrGone))
		c.crawl(100, time.Hour)
		if s := c.run.States()[0]; !s.Gone || s.Waits || len(c.outcomes) != 100 {
			t.Errorf("%+v after %d pages", s, len(c.outcomes))
		}
		if err := c.over("enough"); !errors.Is(err, ErrBehind) {
			t.Error(err)
		}
	})
}

// TestKilledAnywhere: a process that is killed after any step of any delivery loses nothing.
func TestKilledAnywhere(t *testing.T) {
	for kill := 1; kill < 12; kill++ {
		synctest.Test(t, func(t *testing.T) {
			folder, b, p := t.TempDir(), &book{}, &place{takes: 10 * time.Millisecond}
			for session := range 4 {
				c := newCrawl(b)
				c.begin(t, folder, 40, p)
				c.crawl(50*(session+1), time.Duration(kill)*700*time.Millisecond)
				c.run.cancel() // nothing more is delivered, and no position is kept
				close(c.stop)
				c.run.running.Wait()
			}
			c := newCrawl(b)
			c.begin(t, folder, 40, p)
			if err := c.over("enough"); err != nil {
				t.Fatal(err)
			}
			seen := map[string]string{}
			var once []sink.Item
			for _, i := range p.items {
				if url, again := seen[i.ID]; !again {
					seen[i.ID] = i.URL
					once = append(once, i)
				} else if url != i.URL {
					t.Errorf("one ID for %s and %s", url, i.URL)
				}
			}
			inOrder(t, once, len(b.outcomes))
		})
	}
}

// TestAnotherPlace: a sink that delivers elsewhere begins from the start; a damaged position is an error that names the file.
func TestAnotherPlace(t *testing.T) {
	folder := t.TempDir()
	if err := (kept{To: "a", Position: Position{Outcomes: 7}}).keep(folder, "x"); err != nil {
		t.Fatal(err)
	}
	if k, err := load(folder, "x", "a"); err != nil || k.Outcomes != 7 {
		t.Errorf("%+v, %v", k, err)
	}
	if k, err := load(folder, "x", "b"); err != nil || k.Outcomes != 0 || k.To != "b" {
		t.Errorf("%+v, %v", k, err)
	}
}
