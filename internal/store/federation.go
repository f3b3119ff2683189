package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/guard"
	"orbweaver/fetch/sparql"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/services/wire"
	"orbweaver/rdf"
	"orbweaver/weburl"
)

// The limits of a federation where its options say nothing.
const (
	federationTime  = 2 * time.Minute
	federationRows  = 1_000_000
	federationBytes = 64 << 20
)

const (
	federationHops = 5    // redirects followed in a row
	maxEndpoints   = 1000 // of which something is remembered
)

// FederationOptions say how queries and updates reach the Web. The zero value of each limit stands
// for the one in brackets.
type FederationOptions struct {
	AllowPrivate crawlfile.Private // addresses of private networks that may be reached; the zero value: none
	UserAgent    string            // (orbweaver)
	Timeout      time.Duration     // of one request, its answer read to the end (2 min); contexts may end it before
	MaxRows      int               // rows of an answer, triples of a document (1 000 000)
	MaxBytes     int64             // of an answer or a document, unpacked (64 MB)
	Wire         wire.Wire
}

// A Federation asks other endpoints for SERVICE, and reads documents of the Web for LOAD: it is an
// eval.Service and an eval.Loader. Any number of goroutines may use it.
//
// What is asked is what a query says, be it a stranger's: so nothing private is reached unless it is
// allowed, not by a redirect either. An endpoint is asked one query at a time, and others wait as long as
// their contexts let them: so does one that an endpoint asks of itself, through this one. What it is seen
// to do is remembered for the next. Robots.txt is not looked at: this is a user's asking, no crawler's.
type Federation struct {
	client  *client.Client
	timeout time.Duration
	limits  sparql.Limits
	loads   atomic.Int64 // documents so far

	mu        sync.Mutex
	endpoints map[string]*endpoint
}

// An endpoint is what is remembered of one.
type endpoint struct {
	users   int           // who has it or waits for it
	turn    chan struct{} // held by the one who asks
	dialect sparql.Dialect
}

// NewFederation returns a federation. Nothing is open before it is first used.
func NewFederation(o FederationOptions) *Federation {
	if o.Timeout <= 0 {
		o.Timeout = federationTime
	}
	if o.MaxRows <= 0 {
		o.MaxRows = federationRows
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = federationBytes
	}
	opts := o.Wire.Options
	opts.Timeout, opts.Guard = o.Timeout, guard.New(o.AllowPrivate.All, o.AllowPrivate.Networks)
	if opts.UserAgent = o.UserAgent; opts.UserAgent == "" {
		opts.UserAgent = wire.Agent
	}
	return &Federation{
		client: client.New(opts), timeout: o.Timeout,
		limits:    sparql.Limits{Rows: o.MaxRows, Bytes: o.MaxBytes},
		endpoints: map[string]*endpoint{},
	}
}

// Close closes idle connections.
func (f *Federation) Close() error { return f.client.Close() }

// Select asks an endpoint a SELECT query without LIMIT and OFFSET. An answer that the endpoint cut is
// an error, like any other that is not whole. Errors name the endpoint and say what it answered: see
// sparql.Error.
func (f *Federation) Select(ctx context.Context, endpoint, query string, columns []string) iter.Seq2[[]rdf.Term, error] {
	return func(yield func([]rdf.Term, error) bool) {
		a := asking{federation: f, ctx: ctx, columns: columns, yield: yield}
		if err := a.follow(endpoint, query); err != nil && !a.enough {
			yield(nil, err)
		}
	}
}

// An asking is one query on its way.
type asking struct {
	federation *Federation
	ctx        context.Context
	query      sparql.Query
	columns    []string
	yield      func([]rdf.Term, error) bool
	enough     bool // nobody wants more rows
}

// follow asks an endpoint, or the one that redirects lead to.
func (a *asking) follow(endpoint, query string) error {
	url, err := weburl.Canonical(endpoint)
	if err != nil {
		return fmt.Errorf("%w: %w", orbweaver.ErrBadURL, err)
	}
	if a.query, err = sparql.ReadQuery(query); err != nil {
		return err
	}
	for range federationHops + 1 {
		err := a.turn(url)
		var moved *sparql.Error
		if !errors.As(err, &moved) || moved.Class != sparql.ErrMoved || moved.To == "" {
			return err
		}
		url = moved.To
	}
	return fmt.Errorf("sparql %s: more than %d: %w", endpoint, federationHops, orbweaver.ErrRedirects)
}

// turn asks the endpoint at a URL when its turn has come. One that has no ear for queries by GET, or
// by POST, is asked in the other way.
func (a *asking) turn(url string) error {
	e, err := a.federation.enter(a.ctx, url)
	if err != nil {
		return err
	}
	defer a.federation.leave(e)
	before := e.dialect
	err = a.ask(url, e)
	if errors.Is(err, sparql.ErrNoEndpoint) && (e.dialect.Get != before.Get || e.dialect.Form != before.Form) {
		err = a.ask(url, e)
	}
	return err
}

// ask asks once, hands out the rows and makes sure that they are all.
func (a *asking) ask(url string, e *endpoint) error {
	c := &sparql.Client{Fetcher: a.federation.client, Timeout: a.federation.timeLeft(a.ctx), Limits: a.federation.limits}
	answer, err := c.Ask(a.ctx, sparql.Endpoint{URL: url, Dialect: e.dialect}, a.query)
	if err == nil {
		defer answer.Close()
		if err = a.hand(answer); err == nil && !a.enough {
			err = c.Verify(a.ctx, answer)
		}
	}
	e.dialect = e.dialect.Learn(answer, err)
	return err
}

// hand hands out the rows of an answer by the columns that are wanted.
func (a *asking) hand(answer *sparql.Answer) error {
	at := make([]int, len(a.columns))
	for i, name := range a.columns {
		at[i] = slices.Index(answer.Vars, name)
	}
	for found, err := range answer.Rows {
		if err != nil {
			return err
		}
		row := make([]rdf.Term, len(at))
		for i, column := range at {
			if column >= 0 {
				row[i] = found[column]
			}
		}
		if !a.yield(row, nil) {
			a.enough = true
			return nil
		}
	}
	return nil
}

// timeLeft is how long an answer may take.
func (f *Federation) timeLeft(ctx context.Context) time.Duration {
	left := f.timeout
	if deadline, ok := ctx.Deadline(); ok {
		left = min(left, max(time.Until(deadline), time.Millisecond))
	}
	return left
}

// enter waits until nobody else asks an endpoint.
func (f *Federation) enter(ctx context.Context, url string) (*endpoint, error) {
	e := f.remember(url)
	select {
	case e.turn <- struct{}{}:
		return e, nil
	case <-ctx.Done():
		f.mu.Lock()
		e.users--
		f.mu.Unlock()
		return nil, fmt.Errorf("sparql %s: waiting for another query to it: %w", url, ctx.Err())
	}
}

// leave lets the next one ask.
func (f *Federation) leave(e *endpoint) {
	<-e.turn
	f.mu.Lock()
	defer f.mu.Unlock()
	e.users--
}

// remember returns what is remembered of an endpoint. Where there are too many, those that nobody asks
// now are forgotten.
func (f *Federation) remember(url string) *endpoint {
	f.mu.Lock()
	defer f.mu.Unlock()
	e := f.endpoints[url]
	if e == nil {
		if len(f.endpoints) >= maxEndpoints {
			for known, other := range f.endpoints {
				if other.users == 0 {
					delete(f.endpoints, known)
				}
			}
		}
		e = &endpoint{turn: make(chan struct{}, 1)}
		f.endpoints[url] = e
	}
	e.users++
	return e
}
