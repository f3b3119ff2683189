package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A gathering focus adds up what workers counted.
type gathering struct {
	*counting
	fails error
}

func (g gathering) Share(w io.Writer) error { return g.Snapshot(w) }

func (g gathering) Take(context.Context, map[string][]byte) (orbweaver.Lesson, error) {
	return orbweaver.Lesson{}, nil
}

func (g gathering) Gather(_ context.Context, snapshots map[string][]byte) error {
	if g.fails != nil {
		return g.fails
	}
	sum := map[string]int{}
	for _, s := range snapshots {
		if s == nil {
			panic("nothing")
		}
		var one map[string]int
		if err := json.Unmarshal(s, &one); err != nil {
			return fmt.Errorf("%w: %w", orbweaver.ErrDamaged, err)
		}
		for url, n := range one {
			sum[url] += n
		}
	}
	g.counting.seen = sum
	return nil
}

// TestGather: what workers have learned becomes the state of the crawl, and no page is read again; where that can't be, nothing changes.
func TestGather(t *testing.T) {
	book, err := ledger.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	crawl := func(f orbweaver.Focus, pages web) *engine.Crawl {
		return engine.New(engine.Config{
			Focus: f, Fetch: pages, Read: reader{}, Ledger: book, Frontier: frontier.New(frontier.Options{}), Seeds: []string{"http://a/"}, Workers: 2,
		}, book.Progress())
	}
	if _, err := crawl(gathering{counting: newCounting()}, randomWeb(60, 4)).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	model := func() string {
		t.Helper()
		m, _, err := book.Model()
		if err != nil {
			t.Fatal(err)
		}
		return string(m)
	}
	two := map[string][]byte{"w0": []byte(`{"http://a/":3,"http://b/1":1}`), "w1": []byte(`{"http://a/":4}`)}
	before := model()
	for _, tc := range []struct {
		name      string
		fails     error
		snapshots map[string][]byte
		wrong     bool
	}{
		{"it can't", errors.ErrUnsupported, two, false},
		{"damaged", nil, map[string][]byte{"w0": []byte("{")}, false},
		{"it fails", errors.New("no disk"), two, true},
		{"it crashes", nil, map[string][]byte{"w0": nil}, true},
	} {
		done, err := crawl(gathering{newCounting(), tc.fails}, nil).Gather(t.Context(), tc.snapshots)
		if done || (err != nil) != tc.wrong || model() != before {
			t.Errorf("%s: %v, %v", tc.name, done, err)
		}
	}
	c := crawl(gathering{counting: newCounting()}, nil) // there are no pages to read again
	if done, err := c.Gather(t.Context(), two); !c.Gathers() || !done || err != nil || !bytes.Equal([]byte(model()), []byte(`{"http://a/":7,"http://b/1":1}`+"\n")) {
		t.Errorf("gathered %s: %v, %v", model(), done, err)
	}
	if crawl(newCounting(), nil).Gathers() {
		t.Error("a focus that can't gather")
	}
	if err := book.Commit(step.Batch{Decision: &orbweaver.Decision{Page: "http://a/", Accepted: true}, Progress: book.Progress()}); err != nil {
		t.Fatal(err)
	}
	if done, err := crawl(gathering{counting: newCounting()}, nil).Gather(t.Context(), two); done || err != nil {
		t.Errorf("after a decision: %v, %v", done, err)
	}
}
