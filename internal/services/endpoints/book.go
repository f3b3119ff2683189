// Package endpoints reads the answers of SPARQL endpoints in a crawl, and records the health and dialect
// of each endpoint: which requests it accepts, how often and why it failed, and how long it takes.
//
// Two parts fill a Book: the Watching fetcher, which observes the network, and the Reader, which observes
// answers. The Book guides later requests of this crawl and, through a file, of later ones. The
// interpretation of an answer never depends on it: the same answers from an archive, without a Book, give
// the same pages.
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

// maxEndpoints bounds the endpoints of a Book; it ignores further ones.
const maxEndpoints = 100_000

// Health is the record of one endpoint, over all crawls.
type Health struct {
	Endpoint string                      `json:"endpoint"` // its URL, without parameters of the protocol
	Requests int64                       `json:"requests"` // sent requests, redirects included
	Answers  int64                       `json:"answers"`  // well-formed answers
	Failures map[orbweaver.Failure]int64 `json:"failures,omitempty"`
	Last     time.Time                   `json:"last,omitzero"`     // time of the latest request
	Answered time.Time                   `json:"answered,omitzero"` // time of the latest well-formed answer
	Timed    int64                       `json:"timed,omitempty"`
	Mean     float64                     `json:"mean_ms,omitempty"`    // mean duration of the Timed answers, to the last byte, in milliseconds
	Slowest  float64                     `json:"slowest_ms,omitempty"` // the longest of them
	Dialect  sparql.Dialect              `json:"dialect,omitzero"`
}

// Book records endpoints. It is safe for concurrent use.
type Book struct {
	began time.Time // time it was opened
	mu    sync.Mutex
	known map[string]*Health
}

// New returns an empty book.
func New() *Book { return &Book{began: time.Now(), known: map[string]*Health{}} }

// Observe records an outcome of a crawl. It matters for an endpoint whose host failed before the first
// request: only the outcome shows that. A nil book ignores it.
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

// All returns the endpoints, ordered by URL.
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

// Of returns the record of an endpoint; false if there is none. A nil book has none.
func (b *Book) Of(endpoint string) (Health, bool) {
	if b == nil {
		return Health{}, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	h, ok := b.known[Bare(endpoint)]
	if !ok {
		return Health{}, false
	}
	known := *h
	known.Failures = maps.Clone(h.Failures)
	return known, true
}

// Dialect returns the known dialect of an endpoint.
func (b *Book) Dialect(endpoint string) sparql.Dialect {
	b.mu.Lock()
	defer b.mu.Unlock()
	if h, ok := b.known[Bare(endpoint)]; ok {
		return h.Dialect
	}
	return sparql.Dialect{}
}

// Put encodes a request with a Query for HTTP: see sparql.Dialect.Put.
func (b *Book) Put(r orbweaver.Request) (to orbweaver.Request, mediaType string, form []byte) {
	return b.Dialect(r.URL).Put(r)
}

// note changes the record of an endpoint.
func (b *Book) note(endpoint string, change func(*Health)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	url := Bare(endpoint)
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

// asked records a request.
func (b *Book) asked(endpoint string, at time.Time) {
	b.note(endpoint, func(h *Health) {
		h.Requests++
		h.Last = at.UTC().Truncate(time.Millisecond)
	})
}

// failed records a failed request.
func (b *Book) failed(endpoint string, why orbweaver.Failure) {
	b.note(endpoint, func(h *Health) { h.Failures[why]++ })
}

// took records the duration of an answer.
func (b *Book) took(endpoint string, d time.Duration) {
	ms := float64(d) / float64(time.Millisecond)
	b.note(endpoint, func(h *Health) {
		h.Timed++
		h.Mean += (ms - h.Mean) / float64(h.Timed)
		h.Slowest = max(h.Slowest, ms)
	})
}

// learn records what an answer, or its error, shows of the endpoint.
func (b *Book) learn(endpoint string, a *sparql.Answer, err error) {
	b.note(endpoint, func(h *Health) {
		h.Dialect = h.Dialect.Learn(a, err)
		if err != nil {
			h.Failures[orbweaver.FailureOf(err)]++
			return
		}
		h.Answers++
		h.Answered = time.Now().UTC().Truncate(time.Millisecond)
	})
}

// Bare returns the URL of an endpoint without parameters of the SPARQL protocol.
func Bare(endpoint string) string {
	if !strings.Contains(endpoint, "?") {
		return endpoint
	}
	to, _ := sparql.ByForm(orbweaver.Request{URL: endpoint})
	return to.URL
}
