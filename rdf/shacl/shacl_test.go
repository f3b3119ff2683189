package shacl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/shacl"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

const prefixes = `@prefix : <http://e/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
`

func read(t testing.TB, text string) []rdf.Triple {
	t.Helper()
	return rdftest.Collect(t, turtle.Read(strings.NewReader(prefixes+text), syntax.Options{}))
}

// brief returns the results of a report as "focus Component value", sorted.
func brief(r *shacl.Report) string {
	var out []string
	for _, res := range r.Results {
		component := strings.TrimSuffix(strings.TrimPrefix(res.Component, shacl.NS), "ConstraintComponent")
		line := strings.TrimPrefix(res.Focus.Value, "http://e/") + " " + component
		if !res.Value.IsZero() {
			line += " " + strings.TrimPrefix(res.Value.Value, "http://e/")
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// TestComponents: each component finds what does not conform, and nothing else. :a and :b are the nodes to validate, of which :a
// conforms except where that cannot be.
func TestComponents(t *testing.T) {
	for _, tc := range []struct{ name, constraint, data, want string }{
		{"class", "sh:property [ sh:path :p ; sh:class :C ]", ":a :p :x . :x a :D . :D rdfs:subClassOf :C . :b :p :y , 1 .", "b Class 1, b Class y"},
		{"datatype", "sh:property [ sh:path :p ; sh:datatype xsd:integer ]", `:a :p 1 . :b :p 1.0 , "x"^^xsd:integer , :y .`, "b Datatype 1.0, b Datatype x, b Datatype y"},
		{"node kind", "sh:property [ sh:path :p ; sh:nodeKind sh:IRIOrLiteral ]", ":a :p 1 , :x . :b :p 2 , [] .", "b NodeKind"},
		{"at least", "sh:property [ sh:path :p ; sh:minCount 2 ]", ":a :p 1 , 2 . :b :p 1 .", "b MinCount"},
		{"at most", "sh:property [ sh:path :p ; sh:maxCount 1 ]", ":a :p 1 . :b :p 1 , 2 .", "b MaxCount"},
		{"above", "sh:property [ sh:path :p ; sh:minExclusive 1 ]", ":a :p 1.5 . :b :p 1 .", "b MinExclusive 1"},
		{"from", "sh:property [ sh:path :p ; sh:minInclusive 1 ]", `:a :p 1 . :b :p 0 , "1" .`, "b MinInclusive 0, b MinInclusive 1"},
		{"below", "sh:property [ sh:path :p ; sh:maxExclusive 1 ]", ":a :p 0.5 . :b :p 1.0 .", "b MaxExclusive 1.0"},
		{"to", "sh:property [ sh:path :p ; sh:maxInclusive 1 ]", ":a :p 1 . :b :p 2 .", "b MaxInclusive 2"},
		{"shortest", "sh:property [ sh:path :p ; sh:minLength 2 ]", `:a :p "öö" . :b :p "o" .`, "b MinLength o"},
		{"longest", "sh:property [ sh:path :p ; sh:maxLength 2 ]", `:a :p "öö" . :b :p "ooo" .`, "b MaxLength ooo"},
		{"pattern", `sh:property [ sh:path :p ; sh:pattern "^k" ; sh:flags "i" ]`, `:a :p "Kite" . :b :p "a kite" .`, "b Pattern a kite"},
		{"languages", `sh:property [ sh:path :p ; sh:languageIn ( "en" "de" ) ]`, `:a :p "x"@en-GB . :b :p "x"@eng , "y" .`, "b LanguageIn x, b LanguageIn y"},
		{"a language once", "sh:property [ sh:path :p ; sh:uniqueLang true ]", `:a :p "x"@en , "y"@de , "z" , "w" . :b :p "x"@en , "y"@EN .`, "b UniqueLang"},
		{"equals", "sh:property [ sh:path :p ; sh:equals :q ]", ":a :p 1 ; :q 1 . :b :p 1 ; :q 2 .", "b Equals 1, b Equals 2"},
		{"disjoint", "sh:property [ sh:path :p ; sh:disjoint :q ]", ":a :p 1 ; :q 2 . :b :p 1 , 3 ; :q 1 .", "b Disjoint 1"},
		{"less", "sh:property [ sh:path :p ; sh:lessThan :q ]", ":a :p 1 ; :q 2 . :b :p 1 ; :q 1 .", "b LessThan 1"},
		{"less or equal", "sh:property [ sh:path :p ; sh:lessThanOrEquals :q ]", `:a :p 1 ; :q 1 . :b :p 2 ; :q 1 , "x" .`, "b LessThanOrEquals 2, b LessThanOrEquals 2"},
		{"not", "sh:not [ sh:property [ sh:path :p ; sh:minCount 1 ] ]", ":a :q 1 . :b :p 1 .", "b Not b"},
		{"and", "sh:and ( [ sh:property [ sh:path :p ; sh:minCount 1 ] ] [ sh:property [ sh:path :q ; sh:minCount 1 ] ] )", ":a :p 1 ; :q 1 . :b :p 1 .", "b And b"},
		{"or", "sh:or ( [ sh:property [ sh:path :p ; sh:minCount 1 ] ] [ sh:property [ sh:path :q ; sh:minCount 1 ] ] )", ":a :q 1 . :b :r 1 .", "b Or b"},
		{"either", "sh:xone ( [ sh:property [ sh:path :p ; sh:minCount 1 ] ] [ sh:property [ sh:path :q ; sh:minCount 1 ] ] )", ":a :q 1 . :b :p 1 ; :q 1 .", "b Xone b"},
		{"node", "sh:property [ sh:path :p ; sh:node [ sh:property [ sh:path :q ; sh:minCount 1 ] ] ]", ":a :p :x . :x :q 1 . :b :p :y .", "b Node y"},
		{"property", "sh:property [ sh:path :p ; sh:property [ sh:path :q ; sh:minCount 1 ] ]", ":a :p :x . :x :q 1 . :b :p :y .", "y MinCount"},
		{"some of a shape", "sh:property [ sh:path :p ; sh:qualifiedValueShape [ sh:class :C ] ; sh:qualifiedMinCount 1 ; sh:qualifiedMaxCount 1 ]",
			":a :p :x , :z . :b :p :x , :y . :x a :C . :y a :C . :c :p :z .", "b QualifiedMaxCount, c QualifiedMinCount"},
		{"some of disjoint shapes", `sh:property [ sh:path :p ; sh:qualifiedValueShape [ sh:class :C ] ; sh:qualifiedMinCount 1 ; sh:qualifiedValueShapesDisjoint true ] ,
			[ sh:path :p ; sh:qualifiedValueShape [ sh:class :D ] ; sh:qualifiedMinCount 1 ; sh:qualifiedValueShapesDisjoint true ]`,
			":a :p :x , :y . :x a :C . :y a :D . :b :p :y , :z . :z a :C , :D .", "b QualifiedMinCount"},
		{"closed", "sh:closed true ; sh:ignoredProperties ( rdf:type ) ; sh:property [ sh:path :p ]", ":a a :C ; :p 1 . :b :p 1 ; :q 2 .", "b Closed 2"},
		{"a value", "sh:property [ sh:path :p ; sh:hasValue 1 ]", ":a :p 1 , 2 . :b :p 1.0 .", "b HasValue"},
		{"one of", `sh:property [ sh:path :p ; sh:in ( 1 "x"@en ) ]`, `:a :p 1 , "x"@EN . :b :p "x" .`, "b In x"},
		{"turned off", "sh:property [ sh:path :p ; sh:minCount 1 ; sh:deactivated true ]", ":b :q 1 .", ""},
		{"sequence", "sh:property [ sh:path ( :p [ sh:inversePath :q ] ) ; sh:minCount 1 ]", ":a :p :x . :y :q :x . :b :p :z . :z :q :w .", "b MinCount"},
		{"alternative", "sh:property [ sh:path [ sh:alternativePath ( :p :q ) ] ; sh:minCount 2 ]", ":a :p 1 ; :q 2 . :b :p 1 ; :q 1 .", "b MinCount"},
		{"inverse of a sequence", "sh:property [ sh:path [ sh:inversePath ( :p :q ) ] ; sh:minCount 1 ]", ":x :p :y . :y :q :a . :x :q :z . :z :p :b .", "b MinCount"},
		{"any number", "sh:property [ sh:path [ sh:zeroOrMorePath :p ] ; sh:hasValue :e ; sh:maxCount 4 ]", ":a :p :x . :x :p :a , :e . :b :p :b .", "b HasValue"},
		{"once or more", "sh:property [ sh:path [ sh:oneOrMorePath :p ] ; sh:disjoint :p2 ; sh:minCount 2 ]", ":a :p :x . :x :p :a . :b :p :y .", "b MinCount"},
		{"at most once", "sh:property [ sh:path [ sh:zeroOrOnePath :p ] ; sh:maxCount 2 ]", ":a :p :x . :x :p :y . :b :p :x , :y .", "b MaxCount"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			shapes := ":s a sh:NodeShape ; sh:targetNode :a , :b ; " + tc.constraint + " ."
			if strings.Contains(tc.data, ":c ") {
				shapes += ":s sh:targetNode :c ."
			}
			report := validate(t, read(t, tc.data), read(t, shapes))
			got := brief(report)
			if tc.name == "node kind" {
				got = strings.Join(strings.Fields(got)[:2], " ")
			}
			if got != tc.want || report.Conforms != (tc.want == "") || report.Total != int64(len(report.Results)) {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

// TestTargets: nodes are selected by each kind of target, once each.
func TestTargets(t *testing.T) {
	data := read(t, ":x a :C . :y a :D ; :p :z . :D rdfs:subClassOf :C . :w a :I . :z :p :y .")
	for _, tc := range []struct{ target, want string }{
		{"sh:targetNode :x , :unknown", "unknown, x"},
		{"sh:targetClass :C", "x, y"},
		{"sh:targetClass :C , :D", "x, y"},
		{"sh:targetSubjectsOf :p", "y, z"},
		{"sh:targetObjectsOf :p ; sh:targetSubjectsOf :p ; sh:targetNode :y", "y, z"},
	} {
		report := validate(t, data, read(t, ":s "+tc.target+" ; sh:in () ."))
		if got := focuses(report); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.target, got, tc.want)
		}
	}
	if got := focuses(validate(t, data, read(t, ":I a rdfs:Class , sh:NodeShape ; sh:in () ."))); got != "w" {
		t.Errorf("implicit: %s", got)
	}
}

func focuses(r *shacl.Report) string {
	var out []string
	for _, res := range r.Results {
		out = append(out, strings.TrimPrefix(res.Focus.Value, "http://e/"))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// TestReport: severity and messages are those of the shape, in RDF and as text.
func TestReport(t *testing.T) {
	report := validate(t, read(t, ":b :p 1 , 2 ."), read(t, `:s sh:targetNode :b ; sh:property [ sh:path :p ; sh:maxCount 1 ;
		sh:severity sh:Warning ; sh:message "one kite each"@en ] , [ sh:path ( :p [ sh:inversePath :q ] ) ; sh:minCount 1 ] .`))
	var out bytes.Buffer
	if err := report.Text(&out, func(rdf.Term) []string { return []string{"http://e/page"} }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"1 nodes validated by 1 shapes: the data does not conform, results: Violation 1, Warning 1\n",
		"Warning: <http://e/b> <http://e/p>: one kite each (MaxCount of _:", "Violation: <http://e/b> <http://e/p>/^<http://e/q>: 0 values, at least 1 are needed (MinCount of",
		"\n    http://e/page\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if report.Conforms || report.Counts[shacl.Warning] != 1 || report.Results[0].Messages[0].Lang+report.Results[1].Messages[0].Lang != "en" {
		t.Errorf("%+v", report)
	}
}

// TestMistakes: ill-formed shapes are an error that names shape and property.
func TestMistakes(t *testing.T) {
	for _, tc := range []struct{ shape, want string }{
		{"sh:minCount 1", "sh:minCount is for shapes with sh:path"},
		{"sh:property [ sh:minCount 1 ]", "a property shape without sh:path"},
		{"sh:path :p , :q", "2 values of sh:path"},
		{"sh:path ( :p )", "a path of 1 members"},
		{"sh:path [ sh:zeroOrMorePath :p , :q ]", "2 values of sh:zeroOrMorePath"},
		{"sh:path [ ]", "sh:path is no path"},
		{"sh:path 1", "sh:path is a literal"},
		{"sh:path :p ; sh:minCount -1", "non-negative integer"},
		{"sh:path :p ; sh:minCount 1 , 2", "2 values of sh:minCount"},
		{"sh:nodeKind :K", "no kind of nodes"},
		{"sh:class 1", "it is an IRI"},
		{`sh:pattern "("`, "sh:pattern"},
		{"sh:pattern 1", "one string each"},
		{"sh:minInclusive :x", "it is a literal"},
		{"sh:in [ rdf:first 1 ]", "is no list"},
		{"sh:and :x", "is no list"},
		{"sh:closed 1", "true or false"},
		{"sh:deactivated 1", "sh:deactivated"},
		{"sh:severity 1", "sh:severity"},
		{"sh:message 1", "sh:message"},
		{"sh:targetClass 1", "sh:targetClass"},
		{"sh:languageIn ( 1 )", "language range"},
		{"sh:path :p ; sh:qualifiedValueShape [ ]", "sh:qualifiedMinCount"},
		{"sh:node [ sh:path :p ]", "is a property shape"},
		{"sh:not 1", "a literal is no shape"},
		{"sh:sparql [ ]", "not of SHACL Core"},
		{"sh:in _:l . _:l rdf:first 1 ; rdf:rest _:l", "circle"},
		{"sh:path " + strings.Repeat("[ sh:inversePath ", 100) + ":p" + strings.Repeat("]", 100), "nested deeper"},
	} {
		_, err := shacl.Parse(seq(read(t, ":s a sh:NodeShape ; "+tc.shape+" .")))
		if !errors.Is(err, shacl.ErrShapes) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.shape, err, tc.want)
		}
	}
}

// TestLimits: what would not end is an error.
func TestLimits(t *testing.T) {
	deep := ":s0 sh:targetNode :a ."
	for i := range 40 {
		deep += fmt.Sprintf(":s%d sh:and ( :s%d :s%d ) .", i, i+1, i+1)
	}
	for _, tc := range []struct {
		name, shapes string
		opts         shacl.Options
		want         error
	}{
		{"a shape within itself", ":s sh:targetNode :a ; sh:property [ sh:path :next ; sh:node :s ] .", shacl.Options{}, shacl.ErrRecursive},
		{"deep", ":s sh:targetNode :n0 ; sh:property [ sh:path :next ; sh:node :s ] .", shacl.Options{}, shacl.ErrDepth},
		{"exponential", deep, shacl.Options{MaxSteps: 10_000}, shacl.ErrSteps},
		{"values", ":s sh:targetNode :n0 ; sh:property [ sh:path [ sh:zeroOrMorePath :next ] ; sh:minCount 1 ] .", shacl.Options{MaxValues: 50}, shacl.ErrValues},
		{"fits", ":s sh:targetNode :n200 ; sh:property [ sh:path :next ; sh:node :s ] .", shacl.Options{}, nil},
	} {
		store := quads.NewMemory()
		text := ":a :next :b . :b :next :a ."
		for i := range 300 {
			text += fmt.Sprintf(":n%d :next :n%d .", i, i+1)
		}
		for _, triple := range read(t, text) {
			if _, err := store.Add(rdf.Quad{S: triple.S, P: triple.P, O: triple.O}, ""); err != nil {
				t.Fatal(err)
			}
		}
		shapes, err := shacl.Parse(seq(read(t, tc.shapes)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := shapes.Validate(t.Context(), store.Snapshot(), tc.opts); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	shapes, err := shacl.Parse(seq(read(t, ":s sh:targetSubjectsOf :p ; sh:in () .")))
	if err != nil {
		t.Fatal(err)
	}
	store := quads.NewMemory()
	for i := range 3000 {
		if _, err := store.Add(rdf.Quad{S: rdf.NewIRI(fmt.Sprint("u:", i)), P: rdf.NewIRI("http://e/p"), O: rdf.NewString("x")}, ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := shapes.Validate(ctx, store.Snapshot(), shacl.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	report, err := shapes.Validate(t.Context(), store.Snapshot(), shacl.Options{MaxResults: 5})
	if err != nil || len(report.Results) != 5 || report.Total != 3000 || report.Focus != 3000 {
		t.Errorf("%v: %d results kept of %d", err, len(report.Results), report.Total)
	}
}

// FuzzShapes: no shapes graph makes parsing or validating panic or hang, and what conforms has no results.
func FuzzShapes(f *testing.F) {
	for _, seed := range []string{
		":s sh:targetNode :a ; sh:property [ sh:path ( :p [ sh:inversePath :q ] ) ; sh:minCount 1 ; sh:class :C ] .",
		":s sh:targetClass :C ; sh:or ( :s :t ) ; sh:closed true . :t sh:not :s ; sh:in ( 1 2 ) .",
		`:s sh:targetSubjectsOf :p ; sh:pattern "a+" ; sh:flags "i" ; sh:languageIn ( "en" ) ; sh:node :s .`,
		":s sh:targetObjectsOf :p ; sh:path [ sh:zeroOrMorePath [ sh:alternativePath ( :p :q ) ] ] ; sh:qualifiedValueShape :s ; sh:qualifiedMinCount 1 .",
	} {
		f.Add(seed, ":a :p :b , 1 ; a :C . :b :q :a ; :p \"x\"@en .")
	}
	f.Fuzz(func(t *testing.T, shapesText, dataText string) {
		all := func(text string) []rdf.Triple {
			triples, _ := rdftest.All(turtle.Read(strings.NewReader(prefixes+text), syntax.Options{}))
			return triples
		}
		shapes, err := shacl.Parse(seq(all(shapesText)))
		if err != nil {
			return
		}
		store := quads.NewMemory()
		for _, d := range all(dataText) {
			_, _ = store.Add(rdf.Quad{S: d.S, P: d.P, O: d.O}, "x")
		}
		report, err := shapes.Validate(t.Context(), store.Snapshot(), shacl.Options{MaxSteps: 100_000, MaxValues: 1000})
		if err == nil && report.Conforms != (report.Total == 0) {
			t.Errorf("%+v", report)
		}
	})
}
