package graph

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/rdf/syntax/turtle"
)

const prefixes = `@prefix : <http://e/> . @prefix schema: <http://schema.org/> . @prefix sdo: <https://schema.org/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dc: <http://purl.org/dc/elements/1.1/> . @prefix dcterms: <http://purl.org/dc/terms/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
`

func triples(t testing.TB, text string) []rdf.Triple {
	t.Helper()
	return rdftest.Collect(t, turtle.Read(strings.NewReader(prefixes+text), syntax.Options{}))
}

func namespaces(prefix string) (string, bool) {
	n, known := map[string]string{"schema": "http://schema.org/", "foaf": "http://xmlns.com/foaf/0.1/", "e": "http://e/"}[prefix]
	return n, known
}

// built builds a graph of pages in Turtle, and returns it with what it prints.
func built(t testing.TB, opts Options, pages ...string) (*Builder, *bytes.Buffer) {
	t.Helper()
	log := &bytes.Buffer{}
	b, err := New(t.Context(), &console.Console{Out: log, Err: log}, opts, t.TempDir(), namespaces)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := os.ReadDir(b.temp); len(left) > 0 {
			t.Errorf("%v are left", left)
		}
	})
	for i, page := range pages {
		said := triples(t, page)
		graph := rdf.NewIRI(fmt.Sprint("http://p/", i+1))
		if _, err := b.Page(t.Context(), Page{Graph: graph, Crawl: "urn:crawl", Statements: slices.Values(said)}); err != nil {
			t.Fatal(err)
		}
	}
	return b, log
}

// written returns the statements of a graph, shortened.
func written(t testing.TB, b *Builder) []string {
	t.Helper()
	var out []string
	b.Statements(t.Context(), func(q rdf.Quad, err error) bool {
		if err != nil {
			t.Fatal(err)
		}
		line := string(nquads.AppendQuad(nil, q))
		for _, p := range []string{"<http://e/", "<http://schema.org/", "<http://p/", "<http://www.w3.org/2002/07/owl#", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#", "<http://xmlns.com/foaf/0.1/"} {
			line = strings.ReplaceAll(line, p, "<")
		}
		out = append(out, strings.TrimSuffix(line, " .\n"))
		return true
	})
	return out
}

// allTriples returns a graph as triples.
func allTriples(t testing.TB, b *Builder) (out []rdf.Triple) {
	t.Helper()
	err := b.Triples(t.Context(), func(triple rdf.Triple) error {
		out = append(out, triple)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSets: each rule set maps what it should, and nothing else.
func TestSets(t *testing.T) {
	for _, tc := range []struct {
		set, page string
		want      []string
	}{
		{"schema.org", `:x a sdo:Product , <http://www.schema.org/Thing> ; sdo:name "X" ; schema:offers [ sdo:availability sdo:InStock ] ; sdo:url <https://schema.org/docs/> ; foaf:name "no" .`,
			[]string{"<availability> <InStock>", "<offers> <urn:uuid:", "<name> \"X\"", "<type> <Product>", "<type> <Thing>", "<url> <https://schema.org/docs/>"}},
		{"foaf", `:x a foaf:Person , :Y ; foaf:mbox <mailto:x@e> ; foaf:surname "X" ; foaf:made :z ; :other 1 .`,
			[]string{"<z> <creator> <x>", "<email> <mailto:x@e>", "<familyName> \"X\"", "<type> <Person>"}},
		{"dcat", `:x a dcat:Dataset ; dcat:distribution [ a dcat:Distribution ; dcat:downloadURL <http://e/f> ] ; dcat:keyword "k" . :s a dcat:DataService ; dcat:servesDataset :x .`,
			[]string{"<type> <DataDownload>", "<contentUrl> <f>", "<type> <Dataset>", "<keywords> \"k\"", "<type> <WebAPI>", "<x> <subjectOf> <s>", "<distribution> <urn:uuid:"}},
		{"dublin-core", `:x dc:title "X"@en ; dcterms:license :l ; dcterms:issued "2001" ; dc:language "en" ; dc:relation :r .`,
			[]string{"<name> \"X\"@en", "<license> <l>", "<datePublished> \"2001\"", "<inLanguage> \"en\""}},
		{"rdfs", `:x rdfs:label "X" ; rdfs:comment "c" ; :p 1 .`, []string{"<name> \"X\"", "<description> \"c\""}},
		{"as-is", `:x :p 1 .`, []string{"<x> <p> \"1\"^^"}},
		{"standard", `:x foaf:name "X" ; sdo:name "X" ; dcat:keyword "k" ; dc:title "X" .`, []string{"<name> \"X\"", "<keywords> \"k\""}},
	} {
		b, _ := built(t, Options{Rules: []string{tc.set}}, tc.page)
		got := written(t, b)
		for _, want := range tc.want {
			if !slices.ContainsFunc(got, func(line string) bool { return strings.Contains(line, want) }) {
				t.Errorf("%s: no %s in\n%s", tc.set, want, strings.Join(got, "\n"))
			}
		}
		if len(got) != len(tc.want) {
			t.Errorf("%s: %d statements, want %d:\n%s", tc.set, len(got), len(tc.want), strings.Join(got, "\n"))
		}
	}
	for _, s := range Sets() {
		if !strings.HasSuffix(s.About(), ".") {
			t.Errorf("%s says nothing of itself: %q", s.Name, s.About())
		}
	}
}

// TestRuleOfFile: a rule of the user's own knows the page, and makes the same of it each time.
func TestRuleOfFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.rq")
	query := `PREFIX : <http://e/> CONSTRUCT { ?s :on ?page ; :is [ :id ?id ; :at ?now ; :luck ?luck ] } WHERE { GRAPH ?page { ?s :p ?o } BIND(UUID() AS ?id) BIND(NOW() AS ?now) BIND(RAND() AS ?luck) }`
	if err := os.WriteFile(file, []byte(query), 0o666); err != nil {
		t.Fatal(err)
	}
	a, _ := built(t, Options{Rules: []string{file}}, ":x :p 1 .", ":x :p 1 .")
	b, _ := built(t, Options{Rules: []string{file}}, ":x :p 1 .", ":x :p 1 .")
	got := written(t, a)
	if !slices.Contains(got, "<x> <on> <2> <2>") || len(got) != 10 {
		t.Errorf("%q", got)
	}
	if again := written(t, b); !slices.Equal(got, again) {
		t.Errorf("%q, then %q", got, again)
	}
}

// TestMerging: entities are equal by owl:sameAs and by keys, over pages and in any order, and named by the same one of them.
func TestMerging(t *testing.T) {
	for _, tc := range []struct {
		name  string
		opts  Options
		pages []string
		want  []string
	}{
		{"sameAs over pages", Options{}, []string{":bb :p 1 . :bb owl:sameAs :a .", ":ccc owl:sameAs :bb ; :q 2 .", ":x :r :ccc ."},
			[]string{"<a> <p> 1 <1>", "<a> <q> 2 <2>", "<a> <sameAs> <bb> <1>", "<a> <sameAs> <bb> <2>", "<a> <sameAs> <ccc> <2>", "<x> <r> <a> <3>"}},
		{"a key", Options{Keys: []string{"foaf:mbox"}}, []string{"[ foaf:mbox <mailto:k@e> ; :p 1 ] .", `:a foaf:mbox "k@e" ; :q 2 .`, ":b foaf:mbox <mailto:other@e> ."},
			[]string{`<a> <mbox> "k@e" <2>`, "<a> <mbox> <mailto:k@e> <1>", "<a> <p> 1 <1>", "<a> <q> 2 <2>", "<b> <mbox> <mailto:other@e> <3>"}},
		{"a key of a class", Options{Keys: []string{"e:C e:k e:l"}}, []string{":a a :C ; :k 1 ; :l 2 .", ":bb a :C ; :k 1 ; :l 2 , 3 .", ":c :k 1 ; :l 2 .", ":d a :C ; :k 1 ; :l 4 ."},
			[]string{"<a> <k> 1 <1>", "<a> <k> 1 <2>", "<a> <l> 2 <1>", "<a> <l> 2 <2>", "<a> <l> 3 <2>", "<a> <type> <C> <1>", "<a> <type> <C> <2>", "<c> <k> 1 <3>", "<c> <l> 2 <3>", "<d> <k> 1 <4>", "<d> <l> 4 <4>", "<d> <type> <C> <4>"}},
		{"rules drop what merges", Options{Rules: []string{"foaf"}}, []string{`:bb owl:sameAs :a ; foaf:name "B" .`, `:a foaf:name "B" .`}, []string{`<a> <name> "B" <1>`, `<a> <name> "B" <2>`}},
		{"blank nodes of pages differ", Options{}, []string{"_:x :p 1 .", "_:x :p 1 ."}, nil},
	} {
		for _, reverse := range []bool{false, true} {
			pages := slices.Clone(tc.pages)
			if reverse && tc.want != nil {
				slices.Reverse(pages)
			}
			b, _ := built(t, tc.opts, pages...)
			got := written(t, b)
			for i := range got {
				got[i] = strings.NewReplacer(`"1"^^<http://www.w3.org/2001/XMLSchema#integer>`, "1", `"2"^^<http://www.w3.org/2001/XMLSchema#integer>`, "2",
					`"3"^^<http://www.w3.org/2001/XMLSchema#integer>`, "3", `"4"^^<http://www.w3.org/2001/XMLSchema#integer>`, "4").Replace(got[i])
				if reverse && tc.want != nil {
					n := got[i][len(got[i])-2] - '0'
					got[i] = got[i][:len(got[i])-2] + fmt.Sprint(len(pages)+1-int(n)) + ">"
				}
			}
			slices.Sort(got)
			switch {
			case tc.want == nil && (len(got) != 2 || got[0][:40] == got[1][:40] || !strings.HasPrefix(got[0], "<urn:uuid:")):
				t.Errorf("%s: %q", tc.name, got)
			case tc.want != nil && !slices.Equal(got, tc.want):
				t.Errorf("%s, reversed %v:\n%s\nwant\n%s", tc.name, reverse, strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
			}
		}
	}
}

// TestFlood: a class of too many IRIs or key values is left apart as a whole, and said; blank nodes with one value are not counted.
func TestFlood(t *testing.T) {
	flood, crowd := "", ""
	for i := range 8 {
		flood += fmt.Sprintf(":n%d owl:sameAs :n%d .", i, i+1)
		crowd += fmt.Sprintf("[ schema:url <http://publisher/> ; :p %d ] .", i)
	}
	b, _ := built(t, Options{Class: 5, Keys: []string{"schema:url"}}, flood, crowd, ":a owl:sameAs :bb . :bb :p 1 .")
	got := strings.Join(written(t, b), "\n")
	for _, want := range []string{"<n0> <sameAs> <n1> <1>", "<n7> <sameAs> <n8> <1>", "<a> <p> "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "<url> "); n != 1 {
		t.Errorf("%d publishers, want 1", n)
	}
	problems := strings.Join(b.Problems(), "\n")
	if !strings.Contains(problems, "equal entities merged: 10 into 2") || !strings.Contains(problems, "more than 5 IRIs and key values: 1, one of them with http://e/n0") {
		t.Error(problems)
	}
	c := newClasses(0)
	c.most = 1000
	for i := range c.most + 5 {
		c.value(fmt.Sprint(i))
	}
	if len(c.members) != c.most || c.refused != 5 {
		t.Errorf("%d members, %d refused", len(c.members), c.refused)
	}
}

// TestTriples: each statement once, with the pages that say it as it was asked, then the other names.
func TestTriples(t *testing.T) {
	pages := []string{":a :p 1 .", ":a :p 1 ; :q 2 .", ":bb owl:sameAs :a ; :q 2 ."}
	for _, tc := range []struct {
		sources string
		want    string
	}{
		{"", ":a :p 1 ; :q 2 ; owl:sameAs :bb ."},
		{Entities, ":a :p 1 ; :q 2 ; owl:sameAs :bb ; <http://www.w3.org/ns/prov#wasDerivedFrom> <http://p/1> , <http://p/2> , <http://p/3> ."},
	} {
		b, _ := built(t, Options{Sources: tc.sources}, pages...)
		got := allTriples(t, b)
		if !rdftest.Isomorphic(got, triples(t, tc.want)) {
			t.Errorf("%s: %v", tc.sources, got)
		}
	}
	b, _ := built(t, Options{Sources: Statements}, pages...)
	said := map[rdf.Term][]string{}
	for _, triple := range allTriples(t, b) {
		said[triple.S] = append(said[triple.S], triple.O.Value)
	}
	found := false
	for _, values := range said {
		found = found || slices.Equal(values, []string{nsRDF + "Statement", "http://e/a", "http://e/p", "1", "http://p/1", "http://p/2"}) ||
			slices.Equal(values, []string{nsRDF + "Statement", "http://e/a", "http://e/p", "1", "http://p/2", "http://p/1"})
	}
	if !found {
		t.Errorf("%v", said)
	}
}

// TestValidate: shapes judge the merged graph, state keys, and a violation is an error after the report is written.
func TestValidate(t *testing.T) {
	folder := t.TempDir()
	shapes := filepath.Join(folder, "shapes.ttl")
	text := prefixes + `foaf:mbox a owl:InverseFunctionalProperty . :K owl:hasKey ( :k ) .
		[] a sh:NodeShape ; sh:targetSubjectsOf :p ; sh:property [ sh:path :p ; sh:maxCount 1 ; sh:message "one p" ] .
		[] a sh:NodeShape ; sh:targetSubjectsOf :w ; sh:property [ sh:path :w ; sh:maxCount 0 ; sh:severity sh:Warning ] .`
	if err := os.WriteFile(shapes, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, report string
		pages        []string
		violates     bool
		want         []string
	}{
		{"two pages, one entity", "r.ttl", []string{":a foaf:mbox <mailto:x> ; :p 1 .", ":b foaf:mbox <mailto:x> ; :p 2 ."}, true,
			[]string{"sh:focusNode <http://e/a>", "prov:wasDerivedFrom <http://p/1>, <http://p/2>", `sh:resultMessage "one p"`}},
		{"the same value", "r.ttl", []string{":a foaf:mbox <mailto:x> ; :p 1 .", ":b foaf:mbox <mailto:x> ; :p 1 ."}, false, []string{"sh:conforms true"}},
		{"a warning", "r.txt", []string{":a :w 1 ."}, false, []string{"Warning: <http://e/a> <http://e/w>: 1 values, at most 0 are allowed", "    http://p/1"}},
		{"a key of a class", "r.txt", []string{":a a :K ; :k 1 ; :p 1 .", ":b a :K ; :k 1 ; :p 2 .", ":c :k 1 ; :p 3 ."}, true, []string{"results: Violation 1\n"}},
	} {
		report := filepath.Join(folder, tc.report)
		b, log := built(t, Options{Shapes: []string{shapes}, Report: report}, tc.pages...)
		err := b.Validate(t.Context())
		if errors.Is(err, ErrViolations) != tc.violates || !tc.violates && err != nil {
			t.Errorf("%s: %v\n%s", tc.name, err, log)
		}
		written, err := os.ReadFile(report)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range tc.want {
			if !strings.Contains(string(written), want) {
				t.Errorf("%s: no %q in\n%s", tc.name, want, written)
			}
		}
		if !strings.Contains(log.String(), "nodes validated by 2 shapes: ") {
			t.Errorf("%s: %s", tc.name, log)
		}
	}
}

// TestTexts: rules and shapes that are no files of this machine, also under the name of a rule set; the report goes to a writer.
func TestTexts(t *testing.T) {
	var report bytes.Buffer
	opts := Options{Rules: []string{"foaf"}, Shapes: []string{"s.ttl"}, ReportTo: &report, Texts: map[string][]byte{
		"foaf":  []byte("CONSTRUCT { ?s <http://e/q> ?o } WHERE { ?s ?p ?o }"),
		"s.ttl": []byte(prefixes + "[] a sh:NodeShape ; sh:targetSubjectsOf :q ; sh:property [ sh:path :q ; sh:maxCount 0 ] ."),
	}}
	b, _ := built(t, opts, ":a :p 1 .")
	if err := b.Validate(t.Context()); !errors.Is(err, ErrViolations) || !strings.Contains(report.String(), "sh:focusNode <http://e/a>") {
		t.Errorf("%v\n%s", err, report.String())
	}
	report.Reset()
	opts.Unvalidated = true
	b, _ = built(t, opts, ":a :p 1 .")
	if err := b.Validate(t.Context()); err != nil || report.Len() > 0 {
		t.Errorf("%v\n%s", err, report.String())
	}
}

// TestRefused: what cannot be a rule, a key or shapes is an error of the user's that says why.
func TestRefused(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tc := range []struct {
		opts Options
		want string
	}{
		{Options{Rules: []string{"none.rq"}}, "standard, schema.org, dcat, foaf, dublin-core, rdfs, as-is"},
		{Options{Rules: []string{file("a.rq", "SELECT * { ?s ?p ?o }")}}, "a rule is a CONSTRUCT query"},
		{Options{Rules: []string{file("b.rq", "CONSTRUCT { ?s ?p }")}}, "b.rq:1:"},
		{Options{Rules: []string{file("c.rq", "CONSTRUCT { ?s ?p ?o } FROM <http://e/> { ?s ?p ?o }")}}, "leave FROM out"},
		{Options{Keys: []string{"name"}}, "--key name"},
		{Options{Keys: []string{" "}}, "a class and up to 8 properties"},
		{Options{Shapes: []string{file("a.ttl", "nonsense")}}, "a.ttl:1"},
		{Options{Shapes: []string{file("b.ttl", "<http://e/s> a <http://e/t> .")}}, "no shape has a target"},
		{Options{Shapes: []string{file("c.ttl", prefixes+":s sh:targetNode :a ; sh:minCount 1 .")}}, "ill-formed shapes: <http://e/s>: sh:minCount"},
		{Options{Report: "r.ttl"}, "--report needs --shapes"},
		{Options{Sources: "all"}, "--sources is entities or statements"},
		{Options{Class: -1}, "--class-limit"},
	} {
		_, err := New(t.Context(), &console.Console{}, tc.opts, folder, namespaces)
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v: %v, want %q", tc.opts, err, tc.want)
		}
	}
	service := file("s.rq", "CONSTRUCT { ?s ?p ?o } WHERE { SERVICE <http://e/> { ?s ?p ?o } }")
	b, err := New(t.Context(), &console.Console{}, Options{Rules: []string{service}}, folder, namespaces)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = b.Page(t.Context(), Page{Graph: rdf.NewIRI("http://p/"), Statements: slices.Values(triples(t, ":a :p 1 ."))}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("SERVICE: %v", err)
	}
}

// TestHostile: a page that a rule would take too long for is left out and said, and the next one is not.
func TestHostile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.rq")
	query := "PREFIX : <http://e/> CONSTRUCT { ?a :q ?e } WHERE { ?a :p ?b . ?c :p ?d . ?e :p ?f . ?g :p ?h }"
	if err := os.WriteFile(file, []byte(query), 0o666); err != nil {
		t.Fatal(err)
	}
	page := ""
	for i := range 300 {
		page += fmt.Sprintf(":n%d :p %d .", i, i)
	}
	log := &bytes.Buffer{}
	b, err := New(t.Context(), &console.Console{Out: log, Err: log}, Options{Rules: []string{file}}, t.TempDir(), namespaces)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	b.steps = 100_000
	for i, page := range []string{page, ":a :p 1 ."} {
		kept, err := b.Page(context.Background(), Page{Graph: rdf.NewIRI("http://p/"), Statements: slices.Values(triples(t, page))})
		if err != nil || kept != i {
			t.Errorf("page %d: %d statements, %v", i, kept, err)
		}
	}
	if !strings.Contains(log.String(), "step limit exceeded") || !slices.Contains(b.Problems(), "rules that failed on a page: 1") {
		t.Errorf("%s %q", log, b.Problems())
	}
}
