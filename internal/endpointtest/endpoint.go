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

// The paths of an endpoint.
const (
	path      = "/sparql"
	movedPath = "/moved/sparql"
)

// usualMaxRows is a number of rows at which an endpoint would stop: it looks like one.
const usualMaxRows = 1000

// Options say what endpoints hold, and how large and late what the survey does not measure is.
type Options struct {
	// Contents are the triples of an endpoint, down or not; nil: none.
	Contents func(Profile) []rdf.Quad

	MaxRows int           // at which those that cut stop; 0: 1000
	Sorts   int           // rows up to which those that tell sort for ORDER BY with LIMIT, as Virtuoso does; 0: any number
	Delay   time.Duration // after which those that are slow answer; 0: at once
}

// An Endpoint is one on loopback. Any number of goroutines may ask it.
type Endpoint struct {
	URL     string
	Profile Profile

	quads   []rdf.Quad
	store   quads.Reader
	options Options
	manners manners
}

// Figures are how it was asked so far.
func (e *Endpoint) Figures() Figures { return e.manners.figures() }

// Begun is when each request so far began, in order.
func (e *Endpoint) Begun() []time.Time { return e.manners.begun() }

// Queries are the texts of the queries that it was asked so far, in their order.
func (e *Endpoint) Queries() []string { return e.manners.queries() }

// MaxRows is at how many rows it stops; 0: it does not.
func (e *Endpoint) MaxRows() int {
	if e.Profile.Cuts {
		return e.options.MaxRows
	}
	return 0
}

// Start stands an endpoint up for each row, in their order, on 127.0.0.1 until the test ends. Those that
// are down have a port that refuses connections and that nobody else gets.
func Start(t testing.TB, rows []Row, o Options) []*Endpoint {
	t.Helper()
	listeners := make([]net.Listener, len(rows)) // all first: a port that is given back may be given out again
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
		e.URL = "http://" + listeners[i].Addr().String() + path
		if e.Profile.Always.Kind == Down {
			hold(t, listeners[i], holder)
		} else {
			serve(t, e, listeners[i])
		}
		all = append(all, e)
	}
	if t.Failed() {
		t.FailNow()
	}
	return all
}

// New returns the endpoint of a row without a port: for its Handler alone.
func New(t testing.TB, row Row, o Options) *Endpoint {
	t.Helper()
	e, err := newEndpoint(row, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Handler answers for the endpoint at /sparql, and notes what it is asked.
func (e *Endpoint) Handler() http.Handler { return e.manners.watched(http.HandlerFunc(e.serve)) }

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

// hold has a listener's port refuse connections until the test ends: it becomes the near end of a
// connection, so that no other listener is given it.
func hold(t testing.TB, l, holder net.Listener) {
	t.Helper()
	l.Close()
	dialer := net.Dialer{LocalAddr: l.Addr()}
	c, err := dialer.Dial("tcp4", holder.Addr().String())
	if err != nil {
		t.Fatalf("hold %s: %v", l.Addr(), err)
	}
	t.Cleanup(func() { c.Close() })
}

// serve serves an endpoint until the test ends.
func serve(t testing.TB, e *Endpoint, l net.Listener) {
	server := &http.Server{Handler: e.Handler(), ErrorLog: log.New(io.Discard, "", 0)} // of clients that go away
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
