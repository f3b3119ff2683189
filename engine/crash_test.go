package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A crashing focus panics at one page, in one place; so do its reader and its recorder.
type crashing struct {
	focus
	tape
	in string
}

func (c *crashing) at(place, url string) {
	if c.in == place && url == "http://a/bad" {
		panic(place)
	}
}

func (c *crashing) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	c.at("fetch", r.URL)
	return web{"http://a/": "http://a/bad .9\nhttp://a/good .5", "http://a/bad": "http://a/far .1", "http://a/good": ""}.Fetch(ctx, r)
}

func (c *crashing) Pack(r *step.Response, payload []byte) (any, error) {
	c.at("pack", r.Request.URL)
	return c.tape.Pack(r, payload)
}

func (c *crashing) Read(ctx context.Context, r *step.Response, payload []byte) (*orbweaver.Page, error) {
	c.at("read", r.Request.URL)
	return reader{}.Read(ctx, r, payload)
}

func (c *crashing) Prepare(_ context.Context, p *orbweaver.Page) (any, error) {
	c.at("prepare", p.URL)
	return nil, nil
}

func (c *crashing) Judge(ctx context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	c.at("judge", p.URL)
	return c.focus.Judge(ctx, p)
}

func (c *crashing) Plan(ctx context.Context, p *orbweaver.Page, j orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	c.at("plan", p.URL)
	return c.focus.Plan(ctx, p, j)
}

// TestCrashOnOnePage: a crash on a page fails only that page, and the page counts.
func TestCrashOnOnePage(t *testing.T) {
	want := []string{"a/", "a/bad !unreadable", "a/good"}
	for _, in := range []string{"fetch", "pack", "read", "prepare", "judge", "plan"} {
		t.Run(in, func(t *testing.T) {
			dir, c := t.TempDir(), &crashing{in: in}
			progress, err := session{web: c, focus: c, read: c, recorder: c, workers: 2}.run(t, dir)
			if err != nil {
				t.Fatal(err)
			}
			if got := lines(t, dir); !slices.Equal(got, want) {
				t.Errorf("%q", got)
			}
			if progress.Requests != 3 || progress.Pages != 2 {
				t.Errorf("%+v", progress)
			}
		})
	}
}

// A fragile focus learns and ranks, and panics at the n-th call of a stage.
type fragile struct {
	*counting
	stage string
	left  int
}

func newFragile(stage string, n int) *fragile { return &fragile{newCounting(), stage, n} }

func (f *fragile) at(stage string) {
	if f.stage != stage {
		return
	}
	if f.left--; f.left == 0 {
		var none []int
		none[len(stage)] = 1
	}
}

func (f *fragile) Seeds(context.Context, orbweaver.Known) ([]orbweaver.Proposal, error) {
	f.at("seeds of the focus")
	return nil, nil
}

func (f *fragile) Learn(ctx context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	lesson, err := f.counting.Learn(ctx, o)
	f.at("learn from http://") // after half of the update
	return lesson, err
}

func (f *fragile) Rerank(known orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	f.at("rank again http://")
	return f.counting.Rerank(known, p)
}

func (f *fragile) Merge(_ []byte, again orbweaver.Proposal) orbweaver.Merged {
	f.at("merge links to http://")
	return orbweaver.Merged{Score: again.Score, Note: []byte(again.URL)}
}

func (f *fragile) Worth(note []byte) (float64, bool) {
	f.at("rank again request ")
	return f.score(string(note)), len(note) > 0
}

func (f *fragile) RoundSize() int { return 4 }

func (f *fragile) EndRound(context.Context, orbweaver.Round) ([]orbweaver.Proposal, orbweaver.Lesson, error) {
	f.at("end of round ")
	return nil, orbweaver.Lesson{}, nil
}

func (f *fragile) Snapshot(w io.Writer) error {
	f.at("snapshot of the focus")
	return f.counting.Snapshot(w)
}

func (f *fragile) Restore(r io.Reader) error {
	f.at("restore the focus")
	return f.counting.Restore(r)
}

// TestCrashOfAFocus: a focus that crashes while it learns or ranks ends the crawl with an error that names
// the stage. A resume with a sound focus loses nothing.
func TestCrashOfAFocus(t *testing.T) {
	w, whole := randomWeb(60, 4), t.TempDir()
	if _, err := (session{web: w, focus: newFragile("", 0)}).run(t, whole); err != nil {
		t.Fatal(err)
	}
	want := lines(t, whole)
	for _, stage := range []string{
		"seeds of the focus", "learn from http://", "rank again http://", "rank again request ", "merge links to http://", "end of round ",
		"snapshot of the focus", "restore the focus",
	} {
		t.Run(stage, func(t *testing.T) {
			crashes := 0
			for n := 1; n < 60; n += 1 + 2*n {
				dir := t.TempDir()
				if stage == "restore the focus" {
					if _, err := (session{web: w, focus: newFragile("", 0), commits: 9}).run(t, dir); !errors.Is(err, errKilled) {
						t.Fatal(err)
					}
				}
				_, err := session{web: w, focus: newFragile(stage, n), workers: 2}.run(t, dir)
				if err != nil {
					crashes++
					if told := err.Error(); !strings.HasPrefix(told, stage) || !strings.HasSuffix(told, fmt.Sprintf(
						": the focus crashed: runtime error: index out of range [%d] with length 0", len(stage))) {
						t.Fatalf("the %d-th time: %v", n, err)
					}
					if _, err = (session{web: w, focus: newFragile("", 0)}).run(t, dir); err != nil {
						t.Fatal(err)
					}
				}
				if got := lines(t, dir); !slices.Equal(got, want) {
					t.Fatalf("the %d-th time: %s", n, firstDifference(got, want))
				}
			}
			if crashes == 0 {
				t.Error("it never crashed")
			}
		})
	}
}

// TestCrashOfAFocusLive is the same on the live Web, with other requests in flight.
func TestCrashOfAFocusLive(t *testing.T) {
	w := randomWeb(60, 4)
	for _, stage := range []string{"learn from http://", "rank again http://", "merge links to http://"} {
		bubble(t, func(t *testing.T, dir string) {
			g := guest{web: &liveWeb{pages: w}, session: session{focus: newFragile(stage, 12), recorder: &tape{}}}
			if _, err := g.run(t, dir); err == nil || !strings.HasPrefix(err.Error(), stage) {
				t.Fatal(err)
			}
			g.focus = newFragile("", 0)
			if _, err := g.run(t, dir); err != nil {
				t.Fatal(err)
			}
			if got, want := asked(t, dir), w.reachable("http://a/"); !slices.Equal(got, want) {
				t.Error(firstDifference(got, want))
			}
		})
	}
}

// A deciding focus crashes at a decision.
type deciding struct{ *fragile }

func (d deciding) Decide(context.Context, orbweaver.Decision) (orbweaver.Lesson, error) {
	d.at("decide ")
	return orbweaver.Lesson{}, nil
}

// TestCrashInACall: a Call that panics returns an error. If the focus crashed, the crawl ends, since the
// focus's state is unknown.
func TestCrashInACall(t *testing.T) {
	for _, strict := range []bool{true, false} {
		bubble(t, func(t *testing.T, dir string) {
			book, err := ledger.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer book.Close()
			cfg := guest{web: &liveWeb{pages: randomWeb(60, 4)}, session: session{focus: deciding{newFragile("decide ", 1)}}}.config(t, book)
			if strict {
				cfg.Live = nil
			}
			c := engine.New(cfg, book.Progress())
			ended := make(chan error)
			go func() {
				_, err := c.Run(t.Context())
				ended <- err
			}()
			if err := c.Call(t.Context(), func() { panic("handler") }); err == nil || !strings.HasSuffix(err.Error(), "crashed: handler") {
				t.Errorf("the call said %v", err)
			}
			var decided error
			if err := c.Call(t.Context(), func() { decided = c.Decide(t.Context(), orbweaver.Decision{ID: "x"}) }); err != nil {
				t.Errorf("the call said %v", err)
			}
			over := <-ended
			for _, err := range []error{decided, over} {
				if err == nil || !strings.HasPrefix(err.Error(), "decide x: the focus crashed: ") {
					t.Errorf("%v", err)
				}
			}
			for range book.Decisions() {
				t.Error("the decision was kept")
			}
		})
	}
}

// A fullTape is an archive that fails at the n-th operation.
type fullTape struct {
	tape
	left int
}

func (f *fullTape) fails() error {
	if f.left--; f.left == 0 {
		return fmt.Errorf("tape: %w", syscall.ENOSPC)
	}
	return nil
}

func (f *fullTape) Append(packed any) (orbweaver.Ref, error) {
	if err := f.fails(); err != nil {
		f.WriteString("half") // of a record
		return orbweaver.Ref{}, err
	}
	return f.tape.Append(packed)
}

func (f *fullTape) Mark() ([]byte, error) {
	if err := f.fails(); err != nil {
		return nil, err
	}
	return f.tape.Mark()
}

// TestArchiveFails: a failed write to the archive ends the crawl with an error that says what and why. A
// resume from the last mark gives the same crawl and archive.
func TestArchiveFails(t *testing.T) {
	w, whole := randomWeb(60, 4), t.TempDir()
	var wholeTape tape
	if _, err := (session{web: w, focus: newCounting(), recorder: &wholeTape}).run(t, whole); err != nil {
		t.Fatal(err)
	}
	want, n := lines(t, whole), 1
	for ; ; n += 3 {
		dir, full := t.TempDir(), &fullTape{left: n}
		_, err := session{web: w, focus: newCounting(), recorder: full, workers: 2}.run(t, dir)
		if full.left > 0 {
			break
		}
		if !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "archive http://") {
			t.Fatalf("operation %d failed, and the crawl said %v", n, err)
		}
		full.Truncate(markOf(t, dir))
		if _, err = (session{web: w, focus: newCounting(), recorder: full}).run(t, dir); err != nil {
			t.Fatal(err)
		}
		if got := lines(t, dir); !slices.Equal(got, want) {
			t.Fatalf("operation %d: %s", n, firstDifference(got, want))
		}
		if full.String() != wholeTape.String() {
			t.Fatalf("operation %d: the archive differs in the end", n)
		}
	}
	if n < 60 {
		t.Errorf("%d operations", n)
	}
}

// markOf returns the committed length of a tape.
func markOf(t *testing.T, dir string) (length int) {
	t.Helper()
	book, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = fmt.Sscan(string(book.Archive()), &length)
	if err := book.Close(); err != nil {
		t.Fatal(err)
	}
	return length
}
