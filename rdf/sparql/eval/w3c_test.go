package eval_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/syntax"
)

// exceptions are the tests that are not passed, with the reason, by folder and name.
var exceptions = map[string]string{}

// TestQueries runs the query evaluation tests of SPARQL 1.0 and 1.1.
func TestQueries(t *testing.T) {
	for _, suite := range []struct {
		below string
		count int
	}{
		{"sparql/sparql10", 0},
		{"sparql/sparql11", 0},
	} {
		s := openSuites(t, suite.below)
		total, passed := 0, 0
		for _, name := range slices.Sorted(maps.Keys(s.files)) {
			folder, ok := strings.CutSuffix(name, "/manifest.ttl")
			if !ok || strings.Contains(folder, "entailment") {
				continue
			}
			for _, entry := range s.entries(name) {
				kind := s.one(entry, rdfNS+"type").Value
				if kind != mf+"QueryEvaluationTest" && kind != mf+"CSVResultFormatTest" {
					continue
				}
				key := strings.TrimPrefix(folder, "sparql/") + "/" + entry.Value[strings.LastIndex(entry.Value, "#")+1:]
				total++
				if reason, ok := exceptions[key]; ok {
					t.Logf("%s: %s", key, reason)
					continue
				}
				if t.Run(key, func(t *testing.T) { s.query(t, entry) }) {
					passed++
				}
			}
		}
		t.Logf("%s: %d of %d", suite.below, passed, total)
	}
}

// query runs one test.
func (s *suites) query(t *testing.T, entry rdf.Term) {
	s.t = t
	action := s.one(entry, mf+"action")
	text := s.one(action, qt+"query")
	if text.IsZero() {
		text = action
	}
	q := parseQuery(t, string(s.file(text.Value)), text.Value)
	data := s.dataset(action, qt)
	if len(s.graph[action][qt+"data"]) == 0 {
		seen := map[string]bool{}
		for _, iri := range append(slices.Clone(q.Dataset.Default), q.Dataset.Named...) {
			if !seen[iri] {
				data = append(data, s.quads(iri, rdf.NewIRI(iri))...)
			}
			seen[iri] = true
		}
	}
	services := endpoints{}
	for _, d := range s.graph[action][qt+"serviceData"] {
		services[s.one(d, qt+"endpoint").Value] = memory(t, s.dataset(d, qt))
	}
	got, err := evaluate(memory(t, data).Snapshot(), q, eval.Options{Service: services})
	if err != nil {
		t.Fatal(err)
	}
	result := s.one(entry, mf+"result").Value
	want := s.expected(result)
	if strings.HasSuffix(result, ".csv") {
		got, want = got.lexical(), want.lexical()
	}
	if s.one(entry, mf+"resultCardinality").Value == mf+"LaxCardinality" {
		got, want = got.once(), want.once()
	}
	if diff := got.differs(want, isOrdered(q.Pattern)); diff != "" {
		t.Errorf("%s\n%s", s.file(text.Value), diff)
	}
}

// once returns an answer with no row twice.
func (a answer) once() answer {
	seen := map[string]bool{}
	out := answer{vars: a.vars}
	for _, row := range a.rows {
		one := answer{vars: a.vars, rows: [][]rdf.Term{row}}
		if text := one.text(); !seen[text] {
			seen[text] = true
			out.rows = append(out.rows, row)
		}
	}
	return out
}

// isOrdered reports whether the answer has an order.
func isOrdered(op algebra.Op) bool {
	switch op := op.(type) {
	case *algebra.OrderBy:
		return true
	case *algebra.Slice:
		return isOrdered(op.Input)
	case *algebra.Project:
		return isOrdered(op.Input)
	case *algebra.Distinct:
		return isOrdered(op.Input)
	case *algebra.Reduced:
		return isOrdered(op.Input)
	}
	return false
}

// memoryStore is a store in memory for updates.
type memoryStore struct{ *quads.Memory }

func (m memoryStore) View() (quads.Reader, func() error, error) {
	return m.Snapshot(), func() error { return nil }, nil
}

func (m memoryStore) Add(q rdf.Quad) error {
	_, err := m.Memory.Add(q, "")
	return err
}

func (m memoryStore) Remove(q rdf.Quad) error {
	_, err := m.Memory.Remove(q, "")
	return err
}

func (m memoryStore) Clear(graph rdf.Term) error {
	_, err := m.Drop(graph)
	return err
}

// contents returns all quads of a store.
func contents(t testing.TB, r quads.Reader) (out []rdf.Quad) {
	t.Helper()
	term := func(id quads.ID) rdf.Term {
		if id == quads.Default {
			return rdf.Term{}
		}
		term, err := r.Term(id)
		if err != nil {
			t.Fatal(err)
		}
		return term
	}
	c := r.Cursor()
	for _, g := range []quads.ID{quads.Default, quads.Named} {
		c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: g})
		for c.Next() {
			q := c.Quad()
			out = append(out, rdf.Quad{S: term(q.S), P: term(q.P), O: term(q.O), G: term(q.G)})
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestUpdates runs the update evaluation tests of SPARQL 1.1.
func TestUpdates(t *testing.T) {
	s := openSuites(t, "sparql/sparql11")
	passed := 0
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		folder, ok := strings.CutSuffix(name, "/manifest.ttl")
		if !ok {
			continue
		}
		for _, entry := range s.entries(name) {
			if s.one(entry, rdfNS+"type").Value != mf+"UpdateEvaluationTest" {
				continue
			}
			key := strings.TrimPrefix(folder, "sparql/") + "/" + entry.Value[strings.LastIndex(entry.Value, "#")+1:]
			if t.Run(key, func(t *testing.T) { s.update(t, entry) }) {
				passed++
			}
		}
	}
	if passed != 94 {
		t.Errorf("%d of 94 passed", passed)
	}
}

// update runs one test.
func (s *suites) update(t *testing.T, entry rdf.Term) {
	s.t = t
	action, result := s.one(entry, mf+"action"), s.one(entry, mf+"result")
	request := s.one(action, ut+"request").Value
	tree, err := syntax.ParseUpdate(string(s.file(request)), syntax.Options{Base: request})
	if err != nil {
		t.Fatal(err)
	}
	u, err := algebra.TranslateUpdate(tree)
	if err != nil {
		t.Fatal(err)
	}
	m := memory(t, s.dataset(action, ut))
	if err := eval.Update(context.Background(), memoryStore{m}, u, eval.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	got, want := contents(t, m.Snapshot()), s.dataset(result, ut)
	if !rdftest.IsomorphicQuads(got, want) {
		t.Errorf("%s\ngot\n%v\nwant\n%v", s.file(request), got, want)
	}
}
