package shacl_test

import (
	"bytes"
	"fmt"
	"maps"
	"path"
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

const (
	sht     = "http://www.w3.org/ns/shacl-test#"
	mf      = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
	suite   = "https://suite.example/"
	typeOf  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	entries = 98 // of the suite
)

// TestSuite: the core tests of the W3C's suite of data shapes, each report compared result by result.
func TestSuite(t *testing.T) {
	files := map[string][]rdf.Triple{}
	for _, f := range rdftest.Archive(t, "shacl-tests.tar.gz", "core/") {
		if strings.HasSuffix(f.Name, ".ttl") {
			files[suite+f.Name] = rdftest.Collect(t, turtle.Read(bytes.NewReader(f.Data), syntax.Options{Base: suite + f.Name}))
		}
	}
	tests := 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		g := graphOf(files[name])
		for _, test := range g.subjects(typeOf, sht+"Validate") {
			tests++
			t.Run(strings.TrimPrefix(name, suite+"core/")+"/"+path.Base(test.Value), func(t *testing.T) {
				action, want := g.one(test, mf+"action"), g.one(test, mf+"result")
				data, shapes := files[g.one(action, sht+"dataGraph").Value], files[g.one(action, sht+"shapesGraph").Value]
				report := validate(t, data, shapes)
				if got, want := shown(report), g.expected(want); !slices.Equal(got, want) {
					t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
				rewritten := graphOf(slices.Collect(report.Triples()))
				if got, want := rewritten.expected(rdf.NewBlank("r0")), shown(report); !slices.Equal(got, want) {
					t.Errorf("the report as RDF\n%s\nas it is\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			})
		}
	}
	if tests != entries {
		t.Errorf("%d tests, want %d", tests, entries)
	}
}

// validate validates triples by shapes.
func validate(t testing.TB, data, shapes []rdf.Triple) *shacl.Report {
	t.Helper()
	parsed, err := shacl.Parse(seq(shapes))
	if err != nil {
		t.Fatal(err)
	}
	store := quads.NewMemory()
	for i, d := range data {
		// Half of the data is in each of two graphs, and a part in both.
		for g := i % 2; g <= i%3%2+1; g++ {
			if _, err := store.Add(rdf.Quad{S: d.S, P: d.P, O: d.O, G: rdf.NewIRI(fmt.Sprint("u:g", g))}, "x"); err != nil {
				t.Fatal(err)
			}
		}
	}
	report, err := parsed.Validate(t.Context(), store.Snapshot(), shacl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func seq(triples []rdf.Triple) func(func(rdf.Triple, error) bool) {
	return func(yield func(rdf.Triple, error) bool) {
		for _, triple := range triples {
			if !yield(triple, nil) {
				return
			}
		}
	}
}

// graph is triples by subject.
type graph map[rdf.Term][]rdf.Triple

func graphOf(triples []rdf.Triple) graph {
	g := graph{}
	for _, t := range triples {
		g[t.S] = append(g[t.S], t)
	}
	return g
}

func (g graph) subjects(p, o string) (out []rdf.Term) {
	for s, triples := range g {
		if slices.Contains(triples, rdf.Triple{S: s, P: rdf.NewIRI(p), O: rdf.NewIRI(o)}) {
			out = append(out, s)
		}
	}
	return out
}

func (g graph) all(s rdf.Term, p string) (out []rdf.Term) {
	for _, t := range g[s] {
		if t.P.Value == p {
			out = append(out, t.O)
		}
	}
	return out
}

func (g graph) one(s rdf.Term, p string) rdf.Term {
	if all := g.all(s, p); len(all) > 0 {
		return all[0]
	}
	return rdf.Term{}
}

// expected returns the results of a report in RDF, as shown does.
func (g graph) expected(report rdf.Term) []string {
	lines := []string{"conforms " + g.one(report, shacl.NS+"conforms").Value}
	for _, r := range g.all(report, shacl.NS+"result") {
		parts := []string{}
		for _, p := range []string{"focusNode", "value", "sourceShape", "sourceConstraintComponent", "resultSeverity"} {
			parts = append(parts, text(g.one(r, shacl.NS+p)))
		}
		lines = append(lines, strings.Join(append(parts, g.path(g.one(r, shacl.NS+"resultPath"))), " "))
	}
	slices.Sort(lines)
	return lines
}

// path returns a path of a report.
func (g graph) path(node rdf.Term) string {
	if node.Kind != rdf.Blank {
		return text(node)
	}
	parts := []string{}
	for _, triple := range g[node] {
		local := triple.P.Value[strings.LastIndexAny(triple.P.Value, "#/")+1:]
		parts = append(parts, local+"("+g.path(triple.O)+")")
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// shown returns what a report says, without messages and labels of blank nodes.
func shown(r *shacl.Report) []string {
	lines := []string{fmt.Sprint("conforms ", r.Conforms)}
	g := graphOf(slices.Collect(r.Triples()))
	i := 0
	for _, node := range g.all(rdf.NewBlank("r0"), shacl.NS+"result") {
		res := r.Results[i]
		i++
		parts := []string{text(res.Focus), text(res.Value), text(res.Shape), "<" + res.Component + ">", "<" + res.Severity + ">"}
		lines = append(lines, strings.Join(append(parts, g.path(g.one(node, shacl.NS+"resultPath"))), " "))
	}
	slices.Sort(lines)
	return lines
}

func text(t rdf.Term) string {
	switch t.Kind {
	case rdf.Blank:
		return "_"
	case rdf.IRI:
		return "<" + t.Value + ">"
	case rdf.Literal:
		return fmt.Sprintf("%q@%s^^%s", t.Value, strings.ToLower(t.Lang), t.Datatype)
	}
	return "-"
}
