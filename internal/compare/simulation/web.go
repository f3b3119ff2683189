package simulation

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/eval/synth"
	"orbweaver/internal/step"
)

// lookupTime is how long an address takes to be looked up.
const lookupTime = 30 * time.Millisecond

// A synthetic is a generated web as the engine asks it, in virtual time: its resolver, its servers and
// the reader of its pages. It notes what its hosts saw. It is for one goroutine, as all is that runs
// under a virtual clock.
type synthetic struct {
	web   *synth.Web
	clock *engine.Virtual
	delay time.Duration // least time between two requests to a host, Crawl-delay aside

	hosts     map[int]time.Time    // when they were asked last
	addresses map[string]time.Time // the same
	busy      time.Duration        // all hosts together: answering, or not to be asked again yet
	early     int                  // requests that came before their host, or address, was to be asked again
}

func newSynthetic(web *synth.Web, clock *engine.Virtual, delay time.Duration) *synthetic {
	return &synthetic{web: web, clock: clock, delay: delay, hosts: map[int]time.Time{}, addresses: map[string]time.Time{}}
}

// Locate is the resolver.
func (s *synthetic) Locate(_ context.Context, host string) (string, error) {
	s.clock.Sleep(lookupTime)
	place := s.web.Find(host + "/robots.txt")
	if place.Kind != synth.Robots {
		return "", fmt.Errorf("look up %s: %w", host, orbweaver.ErrNoHost)
	}
	return s.web.Address(place.Host), nil
}

// Fetch is the server. A page's bytes are not made: Read has the page itself.
func (s *synthetic) Fetch(_ context.Context, r orbweaver.Request) (*step.Response, error) {
	place, asked := s.web.Find(r.URL), s.clock.Now()
	latency := s.web.Latency(place.Host, asked)
	s.note(place.Host, asked, latency)
	s.clock.Sleep(latency)
	now := s.clock.Now()
	response := &step.Response{Request: r, Status: http.StatusOK, Header: http.Header{}, Body: http.NoBody, At: now, Started: now}
	switch {
	case place.Kind == synth.Robots:
		response.Body = io.NopCloser(strings.NewReader(s.web.RobotsTxt(place.Host)))
	case s.web.Fails(place.Host, asked):
		response.Status = http.StatusServiceUnavailable
	case place.Kind == synth.Old:
		response.Status, response.Redirect = http.StatusMovedPermanently, s.web.URL(place.Page)
	case place.Kind == synth.Nothing || s.web.Fate(place.Page) == synth.Missing:
		response.Status = http.StatusNotFound
	}
	return response, nil
}

// note keeps account of a host and its address.
func (s *synthetic) note(host int, asked time.Time, latency time.Duration) {
	address, spacing := s.web.Address(host), max(s.delay, s.web.CrawlDelay(host))
	before, again := s.hosts[host]
	beside, shared := s.addresses[address]
	if again && asked.Sub(before) < spacing || shared && asked.Sub(beside) < s.delay {
		s.early++
	}
	s.hosts[host], s.addresses[address] = asked, asked
	s.busy += latency + spacing
}

// Read is the reader of pages.
func (s *synthetic) Read(_ context.Context, r *step.Response, _ []byte) (*orbweaver.Page, error) {
	page := s.web.Page(s.web.Find(r.Request.URL).Page)
	page.Request, page.Fetched = r.Request, r.At
	return page, nil
}

// relevant reports whether a URL is a page about the target.
func (s *synthetic) relevant(url string) bool {
	place := s.web.Find(url)
	return place.Kind == synth.Document && s.web.Topic(place.Page) == 0
}
