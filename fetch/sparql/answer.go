package sparql

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"iter"
	"net/http"
	"strings"

	"orbweaver/internal/step"
	"orbweaver/rdf"
	"orbweaver/rdf/sparql/results"
)

// Defaults of Limits.
const (
	DefaultMaxRows  = 1_000_000
	DefaultMaxBytes = 1 << 30
	DefaultMaxToken = 16 << 20
)

// Limits bound how much of an answer is read.
type Limits struct {
	Rows  int   // or triples; 0: DefaultMaxRows
	Bytes int64 // without content codings; 0: DefaultMaxBytes
	Token int   // bytes of one value or, in some formats, row; 0: DefaultMaxToken
}

func (l Limits) filled() Limits {
	if l.Rows <= 0 {
		l.Rows = DefaultMaxRows
	}
	if l.Bytes <= 0 {
		l.Bytes = DefaultMaxBytes
	}
	if l.Token <= 0 {
		l.Token = DefaultMaxToken
	}
	return l
}

// A Cut is how an endpoint truncated an answer of status 200. Empty: no truncation was detected.
type Cut string

// The cuts.
const (
	CutTold  Cut = "max-rows" // as many rows as the maximum in the header
	CutTime  Cut = "time"     // the endpoint reports a time limit
	CutRound Cut = "round"    // a guess: as many rows as in an earlier truncation, or a round number
)

// An Answer is the answer of an endpoint. The form of the query decides which of Boolean, Rows and Quads it
// has.
type Answer struct {
	Vars    []string                      // columns of Rows, without "?"
	Boolean *bool                         // of ASK
	Rows    iter.Seq2[results.Row, error] // of SELECT; single use; the caller may keep rows; ends with its first error
	Quads   iter.Seq2[rdf.Quad, error]    // of CONSTRUCT and DESCRIBE, likewise
	Format  string                        // name of the format, detected from the bytes
	Media   string                        // its media type
	Header  http.Header                   // as received

	ctx      context.Context
	endpoint Endpoint
	query    Query
	limits   Limits
	status   int
	body     *body
	in       *bufio.Reader
	cut      Cut
	count    int64 // rows or quads so far
	skipped  int
	torn     error // the last skipped statement, if nothing was read since
	seen     seen
}

// Cut reports whether the endpoint truncated the answer. It is known once all has been read.
func (a *Answer) Cut() Cut { return a.cut }

// Skipped is the number of invalid statements of a graph that were left out. It is known once all has been
// read.
func (a *Answer) Skipped() int { return a.skipped }

// Close releases the answer. It may be called again.
func (a *Answer) Close() { a.body.Close() }

func read(ctx context.Context, r *step.Response, e Endpoint, q Query, posted bool, limits Limits) (*Answer, error) {
	limits = limits.filled()
	a := &Answer{
		Header: r.Header, ctx: ctx, endpoint: e, query: q, limits: limits, status: r.Status,
		seen: seen{post: posted, modern: q.Modern, server: r.Header.Get("Server")},
	}
	body, err := newBody(ctx, r, limits.Bytes)
	a.body, a.in = body, bufio.NewReaderSize(body, maxHead)
	if err == nil {
		err = a.open(r)
	} else {
		err = a.broken(err, nil)
	}
	if err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

const headLength = 2 << 10 // bytes that identify an answer's format

// open detects the format and reads up to the first row.
func (a *Answer) open(r *step.Response) error {
	if r.Status/100 == 3 {
		e := a.failed(ErrMoved, "")
		e.To = withoutQuery(r.Redirect)
		return e
	}
	if r.Status/100 != 2 {
		head, _ := a.in.Peek(maxHead) // a partial message suffices
		class, stated := classify(r.Status, text(head))
		e := a.failed(class, plain(head))
		e.stated = e.stated && stated
		return e
	}
	head, err := a.in.Peek(headLength)
	head = bytes.Clone(head) // reading overwrites it
	switch {
	case err != nil && err != io.EOF && len(head) == 0:
		return a.broken(err, nil)
	case len(strings.TrimSpace(string(head))) == 0 && err == io.EOF:
		return a.failed(ErrFormat, "an empty answer")
	case isPage(head):
		return a.page()
	}
	return a.read(r.Header.Get("Content-Type"), head)
}

// page returns the error of an HTML page instead of an answer.
func (a *Answer) page() error {
	page, _ := a.in.Peek(maxHead)
	return a.failed(classifyPage(page), plain(page))
}

// failed returns an error of the answer.
func (a *Answer) failed(class Class, message string) *Error {
	a.seen.refused = class == ErrNoEndpoint
	return &Error{
		Endpoint: a.endpoint.URL, Class: class, Status: a.status, Message: message,
		stated: class == ErrTimedOut, seen: a.seen,
	}
}
