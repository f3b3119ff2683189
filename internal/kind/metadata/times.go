package metadata

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"orbweaver"
	focus "orbweaver/focus/metadata"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/kb/terms"
	"orbweaver/weburl"
)

// A stopwatch measures the time that requests take, for Table 3 of the paper. It is safe for concurrent use.
type stopwatch struct {
	web pipeline.Fetcher

	mu        sync.Mutex
	before    map[string]terms.Spent // by term, in earlier sessions
	documents map[string]terms.Spent // by the URL asked for
	asked     map[string]terms.Spent // by term: queries about it
}

// newStopwatch returns a stopwatch that goes on from earlier sessions.
func newStopwatch(earlier []terms.Spent) *stopwatch {
	s := &stopwatch{before: map[string]terms.Spent{}, documents: map[string]terms.Spent{}, asked: map[string]terms.Spent{}}
	for _, one := range earlier {
		s.before[one.Term] = one
	}
	return s
}

// Fetch fetches, and measures until the body is closed.
func (s *stopwatch) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	began := time.Now()
	response, err := s.web.Fetch(ctx, r)
	switch {
	case ctx.Err() != nil: // cancelled by this process
	case err != nil || response.Body == nil:
		s.took(r, time.Since(began))
	default:
		response.Body = &measured{ReadCloser: response.Body, done: func() { s.took(r, time.Since(began)) }}
	}
	return response, err
}

// measured is a body that tells when it is closed.
type measured struct {
	io.ReadCloser
	once sync.Once
	done func()
}

// Close closes the body.
func (m *measured) Close() error {
	m.once.Do(m.done)
	return m.ReadCloser.Close()
}

// took adds the time of a request to the terms that it was about.
func (s *stopwatch) took(r orbweaver.Request, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Purpose != orbweaver.ForQuery {
		url := r.URL
		if len(r.Redirects) > 0 {
			url = r.Redirects[0]
		}
		one := s.documents[url]
		one.Seconds += d.Seconds()
		one.Documents++
		s.documents[url] = one
		return
	}
	var q focus.Question
	if json.Unmarshal(r.Note, &q) != nil {
		return
	}
	for _, t := range q.Terms {
		one := s.asked[t]
		one.Seconds += d.Seconds() / float64(len(q.Terms))
		one.Queries++
		s.asked[t] = one
	}
}

// spent returns the time of each processed term; nil outside a session. A document that several terms have in common counts for each by an
// equal share.
func (s *stopwatch) spent(all []terms.Term) (list []terms.Spent) {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	share, urls := map[string]float64{}, map[string]string{}
	for _, t := range all {
		if url, err := weburl.Canonical(t.IRI); err == nil && t.Processed {
			urls[t.IRI] = url
			share[url]++
		}
	}
	for _, t := range all {
		if !t.Processed {
			continue
		}
		one, asked := s.before[t.IRI], s.asked[t.IRI]
		one.Term = t.IRI
		one.Seconds += asked.Seconds
		one.Queries += asked.Queries
		if url := urls[t.IRI]; url != "" {
			one.Seconds += s.documents[url].Seconds / share[url]
			one.Documents += s.documents[url].Documents
		}
		list = append(list, one)
	}
	return list
}
