package crossref

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"orbweaver"
)

// nobody knows no links.
type nobody struct{ graphOf }

func (nobody) Inlinks(string) iter.Seq[string] { return func(func(string) bool) {} }

// TestFoldedInAnySplit has the pages of a web learned in rounds by several foci, each of which makes the lessons of its part, and all of which fold those of all. Whatever
// the parts, all have the same state, byte for byte, and the layers are those of one that learns the pages itself.
func TestFoldedInAnySplit(t *testing.T) {
	wide := func(o *Options) { o.Theta = 0.2 }
	web := newWeb(1)
	urls := make([]string, 0, len(web.pages))
	for url := range web.pages {
		urls = append(urls, url)
	}
	slices.Sort(urls)
	alone, digest := focus(t, wide), ""
	for n := range slices.Collect(slices.Chunk(urls, 15)) {
		for _, url := range urls[15*n : 15*n+15] {
			teach(t, alone, web.outcome(t, alone, url))
		}
		endRound(t, alone, n+1, web.known)
	}
	for _, workers := range []int{1, 2, 5} {
		var all []*Focus
		for range workers {
			all = append(all, focus(t, wide))
		}
		for n, round := range slices.Collect(slices.Chunk(urls, 15)) {
			var lessons [][]byte
			for i, url := range round {
				by := all[(i*i+n)%workers]
				lesson, err := by.LessonOf(t.Context(), web.outcome(t, by, url))
				if err != nil {
					t.Fatal(err)
				}
				lessons = append(lessons, lesson)
			}
			for i, f := range all {
				for k, url := range round {
					if err := f.Fold(t.Context(), url, lessons[k]); err != nil {
						t.Fatal(err)
					}
				}
				if _, _, err := f.EndRound(t.Context(), orbweaver.Round{N: n + 1, Known: nobody{}}); err != nil {
					t.Fatal(err)
				}
				again := focus(t, wide) // killed after each round
				if err := again.Restore(strings.NewReader(snapshotOf(t, f))); err != nil || again.Digest() != f.Digest() {
					t.Fatalf("restored: %v", err)
				}
				all[i] = again
			}
		}
		for _, f := range all {
			if digest == "" {
				digest = f.Digest()
			}
			if f.Digest() != digest {
				t.Errorf("of %d parts, another state", workers)
			}
		}
		f := all[0]
		if have, want := f.model.Digest(), alone.model.Digest(); have != want {
			t.Errorf("the model is another than that of one that learns by itself")
		}
		have, want := f.Rounds(), alone.Rounds()
		last := have[len(have)-1]
		if fmt.Sprint(last.Layers, last.Labels, last.Items) != fmt.Sprint(want[len(want)-1].Layers, want[len(want)-1].Labels, want[len(want)-1].Items) || last.Layers[1] == 0 {
			t.Errorf("layers %+v, want %+v", last, want[len(want)-1])
		}
		for i := range f.known.items {
			if a, b := f.known.items[i], alone.known.items[i]; a.url != b.url || a.member != b.member {
				t.Errorf("%s in layer %d, want %s in %d", a.url, a.member, b.url, b.member)
			}
		}
	}
}

// outcome is that of a page, as a focus judges it.
func (w *web) outcome(t *testing.T, f *Focus, url string) orbweaver.Outcome {
	t.Helper()
	p := *w.pages[url]
	j, err := f.Judge(t.Context(), &p)
	if err != nil {
		t.Fatal(err)
	}
	return orbweaver.Outcome{Request: orbweaver.Request{URL: url}, Page: &p, Actual: j}
}

// TestLessonsThatCannotBeRead: what is cut, too long or of another version changes nothing.
func TestLessonsThatCannotBeRead(t *testing.T) {
	f := focus(t, nil)
	lesson, err := f.LessonOf(t.Context(), orbweaver.Outcome{Page: page("http://p.test/a", "bee honey hive", link("http://p.test/b", "bee"))})
	if err != nil {
		t.Fatal(err)
	}
	before := f.model.Digest()
	for n := range len(lesson) {
		if err := f.Fold(t.Context(), "http://p.test/a", lesson[:n]); !errors.Is(err, orbweaver.ErrDamaged) {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
	for _, other := range []string{string(lesson) + "x", "\x02" + string(lesson[1:])} {
		if err := f.Fold(t.Context(), "http://p.test/a", []byte(other)); !errors.Is(err, orbweaver.ErrDamaged) {
			t.Errorf("another: %v", err)
		}
	}
	if f.model.Digest() != before || len(f.known.items) > 0 {
		t.Error("what could not be read changed the focus")
	}
	if err := f.Fold(t.Context(), "http://p.test/a", lesson); err != nil || len(f.known.items) != 1 {
		t.Errorf("%d items: %v", len(f.known.items), err)
	}
	if lesson, err := f.LessonOf(t.Context(), orbweaver.Outcome{Err: orbweaver.ErrStatus}); lesson != nil || err != nil {
		t.Errorf("a failure teaches %q, %v", lesson, err)
	}
}
