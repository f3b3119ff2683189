package endpointtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/results"
	"orbweaver/rdf/sparql/syntax"
	rdfsyntax "orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
)

// Limits of an evaluation, in case a crawl sends expensive queries.
const (
	maxSteps = 50_000_000
	maxBytes = 64 << 20
)

// errSorted reports that the endpoint does not sort so many rows.
//
//lint:ignore ST1005 the words are Virtuoso's
var errSorted = errors.New("Virtuoso 22023 Error SR353")

// answer is a complete answer.
type answer struct {
	mediaType string
	body      string
	rows      int // of a SELECT query
}

// evaluate answers a query in an accepted format, up to the endpoint's row limit. Graphs are N-Triples.
func (e *Endpoint) evaluate(ctx context.Context, query, accept string) (answer, error) {
	tree, err := syntax.ParseQuery(query, syntax.Options{Base: e.URL})
	if err != nil {
		return answer{}, fmt.Errorf("%s: %w", malformed, err)
	}
	if err := e.shorten(&tree.Select, tree.Form); err != nil {
		return answer{}, err
	}
	q, err := algebra.TranslateQuery(tree)
	if err != nil {
		return answer{}, fmt.Errorf("%s: %w", malformed, err)
	}
	res, err := eval.Query(ctx, e.store, q, eval.Options{MaxSteps: maxSteps, MaxBytes: maxBytes})
	if err != nil {
		return answer{}, err
	}
	a, err := write(res, accept)
	return a, errors.Join(err, res.Close())
}

// shorten adds the endpoint's row limit to a query, or refuses to sort too many rows.
func (e *Endpoint) shorten(s *syntax.Select, form syntax.Form) error {
	most := int64(e.MaxRows())
	if form != syntax.SelectForm || most == 0 {
		return nil
	}
	sorts := int64(e.options.Sorts)
	if sorted := s.Limit + s.Offset; e.Profile.Tells && sorts > 0 && s.Limit != syntax.NoLimit && len(s.OrderBy) > 0 && sorted > sorts {
		//lint:ignore ST1005 the words are Virtuoso's
		return fmt.Errorf("%w: Sorted TOP clause specifies more then %d rows to sort. Only %d are allowed.", errSorted, sorted, sorts)
	}
	if s.Limit == syntax.NoLimit || s.Limit > most {
		s.Limit = most
	}
	return nil
}

// write encodes a result.
func write(res *eval.Result, accept string) (answer, error) {
	var body strings.Builder
	if res.Form == algebra.ConstructForm || res.Form == algebra.DescribeForm {
		out := nquads.NewWriter(&body)
		for t, err := range res.Triples() {
			if err != nil {
				return answer{}, err
			}
			if err := out.Write(rdf.Quad{S: t.S, P: t.P, O: t.O}); err != nil {
				return answer{}, err
			}
		}
		err := out.Close()
		return answer{mediaType: rdfsyntax.NTriples.MediaType(), body: body.String()}, err
	}
	format := results.Negotiate(accept)
	if format == results.Unknown {
		format = results.XML
	}
	a := answer{mediaType: format.MediaType()}
	if res.Form == algebra.AskForm {
		err := results.WriteBoolean(&body, format, res.Boolean)
		a.body = body.String()
		return a, err
	}
	out := results.NewWriter(&body, format, res.Vars)
	for row, err := range res.Rows() {
		if err == nil {
			err = out.Write(row)
		}
		if err != nil {
			return answer{}, err
		}
		a.rows++
	}
	err := out.Close()
	a.body = body.String()
	return a, err
}

// refusedBy returns the status for a failed query: 400 for a malformed one, 500 for one that exceeds a
// limit.
func refusedBy(err error) int {
	if strings.HasPrefix(err.Error(), malformed) {
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}
