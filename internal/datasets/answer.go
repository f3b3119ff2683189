package datasets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/results"
	"orbweaver/rdf/sparql/syntax"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/weburl"
)

// Fetcher answers requests.
type Fetcher interface {
	Fetch(context.Context, orbweaver.Request) (*step.Response, error)
}

// Before wraps a web: the store answers requests for the datasets that it holds. A nil store holds none.
// The error for an unknown dataset wraps ErrAbsent.
func (s *Store) Before(web Fetcher) Fetcher { return front{s, web} }

type front struct {
	store *Store
	web   Fetcher
}

// Fetch answers requests for datasets from the store, and others from the web.
func (f front) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	name, ok := weburl.DatasetName(r.URL)
	if !ok {
		return f.web.Fetch(ctx, r)
	}
	if f.store != nil {
		response, err := f.store.answer(ctx, name, r)
		if response != nil || err != nil {
			return response, err
		}
	}
	response, err := f.web.Fetch(ctx, r) // an archive may hold an earlier answer
	if err != nil && orbweaver.FailureOf(err) == orbweaver.ErrBadURL {
		err = fmt.Errorf("fetch %s: no such dataset was loaded: %w", r.URL, orbweaver.ErrAbsent)
	}
	return response, err
}

// answer responds like an endpoint: with 200 and rows, or with another status and an explanation. It
// returns nil for an unknown dataset. The error is that of ctx or of the store.
func (s *Store) answer(ctx context.Context, name string, r orbweaver.Request) (*step.Response, error) {
	if _, ok, err := s.Record(name); err != nil || !ok {
		return nil, err
	}
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	case <-ctx.Done():
		return nil, fmt.Errorf("fetch %s: %w", r.URL, ctx.Err())
	}
	snapshot := s.db.NewSnapshot()
	defer snapshot.Close()
	if _, ok, err := recordOf(snapshot, name); err != nil || !ok { // it may have been removed meanwhile
		return nil, err
	}
	timed, cancel := context.WithTimeout(ctx, s.limits.Time)
	defer cancel()
	e := &evaluation{limits: s.limits, header: http.Header{}}
	err := e.run(timed, s.quads.Over(snapshot), name, r.Query)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("fetch %s: %w", r.URL, ctx.Err())
	}
	status := http.StatusOK
	if err != nil {
		status = statusOf(err)
		e.refuse(err, s.limits.Time)
	}
	return &step.Response{
		Request: r, Status: status, Header: e.header, At: time.Now().UTC(),
		Body: io.NopCloser(bytes.NewReader(e.text.Bytes())),
	}, nil
}

// evaluation is the evaluation of one query.
type evaluation struct {
	limits Limits
	header http.Header
	text   bytes.Buffer
}

// errQuery reports an invalid query.
var errQuery = errors.New("query")

// errLong reports an answer over the limit of bytes.
var errLong = errors.New("the answer is too long")

// run evaluates a query over the graph of a dataset. It ignores the FROM clauses of the query.
func (e *evaluation) run(ctx context.Context, r quads.Reader, name, text string) error {
	tree, err := syntax.ParseQuery(text, syntax.Options{})
	if err != nil {
		return fmt.Errorf("malformed %w: %w", errQuery, err)
	}
	q, err := algebra.TranslateQuery(tree)
	if err != nil {
		return fmt.Errorf("malformed %w: %w", errQuery, err)
	}
	graph, err := weburl.Dataset(name)
	if err != nil {
		return err
	}
	q.Dataset = algebra.Dataset{Default: []string{graph}}
	opts := eval.Options{MaxBytes: e.limits.Memory}
	if q.Form == algebra.ConstructForm || q.Form == algebra.DescribeForm {
		opts.MaxRows = e.limits.Rows
	}
	res, err := eval.Query(ctx, r, q, opts)
	if err != nil {
		return err
	}
	return errors.Join(e.write(res), res.Close())
}

// write writes an answer.
func (e *evaluation) write(res *eval.Result) error {
	switch res.Form {
	case algebra.AskForm:
		e.header.Set("Content-Type", results.JSON.MediaType())
		return results.WriteBoolean(e, results.JSON, res.Boolean)
	case algebra.SelectForm:
		e.header.Set("Content-Type", results.JSON.MediaType())
		return e.rows(res)
	}
	e.header.Set("Content-Type", "application/n-triples")
	out := nquads.NewWriter(e)
	for t, err := range res.Triples() {
		if err == nil {
			err = out.Write(rdf.Quad{S: t.S, P: t.P, O: t.O})
		}
		if err != nil {
			return err
		}
	}
	return out.Close()
}

// rows writes rows, and reports truncation as endpoints do, in a header.
func (e *evaluation) rows(res *eval.Result) error {
	out := results.NewWriter(e, results.JSON, res.Vars)
	n := int64(0)
	for row, err := range res.Rows() {
		if err != nil {
			return err
		}
		if n >= e.limits.Rows {
			e.header.Set("X-SPARQL-MaxRows", strconv.FormatInt(e.limits.Rows, 10))
			break
		}
		if err := out.Write(row); err != nil {
			return err
		}
		n++
	}
	return out.Close()
}

// Write appends a part of the answer.
func (e *evaluation) Write(p []byte) (int, error) {
	if int64(e.text.Len()+len(p)) > e.limits.Answer {
		return 0, fmt.Errorf("%w: more than %d bytes", errLong, e.limits.Answer)
	}
	return e.text.Write(p)
}

// refuse replaces the answer by an explanation.
func (e *evaluation) refuse(err error, limit time.Duration) {
	e.text.Reset()
	e.header = http.Header{"Content-Type": {"text/plain; charset=utf-8"}}
	if isLate(err) {
		err = fmt.Errorf("query timed out after %v", limit)
	}
	e.text.WriteString(err.Error() + "\n")
}

// statusOf returns the HTTP status for an error.
func statusOf(err error) int {
	switch {
	case errors.Is(err, errQuery), errors.Is(err, eval.ErrService):
		return http.StatusBadRequest
	case errors.Is(err, errLong), errors.Is(err, eval.ErrRows), errors.Is(err, eval.ErrMemory):
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusInternalServerError
}

func isLate(err error) bool {
	return errors.Is(err, eval.ErrTime) || errors.Is(err, context.DeadlineExceeded)
}
