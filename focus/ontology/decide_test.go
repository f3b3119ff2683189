package ontology

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"orbweaver"
	kb "orbweaver/kb/ontology"
	"orbweaver/rdf"
)

// accept returns the decision that accepts a suggestion.
func accepting(t testing.TB, f *Focus, s orbweaver.Suggestion, as, ranged string) orbweaver.Decision {
	t.Helper()
	added, err := kb.Addition(f.Ontology(), as, s.Text, "", s.Entity, ranged)
	if err != nil {
		t.Fatal(err)
	}
	return orbweaver.Decision{ID: s.ID, Accepted: true, As: as, Text: s.Text, Entity: s.Entity, Range: ranged, Added: added}
}

func decide(t testing.TB, f *Focus, d orbweaver.Decision) {
	t.Helper()
	if _, err := f.Decide(t.Context(), d); err != nil {
		t.Fatal(err)
	}
}

func TestDecide(t *testing.T) {
	texts := slices.Repeat([]string{"the plane, or flyer: wings. A jet engine"}, 4)
	opts := options(t, kb.Total, "Airplane", "JetEngine")
	f := taught(t, opts, texts...)
	before := listed(suggestions(t, f))
	if want := "pair Airplane – jet engine (Airplane–JetEngine) 4; word flyer (Airplane) 4; word wings (JetEngine) 4"; len(before) != len(want) {
		t.Fatalf("to begin with: %s", before)
	}
	find := func(text string) orbweaver.Suggestion {
		all := suggestions(t, f)
		i := slices.IndexFunc(all, func(s orbweaver.Suggestion) bool { return s.Text == text })
		if i < 0 {
			t.Fatalf("%s is not suggested: %s", text, listed(all))
		}
		return all[i]
	}
	if _, r := judged(t, f, page("a flyer")); r != 0 {
		t.Errorf("a flyer is known already: %v", r)
	}
	flyer := find("flyer")
	decide(t, f, accepting(t, f, flyer, orbweaver.AsEntry, ""))
	if j, r := judged(t, f, page("a flyer")); r != 1 || !j.Accepted {
		t.Errorf("a flyer is an airplane now: %v, %v", r, j)
	}
	decide(t, f, orbweaver.Decision{ID: find("wings").ID})
	pair := find("Airplane – jet engine")
	pair.Text = "driven by"
	decide(t, f, accepting(t, f, pair, orbweaver.AsProperty, pair.Other))
	if left := listed(suggestions(t, f)); left != "" {
		t.Errorf("decided, and yet: %s", left)
	}
	teach(t, f, 10, texts...) // what was decided stays decided, however often it comes
	if left := listed(suggestions(t, f)); left != "" {
		t.Errorf("decided, and again: %s", left)
	}
	if o := f.Ontology(); opts.Ontology.Len()+1 != o.Len() {
		t.Errorf("%d entities of %d", o.Len(), opts.Ontology.Len())
	}
}

// TestWhatWasLearnedStays: a decision about one thing changes no judgement of another, although later
// entities get other numbers.
func TestWhatWasLearnedStays(t *testing.T) {
	for _, how := range []Combine{Sum, Min, Max} {
		opts := options(t, kb.Total, "Airplane", "Pilot")
		opts.IDF, opts.RawCounts, opts.Combine = Learned, false, how
		f, g := focus(t, opts), focus(t, opts)
		crawlBoth := func(first int) (a, b string) {
			texts := []string{"plane pilot vehicle wings wheels", "a pilot with a cap on a plane", "company of wings: plane, pilot", "nothing at all"}
			texts = append(texts, texts...)
			return crawl(t, f, texts), crawl(t, g, texts)
		}
		crawlBoth(0)
		decide(t, g, orbweaver.Decision{ID: "x", Accepted: true, Added: []rdf.Quad{
			{S: rdf.NewIRI("http://example.org/AAA"), P: rdf.NewIRI("http://www.w3.org/2000/01/rdf-schema#subClassOf"), O: rdf.NewIRI("http://example.org/Geometry")},
			label("AAA", "triangle"),
		}})
		if a, b := crawlBoth(100); a != b {
			t.Errorf("combine %d: judged otherwise:\n%s\n%s", how, a, b)
		}
		if a, b := listed(suggestions(t, f)), listed(suggestions(t, g)); a != b || a == "" {
			t.Errorf("combine %d: suggested otherwise:\n%s\n%s", how, a, b)
		}
	}
}

// TestReadAhead: pages judged after a decision are judged by it, whenever they were prepared. Pages are
// prepared far ahead, in parallel with the decision.
func TestReadAhead(t *testing.T) {
	opts := options(t, kb.Total, "Airplane", "JetEngine")
	opts.IDF, opts.RawCounts = Learned, false
	run := func(ahead int) string {
		f := focus(t, opts)
		var pages []*orbweaver.Page
		for i := range 60 {
			p := pageAt(i, fmt.Sprintf("the plane and flyer of w%d with wings, a jet engine of w%d", i%7, i%3))
			p.Links = []orbweaver.Link{{To: "http://p.test/x", Anchor: "a flyer"}, {To: "http://p.test/y", Anchor: "jets"}}
			pages = append(pages, p)
		}
		var readers sync.WaitGroup
		prepare := func(p *orbweaver.Page) { readers.Go(func() { p.Findings, _ = f.Prepare(context.Background(), p) }) }
		for _, p := range pages[:min(ahead, len(pages))] {
			prepare(p)
		}
		var log strings.Builder
		for i, p := range pages {
			if ahead > 0 {
				if readers.Wait(); i+ahead < len(pages) {
					prepare(pages[i+ahead])
				}
			}
			if i%20 == 10 {
				decide(t, f, orbweaver.Decision{ID: fmt.Sprint(i), Accepted: true, Added: []rdf.Quad{label("Airplane", [...]string{"flyer", "w1", "w2"}[i/20])}})
			}
			j, _ := f.Judge(t.Context(), p)
			plan, _ := f.Plan(t.Context(), p, j)
			if _, err := f.Learn(t.Context(), orbweaver.Outcome{Page: p, Actual: j}); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&log, j.Score, j.Reasons)
			for _, q := range plan {
				fmt.Fprintln(&log, q.URL, q.Score, q.Reasons)
			}
		}
		readers.Wait()
		return log.String() + snapshotOf(t, f)
	}
	want := run(0)
	for _, ahead := range []int{1, 7, 100} {
		if run(ahead) != want {
			t.Errorf("%d pages ahead it is another crawl", ahead)
		}
	}
	if !strings.Contains(want, "flyer ×1") || !strings.Contains(want, "anchor") {
		t.Errorf("nothing was decided: %s", want[:500])
	}
}

// TestDecidedAndResumed kills a crawl after every page. Decisions come with a snapshot; the resumed focus,
// with or without the additions in its ontology, replays all decisions and is then restored.
func TestDecidedAndResumed(t *testing.T) {
	opts := options(t, kb.Total, "Airplane", "JetEngine")
	opts.IDF, opts.RawCounts = Learned, false
	text := func(i int) string {
		return fmt.Sprintf("the plane or flyer of w%d with wings: a jet engine, thrust of w%d", i%9, i%5)
	}
	decisions := func(n int) (all []orbweaver.Decision) {
		for i, d := range []orbweaver.Decision{
			{ID: "00000001", Accepted: true, Added: []rdf.Quad{label("Airplane", "flyer")}},
			{ID: "00000002"},
			{ID: "00000003", Accepted: true, Added: []rdf.Quad{label("JetEngine", "thrust")}},
			{Accepted: true, Removed: []rdf.Quad{label("Airplane", "flyer")}},
		} {
			if d.After = int64(7 + 9*i); d.After < int64(n) {
				all = append(all, d)
			}
		}
		return all
	}
	whole, killed := focus(t, opts), focus(t, opts)
	model, since := snapshotOf(t, killed), 0
	for n := range 40 {
		for _, d := range decisions(n + 1)[len(decisions(n)):] {
			decide(t, whole, d)
			decide(t, killed, d)
			model, since = snapshotOf(t, killed), n
		}
		teach(t, whole, n, text(n))
		teach(t, killed, n, text(n))
		again := opts
		if n%2 == 1 { // the file has it by now
			again.Ontology = killed.Ontology()
		}
		killed = focus(t, again)
		for _, d := range decisions(n + 1) {
			decide(t, killed, d)
		}
		if err := killed.Restore(strings.NewReader(model)); err != nil {
			t.Fatal(err)
		}
		for i := since; i <= n; i++ {
			teach(t, killed, i, text(i))
		}
		if snapshotOf(t, whole) != snapshotOf(t, killed) {
			t.Fatalf("killed after %d pages it is another", n+1)
		}
	}
	if a, b := fmt.Sprint(suggestions(t, whole)), fmt.Sprint(suggestions(t, killed)); a != b || len(a) < 100 {
		t.Errorf("suggested %s and %s", a, b)
	}
}

// TestRemoval: pages judged after a removal are judged without the removed statements; remaining entities
// keep what was learned.
func TestRemoval(t *testing.T) {
	f := focus(t, options(t, kb.Total, "Airplane"))
	plane := label("Airplane", "flyer")
	decide(t, f, orbweaver.Decision{ID: "x", Accepted: true, Added: []rdf.Quad{plane}})
	ahead := page("a flyer") // prepared before the removal, judged after
	ahead.Findings, _ = f.Prepare(t.Context(), ahead)
	if _, r := judged(t, f, page("a flyer")); r != 1 {
		t.Fatalf("a flyer is an airplane: %v", r)
	}
	gone := orbweaver.Decision{Accepted: true, Removed: []rdf.Quad{plane}}
	decide(t, f, gone)
	decide(t, f, gone) // replayed
	if _, r := judged(t, f, page("a flyer")); r != 0 {
		t.Errorf("a flyer is an airplane still: %v", r)
	}
	if j, err := f.Judge(t.Context(), ahead); err != nil || len(j.Reasons) != 0 && j.Reasons[0].Evidence == "flyer ×1" {
		t.Errorf("what was read ahead knows it still: %+v, %v", j, err)
	}
	if _, r := judged(t, f, page("a plane")); r == 0 {
		t.Error("its other words are gone too")
	}
}

// TestDecisionsRefused: decisions that cannot be learned from return a descriptive error and change nothing.
func TestDecisionsRefused(t *testing.T) {
	f := taught(t, options(t, kb.Total, "Airplane"), "plane wings", "plane wings", "plane wings")
	before, known := snapshotOf(t, f), f.Ontology()
	for want, d := range map[string]orbweaver.Decision{
		"http://a.test/: a verdict on a page":                        {Page: "http://a.test/", Accepted: true},
		"http://example.org/MARC_EHRIG would no longer be an entity": {Accepted: true, Removed: []rdf.Quad{{S: rdf.NewIRI("http://example.org/MARC_EHRIG"), P: rdf.NewIRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), O: rdf.NewIRI("http://example.org/Person")}}},
	} {
		if _, err := f.Decide(t.Context(), d); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), want) || snapshotOf(t, f) != before || f.Ontology() != known {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestADecisionThatCannotBe: an invalid decision leaves everything unchanged.
func TestADecisionThatCannotBe(t *testing.T) {
	f := taught(t, options(t, kb.Total, "Airplane"), "plane wings", "plane wings", "plane wings")
	before, known := snapshotOf(t, f), f.Ontology()
	_, err := f.Decide(t.Context(), orbweaver.Decision{ID: "x", Accepted: true, Added: []rdf.Quad{
		{S: rdf.NewIRI("http://example.org/Geometry"), P: rdf.NewIRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), O: rdf.NewIRI("http://www.w3.org/2000/01/rdf-schema#Datatype")},
	}})
	if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "http://example.org/Geometry") || snapshotOf(t, f) != before || f.Ontology() != known {
		t.Errorf("%v", err)
	}
}

// TestWithdrawn: a suggestion that is accepted and withdrawn leaves the focus as one that never met it, but for what was learned
// meanwhile of what is gone; a postponed one changes nothing; and whatever comes, the state can be restored.
func TestWithdrawn(t *testing.T) {
	texts := slices.Repeat([]string{"the plane, or flyer: wings. A jet engine", "a zeppelin with wings and a jet engine, no plane"}, 4)
	opts := options(t, kb.Total, "Airplane", "JetEngine")
	opts.IDF, opts.RawCounts, opts.Telling = Learned, false, true
	f, g := taught(t, opts, texts...), taught(t, opts, texts...)
	var wings orbweaver.Suggestion
	for _, s := range suggestions(t, f) {
		if s.Text == "wings" {
			wings = s
		}
	}
	before := listed(suggestions(t, f))
	accept := accepting(t, f, orbweaver.Suggestion{ID: wings.ID, Text: "wings", Entity: "http://example.org/Airplane"}, orbweaver.AsSubclass, "")
	decide(t, f, orbweaver.Decision{ID: wings.ID, Later: true})
	if got := listed(suggestions(t, f)); got != before || snapshotOf(t, f) != snapshotOf(t, g) {
		t.Errorf("postponed: %s, not %s", got, before)
	}
	decide(t, f, accept)
	if _, r := judged(t, f, page("wings")); r == 0 {
		t.Error("what was accepted counts for nothing")
	}
	decide(t, f, orbweaver.Decision{ID: wings.ID, Withdrawn: true, Removed: accept.Added})
	if got := listed(suggestions(t, f)); got != before || snapshotOf(t, f) != snapshotOf(t, g) {
		t.Errorf("withdrawn: %s, not %s", got, before)
	}
	decide(t, f, accept)
	teach(t, f, 50, texts...) // words and pairs near what is to go
	decide(t, f, orbweaver.Decision{ID: wings.ID, Withdrawn: true, Removed: accept.Added})
	if _, r := judged(t, f, page("wings")); r != 0 {
		t.Error("what was withdrawn counts")
	}
	state := snapshotOf(t, f)
	again := focus(t, opts)
	for _, d := range []orbweaver.Decision{accept, {ID: wings.ID, Withdrawn: true, Removed: accept.Added}, accept, {ID: wings.ID, Withdrawn: true, Removed: accept.Added}} {
		decide(t, again, d) // as a crawl that resumes does
	}
	if err := again.Restore(strings.NewReader(state)); err != nil || snapshotOf(t, again) != state {
		t.Errorf("it is not the state that was saved: %v", err)
	}
	teach(t, f, 90, texts...)
	teach(t, again, 90, texts...)
	if snapshotOf(t, f) != snapshotOf(t, again) {
		t.Error("restored, it learns otherwise")
	}
	if _, err := f.Decide(t.Context(), orbweaver.Decision{ID: "x", Withdrawn: true, Removed: []rdf.Quad{label("Airplane", "plane")}}); err != nil {
		t.Error(err)
	}
}

// TestForget: a focus of a smaller ontology takes up what another has learned, without what it lacks.
func TestForget(t *testing.T) {
	less := options(t, kb.Total, "Airplane", "JetEngine")
	less.IDF, less.RawCounts, less.Telling = Learned, false, true
	more := less
	more.Ontology = less.Ontology.With([]rdf.Quad{
		{S: rdf.NewIRI("http://example.org/Glider"), P: rdf.NewIRI("http://www.w3.org/2000/01/rdf-schema#subClassOf"), O: rdf.NewIRI("http://example.org/Airplane")},
		label("Glider", "glider"),
	})
	f := taught(t, more, slices.Repeat([]string{"the plane: wings. A jet engine, a glider", "a glider"}, 4)...)
	state := snapshotOf(t, f)
	if err := focus(t, less).Restore(strings.NewReader(state)); !errors.Is(err, orbweaver.ErrForeign) {
		t.Errorf("without Forget: %v", err)
	}
	less.Forget = true
	g := focus(t, less)
	if err := g.Restore(strings.NewReader(state)); err != nil {
		t.Fatal(err)
	}
	a, _ := judged(t, f, page("the plane, an engine"))
	if b, _ := judged(t, g, page("the plane, an engine")); a.Score == 0 || a.Score != b.Score {
		t.Errorf("%v, not %v", b.Score, a.Score)
	}
}
