// Package endpoints reads what SPARQL endpoints answer in a crawl, and keeps what became known of each:
// how it is asked best, how often it failed and why, how long it takes.
//
// A Book is filled by a Fetcher that it stands behind, which sees what goes over the network, and by a
// Reader, which sees what answers say. It serves those who ask next, in this crawl and, from a file, in
// the next. What a crawl makes of an answer never depends on it: the same answers from an archive, without
// a Book, give the same pages.
package endpoints

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/fetch/sparql"
)

// maxEndpoints is how many a Book has; of those met later nothing is kept.
const maxEndpoints = 100_000

// A Health is what is known of one endpoint, over all crawls.
type Health struct {
	Endpoint string                      `json:"endpoint"` // its URL, without parameters of the protocol
	Requests int64                       `json:"requests"` // that had its turn, redirects included
	Answers  int64                       `json:"answers"`  // in good order
	Failures map[orbweaver.Failure]int64 `json:"failures,omitempty"`
	Last     time.Time                   `json:"last,omitzero"` // latest request
	Timed    int64                       `json:"timed,omitempty"`
	Mean     float64                     `json:"mean_ms,omitempty"` // milliseconds of the Timed answers, to their last byte
	Dialect  sparql.Dialect              `json:"dialect,omitzero"`
}

// A Book is what is known of endpoints. Any number of goroutines may use it.
type Book struct {
	began time.Time // when it was opened
	mu    sync.Mutex
	known map[string]*Health
}

// New returns an empty book.
func New() *Book { return &Book{began: time.Now(), known: map[string]*Health{}} }

// Observe takes an outcome of a crawl: of an endpoint whose host failed before it could be asked once, the
// outcome alone tells. A nil book takes nothing.
func (b *Book) Observe(o orbweaver.Outcome) {
	if b == nil || o.Request.Query == "" || o.Err == nil || o.Status != 0 || !strings.HasPrefix(o.Request.URL, "http") {
		return
	}
	b.note(o.Request.URL, func(h *Health) {
		if h.Last.Before(b.began.Truncate(time.Millisecond)) {
			h.Failures[orbweaver.FailureOf(o.Err)]++
		}
	})
}

// All are the endpoints by their URLs, in the order of these.
func (b *Book) All() []Health {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []Health
	for _, url := range slices.Sorted(maps.Keys(b.known)) {
		h := *b.known[url]
		h.Failures = maps.Clone(h.Failures)
		all = append(all, h)
	}
	return all
}

// Dialect is what is known of the ways of an endpoint.
func (b *Book) Dialect(endpoint string) sparql.Dialect {
	b.mu.Lock()
	defer b.mu.Unlock()
	if h, ok := b.known[bare(endpoint)]; ok {
		return h.Dialect
	}
	return sparql.Dialect{}
}

// Put returns a request with a Query as it goes over HTTP: see sparql.Dialect.Put.
func (b *Book) Put(r orbweaver.Request) (to orbweaver.Request, mediaType string, form []byte) {
	return b.Dialect(r.URL).Put(r)
}

// note changes what is known of an endpoint.
func (b *Book) note(endpoint string, change func(*Health)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	url := bare(endpoint)
	h, ok := b.known[url]
	if !ok {
		if len(b.known) >= maxEndpoints {
			return
		}
		h = &Health{Endpoint: strings.Clone(url), Failures: map[orbweaver.Failure]int64{}}
		b.known[h.Endpoint] = h
	}
	change(h)
}

// asked notes a request.
func (b *Book) asked(endpoint string, at time.Time) {
	b.note(endpoint, func(h *Health) {
		h.Requests++
		h.Last = at.UTC().Truncate(time.Millisecond)
	})
}

// failed notes what became of one.
func (b *Book) failed(endpoint string, why orbweaver.Failure) {
	b.note(endpoint, func(h *Health) { h.Failures[why]++ })
}

// took notes how long an answer took.
func (b *Book) took(endpoint string, d time.Duration) {
	b.note(endpoint, func(h *Health) {
		h.Timed++
		h.Mean += (float64(d)/float64(time.Millisecond) - h.Mean) / float64(h.Timed)
	})
}

// learn notes what an answer, or the error that came instead, taught.
func (b *Book) learn(endpoint string, a *sparql.Answer, err error) {
	b.note(endpoint, func(h *Health) {
		h.Dialect = h.Dialect.Learn(a, err)
		if err != nil {
			h.Failures[orbweaver.FailureOf(err)]++
			return
		}
		h.Answers++
	})
}

// bare is the URL of an endpoint without the parameters that are of the protocol.
func bare(endpoint string) string {
	if !strings.Contains(endpoint, "?") {
		return endpoint
	}
	to, _ := sparql.ByForm(orbweaver.Request{URL: endpoint})
	return to.URL
}
