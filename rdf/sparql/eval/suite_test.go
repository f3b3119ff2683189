package eval_test

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/results"
	"orbweaver/rdf/sparql/syntax"
	"orbweaver/rdf/sparql/value"
	rdfsyntax "orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/trig"
)

const (
	site   = "https://w3c.github.io/rdf-tests/"
	rdfNS  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	rdfsNS = "http://www.w3.org/2000/01/rdf-schema#"
	mf     = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
	qt     = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#"
	ut     = "http://www.w3.org/2009/sparql/tests/test-update#"
)

// suites are the files of the W3C's tests, and one of their manifests.
type suites struct {
	t     testing.TB
	files map[string][]byte
	graph map[rdf.Term]map[string][]rdf.Term
}

// openSuites reads the files below a folder.
func openSuites(t testing.TB, below string) *suites {
	t.Helper()
	s := &suites{t: t, files: map[string][]byte{}}
	for _, f := range rdftest.Archive(t, "w3c-rdf-tests.tar.gz", below) {
		s.files[f.Name] = f.Data
	}
	return s
}

// entries reads a manifest, and returns its tests.
func (s *suites) entries(name string) (out []rdf.Term) {
	s.graph = map[rdf.Term]map[string][]rdf.Term{}
	var list rdf.Term
	for _, t := range s.triples(name) {
		if s.graph[t.S] == nil {
			s.graph[t.S] = map[string][]rdf.Term{}
		}
		s.graph[t.S][t.P.Value] = append(s.graph[t.S][t.P.Value], t.O)
		if t.P.Value == mf+"entries" {
			list = t.O
		}
	}
	for ; list.Kind == rdf.Blank; list = s.one(list, rdfNS+"rest") {
		out = append(out, s.one(list, rdfNS+"first"))
	}
	return out
}

// one returns a property's value.
func (s *suites) one(subject rdf.Term, property string) rdf.Term {
	for _, o := range s.graph[subject][property] {
		return o
	}
	return rdf.Term{}
}

// file returns a file by its IRI.
func (s *suites) file(iri string) []byte {
	data, ok := s.files[strings.TrimPrefix(iri, site)]
	if !ok {
		s.t.Fatalf("no file %s", iri)
	}
	return data
}

func formatOf(name string) rdfsyntax.Format {
	switch path.Ext(name) {
	case ".nt":
		return rdfsyntax.NTriples
	case ".rdf":
		return rdfsyntax.RDFXML
	}
	return rdfsyntax.Turtle
}

// triples reads a graph.
func (s *suites) triples(name string) []rdf.Triple {
	name = strings.TrimPrefix(name, site)
	data := s.file(name)
	return rdftest.Collect(s.t, document.Read(bytes.NewReader(data), formatOf(name), rdfsyntax.Options{Base: site + name}))
}

// quads reads a graph of a dataset, with separate blank nodes.
func (s *suites) quads(iri string, graph rdf.Term) (out []rdf.Quad) {
	own := func(t rdf.Term) rdf.Term {
		return t.Map(func(t rdf.Term) rdf.Term {
			if t.Kind == rdf.Blank {
				t.Value = iri + " " + t.Value
			}
			return t
		})
	}
	name := strings.TrimPrefix(iri, site)
	if ext := path.Ext(name); ext == ".trig" || ext == ".nq" { // a dataset of its own
		for _, q := range rdftest.Collect(s.t, trig.Read(bytes.NewReader(s.file(iri)), rdfsyntax.Options{Base: site + name})) {
			out = append(out, rdf.Quad{S: own(q.S), P: q.P, O: own(q.O), G: own(q.G)})
		}
		return out
	}
	for _, t := range s.triples(iri) {
		out = append(out, rdf.Quad{S: own(t.S), P: t.P, O: own(t.O), G: graph})
	}
	return out
}

// dataset reads the data of a test, described in a vocabulary.
func (s *suites) dataset(node rdf.Term, ns string) (out []rdf.Quad) {
	for _, d := range s.graph[node][ns+"data"] {
		out = append(out, s.quads(d.Value, rdf.Term{})...)
	}
	for _, g := range s.graph[node][ns+"graphData"] {
		name, file := g, g
		if g.Kind == rdf.Blank {
			if file = s.one(g, ns+"graph"); file.IsZero() {
				file = s.one(g, ns+"data")
			}
			name = file
			if label := s.one(g, rdfsNS+"label"); !label.IsZero() {
				name = rdf.NewIRI(label.Value)
			}
		}
		out = append(out, s.quads(file.Value, name)...)
	}
	return out
}

// memory returns a store of quads.
func memory(t testing.TB, data []rdf.Quad) *quads.Memory {
	t.Helper()
	m := quads.NewMemory()
	for _, q := range data {
		if _, err := m.Add(q, "d"); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func parseQuery(t testing.TB, text, base string) *algebra.Query {
	t.Helper()
	tree, err := syntax.ParseQuery(text, syntax.Options{Base: base})
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	q, err := algebra.TranslateQuery(tree)
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return q
}

// endpoints are services with their own data.
type endpoints map[string]*quads.Memory

func (e endpoints) Select(ctx context.Context, endpoint, query string, columns []string) iter.Seq2[[]rdf.Term, error] {
	return func(yield func([]rdf.Term, error) bool) {
		m := e[endpoint]
		if m == nil {
			yield(nil, fmt.Errorf("nobody answers at %s", endpoint))
			return
		}
		tree, err := syntax.ParseQuery(query, syntax.Options{})
		if err != nil {
			yield(nil, err)
			return
		}
		q, err := algebra.TranslateQuery(tree)
		if err != nil {
			yield(nil, err)
			return
		}
		res, err := eval.Query(ctx, m.Snapshot(), q, eval.Options{Service: e})
		if err != nil {
			yield(nil, err)
			return
		}
		for row, err := range res.Rows() {
			if !yield(slices.Clone(row), err) {
				return
			}
		}
	}
}

// An answer is the answer to a query of any form.
type answer struct {
	vars    []string
	rows    [][]rdf.Term
	boolean *bool
	triples []rdf.Triple // of a graph, if boolean is nil and vars are too
	graph   bool
}

// evaluate evaluates a query.
func evaluate(r quads.Reader, q *algebra.Query, opts eval.Options) (a answer, err error) {
	res, err := eval.Query(context.Background(), r, q, opts)
	if err != nil {
		return a, err
	}
	switch q.Form {
	case algebra.AskForm:
		a.boolean = &res.Boolean
	case algebra.SelectForm:
		a.vars = res.Vars
		for row, err := range res.Rows() {
			if err != nil {
				return a, err
			}
			a.rows = append(a.rows, slices.Clone(row))
		}
	default:
		a.graph = true
		a.triples, err = rdftest.All(res.Triples())
	}
	return a, err
}

// expected reads the expected answer of a test. Language tags are converted to the case of a store.
func (s *suites) expected(iri string) (a answer) {
	s.t.Helper()
	format := results.OfName(iri)
	data := s.file(iri)
	if format == results.Unknown || format == results.RDF {
		if !bytes.Contains(data, []byte("result-set#")) {
			return answer{graph: true, triples: s.triples(iri)}
		}
		format = results.RDF
	}
	res, err := results.Read(bytes.NewReader(data), format, results.Options{Base: iri})
	if err != nil {
		s.t.Fatal(err)
	}
	a.vars, a.boolean = res.Vars, res.Boolean
	for row, err := range res.Rows {
		if err != nil {
			s.t.Fatal(err)
		}
		row = slices.Clone(row)
		for i, t := range row {
			row[i] = quads.Canonical(t)
		}
		a.rows = append(a.rows, row)
	}
	return a
}

// asQuads represents rows as a graph with a node per row.
func (a answer) asQuads(ordered bool) (out []rdf.Quad) {
	for i, row := range a.rows {
		node := rdf.NewBlank(fmt.Sprintf("a row %d", i))
		out = append(out, rdf.Quad{S: node, P: rdf.NewIRI("u:is"), O: rdf.NewIRI("u:row")})
		if ordered {
			out = append(out, rdf.Quad{S: node, P: rdf.NewIRI("u:at"), O: rdf.NewString(fmt.Sprint(i))})
		}
		for j, t := range row {
			if !t.IsZero() {
				out = append(out, rdf.Quad{S: node, P: rdf.NewIRI("u:var/" + a.vars[j]), O: t})
			}
		}
	}
	return out
}

// lexical drops the types of all terms, as CSV does.
func (a answer) lexical() answer {
	out := a
	out.rows = nil
	for _, row := range a.rows {
		row = slices.Clone(row)
		for i, t := range row {
			if t.Kind != rdf.Blank && t.Value != "" {
				row[i] = rdf.NewString(t.Value)
			} else if t.Kind != rdf.Blank {
				row[i] = rdf.Term{}
			}
		}
		out.rows = append(out.rows, row)
	}
	return out
}

// differs returns the difference from a wanted answer; empty if there is none.
func (a answer) differs(want answer, ordered bool) string {
	switch {
	case want.boolean != nil:
		if a.boolean == nil || *a.boolean != *want.boolean {
			return fmt.Sprintf("not %v", *want.boolean)
		}
		return ""
	case want.graph:
		if !rdftest.Isomorphic(a.triples, want.triples) {
			return fmt.Sprintf("got\n%v\nwant\n%v", a.triples, want.triples)
		}
		return ""
	}
	got, expected := slices.Sorted(slices.Values(a.vars)), slices.Sorted(slices.Values(want.vars))
	if !slices.Equal(got, expected) {
		return fmt.Sprintf("variables are %v, not %v", a.vars, want.vars)
	}
	if !rdftest.IsomorphicQuads(a.asQuads(ordered), want.asQuads(ordered)) {
		return fmt.Sprintf("got\n%swant\n%s", a.text(), want.text())
	}
	return ""
}

// canonical unifies literals of equal value: the suites write computed numbers in one of several ways.
func (a answer) canonical() answer {
	out := answer{vars: a.vars, boolean: a.boolean, graph: a.graph}
	for _, row := range a.rows {
		row = slices.Clone(row)
		for i, t := range row {
			row[i] = canonical(t)
		}
		out.rows = append(out.rows, row)
	}
	for _, t := range a.triples {
		out.triples = append(out.triples, rdf.Triple{S: t.S, P: t.P, O: canonical(t.O)})
	}
	return out
}

func canonical(t rdf.Term) rdf.Term {
	var (
		v   value.Value
		err error
	)
	switch t.Datatype {
	case rdf.XSDDecimal, rdf.XSDDouble, "http://www.w3.org/2001/XMLSchema#float":
		v, err = value.Call(&value.Env{}, "+", []value.Value{value.Of(t), value.Integer(0)})
	case rdf.XSDBoolean:
		var b bool
		b, err = value.EBV(value.Of(t))
		v = value.Bool(b)
	default:
		return t
	}
	if err != nil {
		return t
	}
	return v.Term()
}

func (a answer) text() string {
	var b strings.Builder
	fmt.Fprintln(&b, a.vars)
	for _, row := range a.rows {
		for _, t := range row {
			fmt.Fprintf(&b, "\t%s", syntax.Text(t))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
