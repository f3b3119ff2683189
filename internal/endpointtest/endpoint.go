package endpointtest

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// Paths of an endpoint.
const (
	path      = "/sparql"
	movedPath = "/moved/sparql"
)

// usualMaxRows is a typical row limit.
const usualMaxRows = 1000

// Options sets the contents, and the limits and delays that the survey did not measure.
type Options struct {
	// Contents returns the triples of an endpoint, down or not; nil: none.
	Contents func(Profile) []rdf.Quad

	MaxRows int           // row limit of truncating endpoints; 0: 1000
	Sorts   int           // limit of rows to sort for ORDER BY with LIMIT, as in Virtuoso; 0: none
	Delay   time.Duration // response delay of slow endpoints; 0: none
}

// Endpoint is a SPARQL endpoint on loopback. It is safe for concurrent use.
type Endpoint struct {
	URL     string
	Profile Profile

	quads   []rdf.Quad
	store   quads.Reader
	options Options
	load    load
}

// Figures returns the load so far.
func (e *Endpoint) Figures() Figures { return e.load.figures() }

// Begun returns the start times of all requests, in order.
func (e *Endpoint) Begun() []time.Time { return e.load.begun() }

// Queries returns the texts of all queries, in order.
func (e *Endpoint) Queries() []string { return e.load.queries() }

// MaxRows returns the row limit; 0: none.
func (e *Endpoint) MaxRows() int {
	if e.Profile.Cuts {
		return e.options.MaxRows
	}
	return 0
}

// Start starts an endpoint for each row, in order, on 127.0.0.1 until the test ends. An endpoint that is
// down has a reserved port that refuses connections.
func Start(t testing.TB, rows []Row, o Options) []*Endpoint {
	t.Helper()
	listeners := make([]net.Listener, len(rows)) // all before any is closed: a freed port could be assigned again
	for i := range rows {
		listeners[i] = listen(t)
	}
	holder := listen(t)
	t.Cleanup(func() { holder.Close() })
	var all []*Endpoint
	for i, row := range rows {
		e, err := newEndpoint(row, o)
		if err != nil {
			t.Error(err)
			listeners[i].Close()
			continue
		}
		address := listeners[i].Addr()
		if e.Profile.Always.Kind == Down {
			listeners[i].Close()
			address = refusing(t, holder)
		} else {
			serve(t, e, listeners[i])
		}
		e.URL = "http://" + address.String() + path
		all = append(all, e)
	}
	if t.Failed() {
		t.FailNow()
	}
	return all
}

// New returns the endpoint of a row without a port, to be used through its Handler.
func New(t testing.TB, row Row, o Options) *Endpoint {
	t.Helper()
	e, err := newEndpoint(row, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Handler serves the endpoint at /sparql and records its requests.
func (e *Endpoint) Handler() http.Handler { return e.load.watched(http.HandlerFunc(e.serve)) }

// newEndpoint returns the endpoint of a row, with its contents.
func newEndpoint(row Row, o Options) (*Endpoint, error) {
	profile, err := ProfileOf(row)
	if err != nil {
		return nil, err
	}
	if o.MaxRows <= 0 {
		o.MaxRows = usualMaxRows
	}
	e := &Endpoint{Profile: profile, options: o}
	if o.Contents != nil {
		e.quads = o.Contents(profile)
	}
	m := quads.NewMemory()
	_, err = m.Load(func(yield func(rdf.Quad, error) bool) {
		for _, q := range e.quads {
			if !yield(q, nil) {
				return
			}
		}
	}, "")
	if err != nil {
		return nil, fmt.Errorf("contents of %s: %w", row.Endpoint, err)
	}
	e.store = m.Snapshot()
	return e, nil
}

func listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// refusing returns an address that refuses connections until the test ends. It is the local end of a connection, so that
// nobody can listen on its port.
func refusing(t testing.TB, holder net.Listener) net.Addr {
	t.Helper()
	c, err := net.Dial("tcp4", holder.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c.LocalAddr()
}

// serve serves an endpoint until the test ends.
func serve(t testing.TB, e *Endpoint, l net.Listener) {
	server := &http.Server{Handler: e.Handler(), ErrorLog: log.New(io.Discard, "", 0)} // disconnecting clients are no errors
	var running sync.WaitGroup
	running.Go(func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("serve %s: %v", l.Addr(), err)
		}
	})
	t.Cleanup(func() {
		server.Close()
		running.Wait()
	})
}
