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

// Defaults of FederationOptions, and fixed limits.
const (
	federationTime  = 2 * time.Minute
	federationRows  = 1_000_000
	federationBytes = 64 << 20
)

const (
	federationHops = 5    // redirects followed in a row
	maxEndpoints   = 1000 // endpoints whose capabilities are remembered
)

// FederationOptions configures how queries and updates reach the Web. Each zero limit selects the default
// in parentheses.
type FederationOptions struct {
	AllowPrivate crawlfile.Private // private addresses that may be reached; zero value: none
	UserAgent    string            // (orbweaver)
	Timeout      time.Duration     // per request, including reading the answer (2 min); contexts may end it earlier
	MaxRows      int               // per answer: rows, or triples of a document (1 000 000)
	MaxBytes     int64             // per answer or document, decompressed (64 MB)
	Wire         wire.Wire
}

// Federation sends SERVICE queries to other endpoints and fetches Web documents for LOAD. It implements
// eval.Service and eval.Loader, and is safe for concurrent use.
//
// Queries may come from strangers. A Federation therefore refuses private addresses unless they are
// allowed, redirect targets included. It sends one query at a time to an endpoint; others wait until their
// contexts end. So does a query that an endpoint sends to itself through the same Federation. A Federation
// remembers the capabilities that each endpoint shows. It ignores robots.txt, because it acts for a user
// and not as a crawler.
type Federation struct {
	client  *client.Client
	timeout time.Duration
	limits  sparql.Limits
	loads   atomic.Int64 // documents loaded so far

	mu        sync.Mutex
	endpoints map[string]*endpoint
}

// endpoint is the remembered state of one endpoint.
type endpoint struct {
	users   int           // goroutines that hold it or wait for it
	turn    chan struct{} // held by the goroutine that queries it
	dialect sparql.Dialect
}

// NewFederation returns a federation. It opens no connection before its first use.
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

// Select sends an endpoint a SELECT query without LIMIT and OFFSET. An incomplete answer is an error, also
// one that the endpoint truncated. Errors name the endpoint and quote its answer: see sparql.Error.
func (f *Federation) Select(ctx context.Context, endpoint, query string, columns []string) iter.Seq2[[]rdf.Term, error] {
	return func(yield func([]rdf.Term, error) bool) {
		a := asking{federation: f, ctx: ctx, columns: columns, yield: yield}
		if err := a.follow(endpoint, query); err != nil && !a.enough {
			yield(nil, err)
		}
	}
}

// asking is the state of one query.
type asking struct {
	federation *Federation
	ctx        context.Context
	query      sparql.Query
	columns    []string
	yield      func([]rdf.Term, error) bool
	enough     bool // the consumer wants no more rows
}

// follow queries an endpoint, and follows its redirects.
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

// turn waits for the endpoint's turn and queries it. If the endpoint refuses GET or POST, turn tries the
// other method.
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

// ask sends the query once, yields the rows and verifies that they are complete.
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

// hand yields the rows of an answer, reduced to the wanted columns.
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

// timeLeft returns how long an answer may take.
func (f *Federation) timeLeft(ctx context.Context) time.Duration {
	left := f.timeout
	if deadline, ok := ctx.Deadline(); ok {
		left = min(left, max(time.Until(deadline), time.Millisecond))
	}
	return left
}

// enter waits until no other goroutine queries an endpoint.
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

// leave releases the endpoint to the next goroutine.
func (f *Federation) leave(e *endpoint) {
	<-e.turn
	f.mu.Lock()
	defer f.mu.Unlock()
	e.users--
}

// remember returns the remembered state of an endpoint. Above maxEndpoints it drops those that no
// goroutine uses.
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
