package ontology

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	kb "orbweaver/kb/ontology"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// knownAs states what the example's entities are called elsewhere, and has a concept and a relation between instances.
const knownAs = planes + `
@prefix other: <http://other.test/o#> .
@prefix schema: <https://schema.org/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
ex:Airplane owl:equivalentClass other:Aeroplane . other:Aeroplane skos:exactMatch other:Flyer ; skos:closeMatch other:Balloon .
ex:ownedBy owl:equivalentProperty schema:provider .
ex:Gliding a skos:Concept ; skos:related ex:Airplane .
`

// withData are options with the measure of the default, without idf.
func withData(tb testing.TB, data Data, targets ...string) Options {
	opts := options(tb, kb.Total, targets...)
	o, err := kb.Build(turtle.Read(strings.NewReader(knownAs), syntax.Options{Name: "known.ttl"}))
	if err != nil {
		tb.Fatal(err)
	}
	opts.Ontology, opts.RawCounts, opts.Measure, opts.Data, opts.Paper = o, false, Presence, data, Paper{}
	return opts
}

// stating returns a page with data: statements in Turtle.
func stating(text, statements string) *orbweaver.Page {
	body := `@prefix ex: <http://example.org/> . @prefix other: <http://other.test/o#> . @prefix schema: <http://schema.org/> .
		@prefix dct: <http://purl.org/dc/terms/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . ` + statements
	p := page(text)
	p.Body = []byte(body)
	p.Quads = quadsOf(turtle.Read(strings.NewReader(body), syntax.Options{Name: p.URL, Base: p.URL}))
	return p
}

func quadsOf(triples iter.Seq2[rdf.Triple, error]) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		for t, err := range triples {
			if !yield(rdf.Quad{S: t.S, P: t.P, O: t.O}, err) {
				return
			}
		}
	}
}

// named returns the entities that data names, with the evidence, sorted.
func named(j orbweaver.Judgement) string {
	var all []string
	for _, r := range j.Reasons {
		if r.Rule == RuleData {
			all = append(all, r.Evidence)
		}
	}
	slices.Sort(all)
	return strings.Join(all, " | ")
}

// TestNamedByData: which statements name which entities.
func TestNamedByData(t *testing.T) {
	const e = "<http://example.org/"
	for name, tc := range map[string]struct{ statements, want string }{
		"a type":                  {"<#x> a ex:Airplane .", "Airplane: <http://p.test/#x> a " + e + "Airplane>"},
		"a type of another class": {"<#x> a dct:Agent .", ""},
		"an equal":                {"<#x> a other:Aeroplane .", "Airplane: <http://p.test/#x> a <http://other.test/o#Aeroplane>"},
		"an equal of an equal":    {"[] a other:Flyer .", "Airplane: [] a <http://other.test/o#Flyer>"},
		"only close":              {"<#x> a other:Balloon .", "Balloon: <http://p.test/#x> a <http://other.test/o#Balloon>"},
		"a relation":              {"<#x> ex:ownedBy \"Acme\" .", `owned by: <http://p.test/#x> ` + e + `ownedBy> "Acme"`},
		"schema.org by http":      {"<#x> schema:provider <#y> .", "owned by: <http://p.test/#x> <http://schema.org/provider> <http://p.test/#y>"},
		"an instance":             {"<#x> dct:creator ex:MARC_EHRIG .", "MARC EHRIG: <http://p.test/#x> <http://purl.org/dc/terms/creator> " + e + "MARC_EHRIG>"},
		"a concept":               {"<> dct:subject ex:Gliding .", "Gliding: <http://p.test/> <http://purl.org/dc/terms/subject> " + e + "Gliding>"},
		"a class described":       {"ex:Airplane rdfs:comment \"flies\" .", ""},
		"a property as a type":    {"<#x> a ex:ownedBy .", ""},
		"a class as a property":   {"<#x> ex:Airplane \"y\" .", ""},
		"the same label":          {"<#x> a schema:Airplane .", ""},
		"several": {"<#a> a ex:Airplane . <#b> a ex:Airplane . <#c> a ex:Airplane . <#d> a ex:Airplane .",
			"Airplane: <http://p.test/#a> a " + e + "Airplane>; <http://p.test/#b> a " + e + "Airplane>; <http://p.test/#c> a " + e + "Airplane>; 4 statements in all"},
		"a long term": {`<#x> ex:ownedBy "` + strings.Repeat("é", 100) + `" .`, `owned by: <http://p.test/#x> ` + e + `ownedBy> "` + strings.Repeat("é", 60) + `…"`},
	} {
		f := focus(t, withData(t, Data{Use: DataUsed}, "Airplane"))
		j, _ := judged(t, f, stating("Words of no importance.", tc.statements))
		if got := named(j); got != tc.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, tc.want)
		}
		if !j.Accepted && strings.HasPrefix(tc.want, "Airplane") || j.Accepted && tc.want == "" {
			t.Errorf("%s: accepted %v with %v", name, j.Accepted, j.Score)
		}
	}
}

// TestWorthOfData: d = w/(w + 2) beside what the words are worth, whatever the length of the text. By default 10/12, which
// alone scores (10/12)/(10/12 + 1/8) = 20/23; with the words "Airplane" and 99 others, x = (1 + 2)/200 = 0.015 and t = 3/7, what
// both say is 1 − (4/7)(2/12) = 19/21.
func TestWorthOfData(t *testing.T) {
	filler := strings.TrimSpace(strings.Repeat(" word", 99))
	for name, tc := range map[string]struct {
		weight     int
		text       string
		statements string
		r          float64
	}{
		"nothing":             {0, filler, "", 0},
		"data":                {0, "", "<#x> a ex:Airplane .", 10.0 / 12},
		"data in a long text": {0, strings.Repeat(filler+" ", 9), "<#x> a ex:Airplane .", 10.0 / 12},
		"data twice":          {0, "", "<#x> a ex:Airplane . <#y> a ex:Airplane .", 10.0 / 12},
		"less weight":         {2, "", "<#x> a ex:Airplane .", 0.5},
		"words":               {0, "Airplane " + filler, "", 3.0 / 7},
		"both":                {0, "Airplane " + filler, "<#x> a ex:Airplane .", 19.0 / 21},
		"a step away":         {2, "", "<#x> a ex:CommercialAirplane .", 0.25},
		"two entities":        {2, "", "<#x> a ex:Airplane, ex:CommercialAirplane .", 0.75},
	} {
		f := focus(t, withData(t, Data{Use: DataUsed, Weight: tc.weight}, "Airplane"))
		j, r := judged(t, f, stating(tc.text, tc.statements))
		if math.Abs(r-tc.r) > 1e-12 || math.Abs(j.Score-tc.r/(tc.r+0.125)) > 1e-12 {
			t.Errorf("%s: r = %v, score %v, want r = %v: %v", name, r, j.Score, tc.r, j.Reasons)
		}
	}
	opts := withData(t, Data{Use: DataUsed}, "Airplane")
	opts.Measure = Frequency
	if _, r := judged(t, focus(t, opts), stating(filler, "<#x> a ex:Airplane .")); r != 0.1 {
		t.Errorf("frequency: r = %v, want 10/100", r)
	}
}

// TestDataSatisfies: the paper's satisfying page may name its targets by words and by data; with Min each is to be named.
func TestDataSatisfies(t *testing.T) {
	for _, tc := range []struct {
		combine          Combine
		text, statements string
		want             bool
	}{
		{Sum, "", "<#x> a ex:Airplane .", true},
		{Sum, "", "<#x> a ex:CommercialAirplane .", false},
		{Min, "", "<#x> a ex:Airplane .", false},
		{Min, "A pilot.", "<#x> a other:Flyer .", true},
		{Min, "", "<#x> a ex:Airplane . <#y> a ex:Pilot .", true},
		{Max, "", "<#y> a ex:Pilot .", true},
	} {
		opts := withData(t, Data{Use: DataUsed}, "Airplane", "Pilot")
		opts.Combine, opts.Paper.Satisfied = tc.combine, true
		if j, _ := judged(t, focus(t, opts), stating(tc.text, tc.statements)); j.Accepted != tc.want {
			t.Errorf("%v: %q, %q: accepted %v", tc.combine, tc.text, tc.statements, j.Accepted)
		}
	}
}

// TestSchemaLabels: terms of schema.org name classes and properties of the same label only where asked.
func TestSchemaLabels(t *testing.T) {
	f := focus(t, withData(t, Data{Use: DataMet, Schema: true}, "Airplane"))
	j, _ := judged(t, f, stating("", "<#x> a schema:Airplane ; schema:ownedBy <#y> ; schema:Airplane <#z> . <#z> a dct:Airplane ."))
	want := "Airplane: <http://p.test/#x> a <http://schema.org/Airplane> | " +
		"owned by: <http://p.test/#x> <http://schema.org/ownedBy> <http://p.test/#y>"
	if got := named(j); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestSpacesMet: data is read where the body or the URL has an IRI of the ontology's namespaces.
func TestSpacesMet(t *testing.T) {
	for _, tc := range []struct {
		url, body string
		want      bool
	}{
		{"http://p.test/", `<div vocab="http://other.test/o#">`, true},
		{"http://p.test/", `<div vocab="https://www.other.test/o">`, true},
		{"http://p.test/", `{"@context": "http:\/\/example.org\/"}`, true},
		{"http://p.test/", `{"@context": "https://schema.org"}`, true},
		{"http://p.test/", `<a href="http://other.test/x">`, false},
		{"http://p.test/", `<a href="http://another.test/o#">`, false},
		{"http://p.test/", `<a href="http://schema.organic/"> example.org ://`, false},
		{"http://example.org/page", ``, true},
		{"http://p.test/", strings.Repeat("://", 1<<16), false},
	} {
		p := &orbweaver.Page{URL: tc.url, Body: []byte(tc.body), Pending: true}
		for use, want := range map[DataUse]bool{DataUnused: false, DataMet: tc.want, DataUsed: true} {
			if got := focus(t, withData(t, Data{Use: use}, "Airplane")).ReadsData(p); got != want {
				t.Errorf("%s %.60q: use %d: %v, want %v", tc.url, tc.body, use, got, want)
			}
		}
	}
	p := stating("", "<#x> a ex:Airplane .")
	p.Body = []byte("<http://elsewhere.test/>") // of RDF, which is read in any case, the statements are not looked at
	if j, _ := judged(t, focus(t, withData(t, Data{Use: DataMet}, "Airplane")), p); j.Score != 0 {
		t.Errorf("score %v without a namespace", j.Score)
	}
}

// TestStatementsAreBounded: of an endless document only the first statements are looked at, broken ones included.
func TestStatementsAreBounded(t *testing.T) {
	f := focus(t, withData(t, Data{Use: DataUsed}, "Airplane"))
	looked := 0
	p := page("")
	p.Quads = func(yield func(rdf.Quad, error) bool) {
		for {
			looked++
			var err error
			if looked%2 == 0 {
				err = orbweaver.ErrMalformed
			}
			x := rdf.NewIRI(fmt.Sprintf("http://p.test/%d", looked))
			if !yield(rdf.Quad{S: x, P: rdf.NewIRI("http://example.org/ownedBy"), O: x}, err) {
				return
			}
		}
	}
	j, _ := judged(t, f, p)
	if looked != maxStatements+1 || !strings.HasSuffix(named(j), "5000 statements in all") || len(named(j)) > 1000 {
		t.Errorf("%d statements looked at: %s", looked, named(j))
	}
}

// TestDataIsNotLearned: data changes neither the idf of words nor the snapshot's form.
func TestDataIsNotLearned(t *testing.T) {
	state := func(data Data) []byte {
		opts := withData(t, data, "Airplane")
		opts.IDF = Learned
		f := focus(t, opts)
		for _, p := range []*orbweaver.Page{stating("An airliner.", "<#x> a ex:Airplane ."), stating("A jet.", "")} {
			judged(t, f, p)
			if _, err := f.Learn(t.Context(), orbweaver.Outcome{Page: p}); err != nil {
				t.Fatal(err)
			}
		}
		var b bytes.Buffer
		if err := f.Snapshot(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	if with, without := state(Data{Use: DataUsed}), state(Data{}); !bytes.Equal(with, without) {
		t.Errorf("with data\n%q\nwithout\n%q", with, without)
	}
}

// TestEntityOfData: search finds a page by what its data names.
func TestEntityOfData(t *testing.T) {
	j, _ := judged(t, focus(t, withData(t, Data{Use: DataUsed}, "Airplane")), stating("", "<#x> a ex:Airplane ."))
	if name, words, ok := EntityOf(j.Reasons[1]); !ok || name != "Airplane" || words != "<http://p.test/#x> a <http://example.org/Airplane>" {
		t.Errorf("%q, %q, %v", name, words, ok)
	}
}
