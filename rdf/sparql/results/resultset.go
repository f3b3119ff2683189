package results

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"orbweaver/internal/order"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
)

// The vocabulary of result sets, and related terms.
const (
	rs      = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#"
	rdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
)

// maxTriples bounds a result set in RDF, which is held in memory.
const maxTriples = 1_000_000

// A resultSet is the graph of a result set: objects by subject and predicate.
type resultSet map[rdf.Term]map[string][]rdf.Term

// readRDF reads a result set in Turtle or RDF/XML. Rows with an rs:index are in its order.
func readRDF(s *source) (*Results, error) {
	in := bufio.NewReaderSize(s, 4096)
	head, _ := in.Peek(1024) // an error recurs on the next read
	format := syntax.Detect("", "", head)
	if format == syntax.Unknown {
		format = syntax.Turtle
	}
	graph := resultSet{}
	var set rdf.Term
	n := 0
	opts := syntax.Options{Base: s.opts.Base, MaxToken: s.opts.MaxToken}
	for t, err := range document.Read(uncounted{s, in}, format, opts) {
		if err != nil {
			return nil, err
		}
		if n++; n > maxTriples {
			return nil, fmt.Errorf("more than %d triples: %w", maxTriples, ErrLimit)
		}
		if t.P.Value == rdfType && t.O.Value == rs+"ResultSet" {
			set = t.S
		}
		if graph[t.S] == nil {
			graph[t.S] = map[string][]rdf.Term{}
		}
		graph[t.S][t.P.Value] = append(graph[t.S][t.P.Value], t.O)
	}
	if set.IsZero() {
		return nil, errors.New("no result set")
	}
	if b := graph.one(set, "boolean"); !b.IsZero() {
		is := b.Value == "true" || b.Value == "1"
		return &Results{Vars: []string{}, Boolean: &is}, nil
	}
	return graph.rows(set)
}

// uncounted reads up to the answer's limit; the parser limits tokens.
type uncounted struct {
	s  *source
	in io.Reader
}

func (u uncounted) Read(p []byte) (int, error) {
	u.s.complete()
	return u.in.Read(p)
}

// one returns an object of a property of the vocabulary, or none.
func (g resultSet) one(subject rdf.Term, name string) rdf.Term {
	if all := g[subject][rs+name]; len(all) > 0 {
		return all[0]
	}
	return rdf.Term{}
}

// rows returns the rows of a result set.
func (g resultSet) rows(set rdf.Term) (*Results, error) {
	var names []string
	for _, v := range g[set][rs+"resultVariable"] {
		names = append(names, v.Value)
	}
	by, vars, err := newColumns(names)
	if err != nil {
		return nil, err
	}
	type indexed struct {
		index int
		row   Row
	}
	var all []indexed
	for _, solution := range g[set][rs+"solution"] {
		next := indexed{row: make(Row, len(vars))}
		if index := g.one(solution, "index"); !index.IsZero() {
			if next.index, err = strconv.Atoi(index.Value); err != nil {
				return nil, fmt.Errorf("index %s", index.Value)
			}
		}
		for _, binding := range g[solution][rs+"binding"] {
			name := g.one(binding, "variable").Value
			column, ok := by[name]
			if !ok {
				return nil, fmt.Errorf("a value of ?%s, which is no result variable", name)
			}
			next.row[column] = g.one(binding, "value")
		}
		all = append(all, next)
	}
	order.Stably(all, func(a, b indexed) int { return a.index - b.index })
	return &Results{Vars: vars, Rows: iter.Seq2[Row, error](func(yield func(Row, error) bool) {
		for _, a := range all {
			if !yield(a.row, nil) {
				return
			}
		}
	})}, nil
}
