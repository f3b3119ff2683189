package crossref

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"orbweaver"
)

// TestEquations has r of equation 3 where labels have no addition: the cosine of (3, 4) and an axis is 0.6, of one
// label in common 1, of one of two that weigh the same √½.
func TestEquations(t *testing.T) {
	l := layer{terms: direction{1: 1}, labels: direction{7: 1}}
	for _, tc := range []struct {
		name          string
		terms, labels vector
		want          float64
	}{
		{"d = (0.6 + 1)/2 is more than the cosine of terms", vector{{1, 3}, {2, 4}}, vector{{7, 2}}, 0.8},
		{"d = (0.6 + 0.707)/2", vector{{1, 3}, {2, 4}}, vector{{7, 1}, {8, 1}}, (0.6 + math.Sqrt(0.5)) / 2},
		{"d = (0.8 + 0)/2 is less", vector{{1, 4}, {2, 3}}, vector{{8, 1}}, 0.8},
		{"no terms in common: d = (0 + 1)/2", vector{{2, 4}}, vector{{7, 1}}, 0.5},
		{"the same", vector{{1, 2}}, vector{{7, 3}}, 1},
	} {
		if r, _ := l.relevance(tc.terms, 0, tc.labels, 0); math.Abs(r-tc.want) > 1e-6 {
			t.Errorf("%s: %v, want %v", tc.name, r, tc.want)
		}
	}
	f := focus(t, func(o *Options) { o.NoExtraLabel = true })
	if f.extraLabel() != 0 || focus(t, nil).extraLabel() != 1 {
		t.Error("the additional label")
	}
}

// TestLayerOfHighest: an item is assigned to the layer of highest r, the innermost among equals.
func TestLayerOfHighest(t *testing.T) {
	for want, s := range []standing{{0.5, 0.5, 0.3}, {0.1, 0.4, 0.3}, {0.1, 0.2, 0.3}} {
		if got := s.layer(); got != want {
			t.Errorf("%v: layer %d, want %d", s, got, want)
		}
	}
}

// TestOrders: two pages link to a URL, of relevance 0.3, 0.6, 0 and 0.2, 0, 0 to layers 0, 1 and 2, and one to
// another, of 0.25, 0.1, 0.
func TestOrders(t *testing.T) {
	a, b, c := standing{0.3, 0.6}, standing{0.2}, standing{0.25, 0.1}
	two := evidence{links: 2, parents: []parent{{relevance: 0.3, here: &a}, {relevance: 0.2, here: &b}}}
	one := evidence{links: 1, parents: []parent{{relevance: 0.25, here: &c}}}
	for _, tc := range []struct {
		order    Order
		two, one float64
		layer    int // of two
	}{
		{ByRelevance, 0.3, 0.25, 0},                  // r to layer 0 of the best
		{ByBelonging, 0.6, 0.25, 1},                  // r to the layer it belongs to
		{ByLayers, (2 + 0.2) / 3, (2 + 0.25) / 3, 0}, // the second page belongs to layer 0, the first to layer 1
		{ByWorth, 0.3, 0.25, 0},                      // 0.6 of layer 1 counts a tenth
	} {
		f := focus(t, func(o *Options) { o.Order, o.BestInlink, o.NoLinkText, o.NoFeedback = tc.order, true, true, true })
		f.layers = make([]layer, 3)
		r := f.rank(&two)
		if got := f.priority(r); math.Abs(got-tc.two) > 1e-6 || r.layer != tc.layer {
			t.Errorf("%q: %v of layer %d, want %v of %d", tc.order, got, r.layer, tc.two, tc.layer)
		}
		if got := f.priority(f.rank(&one)); math.Abs(got-tc.one) > 1e-6 {
			t.Errorf("%q: one page gives %v, want %v", tc.order, got, tc.one)
		}
	}
}

// TestFixedRounds: the paper's rounds have one size, ours grow to it.
func TestFixedRounds(t *testing.T) {
	for fixed, want := range map[bool]string{true: "[2000 2000 2000 2000 2000 2000 2000]", false: "[50 50 50 50 50 50 50]"} {
		f := focus(t, func(o *Options) { o.Round, o.FixedRounds = 2000, fixed })
		var sizes []int
		for n := range 7 {
			sizes = append(sizes, f.RoundSize())
			endRound(t, f, n+1, nil)
		}
		if got := fmt.Sprint(sizes); got != want {
			t.Errorf("fixed %v: %s", fixed, got)
		}
	}
}

// TestThetaLayer: a page that resembles a page like the item, but hardly the item, is of layer 0 if θ applies to
// layer 0 as it is, and is not if it applies to the item.
func TestThetaLayer(t *testing.T) {
	for byLayer, want := range map[bool]int{true: 3, false: 2} {
		f := focus(t, func(o *Options) { o.Theta, o.ThetaLayer, o.NoLabels = 0.3, byLayer, true })
		learn(t, f,
			page("http://p.test/near", "bee honey hive garden flower meadow"),
			page("http://p.test/next", "bee garden flower meadow summer"),
			page("http://p.test/far", "chess rook pawn bishop"))
		endRound(t, f, 1, nil)
		endRound(t, f, 2, nil)
		if got := f.layers[0].members; got != want {
			t.Errorf("by layer %v: %d members, want %d", byLayer, got, want)
		}
	}
}

// TestSeveralItems: layer 0 begins with all items, and their mean decides; none is proposed, or is a source.
func TestSeveralItems(t *testing.T) {
	more := page("http://p.test/second", "chess rook pawn bishop castle", link("http://p.test/3", "rook"), link("http://p.test/item", "bee"))
	f := focus(t, func(o *Options) { o.More, o.Start, o.NoLabels = []*orbweaver.Page{more}, true, true })
	if f.layers[0].members != 2 || len(f.layers[0].terms) != 10 {
		t.Errorf("%d members with %d terms", f.layers[0].members, len(f.layers[0].terms))
	}
	bees, chess := judgeText(t, f, "bee honey hive nectar pollen"), judgeText(t, f, "chess rook pawn bishop castle")
	if math.Abs(bees-math.Sqrt(0.5)) > 1e-3 || math.Abs(chess-math.Sqrt(0.5)) > 1e-3 { // a twin of one of two that have no word in common
		t.Errorf("%v and %v", bees, chess)
	}
	seeds, err := f.Seeds(t.Context(), nil)
	if err != nil || len(seeds) != 3 {
		t.Errorf("%d seeds, %v", len(seeds), err)
	}
	for _, s := range seeds {
		if s.Request.URL == "http://p.test/item" || s.Request.URL == "http://p.test/second" {
			t.Errorf("%s is an item itself", s.Request.URL)
		}
	}
	again := focus(t, func(o *Options) { o.More, o.NoLabels = []*orbweaver.Page{more}, true })
	learn(t, f, page("http://p.test/4", "bee rook garden"))
	endRound(t, f, 1, nil)
	if err := again.Restore(strings.NewReader(snapshotOf(t, f))); err != nil || again.Digest() != f.Digest() {
		t.Errorf("restored: %v", err)
	}
	if err := focus(t, func(o *Options) { o.NoLabels = true }).Restore(strings.NewReader(snapshotOf(t, f))); !errors.Is(err, orbweaver.ErrForeign) {
		t.Errorf("restored for one item: %v", err)
	}
	opts := f.opts
	opts.More = []*orbweaver.Page{page("http://p.test/mute", "the of and")}
	var at *ItemError
	if _, err := New(opts); !errors.As(err, &at) || at.URL != "http://p.test/mute" || !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("an item of stop words: %v", err)
	}
}

func judgeText(t *testing.T, f *Focus, text string) float64 {
	t.Helper()
	j, err := f.Judge(t.Context(), page("http://p.test/x"+text[:3], text))
	if err != nil {
		t.Fatal(err)
	}
	return j.Score
}

// TestReclassify: a page's labels are those of the model as it is, though the page was learned before. Sixteen pages
// have bee and wax: then the rule that wax gives bee is in force, and a page with wax resembles the item. The item and the
// state stay what they are.
func TestReclassify(t *testing.T) {
	f := focus(t, nil)
	learn(t, f, page("http://p.test/early", "wax candle light"))
	for i := range 40 {
		learn(t, f, page(fmt.Sprint("http://p.test/other", i), fmt.Sprint("chess rook pawn bishop castle", i)))
	}
	before := answer(t, f, nil)["http://p.test/early"]
	items := fmt.Sprint(f.known.items[0].terms, f.known.items[0].main)
	for i := range 16 {
		learn(t, f, page(fmt.Sprint("http://p.test/later", i), "bee wax "+[]string{"honey", "hive", "pollen", "nectar"}[i%4]))
	}
	digest := f.Digest()
	after := answer(t, f, nil)["http://p.test/early"]
	if before.Score != 0 || after.Score <= 0.1 {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if f.Digest() != digest || fmt.Sprint(f.known.items[0].terms, f.known.items[0].main) != items {
		t.Error("asking changed the state")
	}
	like := page("http://q.test/", "chess rook pawn bishop")
	if j := answer(t, f, like)["http://p.test/other1"]; j.Score < 0.5 || j.Class != "L0" {
		t.Errorf("like another item: %+v", j)
	}
	if j := answer(t, f, &orbweaver.Page{URL: "http://p.test/other2"})["http://p.test/other1"]; j.Score < 0.5 {
		t.Errorf("like a page: %+v", j)
	}
	for _, strange := range []*orbweaver.Page{{URL: "http://p.test/unknown"}, page("http://q.test/", "zymurgy")} {
		if _, err := f.Reclassify(t.Context(), strange, nil); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("like %s: %v", strange.URL, err)
		}
	}
}

func answer(t *testing.T, f *Focus, like *orbweaver.Page) map[string]orbweaver.Judgement {
	t.Helper()
	all, err := f.Reclassify(t.Context(), like, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]orbweaver.Judgement{}
	for url, j := range all {
		found[url] = j
	}
	return found
}
