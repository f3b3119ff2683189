package ontology

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"orbweaver"
	crawlstep "orbweaver/internal/step"
	kb "orbweaver/kb/ontology"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// planes is the paper's Fig. 3 with labels: "plane" is ambiguous, and "jet engine" contains "jet".
const planes = `
@prefix ex: <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Vehicle a owl:Class .
ex:Airplane rdfs:subClassOf ex:Vehicle ; rdfs:label "Airplane", "Plane", "Jet", "Flugzeug"@de .
ex:CommercialAirplane rdfs:subClassOf ex:Airplane ; rdfs:label "airliner" .
ex:MilitaryAirplane rdfs:subClassOf ex:Airplane ; rdfs:label "fighter" .
ex:A340 rdfs:subClassOf ex:CommercialAirplane .
ex:Passenger rdfs:subClassOf ex:Person . ex:Pilot rdfs:subClassOf ex:Person .
ex:Person a owl:Class . ex:Company a owl:Class .
ex:transports rdfs:domain ex:Airplane ; rdfs:range ex:Passenger ; rdfs:label "transports" .
ex:flies rdfs:domain ex:Pilot ; rdfs:range ex:Airplane ; rdfs:label "flies" .
ex:ownedBy rdfs:domain ex:Airplane ; rdfs:range ex:Company ; rdfs:label "owned by" .
ex:MARC_EHRIG a ex:Person .
ex:Geometry a owl:Class ; rdfs:label "plane" .
ex:JetEngine a owl:Class ; rdfs:label "jet engine" .
`

func example(tb testing.TB) *kb.Ontology {
	tb.Helper()
	o, err := kb.Build(turtle.Read(strings.NewReader(planes), syntax.Options{Name: "planes.ttl"}))
	if err != nil {
		tb.Fatal(err)
	}
	return o
}

// options have raw counts and targets.
func options(tb testing.TB, set kb.Set, targets ...string) Options {
	opts := Options{Ontology: example(tb), Relevance: set, IDF: None, RawCounts: true, Paper: Paper{Satisfied: true}}
	for _, t := range targets {
		opts.Targets = append(opts.Targets, "http://example.org/"+t)
	}
	return opts
}

func focus(tb testing.TB, opts Options) *Focus {
	tb.Helper()
	f, err := New(opts)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func page(text string) *orbweaver.Page {
	return &orbweaver.Page{URL: "http://p.test/", Text: text, Lang: "en"}
}

// judged prepares and judges a page. It also returns r: the first reason has it, and with at most ten
// entities the others add up to it.
func judged(tb testing.TB, f *Focus, p *orbweaver.Page) (orbweaver.Judgement, float64) {
	tb.Helper()
	var err error
	if p.Findings, err = f.Prepare(context.Background(), p); err != nil {
		tb.Fatal(err)
	}
	j, err := f.Judge(context.Background(), p)
	if err != nil {
		tb.Fatal(err)
	}
	if j.Score < 0 || j.Score > 1 || math.IsNaN(j.Score) {
		tb.Fatalf("score %v", j.Score)
	}
	if len(j.Reasons) == 0 {
		return j, 0
	}
	r := j.Reasons[0].Weight
	entities := slices.DeleteFunc(slices.Clone(j.Reasons[1:]), func(r orbweaver.Reason) bool { return r.Rule == orbweaver.RuleThreshold })
	if rest := sum(entities); j.Reasons[0].Rule != RuleRaw || len(j.Reasons) <= maxReasons && math.Abs(rest-r) > 1e-12 {
		tb.Fatalf("r = %v, the entities add up to %v: %v", r, rest, j.Reasons)
	}
	return j, r
}

func sum(reasons []orbweaver.Reason) (total float64) {
	for _, r := range reasons {
		total += r.Weight
	}
	return total
}

// TestRelationalSum: a document scores 4 by raw counts, as in the paper's Fig. 2.
func TestRelationalSum(t *testing.T) {
	f := focus(t, options(t, kb.Relational, "Airplane"))
	j, r := judged(t, f, page("The airplane transports a passenger. Marc Ehrig is a person, not a vehicle."))
	if r != 4 || !j.Accepted {
		t.Errorf("r = %v, accepted %v", r, j.Accepted)
	}
	var got []string
	for _, reason := range j.Reasons[1:] {
		got = append(got, reason.Rule+" "+reason.Evidence)
	}
	want := "entity Airplane: airplane ×1 (Airplane); entity Passenger: passenger ×1 (Passenger); entity Vehicle: vehicle ×1 (Vehicle); entity transports: transports ×1"
	if g := strings.Join(got, "; "); g != want {
		t.Errorf("got  %s\nwant %s", g, want)
	}
}

func TestRelevance(t *testing.T) {
	for _, tc := range []struct {
		name     string
		set      kb.Set
		combine  Combine
		targets  string
		text     string
		want     float64
		accepted bool
	}{
		{"nothing", kb.Total, Sum, "Airplane", "", 0, false},
		{"single counts the target alone", kb.Single, Sum, "Airplane", "airplane, vehicle, jet, plane", 3, true},
		{"taxonomic adds the hierarchy", kb.Taxonomic, Sum, "Airplane", "vehicle, fighters, passenger", 2, false},
		{"total discounts", kb.Total, Sum, "Airplane", "airplane, airliner, A340, person", 1 + .5 + .25 + .125, true},
		{"longest match takes the words", kb.Single, Sum, "Airplane", "jet engine", 0, false},
		{"ambiguous words count for all", kb.Single, Sum, "Airplane Geometry", "plane", 2, true},
		{"a word is not in a word", kb.Single, Sum, "Airplane", "planetary jetty", 0, false},
		{"the title counts", kb.Single, Sum, "Airplane", "TITLE", 1, true},
		{"sum", kb.Single, Sum, "Pilot Company", "pilot, pilot, company", 3, true},
		{"min", kb.Single, Min, "Pilot Company", "pilot, pilot, company", 1, true},
		{"min needs all", kb.Single, Min, "Pilot Company", "pilot, pilot", 0, false},
		{"max", kb.Single, Max, "Pilot Company", "pilot, pilot, company", 2, true},
		{"max needs one", kb.Taxonomic, Max, "Pilot Company", "company, person, person", 2, true},
		{"a target named twice is one", kb.Single, Sum, "Pilot Pilot", "pilot", 1, true},
	} {
		opts := options(t, tc.set, strings.Fields(tc.targets)...)
		opts.Combine = tc.combine
		p := page(tc.text)
		if tc.text == "TITLE" {
			p.Title, p.Text = "Planes", ""
		}
		j, r := judged(t, focus(t, opts), p)
		if r != tc.want || j.Accepted != tc.accepted {
			t.Errorf("%s: r = %v, accepted %v; want %v, %v", tc.name, r, j.Accepted, tc.want, tc.accepted)
		}
	}
}

func TestLanguages(t *testing.T) {
	for _, tc := range []struct {
		lang, text string
		want       float64
	}{
		{"de", "Die Flugzeuge und der Jet", 2},
		{"en", "Die Flugzeuge und der Jet", 1},
		{"", "two jets", 1},
	} {
		p := page(tc.text)
		p.Lang = tc.lang
		if _, r := judged(t, focus(t, options(t, kb.Single, "Airplane")), p); r != tc.want {
			t.Errorf("%q in %q: r = %v, want %v", tc.text, tc.lang, r, tc.want)
		}
	}
}

func TestLengthAndAccept(t *testing.T) {
	opts := options(t, kb.Single, "Airplane")
	opts.RawCounts = false
	least := 0.6
	opts.Accept, opts.Paper.Satisfied = &least, false
	f := focus(t, opts)
	for _, tc := range []struct {
		words    int
		want     float64
		accepted bool
	}{{10, 0.1, true}, {100, 0.01, false}} {
		j, r := judged(t, f, page("plane"+strings.Repeat(" word", tc.words-1)))
		if r != tc.want || j.Accepted != tc.accepted {
			t.Errorf("one in %d: r = %v, score %v, accepted %v", tc.words, r, j.Score, j.Accepted)
		}
	}
}

func TestBadOptions(t *testing.T) {
	for _, tc := range []struct {
		name string
		opts Options
		want string
	}{
		{"no ontology", Options{}, "no ontology"},
		{"no target", options(t, kb.Total), "no target"},
		{"unknown target", options(t, kb.Total, "Airplan"), "nearest: http://example.org/Airplane, "},
		{"base", func() Options { o := options(t, kb.Total, "Pilot"); o.Base = 1; return o }(), "base 1 is not"},
	} {
		_, err := New(tc.opts)
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

// randomText returns random words of the ontology and others.
func randomText(rng *rand.Rand, n int) string {
	words := strings.Fields("airplane plane jet engine vehicle airliner fighter a340 passenger pilot person company transports flies owned by marc ehrig the of and sky")
	var b strings.Builder
	for range n {
		b.WriteString(words[rng.IntN(len(words))] + " ")
	}
	return b.String()
}

// TestFoldedSum compares the folded weights with a direct computation of definitions 8 and 9.
func TestFoldedSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for set := kb.Single; set <= kb.Total; set++ {
		opts := options(t, set, "Airplane", "Pilot", "MARC_EHRIG")
		f := focus(t, opts)
		for range 20 {
			p := page(randomText(rng, 60))
			_, got := judged(t, f, p)
			k := map[int32]float64{}
			for _, h := range f.findings(p).hits {
				k[h.entity] = float64(h.count)
			}
			var want float64
			for _, target := range f.now.Load().targets {
				for _, m := range opts.Ontology.Relevance(int(target), set, kb.Discount{Base: DefaultBase}) {
					want += k[int32(m.Entity)] * m.Weight
				}
			}
			if math.Abs(got-want) > 1e-9 {
				t.Fatalf("%s: folded %v, unfolded %v", set, got, want)
			}
		}
	}
}

func TestMinAndMaxBoundTheTargets(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 50 {
		p := page(randomText(rng, 40))
		var single []float64
		for _, target := range []string{"Airplane", "Pilot", "Company"} {
			_, r := judged(t, focus(t, options(t, kb.Total, target)), page(p.Text))
			single = append(single, r)
		}
		for how, want := range map[Combine]float64{
			Min: min(single[0], single[1], single[2]), Max: max(single[0], single[1], single[2]), Sum: single[0] + single[1] + single[2],
		} {
			opts := options(t, kb.Total, "Airplane", "Pilot", "Company")
			opts.Combine = how
			if _, r := judged(t, focus(t, opts), page(p.Text)); math.Abs(r-want) > 1e-9 {
				t.Fatalf("combine %d: r = %v, want %v", how, r, want)
			}
		}
	}
}

func TestTheTenMostRelevantEntities(t *testing.T) {
	f := focus(t, options(t, kb.Total, "Airplane"))
	j, r := judged(t, f, page("airplane vehicle airliner fighter A340 passenger pilot person company transports flies owned by marc ehrig"))
	if len(j.Reasons) != 1+maxReasons {
		t.Fatalf("reasons %v", j.Reasons)
	}
	if want := 1 + 6*.5 + .25*4 + .125 + .0625; r != want {
		t.Errorf("r = %v, want %v: of all entities, also those not told of", r, want)
	}
	if told, want := sum(j.Reasons[1:]), 1+6*.5+.25*3; told != want {
		t.Errorf("told of are %v, want the heaviest, %v", told, want)
	}
}

func TestBackgroundIDF(t *testing.T) {
	opts := options(t, kb.Single, "Airplane", "Pilot", "Company")
	opts.IDF = Background
	opts.Background = map[string]float64{"http://example.org/Airplane": 2, "pilot": 3, "sky": 5}
	_, r := judged(t, focus(t, opts), page("plane pilot company"))
	if r != 2+3+5 {
		t.Errorf("r = %v", r)
	}
}

func TestPlan(t *testing.T) {
	f := focus(t, options(t, kb.Total, "Airplane"))
	p := page("A plane.")
	p.Links = []orbweaver.Link{
		{To: "http://p.test/"},
		{To: "http://p.test/a", Anchor: "more"},
		{To: "http://p.test/b", Anchor: "jets"},
		{To: "http://p.test/c", Anchor: "here", Context: "about the airliner"},
		{To: "http://p.test/a", Anchor: "again"},
		{To: "http://p.test/d", Anchor: "jets", Rel: "nofollow"},
		{To: "http://p.test/a", Anchor: "more", Title: "Planes"},
		{To: "http://p.test/wiki/Jet_%28plane%29.html", Anchor: "x"},
		{To: "http://p.test/b", Anchor: "jets"},
	}
	j, _ := judged(t, f, p)
	plan, err := f.Plan(context.Background(), p, j)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range plan {
		var rules []string
		for _, r := range q.Reasons {
			rules = append(rules, r.Rule+"="+r.Evidence)
		}
		got = append(got, fmt.Sprintf("%s[%s]", strings.TrimPrefix(q.URL, "http://p.test/"), strings.Join(rules, " ")))
		if total := sum(q.Reasons); math.Abs(total-q.Score) > 1e-12 || q.Score > 1 {
			t.Errorf("%s: score %v, reasons %v", q.URL, q.Score, total)
		}
		if q.Via == nil || q.Via.To != q.URL {
			t.Errorf("%s by way of %v", q.URL, q.Via)
		}
	}
	const on, by = "page=http://p.test/ scores 0.5", " inlinks=1 page links here]"
	want := "a[" + on + " anchor=Planes (Plane)" + by + " b[" + on + " anchor=jets (Jet)" + by + " c[" + on + " context=airliner" + by +
		" wiki/Jet_%28plane%29.html[" + on + " anchor=Jet, plane (Plane)" + by
	if g := strings.Join(got, " "); g != want {
		t.Errorf("got  %s\nwant %s", g, want)
	}
	if plan[0].Via.Title != "Planes" {
		t.Errorf("a's best link is %+v", *plan[0].Via)
	}
	if !(plan[1].Score > plan[2].Score) {
		t.Errorf("a target in the anchor: %v; a subclass in the context: %v", plan[1].Score, plan[2].Score)
	}
	p.NoFollow, p.Findings = true, nil
	if plan, _ = f.Plan(context.Background(), p, j); len(plan) != 0 {
		t.Errorf("a page that forbids it is followed %d times", len(plan))
	}
}

// TestRank: no feature lowers a link's rank, and ranks stay in 0..1.
func TestRank(t *testing.T) {
	steps := []float64{0, 0.1, 0.5, 1, 3, 1e9}
	for _, page := range []float64{0, 0.5, 1} {
		for _, a := range steps {
			for _, c := range steps {
				base := rank(signs{page: page, anchor: a, context: c}).Score()
				for _, more := range []signs{{min(1, page+0.1), a, 0, c}, {page, a + 1, 0, c}, {page, a, a + 1, c}, {page, a, 0, c + 1}} {
					if s := rank(more).Score(); s < base || s < 0 || s > 1 {
						t.Errorf("%+v scores %v, with less %v", more, s, base)
					}
				}
			}
		}
	}
}

func TestLearnedIDF(t *testing.T) {
	for _, tc := range []struct {
		pages, df int64
		want      float64
	}{{0, 0, math.Ln2}, {1, 1, math.Ln2}, {1, 0, math.Log(3)}, {99, 0, math.Log(101)}, {99, 99, math.Ln2}, {99, 9, math.Log(11)}} {
		if got := learned(tc.pages, tc.df); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("on %d of %d: %v, want %v", tc.df, tc.pages, got, tc.want)
		}
	}
}

// crawl judges and learns texts in order and formats the results.
func crawl(tb testing.TB, f *Focus, texts []string) string {
	var b strings.Builder
	for _, s := range texts {
		p := page(s)
		j, _ := judged(tb, f, p)
		fmt.Fprintf(&b, "%v %v\n", j.Score, j.Reasons)
		if _, err := f.Learn(context.Background(), orbweaver.Outcome{Page: p, Actual: j}); err != nil {
			tb.Fatal(err)
		}
	}
	return b.String()
}

func TestSnapshotRestore(t *testing.T) {
	opts := options(t, kb.Total, "Airplane")
	opts.IDF, opts.RawCounts = Learned, false
	rng := rand.New(rand.NewPCG(3, 1))
	var texts []string
	for range 40 {
		texts = append(texts, randomText(rng, 5+rng.IntN(30)))
	}
	first, second := focus(t, opts), focus(t, opts)
	crawl(t, first, texts[:20])
	var a, b bytes.Buffer
	if err := first.Snapshot(&a); err != nil {
		t.Fatal(err)
	}
	state := a.String()
	crawl(t, second, texts[30:]) // its previous state is replaced
	if err := second.Restore(&a); err != nil {
		t.Fatal(err)
	}
	if err := second.Snapshot(&b); err != nil || b.String() != state {
		t.Errorf("restored %s, want %s (%v)", b.String(), state, err)
	}
	if got, want := crawl(t, second, texts[20:]), crawl(t, first, texts[20:]); got != want {
		t.Errorf("after restoring: %s\nwant %s", got, want)
	}
	for _, tc := range []struct {
		snapshot string
		want     orbweaver.Failure
	}{
		{"", orbweaver.ErrDamaged},
		{"{}", orbweaver.ErrDamaged},
		{`{"version":9}`, orbweaver.ErrDamaged},
		{`{"version":3,"pages":-1}`, orbweaver.ErrDamaged},
		{`{"version":3,"pages":1,"df":{"http://example.org/Pilot":2}}`, orbweaver.ErrDamaged},
		{`{"version":3,"pages":1,"df":{"x:y":1}}`, orbweaver.ErrForeign},
		{`{"version":3}`, orbweaver.ErrDamaged},
		{wordsOnly(1, 1, word{key: "word:war", pages: 1, sum: 1}) + noGaps, ""},
		{wordsOnly(1, 1, word{key: "word:war", pages: 1, sum: 1}), orbweaver.ErrDamaged},
		{wordsOnly(-1, 0) + noGaps, orbweaver.ErrDamaged},
		{wordsOnly(1, math.NaN()) + noGaps, orbweaver.ErrDamaged},
		{wordsOnly(1, 1, word{key: "word:", pages: 1, sum: 1}) + noGaps, orbweaver.ErrDamaged},
		{wordsOnly(1, 1, word{key: "word:war", pages: 2, sum: 1}) + noGaps, orbweaver.ErrDamaged},
		{wordsOnly(1, 1, word{key: "word:war", pages: 1, sum: 2}) + noGaps, orbweaver.ErrDamaged},
		{wordsOnly(1, 1, word{key: "word:war", pages: 1, sum: 1, reported: math.Inf(1)}) + noGaps, orbweaver.ErrDamaged},
		{wordsOnly(2, 2, word{key: "word:war", pages: 1, sum: 1}, word{key: "word:war", pages: 1, sum: 1}) + noGaps, orbweaver.ErrDamaged},
	} {
		if err := first.Restore(strings.NewReader(tc.snapshot)); !errors.Is(err, tc.want) && (err != nil || tc.want != "") {
			t.Errorf("%q: %v, want %v", tc.snapshot, err, tc.want)
		}
	}
}

// noGaps is the encoded state of empty gap statistics.
const noGaps = "\x00\x00\x00\x00\x00\x00\x00\x00"

// wordsOnly returns a snapshot with these words.
func wordsOnly(pages int64, sum float64, list ...word) string {
	var w stateWriter
	w.words(&words{pages: pages, sum: sum, list: list})
	return `{"version":3}` + "\n" + string(w.b)
}

func TestPrepareInParallel(t *testing.T) {
	f := focus(t, options(t, kb.Total, "Airplane"))
	p := large()
	want := fmt.Sprintf("%+v", f.prepare(p))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				if got := fmt.Sprintf("%+v", f.prepare(p)); got != want {
					t.Error("prepared otherwise")
				}
			}
		})
	}
	all.Wait()
}

// large is a page of 20 kB with 100 links.
func large() *orbweaver.Page {
	rng := rand.New(rand.NewPCG(4, 1))
	p := page(randomText(rng, 3000))
	for i := range 100 {
		p.Links = append(p.Links, orbweaver.Link{
			To: fmt.Sprintf("http://p.test/wiki/page-%d.html", i), Anchor: randomText(rng, 2), Context: randomText(rng, 40),
		})
	}
	return p
}

// sparse returns an ontology of 50 entities with one word each, and pages of about 2 500 words and 34 links
// that name them occasionally.
func sparse(tb testing.TB) (*Focus, []*orbweaver.Page) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(9, 1))
	words := make([]string, 4000)
	for i := range words {
		for range 2 + rng.IntN(3) {
			words[i] += string("bcdfghlmnprst"[rng.IntN(13)]) + string("aeiou"[rng.IntN(5)])
		}
		words[i] += []string{"", "s", "n", "tion", "ing"}[rng.IntN(5)]
	}
	draw := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(words[min(rng.IntN(4000), rng.IntN(4000))])
			b.WriteString([]string{" ", " ", " ", " ", ", ", ". ", "\n\n"}[min(rng.IntN(7), 4+i%50/48*2)])
		}
		return b.String()
	}
	var ttl strings.Builder
	ttl.WriteString("@prefix : <http://e.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n:e0 a rdfs:Class .\n")
	for i := range 50 {
		fmt.Fprintf(&ttl, ":e%d rdfs:subClassOf :e%d ; rdfs:label \"%s\"@en .\n", i+1, i/3, words[3000+i*20])
	}
	o, err := kb.Build(turtle.Read(strings.NewReader(ttl.String()), syntax.Options{Name: "sparse.ttl"}))
	if err != nil {
		tb.Fatal(err)
	}
	var pages []*orbweaver.Page
	for i := range 20 {
		p := page(draw(2500))
		p.URL, p.Title = fmt.Sprintf("http://p.test/%d", i), draw(5)
		for k := range 34 {
			p.Links = append(p.Links, orbweaver.Link{
				To:     fmt.Sprintf("http://p%d.test/%s/%d.html", rng.IntN(5), words[rng.IntN(4000)], k),
				Anchor: draw(2), Title: draw(3), Context: draw(40),
			})
		}
		pages = append(pages, p)
	}
	return focus(tb, Options{Ontology: o, Targets: []string{"http://e.test/e1"}, Relevance: kb.Total}), pages
}

// TestPrepareAllocatesLittle: the findings of a page take a few allocations, however many links it has.
func TestPrepareAllocatesLittle(t *testing.T) {
	f, pages := sparse(t)
	for _, p := range pages {
		f.prepare(p)
	}
	if n := testing.AllocsPerRun(10, func() { f.prepare(pages[0]) }); n > 40 {
		t.Errorf("%v allocations a page of %d links", n, len(pages[0].Links))
	}
}

// BenchmarkPrepare prepares a page of 20 kB with 34 links, where few words are entries.
func BenchmarkPrepare(b *testing.B) {
	f, pages := sparse(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		f.prepare(pages[i%len(pages)])
	}
}

// BenchmarkPrepareDense prepares a page of 20 kB with 100 links, where every other word is an entry.
func BenchmarkPrepareDense(b *testing.B) {
	f, p := focus(b, options(b, kb.Total, "Airplane")), large()
	b.ReportAllocs()
	for b.Loop() {
		f.prepare(p)
	}
}

// BenchmarkDecide measures the work on the deciding goroutine for a page of 100 links: each leads to a
// waiting request, and ten of those are reranked.
func BenchmarkDecide(b *testing.B) {
	opts := options(b, kb.Total, "Airplane")
	opts.IDF = Learned
	f, p := focus(b, opts), large()
	p.Findings = f.prepare(p)
	ctx := context.Background()
	j, _ := f.Judge(ctx, p)
	waiting, _ := f.Plan(ctx, p, j)
	b.ReportAllocs()
	for b.Loop() {
		j, _ := f.Judge(ctx, p)
		plan, _ := f.Plan(ctx, p, j)
		for i := range plan {
			plan[i] = mergedBy(f, waiting[i], plan[i])
		}
		_, _ = f.Learn(ctx, orbweaver.Outcome{Request: plan[0].Request, Page: p, Actual: j})
		for i := range plan[:10] {
			plan[i].Judgement = f.Rerank(nil, plan[i])
		}
	}
}

// mergedBy returns a waiting request after another link was merged, with its reasons, as in the engine.
func mergedBy(f *Focus, waiting, again orbweaver.Proposal) orbweaver.Proposal {
	p := crawlstep.Merge(f.Merge(waiting.Note, again), waiting, again)
	p.Judgement = f.Rerank(nil, p)
	return p
}
