package swget

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/kb/terms"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
)

// linked is a small web of people and a city, each document in Turtle. :me is http://x.test/.
func linked(tb testing.TB) *web {
	tb.Helper()
	texts := map[string]string{
		"http://a.test/rome":     `<http://a.test/rome> owl:sameAs <http://b.test/id/rome>, <http://c.test/data#rome>, _:b; foaf:name "Rome" . <http://d.test/x> owl:sameAs <http://a.test/rome> .`,
		"http://b.test/doc/rome": `<http://b.test/id/rome> owl:sameAs <http://a.test/rome>, <urn:place:rome>, <http://sub.c.test/roma> .`,
		"http://c.test/data":     `<http://c.test/data#rome> owl:sameAs <http://c.test/data#roma> . <http://c.test/data#roma> owl:sameAs <http://e.test/e> . <http://b.test/id/rome> owl:sameAs <http://c.test/no> .`,
		"http://sub.c.test/roma": `<http://sub.c.test/roma> foaf:name "Roma" .`,
		"http://e.test/e":        `<http://e.test/e> owl:sameAs <http://e.test/f> .`,
		"http://x.test/ann":      `<http://x.test/ann> foaf:knows <http://x.test/bob>, <http://x.test/cy>; a foaf:Person .`,
		"http://x.test/bob":      `<http://x.test/bob> foaf:knows <http://x.test/dan>; foaf:age 17 . <http://x.test/eve> foaf:knows <http://x.test/bob> .`,
		"http://x.test/cy":       `<http://x.test/cy> foaf:knows <http://x.test/dan>; foaf:age 40 .`,
		"http://x.test/dan":      `<http://x.test/dan> foaf:knows <http://x.test/ann>; foaf:age 50 .`,
		"http://x.test/loop":     `<http://x.test/loop> foaf:knows <http://x.test/loop> .`,
	}
	w := newWeb(func(url string) ([]rdf.Quad, bool) {
		text, ok := texts[url]
		return turtle(tb, url, text), ok
	})
	w.redirects["http://b.test/id/rome"] = "http://b.test/doc/rome"
	return w
}

func turtle(tb testing.TB, base, text string) (quads []rdf.Quad) {
	tb.Helper()
	const prefixes = "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix foaf: <http://xmlns.com/foaf/0.1/> . "
	for q, err := range document.Quads(strings.NewReader(prefixes+text), syntax.Turtle, syntax.Options{Base: base}) {
		if err != nil {
			tb.Fatal(err)
		}
		quads = append(quads, q)
	}
	return quads
}

// short is the compact form of a node.
func short(n Node) string {
	s := fmt.Sprintf("%d %s", n.Level, strings.NewReplacer("http://", "", ".test", "").Replace(n.IRI))
	if n.Result {
		s += "!"
	}
	if n.Why != "" {
		s += " " + n.Why
	}
	return s
}

// TestWalk checks the nodes reached, their levels, which are results, and why some are not dereferenced.
func TestWalk(t *testing.T) {
	for _, tc := range []struct {
		name, expression string
		want             string
		asked            int
	}{
		{"closure, within domains, over a redirect and fragments",
			"swget <http://a.test/rome> (<owl:sameAs>)* -domains {a.test,b.test,c.test}",
			"0 a/rome!; 1 b/id/rome!; 1 c/data#rome!; 2 c/data#roma!; 2 sub.c/roma!; 2 urn:place:rome! no-address; 3 e/e! other-domain", 4},
		{"what nothing follows from is not asked for", "<http://a.test/rome> <owl:sameAs>", "0 a/rome; 1 b/id/rome! not-needed; 1 c/data#rome! not-needed", 1},
		{"but where all is saved", "<http://a.test/rome> <owl:sameAs> -saveGraph", "0 a/rome; 1 b/id/rome!; 1 c/data#rome!", 3},
		{"against a statement, in the node's own document", "<http://x.test/bob> ^<foaf:knows>", "0 x/bob; 1 x/eve! not-needed", 1},
		{"what another document says of it is not its own", "<http://x.test/dan> ^<foaf:knows>", "0 x/dan", 1},
		{"a way to one node twice", "<http://x.test/ann> <foaf:knows>/<foaf:knows>", "0 x/ann; 1 x/bob; 1 x/cy; 2 x/dan! not-needed", 3},
		{"a circle ends", "<http://x.test/ann> <foaf:knows>+", "1 x/bob!; 1 x/cy!; 2 x/dan!; 3 x/ann!", 4},
		{"a circle of one", "<http://x.test/loop> _*", "0 x/loop!", 1},
		{"a test", "<http://x.test/ann> <foaf:knows>[ASK {?ctx foaf:age ?a FILTER(?a >= 18)}]", "0 x/ann; 1 x/bob; 1 x/cy!", 3},
		{"a test on the way", "<http://x.test/ann> (<foaf:knows>[ASK {?ctx foaf:age ?a FILTER(?a < 18)}])/<foaf:knows>", "0 x/ann; 1 x/bob; 1 x/cy; 2 x/dan! not-needed", 3},
		{"a test of the start", "<http://x.test/ann> ([ASK {?ctx a foaf:Agent}]/_)", "0 x/ann", 1},
		{"a test of what has no document", "<http://b.test/id/rome> <owl:sameAs>[ASK {}] -domains {b.test}", "0 b/id/rome; 1 a/rome other-domain; 1 sub.c/roma other-domain; 1 urn:place:rome no-address", 1},
		{"any predicate", "<http://x.test/bob> (_|^_)", "0 x/bob; 1 x/dan! not-needed; 1 x/eve! not-needed", 1},
		{"a command, in both directions, without its start", "<http://x.test/dan> -p <foaf:knows> <3-3>", "0 x/dan; 1 x/ann!; 2 x/bob!; 2 x/cy!; 3 x/eve! not-needed", 4},
		{"a command of two levels has the first too", "<http://x.test/ann> -p <foaf:knows> <2-2>", "0 x/ann; 1 x/bob!; 1 x/cy!; 2 x/dan! not-needed; 2 x/eve! not-needed", 3},
		{"a document that is not there", "<http://x.test/nobody> _/_", "0 x/nobody absent", 1},
		{"two nodes of a document that is asked for once", "<http://c.test/data#rome> <http://c.test/data#roma> <owl:sameAs>", "0 c/data#rome; 1 c/data#roma!; 1 e/e! not-needed", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w, f := linked(t), focus(t, Options{Expression: tc.expression})
			w.crawl(t, f)
			var got []string
			for _, n := range f.Nodes() {
				got = append(got, short(n))
			}
			if s := strings.Join(got, "; "); s != tc.want {
				t.Errorf("found  %s\nwanted %s", s, tc.want)
			}
			if len(w.asked) != tc.asked {
				t.Errorf("asked for %v", w.asked)
			}
			if s := f.Summary(); !s.Over || s.Nodes != len(got) || s.Results != strings.Count(tc.want, "!") || s.CutShort != nil {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestPath: each step has the statement, its direction and the document that states it.
func TestPath(t *testing.T) {
	w, f := linked(t), focus(t, Options{Expression: "(<owl:sameAs>/<owl:sameAs>)[ASK {}]/ACT[save]?|^<owl:sameAs>", From: []string{"http://a.test/rome"}})
	w.crawl(t, f)
	const same = "http://www.w3.org/2002/07/owl#sameAs"
	want := map[string]terms.Path{
		"http://sub.c.test/roma": {
			{From: "http://a.test/rome", Property: same, To: "http://b.test/id/rome", Dataset: "http://a.test/rome"},
			{From: "http://b.test/id/rome", Property: same, To: "http://sub.c.test/roma", Dataset: "http://b.test/doc/rome"},
		},
		"http://d.test/x": {{From: "http://a.test/rome", Property: same, Inverse: true, To: "http://d.test/x", Dataset: "http://a.test/rome"}},
	}
	for _, n := range f.Nodes() {
		if path, ok := want[n.IRI]; ok && (!n.Result || !slices.Equal(n.Path, path)) {
			t.Errorf("%+v", n)
		}
		delete(want, n.IRI)
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
	if saved := f.Saved(); !slices.Equal(saved, []string{"http://a.test/rome", "http://c.test/data", "http://sub.c.test/roma"}) {
		t.Errorf("saved: %v", saved)
	}
	if s := f.Summary(); s.Blank != 1 || s.Literals != 0 || s.Documents != 4 || s.Levels != 2 {
		t.Errorf("%+v", s)
	}
}

// TestSaved: all documents are saved, or those of nodes with an action.
func TestSaved(t *testing.T) {
	for expression, want := range map[string]string{
		"<http://x.test/ann> <foaf:knows>/ACT[save]/<foaf:knows>": "[http://x.test/bob http://x.test/cy]",
		"<http://x.test/ann> <foaf:knows>/<foaf:knows>":           "[]",
		"<http://a.test/rome> <owl:sameAs> -saveGraph":            "[http://a.test/rome http://b.test/doc/rome http://c.test/data]",
	} {
		w, f := linked(t), focus(t, Options{Expression: expression})
		w.crawl(t, f)
		if got := fmt.Sprint(f.Saved()); got != want {
			t.Errorf("%s saves %s", expression, got)
		}
	}
}

// TestJudge: the documents of results are accepted, as far as known when they arrive.
func TestJudge(t *testing.T) {
	for _, tc := range []struct{ name, expression, want string }{
		{"results, by redirect and fragment", "<http://a.test/rome> <owl:sameAs> -saveGraph", "a/rome on-the-way .5; b/doc/rome result 1; c/data result 1"},
		{"by a test that the document passes", "<http://x.test/ann> <foaf:knows>[ASK {?ctx foaf:age ?a FILTER(?a >= 18)}]/ACT[save]", "x/ann on-the-way .5; x/bob on-the-way .5; x/cy result 1"},
	} {
		w, f := linked(t), focus(t, Options{Expression: tc.expression})
		w.crawl(t, f)
		var got []string
		for url, j := range w.judged {
			score := map[float64]string{0: "0", .5: ".5", 1: "1"}[j.Score]
			got = append(got, strings.NewReplacer("http://", "", ".test", "").Replace(url)+" "+j.Reasons[0].Rule+" "+score)
			if j.Accepted != (j.Score == 1) || j.Reasons[0].Weight != j.Score {
				t.Errorf("%s: %+v", url, j)
			}
		}
		if slices.Sort(got); strings.Join(got, "; ") != tc.want {
			t.Errorf("%s: %s", tc.name, strings.Join(got, "; "))
		}
	}
	j, err := focus(t, Options{Expression: "<http://x.test/ann> _"}).Judge(t.Context(), &orbweaver.Page{URL: "http://q.test/"})
	if err != nil || j.Accepted || j.Score != 0 || j.Reasons[0].Rule != RuleNotOfNode {
		t.Errorf("a page of no node: %+v, %v", j, err)
	}
}

// TestProposals: each names the node and the statement that led to it.
func TestProposals(t *testing.T) {
	w, f := linked(t), focus(t, Options{Expression: "<http://b.test/id/rome> <owl:sameAs>/[ASK {}]/<foaf:name>"})
	seeds, err := f.Seeds(t.Context(), w)
	if err != nil || len(seeds) != 1 || seeds[0].Parent != "" || seeds[0].Via != nil || seeds[0].Score != 1 || seeds[0].URL != "http://b.test/id/rome" {
		t.Fatalf("%+v, %v", seeds, err)
	}
	w.ask(t, f, seeds[0].Request)
	next, _, err := f.EndRound(t.Context(), orbweaver.Round{N: 1, Known: w})
	if err != nil || len(next) != 2 {
		t.Fatalf("%+v, %v", next, err)
	}
	if p := next[0]; p.URL != "http://a.test/rome" || p.Parent != "http://b.test/doc/rome" || p.Depth != 1 || p.Score != .5 ||
		p.Via.Rel != "http://www.w3.org/2002/07/owl#sameAs" || p.Via.Origin != orbweaver.FromTriple || p.Via.To != p.URL {
		t.Errorf("%+v, %+v", p, p.Via)
	}
}

// TestLate: a missing document does not delay others, and is used when it arrives.
func TestLate(t *testing.T) {
	w, f := linked(t), focus(t, Options{Expression: "<http://x.test/ann> <foaf:knows>/<foaf:knows>/<foaf:knows>"})
	w.down["http://x.test/cy"], w.down["http://x.test/dan"] = true, true
	w.crawl(t, f)
	unanswered := func() (all []string) {
		for _, n := range f.Nodes() {
			if n.Why == Unanswered {
				all = append(all, n.IRI)
			}
		}
		return all
	}
	if got := unanswered(); len(got) != 2 || len(results(f)) != 0 || f.Summary().Late != 2 {
		t.Errorf("late: %v, %+v", got, f.Summary())
	}
	delete(w.down, "http://x.test/cy")
	delete(w.down, "http://x.test/dan")
	w.ask(t, f, orbweaver.Request{URL: "http://x.test/cy"})
	w.ask(t, f, orbweaver.Request{URL: "http://x.test/dan"})
	proposals, _, err := f.EndRound(t.Context(), orbweaver.Round{Known: w})
	if got := results(f); err != nil || len(proposals) > 0 || !slices.Equal(got, []string{"http://x.test/ann"}) || unanswered() != nil || f.Summary().Late != 0 {
		t.Errorf("%v, %v, %v, %+v", proposals, got, err, f.Summary())
	}
}

// TestBounds: each limit holds, and is reported when reached.
func TestBounds(t *testing.T) {
	wide := func(url string) ([]rdf.Quad, bool) { // an infinite web of any width
		var all []rdf.Quad
		for i := range 10 {
			all = append(all, rdf.Quad{S: rdf.NewIRI(url), P: rdf.NewIRI("http://p.test/"), O: rdf.NewIRI(fmt.Sprintf("%s%d", url, i))})
		}
		return all, true
	}
	for _, tc := range []struct {
		opts  Options
		nodes int
		says  string
	}{
		{Options{MaxNodes: 50}, 50, "more than 50 nodes"},
		{Options{MaxVisits: 50}, 50, "more than 50 visits"},
		{Options{MaxLevels: 2}, 111, "more than 2 statements from the start"},
		{Options{MaxLevels: 3, MaxQuads: 2}, 15, "documents with more than 2 statements"},
	} {
		tc.opts.Expression, tc.opts.From = "_*", []string{"http://w.test/"}
		f := focus(t, tc.opts)
		newWeb(wide).crawl(t, f)
		if s := f.Summary(); s.Nodes > tc.nodes || s.Nodes < tc.nodes/2 || !strings.Contains(strings.Join(s.CutShort, "; "), tc.says) || !s.Over {
			t.Errorf("%+v: %+v", tc.opts, s)
		}
		if far := f.Nodes()[len(f.nodes)-1].Why; (far == TooFar) != (tc.opts.MaxLevels > 0) {
			t.Errorf("%+v: the last node is %s", tc.opts, far)
		}
	}
	w, f := linked(t), focus(t, Options{Expression: "<http://x.test/ann> _[ASK {SERVICE <http://s.test/> {}}]"})
	w.crawl(t, f)
	if s := f.Summary(); len(s.CutShort) != 1 || !strings.HasPrefix(s.CutShort[0], "tests that could not be answered") || s.Results != 0 {
		t.Errorf("%+v", s)
	}
}

// TestRedirectsEnd: circular redirects do not.
func TestRedirectsEnd(t *testing.T) {
	w, f := linked(t), focus(t, Options{Expression: "<http://r.test/1> _"})
	w.known["http://r.test/1"] = orbweaver.Outcome{Redirect: "http://r.test/2"}
	w.known["http://r.test/2"] = orbweaver.Outcome{Redirect: "http://r.test/1"}
	w.crawl(t, f)
	if n := f.Nodes(); len(n) != 1 || n[0].Why != "redirects" || len(w.asked) != 0 {
		t.Errorf("%+v", n)
	}
}

// TestKnownFails: an error of Known ends the round, and does not count as absence.
func TestKnownFails(t *testing.T) {
	f := focus(t, Options{Expression: "<http://x.test/ann> _"})
	if _, err := f.Seeds(t.Context(), broken{linked(t)}); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Error(err)
	}
}

// TestCalledOff: a canceled test does not count as failed.
func TestCalledOff(t *testing.T) {
	w, f := linked(t), focus(t, Options{Expression: "<http://x.test/ann> ([ASK {SERVICE <http://s.test/> {}}])"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	seeds, err := f.Seeds(t.Context(), w)
	if err != nil || len(seeds) != 1 {
		t.Fatal(seeds, err)
	}
	w.ask(t, f, seeds[0].Request)
	if _, _, err := f.EndRound(ctx, orbweaver.Round{Known: w}); !errors.Is(err, context.Canceled) {
		t.Errorf("end of round: %v", err)
	}
	page := &orbweaver.Page{Request: seeds[0].Request, URL: seeds[0].URL}
	if _, err := f.Judge(ctx, page); !errors.Is(err, context.Canceled) {
		t.Errorf("judgement: %v", err)
	}
}

type broken struct{ *web }

func (broken) Outcome(string) (orbweaver.Outcome, error) {
	return orbweaver.Outcome{}, fmt.Errorf("ledger: %w", orbweaver.ErrDamaged)
}

func TestNewRefuses(t *testing.T) {
	_, err := New(Options{Expression: "_|", From: []string{"here"}, MaxNodes: -1})
	for _, part := range []string{"expression:1:3: the expression ends", `start "here" is not an absolute IRI`, "limit -1"} {
		if err == nil || !strings.Contains(err.Error(), part) || !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%v lacks %s", err, part)
		}
	}
	for _, tc := range []struct {
		opts Options
		want string
	}{
		{Options{Expression: "_"}, "no node to start from"},
		{Options{Expression: "<http://a.test/> _ -domains {a/b,b:80}"}, "\"a/b\" is not a domain\n\"b:80\" is not a domain"},
		{Options{Expression: "<http://a.test/> (_<100-100>)<100-100>"}, "too large"},
	} {
		if _, err := New(tc.opts); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v: %v", tc.opts, err)
		}
	}
	f := focus(t, Options{Expression: "<http://a.test/> _ -domains {.A.test}", Domains: []string{"bücher.example", "b.test."}})
	for url, want := range map[string]bool{
		"http://a.test/": true, "https://x.a.test:8080/": true, "http://ba.test/": false, "http://xn--bcher-kva.example/": true, "http://b.test/": true,
	} {
		if f.within(url) != want {
			t.Errorf("%s within %v: %v", url, f.domains, !want)
		}
	}
}
