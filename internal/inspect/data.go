package inspect

import (
	"context"
	"errors"

	"orbweaver/internal/assembly"
	"orbweaver/internal/judge"
	"orbweaver/rdf"
)

// A DataQuery asks for the statements of a page.
type DataQuery struct {
	URL   string `json:"url"`
	Limit int    `json:"limit,omitempty"` // most statements; 0: MostRows
}

// Data are the statements that a page has: RDF documents, and data within HTML.
type Data struct {
	Graph      string   `json:"graph"`      // IRI of the graph that has them; empty: the page has none
	Statements []string `json:"statements"` // as N-Triples, at most MostRows
	More       bool     `json:"more"`       // there are more
}

// Data returns the statements of a page that was fetched. The error wraps ErrUnknown if it was not.
func (h *Handle) Data(ctx context.Context, q DataQuery) (d Data, err error) {
	if q.URL, err = judge.AddressOf(q.URL); err != nil {
		return d, err
	}
	return dataCall.ask(ctx, h, q)
}

var dataCall = call[DataQuery, Data]{name: "data", do: func(ctx context.Context, p *spot, q DataQuery) (d Data, err error) {
	d.Statements = []string{}
	ended := p.between(ctx, func() {
		if d.Graph, err = p.ledger.GraphOf(q.URL); err != nil || d.Graph == "" {
			return
		}
		for s, failed := range p.ledger.Quads(rdf.Term{}, rdf.Term{}, rdf.Term{}, rdf.NewIRI(d.Graph)) {
			if err = errors.Join(failed, ctx.Err()); err != nil {
				return
			}
			if len(d.Statements) == rows(q.Limit) {
				d.More = true
				return
			}
			d.Statements = append(d.Statements, assembly.Statement(s))
		}
	})
	return d, errors.Join(ended, err)
}}
