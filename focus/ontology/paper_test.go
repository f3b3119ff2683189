package ontology

import (
	"math"
	"strings"
	"testing"

	"orbweaver"
	kb "orbweaver/kb/ontology"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// inPaper looks for targets as the paper's crawler does, with every idf 1.
func inPaper(tb testing.TB, set kb.Set, reading Links, targets ...string) Options {
	opts := options(tb, set, targets...)
	opts.RawCounts, opts.Paper = false, paperValues(reading)
	return opts
}

// TestPaperEntityLookup is definition 6: k = matches × idf / words.
func TestPaperEntityLookup(t *testing.T) {
	for _, tc := range []struct {
		name, title, text string
		idf, want         float64
	}{
		{"one in ten", "", "plane" + strings.Repeat(" word", 9), 1, 0.1},
		{"three in ten, any case, any form", "", "PLANE airplanes Jet" + strings.Repeat(" word", 7), 1, 0.3},
		{"times idf", "", "plane" + strings.Repeat(" word", 9), 2, 0.2},
		{"a title is text", "Plane", strings.Repeat("word ", 9), 1, 0.1},
		{"the hundredth counts as the first", "", strings.Repeat("plane ", 100), 1, 1},
		{"no text", "", "", 1, 0},
	} {
		opts := inPaper(t, kb.Single, PageScore, "Airplane")
		opts.IDF, opts.Background = Background, map[string]float64{"http://example.org/Airplane": tc.idf}
		p := page(tc.text)
		p.Title = tc.title
		if _, r := judged(t, focus(t, opts), p); math.Abs(r-tc.want) > 1e-12 {
			t.Errorf("%s: r = %v, want %v", tc.name, r, tc.want)
		}
	}
}

// TestPaperFig2 is the document of TestRelationalSum: 4 matches, in 13 words.
func TestPaperFig2(t *testing.T) {
	f := focus(t, inPaper(t, kb.Relational, PageScore, "Airplane"))
	j, r := judged(t, f, page("The airplane transports a passenger. Marc Ehrig is a person, not a vehicle."))
	if math.Abs(r*13-4) > 1e-12 || !j.Accepted {
		t.Errorf("r = %v, accepted %v", r, j.Accepted)
	}
}

// TestPaperFig3 is a document of 15 words that names each entity of Fig. 3 once, by definitions 7 and 8. One step
// from AIRPLANE are VEHICLE and its two subclasses, and the three relations; two steps, what these lead to, and
// A340; then PERSON, and MARC EHRIG.
func TestPaperFig3(t *testing.T) {
	const words, text = 15, "airplane vehicle airliner fighter transports flies owned by passenger pilot company a340 person Marc Ehrig"
	for _, tc := range []struct {
		name     string
		set      kb.Set
		discount kb.Decay
		base     float64
		want     float64
	}{
		{"single", kb.Single, kb.Exponential, 0.5, 1},
		{"taxonomic: weights are 100 %", kb.Taxonomic, kb.Exponential, 0.5, 1 + 3},
		{"relational: weights are 100 %", kb.Relational, kb.Exponential, 0.5, 4 + 3 + 3},
		{"total, 50 %", kb.Total, kb.Exponential, 0.5, 1 + 6.0/2 + 4.0/4 + 1.0/8 + 1.0/16},
		{"total, 10 %", kb.Total, kb.Exponential, 0.1, 1 + 0.6 + 0.04 + 0.001 + 0.0001},
		{"total, linear over 4 steps", kb.Total, kb.Linear, 0.5, 1 + 6*0.8 + 4*0.6 + 0.4 + 0.2},
		{"total, logarithmic: 1/(1 + log₂(1+d))", kb.Total, kb.Logarithmic, 0.5, 1 + 6.0/2 + 4/(1+math.Log2(3)) + 1.0/3 + 1/(1+math.Log2(5))},
	} {
		opts := inPaper(t, tc.set, PageScore, "Airplane")
		opts.Discount, opts.Base = tc.discount, tc.base
		if _, r := judged(t, focus(t, opts), page(text)); math.Abs(r*words-tc.want) > 1e-9 {
			t.Errorf("%s: %v of the words, want %v", tc.name, r*words, tc.want)
		}
	}
}

// TestPaperSummary is definition 9, over 10 words.
func TestPaperSummary(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		combine    Combine
		want       float64
		accepted   bool
	}{
		{"sum", "pilot pilot company", Sum, 0.3, true},
		{"min", "pilot pilot company", Min, 0.1, true},
		{"max", "pilot pilot company", Max, 0.2, true},
		{"sum of one", "pilot pilot nothing", Sum, 0.2, true},
		{"min of one", "pilot pilot nothing", Min, 0, false},
		{"max of one", "pilot pilot nothing", Max, 0.2, true},
	} {
		opts := inPaper(t, kb.Single, PageScore, "Pilot", "Company")
		opts.Combine = tc.combine
		j, r := judged(t, focus(t, opts), page(tc.text+strings.Repeat(" word", 7)))
		if math.Abs(r-tc.want) > 1e-12 || j.Accepted != tc.accepted {
			t.Errorf("%s: r = %v, accepted %v; want %v, %v", tc.name, r, j.Accepted, tc.want, tc.accepted)
		}
	}
}

// TestPaperSatisfied: a page is accepted when it names the target (section 5), however weakly, and not for what is
// near the target, however strongly.
func TestPaperSatisfied(t *testing.T) {
	opts := inPaper(t, kb.Total, PageScore, "Airplane")
	for text, want := range map[string]bool{
		"plane" + strings.Repeat(" word", 5000): true,
		"vehicle airliner fighter pilot":        false,
	} {
		if j, _ := judged(t, focus(t, opts), page(text)); j.Accepted != want {
			t.Errorf("%.30q: accepted %v, score %v", text, j.Accepted, j.Score)
		}
		never := 0.9999
		opts := opts
		opts.Accept = &never
		if j, _ := judged(t, focus(t, opts), page(text)); j.Accepted != want {
			t.Errorf("%.30q: a threshold changes the verdict", text)
		}
	}
}

// TestPaperCase: words match by their stems in any case; by default, an abbreviation matches as written.
func TestPaperCase(t *testing.T) {
	o, err := kb.Build(turtle.Read(strings.NewReader(`@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Disease a rdfs:Class ; rdfs:label "AIDS" . ex:Other a rdfs:Class ; rdfs:label "measles" .`), syntax.Options{Name: "d.ttl"}))
	if err != nil {
		t.Fatal(err)
	}
	for folded, want := range map[bool]bool{true: true, false: false} {
		f := focus(t, Options{Ontology: o, Targets: []string{"http://example.org/Disease"}, Paper: Paper{Folded: folded, Satisfied: true}})
		if j, _ := judged(t, f, page("He sells hearing aids.")); j.Accepted != want {
			t.Errorf("folded %v: accepted %v", folded, j.Accepted)
		}
	}
}

// TestPaperLinks: a link has the score of its page, or of its own text; nothing else counts. Scores are r/(r + 0.05).
func TestPaperLinks(t *testing.T) {
	scoreOf := func(r float64) float64 { return r / (r + halfRelevant) }
	p := page("A plane" + strings.Repeat(" word", 8)) // r = 1/10
	p.Links = []orbweaver.Link{
		{To: "http://p.test/plain", Anchor: "more", Context: "planes, jets and airplanes"},
		{To: "http://p.test/jets", Anchor: "jets"},
		{To: "http://p.test/long", Anchor: "a very old plane"},
		{To: "http://p.test/titled", Anchor: "here", Title: "Planes"},
		{To: "http://p.test/twice", Anchor: "once more"},
		{To: "http://p.test/twice", Anchor: "the plane"},
		{To: "http://p.test/airplane.html", Anchor: "x"},
		{To: "http://p.test/related", Anchor: "airliner"},
	}
	own := map[string]float64{"plain": 0, "jets": 1, "long": 1.0 / 4, "titled": 1.0 / 2, "twice": 1.0 / 2, "airplane.html": 0, "related": 1.0 / 2}
	for _, reading := range []Links{PageScore, AnchorText} {
		f := focus(t, inPaper(t, kb.Total, reading, "Airplane"))
		j, _ := judged(t, f, p)
		plan, err := f.Plan(t.Context(), p, j)
		if err != nil || len(plan) != len(own) {
			t.Fatalf("%d proposals, %v", len(plan), err)
		}
		for _, q := range plan {
			r := 0.1
			if reading == AnchorText {
				r = own[strings.TrimPrefix(q.URL, "http://p.test/")]
			}
			if math.Abs(q.Score-scoreOf(r)) > 1e-12 || math.Abs(sum(q.Reasons)-q.Score) > 1e-12 || len(q.Keys) > 0 || q.Drop {
				t.Errorf("reading %d, %s: %+v, want %v", reading, q.URL, q.Judgement, scoreOf(r))
			}
		}
		p.Findings = nil
	}
}

// TestPaperLinkTextIsCombined: with min, a text names every target or scores 0 (definition 9); by default a link
// that names one of two counts.
func TestPaperLinkTextIsCombined(t *testing.T) {
	for _, tc := range []struct {
		combine Combine
		want    []float64 // r, of 4 words
	}{{Sum, []float64{0.25, 0.5, 0}}, {Min, []float64{0, 0.25, 0}}, {Max, []float64{0.25, 0.25, 0}}} {
		opts := inPaper(t, kb.Single, AnchorText, "Pilot", "Company")
		opts.Combine = tc.combine
		f := focus(t, opts)
		p := page("word")
		p.Links = []orbweaver.Link{
			{To: "http://p.test/a", Anchor: "pilot is not here"}, {To: "http://p.test/b", Anchor: "pilot of a company"}, {To: "http://p.test/c", Anchor: "a b c d"},
		}
		j, _ := judged(t, f, p)
		plan, _ := f.Plan(t.Context(), p, j)
		for i, r := range tc.want {
			if want := r / (r + halfRelevant); math.Abs(plan[i].Score-want) > 1e-12 {
				t.Errorf("combine %d: %s scores %v, want %v", tc.combine, plan[i].URL, plan[i].Score, want)
			}
		}
	}
}

// TestPaperInlinks: the best link counts, not the mean of all; an equal or worse one changes nothing.
func TestPaperInlinks(t *testing.T) {
	f := focus(t, inPaper(t, kb.Single, PageScore, "Airplane"))
	proposal := func(url, text string) orbweaver.Proposal {
		p := page(text)
		p.URL, p.Links = url, []orbweaver.Link{{To: "http://p.test/to", Anchor: "plane"}}
		j, _ := judged(t, f, p)
		plan, err := f.Plan(t.Context(), p, j)
		if err != nil || len(plan) != 1 {
			t.Fatal(plan, err)
		}
		return plan[0]
	}
	weak, strong := proposal("http://p.test/1", "plane"+strings.Repeat(" word", 9)), proposal("http://p.test/2", "plane plane")
	if strong.Score <= weak.Score {
		t.Fatalf("strong %v, weak %v", strong.Score, weak.Score)
	}
	up, down := f.Merge(weak.Note, strong), f.Merge(strong.Note, weak)
	if up.Score != strong.Score || !up.Follow || down.Score != strong.Score || down.Follow {
		t.Errorf("up %+v, down %+v, strong %v", up, down, strong.Score)
	}
	if score, ok := f.Worth(up.Note); !ok || score != strong.Score {
		t.Errorf("worth %v, %v", score, ok)
	}
	again := f.Rerank(nil, strong)
	if again.Score != strong.Score || math.Abs(sum(again.Reasons)-again.Score) > 1e-12 {
		t.Errorf("ranked again %+v, want %v", again, strong.Score)
	}
}

// TestPaperLearnsNoWords: pages requested by a word change no other request's rank.
func TestPaperLearnsNoWords(t *testing.T) {
	w, f := newWeb(), focus(t, inPaper(t, kb.Total, PageScore, "Airplane"))
	for len(w.waiting) > 0 {
		w.step(t, f)
	}
	if len(f.words.list) > 0 || w.moved > 0 || len(w.done) < 50 {
		t.Errorf("%d words, %d requests moved, %d pages", len(f.words.list), w.moved, len(w.done))
	}
}

// paperValues returns the paper's values, for one of its readings of a link's rank.
func paperValues(reading Links) Paper {
	return Paper{Folded: true, Satisfied: true, Links: reading, Inlinks: BestLink, Unlearned: true}
}
