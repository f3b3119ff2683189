package orcatest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/syntax"
)

// rowLimit is the number of statements that a capped endpoint gives at most.
const rowLimit = 70

// An endpointStore is what an endpoint has, loaded at its first request.
type endpointStore struct {
	once   sync.Once
	reader quads.Reader
	err    error
}

// sparql serves an endpoint. "capped" gives few rows whatever is asked; "graphs" has half of its statements in named
// graphs that its default graph lacks; "described" says what it is; the others answer a request without a query with an
// error. "path" is known by its address alone.
func (n *Node) sparql() func(http.ResponseWriter, *http.Request) {
	n.Entry = fmt.Sprintf("http://%s/sparql", n.Host)
	if n.Form == "plain" {
		n.Entry = fmt.Sprintf("http://%s/api/endpoint", n.Host)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		if "http://"+n.Host+r.URL.Path != n.Entry {
			http.NotFound(w, r)
			return
		}
		query := r.FormValue("query")
		switch {
		case query == "" && n.Form == "described":
			send(w, "text/turtle", fmt.Sprintf("@prefix sd: <http://www.w3.org/ns/sparql-service-description#> .\n<#s> a sd:Service ; sd:endpoint <%s> .\n", n.Entry))
			return
		case query == "":
			http.Error(w, "query is missing", http.StatusBadRequest)
			return
		}
		statements, err := n.answer(r.Context(), query)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/turtle")
		write(w, "ttl", slices.Values(statements))
	}
}

// load fills the store.
func (n *Node) load() {
	m := quads.NewMemory()
	k := 0
	_, n.store.err = m.Load(func(yield func(rdf.Quad, error) bool) {
		for s := range n.all() {
			q := rdf.Quad{S: s.S, P: s.P, O: s.O}
			if k++; n.Form == "graphs" && k%2 == 0 {
				q.G = rdf.NewIRI(fmt.Sprintf("http://%s/graph/%d", n.Host, k%3))
			}
			if !yield(q, nil) {
				return
			}
		}
	}, "")
	n.store.reader = m.Snapshot()
}

// answer evaluates a CONSTRUCT query.
func (n *Node) answer(ctx context.Context, query string) (all []rdf.Triple, err error) {
	n.store.once.Do(n.load)
	tree, err := syntax.ParseQuery(query, syntax.Options{Base: n.Entry})
	if err = errors.Join(err, n.store.err); err != nil {
		return nil, err
	}
	if tree.Form != syntax.ConstructForm {
		return nil, errors.New("only CONSTRUCT is answered here")
	}
	if n.Form == "capped" && (tree.Select.Limit == syntax.NoLimit || tree.Select.Limit > rowLimit) {
		tree.Select.Limit = rowLimit
	}
	q, err := algebra.TranslateQuery(tree)
	if err != nil {
		return nil, err
	}
	result, err := eval.Query(ctx, n.store.reader, q, eval.Options{})
	if err != nil {
		return nil, err
	}
	for s, err := range result.Triples() {
		if err != nil {
			return nil, errors.Join(err, result.Close())
		}
		all = append(all, s)
	}
	return all, result.Close()
}
