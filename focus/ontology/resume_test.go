package ontology

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	kb "orbweaver/kb/ontology"
)

// A web is a small crawl: the waiting requests in the order first proposed, and the results.
type web struct {
	pages   map[string]*orbweaver.Page
	waiting []orbweaver.Proposal
	done    map[string]bool
	moved   int // requests whose rank changed
	log     strings.Builder
}

// newWeb returns 60 pages of 10 random links each, with the first as seed. Even pages are about planes and
// linked to as "battle", odd ones about nothing and linked to as "chess", so that there are words to learn.
func newWeb() *web {
	rng := rand.New(rand.NewPCG(6, 1))
	w := &web{pages: map[string]*orbweaver.Page{}, done: map[string]bool{}}
	url := func(i int) string { return fmt.Sprintf("http://p.test/%d", i) }
	for i := range 60 {
		p := page(strings.Repeat("nothing ", 10+rng.IntN(40)))
		if p.URL = url(i); i%2 == 0 {
			p.Text += randomText(rng, 1+rng.IntN(10))
		}
		for range 10 {
			to := rng.IntN(60)
			anchor := fmt.Sprintf("the %s of %d", [...]string{"battle", "chess"}[to%2], to%7)
			p.Links = append(p.Links, orbweaver.Link{To: url(to), Anchor: anchor})
		}
		w.pages[p.URL] = p
	}
	w.waiting = []orbweaver.Proposal{{Request: orbweaver.Request{URL: url(0)}, Judgement: orbweaver.Judgement{Score: 1}}}
	return w
}

// step decides the best request as the engine does.
func (w *web) step(tb testing.TB, f *Focus) orbweaver.Outcome {
	top := 0
	for i := range w.waiting {
		if w.waiting[i].Score > w.waiting[top].Score {
			top = i
		}
	}
	taken := w.waiting[top]
	w.waiting = slices.Delete(w.waiting, top, top+1)
	w.done[taken.URL] = true
	o := orbweaver.Outcome{Request: taken.Request, Page: w.pages[taken.URL], Predicted: taken.Judgement}
	o.Actual, _ = judged(tb, f, o.Page)
	o.Plan, _ = f.Plan(tb.Context(), o.Page, o.Actual)
	for _, p := range o.Plan {
		at := slices.IndexFunc(w.waiting, func(q orbweaver.Proposal) bool { return q.URL == p.URL })
		if at >= 0 {
			w.waiting[at] = mergedBy(f, w.waiting[at], p)
		} else if !w.done[p.URL] {
			w.waiting = append(w.waiting, p)
		}
	}
	lesson, err := f.Learn(tb.Context(), o)
	if err != nil {
		tb.Fatal(err)
	}
	for i, p := range w.waiting {
		if slices.ContainsFunc(p.Keys, func(k string) bool { return slices.Contains(lesson.Stale, k) }) {
			if w.waiting[i].Judgement = f.Rerank(nil, p); w.waiting[i].Score != p.Score {
				w.moved++
			}
		}
	}
	fmt.Fprintln(&w.log, taken.URL, taken.Score, taken.Reasons, o.Actual.Score, lesson.Stale)
	return o
}

// TestKilledAndResumed kills a crawl after every page. The resumed focus has the latest snapshot, taken every
// seventh page, and learns what came since; it continues as without the interruption.
func TestKilledAndResumed(t *testing.T) {
	for name, tc := range map[string]struct {
		paper Paper
		moved int // least number of requests that learned words move
	}{
		"default":                {Paper{}, 20},
		"satisfied":              {Paper{Satisfied: true}, 20},
		"best link":              {Paper{Inlinks: BestLink}, 20},
		"the paper's, by page":   {paperValues(PageScore), 0},
		"the paper's, by anchor": {paperValues(AnchorText), 0},
	} {
		t.Run(name, func(t *testing.T) { killedAndResumed(t, tc.paper, tc.moved) })
	}
}

func killedAndResumed(t *testing.T, paper Paper, moved int) {
	opts := options(t, kb.Total, "Airplane")
	opts.IDF, opts.RawCounts, opts.Paper = Learned, false, paper
	whole, killed := newWeb(), newWeb()
	f, g := focus(t, opts), focus(t, opts)
	var model string
	var since []orbweaver.Outcome
	for n := 0; len(whole.waiting) > 0; n++ {
		whole.step(t, f)
		since = append(since, killed.step(t, g))
		if n%7 == 0 {
			model, since = snapshotOf(t, g), nil
		}
		g = focus(t, opts)
		if err := g.Restore(strings.NewReader(model)); err != nil {
			t.Fatal(err)
		}
		for _, o := range since {
			if _, err := g.Learn(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
	}
	if whole.log.String() != killed.log.String() || snapshotOf(t, f) != snapshotOf(t, g) {
		t.Errorf("killed and resumed:\n%s\nwant:\n%s", killed.log.String(), whole.log.String())
	}
	if len(whole.done) < 50 || whole.moved < moved {
		t.Errorf("nothing to compare: %d pages, %d ranked again", len(whole.done), whole.moved)
	}
}
