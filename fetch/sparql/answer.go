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

// The limits that stand where Limits says nothing.
const (
	DefaultMaxRows  = 1_000_000
	DefaultMaxBytes = 1 << 30
	DefaultMaxToken = 16 << 20
)

// Limits are how much of an answer is read.
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

// A Cut is how an endpoint left out a part of an answer and said 200 all the same. Empty: it did not,
// as far as one can see.
type Cut string

// The cuts.
const (
	CutTold  Cut = "max-rows" // the answer has as many rows as the header says are the most
	CutTime  Cut = "time"     // the endpoint says that it gave up on time
	CutRound Cut = "round"    // a guess: as many rows as it cut at before, or a round number of them
)

// An Answer is what an endpoint answers. Of its Boolean, Rows and Quads one is there, by the form of
// the query.
type Answer struct {
	Vars    []string                      // columns of Rows, without "?"
	Boolean *bool                         // of ASK
	Rows    iter.Seq2[results.Row, error] // of SELECT; once; rows are the caller's to keep; ends with its first error
	Quads   iter.Seq2[rdf.Quad, error]    // of CONSTRUCT and DESCRIBE, likewise
	Format  string                        // that the bytes show, by name
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
	torn     error // what was skipped last, if nothing was read since
	seen     seen
}

// Cut reports whether the endpoint left something out. It is known when all has been read.
func (a *Answer) Cut() Cut { return a.cut }

// Skipped is how many statements of a graph made no sense and were left out. It is known when all has
// been read.
func (a *Answer) Skipped() int { return a.skipped }

// Close lets the answer go. It may be called again.
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

const headLength = 2 << 10 // bytes that show what an answer is

// open finds out what came, and reads it up to its first row.
func (a *Answer) open(r *step.Response) error {
	if r.Status/100 == 3 {
		e := a.failed(ErrMoved, "")
		e.To = withoutQuery(r.Redirect)
		return e
	}
	if r.Status/100 != 2 {
		head, _ := a.in.Peek(maxHead) // half a message is one
		class, stated := classify(r.Status, text(head))
		e := a.failed(class, plain(head))
		e.stated = e.stated && stated
		return e
	}
	head, err := a.in.Peek(headLength)
	head = bytes.Clone(head) // reading on writes over it
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

// page returns what a page instead of an answer means.
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
