package sparql

import (
	"bytes"
	"context"
	"io"
	"slices"

	"orbweaver/internal/step"
	"orbweaver/rdf"
)

// A Whole is an answer read to its end. It has Results or Quads, depending on the query.
type Whole struct {
	*Answer
	Results *rdf.Results // of SELECT and ASK
	Graph   []rdf.Quad   // of CONSTRUCT and DESCRIBE; not nil then
}

// ReadWhole reads the answer to a request with a Query from payload, the entity body, which may have content
// codings. It does not read the response's own body. The answer is never nil; with or without an error it can
// be passed to Dialect.Learn.
//
// Truncation is detected from the answer alone, not from what is known of the endpoint, so that reading it
// again from an archive gives the same. Errors are as those of Read; an invalid query wraps ErrQuery, since no
// endpoint can answer it.
func ReadWhole(ctx context.Context, r *step.Response, payload []byte, limits Limits) (*Whole, error) {
	q, unreadable := ReadQuery(r.Request.Query)
	response := *r
	response.Body = io.NopCloser(bytes.NewReader(payload))
	answer, err := read(ctx, &response, Endpoint{URL: r.Request.URL}, q, wasPosted(r), limits)
	if err != nil {
		return nil, err
	}
	if unreadable != nil { // and no endpoint should have answered it
		answer.Close()
		return nil, answer.failed(ErrParse, unreadable.Error())
	}
	w := &Whole{Answer: answer}
	switch {
	case answer.Boolean != nil:
		w.Results = &rdf.Results{Boolean: answer.Boolean}
	case answer.Quads != nil:
		w.Graph = []rdf.Quad{}
		w.Graph, err = gathered(w.Graph, answer.Quads)
	default:
		w.Results = &rdf.Results{Vars: answer.Vars}
		w.Results.Rows, err = gathered(w.Results.Rows, answer.Rows)
		w.Results.Cut = string(answer.Cut())
	}
	if err != nil {
		return nil, err
	}
	return w, nil
}

// gathered appends a sequence to a slice and stops at its first error.
func gathered[T any](all []T, in func(func(T, error) bool)) ([]T, error) {
	for t, err := range in {
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return slices.Clip(all), nil
}

// wasPosted reports whether a live response is to a posted query. It is unknown for archived ones.
func wasPosted(r *step.Response) bool { return r.Asked.Get("Content-Type") == formType }
