package crossref

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/rdf"
)

// page returns a page with a text.
func page(url, words string, links ...orbweaver.Link) *orbweaver.Page {
	return &orbweaver.Page{URL: url, Text: words, Lang: "en", Links: links}
}

func link(to, anchor string) orbweaver.Link { return orbweaver.Link{To: to, Anchor: anchor} }

// focus returns a focus on an item about bees.
func focus(tb testing.TB, change func(*Options)) *Focus {
	tb.Helper()
	opts := DefaultOptions()
	opts.Item = page("http://p.test/item", "bee honey hive nectar pollen", link("http://p.test/0", "bee"), link("http://p.test/1", "chess"))
	opts.Round = 10
	if change != nil {
		change(&opts)
	}
	f, err := New(opts)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// graphOf is the known link graph: by target, the linking pages.
type graphOf map[string][]string

func (g graphOf) Inlinks(url string) iter.Seq[string] { return slices.Values(g[url]) }
func (graphOf) Outlinks(string) iter.Seq[string]      { return func(func(string) bool) {} }
func (graphOf) Outcome(string) (orbweaver.Outcome, error) {
	return orbweaver.Outcome{}, orbweaver.ErrUnknown
}
func (graphOf) Quads(_, _, _, _ rdf.Term) iter.Seq2[rdf.Quad, error] {
	return func(func(rdf.Quad, error) bool) {}
}

// learn feeds pages to the focus.
func learn(tb testing.TB, f *Focus, pages ...*orbweaver.Page) {
	tb.Helper()
	for _, p := range pages {
		teach(tb, f, orbweaver.Outcome{Page: p})
	}
}

func teach(tb testing.TB, f *Focus, o orbweaver.Outcome) {
	tb.Helper()
	if _, err := f.Learn(tb.Context(), o); err != nil {
		tb.Fatal(err)
	}
}

func endRound(tb testing.TB, f *Focus, n int, known graphOf) orbweaver.Lesson {
	tb.Helper()
	_, lesson, err := f.EndRound(tb.Context(), orbweaver.Round{N: n, Known: known})
	if err != nil {
		tb.Fatal(err)
	}
	return lesson
}

func TestRelevance(t *testing.T) {
	l := layer{terms: direction{1: 1}, labels: direction{7: 1}}
	for _, tc := range []struct {
		name              string
		terms, labels     vector
		more              float64
		relevance, cosine float64
	}{
		{"labels that agree lift it (equation 2)", vector{{1, 3}, {2, 4}}, vector{{7, 2}}, 0, (0.6 + 2/math.Sqrt(5)) / 2, 0.6},
		{"labels that do not never lower it (equation 3)", vector{{1, 3}, {2, 4}}, vector{{8, 2}}, 0, 0.6, 0.6},
		{"nor do none", vector{{1, 3}, {2, 4}}, nil, 0, 0.6, 0.6},
		{"what is beside the terms has a part in the length", vector{{1, 3}}, nil, 16, 0.6, 0.6},
		{"nothing in common", vector{{2, 4}}, nil, 0, 0, 0},
		{"no terms, one label", nil, vector{{7, 1}}, 0, math.Sqrt(0.5) / 2, 0},
	} {
		r, c := l.relevance(tc.terms, tc.more, tc.labels, strangeLabel)
		if math.Abs(r-tc.relevance) > 1e-6 || math.Abs(c-tc.cosine) > 1e-6 {
			t.Errorf("%s: %v, %v; want %v, %v", tc.name, r, c, tc.relevance, tc.cosine)
		}
	}
}

func TestMeanIsOfUnitVectors(t *testing.T) {
	to := towards([]vector{{{1, 100}}, {{2, 1}}, nil})
	if math.Abs(to[1]-math.Sqrt(0.5)) > 1e-6 || math.Abs(to[2]-math.Sqrt(0.5)) > 1e-6 {
		t.Errorf("%v", to)
	}
	if towards(nil) != nil || towards([]vector{nil}) != nil {
		t.Error("nothing has a direction")
	}
}

// TestLayers has a near-duplicate of the item, a page that links to it, one that links to that page, and an
// unrelated one.
func TestLayers(t *testing.T) {
	for _, tc := range []struct {
		name    string
		change  func(*Options)
		members []int
	}{
		{"two layers beside the first", nil, []int{2, 1, 1}},
		{"one", func(o *Options) { o.Layers = 1 }, []int{2, 1}},
		{"without", func(o *Options) { o.NoLayers = true }, []int{2}},
		{"nothing is relevant enough", func(o *Options) { o.Theta = 1 }, []int{1, 0, 0}},
	} {
		f := focus(t, tc.change)
		learn(t, f, page("twin", "bee honey hive nectar pollen bee"), page("near", "queen castle rook"),
			page("far", "river lake sea"), page("none", "moon star sun"))
		lesson := endRound(t, f, 1, graphOf{"twin": {"near", "unknown", "twin"}, "near": {"far", "twin"}, "far": {"near"}})
		if !slices.Equal(lesson.Stale, []string{"*"}) {
			t.Errorf("%s: stale %v", tc.name, lesson.Stale)
		}
		got := f.Rounds()[0]
		if !slices.Equal(got.Layers, tc.members) || got.Pages != 4 || got.Items != 4 || got.Round != 1 {
			t.Errorf("%s: %+v, want %v", tc.name, got, tc.members)
		}
		if len(tc.members) == 3 && tc.members[0] == 2 {
			for url, layer := range map[string]int{"twin": 0, "near": 1, "far": 2} {
				if k := f.known.find(keyOf(url)); k.standing.layer() != layer || int(k.member) != layer {
					t.Errorf("%s stands at %v, of layer %d", url, k.standing, k.member)
				}
			}
		}
	}
}

func TestJudge(t *testing.T) {
	f := focus(t, nil)
	learn(t, f, page("a", "chess queen castle rook pawn"), page("b", "river lake sea bee"))
	for _, tc := range []struct {
		name, text string
		accepted   bool
		rule       string
	}{
		{"the same words", "pollen nectar hive honey bee", true, RuleTerms},
		{"other words", "chess castle", false, ""},
		{"words that nobody knows do not count for nothing", "bee alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omikron pi rho sigma tau", false, RuleTerms},
		{"no word", "", false, RuleLack},
	} {
		j, err := f.Judge(t.Context(), page("http://p.test/x", tc.text))
		rule := ""
		if len(j.Reasons) > 0 {
			rule = j.Reasons[0].Rule
		}
		if err != nil || j.Accepted != tc.accepted || rule != tc.rule || j.Score < 0 || j.Score > 1 {
			t.Errorf("%s: %+v %v", tc.name, j, err)
		}
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	_, err := New(Options{Round: 0, Layers: 5, Theta: 2, Accept: -1})
	for _, name := range []string{"item:", "round:", "layers:", "theta:", "accept:", "items kept:"} {
		if err == nil || !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not reported: %v", name, err)
		}
	}
	opts := DefaultOptions()
	opts.Item = page("x", "the of 7")
	if _, err := New(opts); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("an item without words: %v", err)
	}
}

func TestSeedsAreTheItemsLinks(t *testing.T) {
	if seeds, _ := focus(t, nil).Seeds(t.Context(), nil); len(seeds) > 0 {
		t.Errorf("not asked for: %v", seeds)
	}
	seeds, err := focus(t, func(o *Options) { o.Start = true }).Seeds(t.Context(), nil)
	if err != nil || len(seeds) != 2 || seeds[0].Score <= seeds[1].Score || seeds[1].Score <= 0 {
		t.Errorf("a link of the item's words goes first: %+v %v", seeds, err)
	}
}

// TestReasonsAddUp: reasons add up to the score, for new and for reranked proposals.
func TestReasonsAddUp(t *testing.T) {
	for _, strict := range []Order{ByWorth, ByLayers, ByRelevance, ByBelonging} {
		w := newWeb(3)
		f := focus(t, func(o *Options) { o.Order = strict })
		for range 35 {
			w.step(t, f)
		}
		for _, p := range w.waiting {
			j := f.Rerank(nil, p)
			sum := 0.0
			for _, r := range j.Reasons {
				sum += r.Weight
			}
			if math.Abs(sum-j.Score) > 1e-9 || j.Score < 0 || j.Score > 1 {
				t.Fatalf("%v: %+v", strict, j)
			}
		}
		if len(w.waiting) == 0 {
			t.Error("nothing waits")
		}
	}
}

// TestRoundsGrow: the first rounds are short, and none is longer than Options.Round.
func TestRoundsGrow(t *testing.T) {
	tenths := slices.Clip(slices.Repeat([]int{50}, 11)) // before the twelfth there are 550 requests
	for round, want := range map[int][]int{2000: append(tenths, 55, 60, 66), 55: append(tenths, 55, 55), 30: {30, 30}} {
		f := focus(t, func(o *Options) { o.Round = round })
		for n, size := range want {
			if f.RoundSize() != size {
				t.Errorf("round %d of %d takes %d, not %d", n+1, round, f.RoundSize(), size)
			}
			endRound(t, f, n+1, graphOf{})
		}
	}
}

// TestStrictOrder: with ByLayers no request of an outer layer precedes one of an inner layer.
func TestStrictOrder(t *testing.T) {
	w := newWeb(5)
	f := focus(t, func(o *Options) { o.Order, o.Theta = ByLayers, 0.1 })
	for range 40 {
		w.step(t, f)
	}
	classes := map[string]bool{}
	slices.SortFunc(w.waiting, func(a, b orbweaver.Proposal) int { return -compare(f, a, b) })
	last := ""
	for _, p := range w.waiting {
		class := f.Rerank(nil, p).Class
		if class < last {
			t.Errorf("%s after %s", class, last)
		}
		last, classes[class] = class, true
	}
	if len(classes) < 2 {
		t.Errorf("one layer alone: %v", classes)
	}
}

func compare(f *Focus, a, b orbweaver.Proposal) int {
	x, _ := f.Worth(a.Note)
	y, _ := f.Worth(b.Note)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// TestSwitches: each option changes the crawl as documented.
func TestSwitches(t *testing.T) {
	base := crawlOf(t, nil)
	strict := crawlOf(t, func(o *Options) { o.Order = ByLayers })
	if crawlOf(t, func(o *Options) { o.Order, o.NoLayers = ByLayers, true }) == strict {
		t.Error("without layers a crawl that goes by them is the same")
	}
	for name, change := range map[string]func(*Options){
		"rerank":    func(o *Options) { o.NoRerank = true },
		"link text": func(o *Options) { o.NoLinkText = true },
		"strict":    func(o *Options) { o.Order = ByLayers },
		"feedback":  func(o *Options) { o.NoFeedback = true },
	} {
		if crawlOf(t, change) == base {
			t.Errorf("without %s the crawl is the same", name)
		}
	}
	f := focus(t, func(o *Options) { o.NoLabels = true })
	learn(t, f, page("a", "bee honey"), page("b", "bee honey"))
	if f.model.Labels.Items() != 0 {
		t.Error("labels were learned")
	}
}

func crawlOf(t *testing.T, change func(*Options)) string {
	w := newWeb(1)
	f := focus(t, func(o *Options) {
		o.Theta = 0.2
		if change != nil {
			change(o)
		}
	})
	for len(w.waiting) > 0 {
		w.step(t, f)
	}
	return w.log.String()
}

// A web is a small crawl: the waiting requests in the order first proposed, and the results.
type web struct {
	pages   map[string]*orbweaver.Page
	known   graphOf
	waiting []orbweaver.Proposal
	done    map[string]bool
	steps   int
	rounds  int
	log     strings.Builder
}

// newWeb returns 60 pages with some links each: even ones are about bees, and link to each other more often.
func newWeb(seed uint64) *web {
	rng := rand.New(rand.NewPCG(seed, 1))
	w := &web{pages: map[string]*orbweaver.Page{}, known: graphOf{}, done: map[string]bool{}}
	words := [2][]string{strings.Fields("bee honey hive nectar pollen swarm wax queen drone comb"), strings.Fields("chess rook castle pawn knight bishop queen check mate board")}
	url := func(i int) string { return fmt.Sprintf("http://p.test/%d", i) }
	for i := range 60 {
		var text []string
		for range 5 + rng.IntN(20) {
			text = append(text, words[(i+rng.IntN(5)/4)%2][rng.IntN(10)])
		}
		p := page(url(i), strings.Join(text, " "))
		for range 8 {
			to := rng.IntN(60)
			l := link(url(to), words[(to+rng.IntN(4)/3)%2][rng.IntN(10)])
			l.Context = words[(to+rng.IntN(4)/3)%2][rng.IntN(10)] + " " + words[(to+rng.IntN(4)/3)%2][rng.IntN(10)]
			p.Links = append(p.Links, l)
			w.known[url(to)] = append(w.known[url(to)], p.URL)
		}
		w.pages[p.URL] = p
	}
	w.waiting = []orbweaver.Proposal{{Request: orbweaver.Request{URL: url(0)}, Judgement: orbweaver.Judgement{Score: 1}}}
	return w
}

// step decides the best request as the engine does; every tenth step ends a round.
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
	o.Actual, _ = f.Judge(tb.Context(), o.Page)
	o.Plan, _ = f.Plan(tb.Context(), o.Page, o.Actual)
	for _, p := range o.Plan {
		at := slices.IndexFunc(w.waiting, func(q orbweaver.Proposal) bool { return q.URL == p.URL })
		if at >= 0 {
			w.waiting[at] = step.Merge(f.Merge(w.waiting[at].Note, p), w.waiting[at], p)
		} else if !w.done[p.URL] {
			w.waiting = append(w.waiting, p)
		}
	}
	teach(tb, f, o)
	if w.steps++; w.steps%10 == 0 {
		w.rounds++
		if lesson := endRound(tb, f, w.rounds, w.known); len(lesson.Stale) > 0 {
			for i := range w.waiting {
				if score, ok := f.Worth(w.waiting[i].Note); ok {
					w.waiting[i].Score = score
				}
			}
		}
	}
	fmt.Fprintln(&w.log, taken.URL, taken.Score, o.Actual.Score)
	return o
}

func snapshotOf(tb testing.TB, f *Focus) string {
	tb.Helper()
	var b bytes.Buffer
	if err := f.Snapshot(&b); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}
