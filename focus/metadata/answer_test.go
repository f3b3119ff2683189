package metadata_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/focus/metadata"
	"orbweaver/rdf"
)

const clinic = "http://clinic.test/"

// clinicWeb is an ontology of which a judged expansion rejects the superclass of the terms, and therefore what is below it. joined also says that
// properties join most of it to the terms.
func clinicWeb(t *testing.T, joined bool) (*web, metadata.Options) {
	var b strings.Builder
	b.WriteString("@prefix : <" + clinic + "> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n")
	below := func(super string, subs ...string) {
		for _, s := range subs {
			fmt.Fprintf(&b, ":%s a owl:Class ; rdfs:label \"%s\"@en ; rdfs:subClassOf :%s .\n", s, strings.ToLower(s), super)
		}
	}
	below("Entity", "Illness", "Potion", "Muscle", "Nerve", "Vessel", "Bone", "Study", "Guideline", "Sign", "Cause", "Device", "Code")
	below("Study", "Trial")
	below("Top", "Entity", "Street", "Poem")
	if joined {
		for i, other := range []string{"Muscle", "Nerve", "Vessel", "Bone", "Study", "Guideline", "Sign"} {
			fmt.Fprintf(&b, ":p%d rdfs:domain :Illness ; rdfs:range :%s .\n", i, other)
		}
	}
	w := newWeb(t)
	w.dataset("http://clinic.test/sparql", []byte(b.String()))
	return w, metadata.Options{
		Terms: []string{clinic + "Illness", clinic + "Potion"}, Limits: metadata.Limits{Levels: 2, Terms: 40, PerTerm: 30, PerDataset: 30}, Judged: true,
		Datasets:   []metadata.Dataset{{Name: "clinic", Endpoint: "http://clinic.test/sparql"}},
		Processors: []metadata.Processor{metadata.Property(metadata.JudgedRelations()...), metadata.Instances()},
	}
}

// TestAnswer: a crawl that is over asks about the superclass; a yes accepts it with what is below it, and processes that as if it had been accepted when
// it was found; a withdrawn answer is as if none had been given.
func TestAnswer(t *testing.T) {
	w, opts := clinicWeb(t, false)
	f := w.crawl(opts)
	before := found(f.Terms())
	q := f.Question()
	if q == nil || q.Class != clinic+"Entity" || q.Gain != 11 || !slices.Equal(q.Terms, opts.Terms) || slices.Contains(before, clinic+"Study") {
		t.Fatalf("asked %+v after %v", q, before)
	}
	facts := len(w.facts)
	decide := func(d orbweaver.Decision) {
		t.Helper()
		if _, err := f.Decide(context.Background(), d); err != nil {
			t.Fatal(err)
		}
		f = w.goOn(w.again(f, opts), opts, nil)
	}
	decide(orbweaver.Decision{ID: q.Class, As: orbweaver.AsTopic})
	if got := found(f.Terms()); !slices.Equal(got, before) || f.Question() != nil && f.Question().Class == q.Class || len(w.facts) != facts {
		t.Errorf("after a no: %v, asked %+v, %d facts more", got, f.Question(), len(w.facts)-facts)
	}
	decide(orbweaver.Decision{ID: q.Class, As: orbweaver.AsTopic, Withdrawn: true})
	if again := f.Question(); again == nil || again.Class != q.Class {
		t.Errorf("after a withdrawal asked %+v", again)
	}
	decide(orbweaver.Decision{ID: q.Class, As: orbweaver.AsTopic, Accepted: true})
	got := found(f.Terms())
	for _, name := range []string{"Entity", "Study", "Trial", "Code"} {
		if !slices.Contains(got, clinic+name) {
			t.Errorf("a yes does not find %s: %v", name, got)
		}
	}
	for _, one := range f.Terms() {
		if name := strings.TrimPrefix(one.IRI, clinic); name == "Study" && (!one.Processed || one.Stage != 1) || name == "Trial" && (one.Processed || one.Stage != 2) {
			t.Errorf("%+v", one)
		}
	}
	if slices.Contains(got, clinic+"Poem") {
		t.Errorf("what is above the class came along: %v", got)
	}
	if f.Question() != nil {
		t.Errorf("asked again: %+v", f.Question())
	}
	blanks := map[rdf.Term]map[rdf.Term]int{}
	for _, fact := range w.facts {
		if fact.S.Kind == rdf.Blank && strings.HasSuffix(fact.P.Value, "#subject") {
			if blanks[fact.S] == nil {
				blanks[fact.S] = map[rdf.Term]int{}
			}
			blanks[fact.S][fact.O]++
		}
	}
	for node, subjects := range blanks {
		if len(subjects) > 1 {
			t.Errorf("%v is two statements: %v", node, subjects)
		}
	}
	if len(w.facts) <= facts || len(blanks) == 0 {
		t.Errorf("%d facts, %d before the answer", len(w.facts), facts)
	}
	decide(orbweaver.Decision{ID: q.Class, As: orbweaver.AsTopic, Withdrawn: true})
	decide(orbweaver.Decision{ID: q.Class, As: orbweaver.AsTopic})
	if got := found(f.Terms()); !slices.Equal(got, before) {
		t.Errorf("a no after a yes leaves %v, want %v", got, before)
	}
}

// TestAnswerBefore: an answer given while the crawl runs has the result of one given after it.
func TestAnswerBefore(t *testing.T) {
	yes := orbweaver.Decision{ID: clinic + "Entity", As: orbweaver.AsTopic, Accepted: true}
	w, opts := clinicWeb(t, false)
	late := w.crawl(opts)
	if _, err := late.Decide(context.Background(), yes); err != nil {
		t.Fatal(err)
	}
	late = w.goOn(late, opts, nil)
	w, opts = clinicWeb(t, false)
	early, err := metadata.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := early.Decide(context.Background(), yes); err != nil {
		t.Fatal(err)
	}
	seeds, err := early.Seeds(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	early = w.goOn(early, opts, seeds)
	one, other := found(early.Terms()), found(late.Terms())
	slices.Sort(one)
	slices.Sort(other)
	if !slices.Equal(one, other) || len(one) < 12 {
		t.Errorf("before: %v\nafter: %v", one, other)
	}
}

// TestJoinedByProperties: a superclass of which properties join most to a term needs no question.
func TestJoinedByProperties(t *testing.T) {
	w, opts := clinicWeb(t, true)
	f := w.crawl(opts)
	if got := found(f.Terms()); !slices.Contains(got, clinic+"Entity") || !slices.Contains(got, clinic+"Trial") {
		t.Errorf("found %v", got)
	}
	modern := w.endpoints["http://clinic.test/sparql"]
	w, opts = clinicWeb(t, true)
	w.endpoints["http://clinic.test/sparql"] = func(query string) (*rdf.Results, error) {
		if strings.Contains(query, "VALUES") {
			return nil, fmt.Errorf("no VALUES here: %w", orbweaver.ErrQuery)
		}
		return modern(query)
	}
	if got := found(w.crawl(opts).Terms()); !slices.Contains(got, clinic+"Trial") {
		t.Errorf("in SPARQL 1.0 found %v", got)
	}
}

// TestNoAnswer: what is no answer about a class is refused and changes nothing.
func TestNoAnswer(t *testing.T) {
	_, opts := clinicWeb(t, false)
	f, err := metadata.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	opts.Judged = false
	paper, err := metadata.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		why string
		f   *metadata.Focus
		d   orbweaver.Decision
	}{
		{"a verdict on a page", f, orbweaver.Decision{Page: "http://x.test/", Accepted: true}},
		{"a suggestion of another kind", f, orbweaver.Decision{ID: "4b279707", As: orbweaver.AsEntry}},
		{"no IRI", f, orbweaver.Decision{ID: "x> { } #", As: orbweaver.AsTopic}},
		{"not judged", paper, orbweaver.Decision{ID: clinic + "Entity", As: orbweaver.AsTopic}},
	} {
		if _, err := tc.f.Decide(context.Background(), tc.d); !errors.Is(err, orbweaver.ErrInput) || len(tc.f.Answers()) > 0 {
			t.Errorf("%s: %v, answers %v", tc.why, err, tc.f.Answers())
		}
	}
}
