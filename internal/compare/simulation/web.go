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

// lookupTime is the duration of a name lookup.
const lookupTime = 30 * time.Millisecond

// synthetic serves a generated web to the engine in virtual time: it is the resolver, the servers and the
// page reader. It records the load of its hosts. It is for one goroutine, as is all that runs under a
// virtual clock.
type synthetic struct {
	web   *synth.Web
	clock *engine.Virtual
	delay time.Duration // minimum delay between two requests to a host, without Crawl-delay
	lists bool          // every host has a sitemap of its pages, and its robots.txt names it
	*load
}

// A load is what the hosts of a web were asked, by all workers of a crawl.
type load struct {
	hosts     map[int]time.Time    // time of their last request
	addresses map[string]time.Time // time of their last request
	pages     map[string]bool      // URLs that were asked for, of a crawl on several workers
	busy      time.Duration        // sum over hosts of the time answering or in delay
	early     int                  // requests before the end of the delay of a host or address
	twice     int                  // requests for pages that were asked for before, without a failure in between
}

func newLoad() *load { return &load{hosts: map[int]time.Time{}, addresses: map[string]time.Time{}} }

func newSynthetic(web *synth.Web, clock *engine.Virtual, delay time.Duration) *synthetic {
	return &synthetic{web: web, clock: clock, delay: delay, load: newLoad()}
}

// Locate implements the resolver.
func (s *synthetic) Locate(_ context.Context, host string) (string, error) {
	s.clock.Sleep(lookupTime)
	place := s.web.Find(host + "/robots.txt")
	if place.Kind != synth.Robots {
		return "", fmt.Errorf("look up %s: %w", host, orbweaver.ErrNoHost)
	}
	return s.web.Address(place.Host), nil
}

// Fetch implements the servers. It generates no body: Read returns the page directly.
func (s *synthetic) Fetch(_ context.Context, r orbweaver.Request) (*step.Response, error) {
	place, asked := s.web.Find(r.URL), s.clock.Now()
	latency := s.web.Latency(place.Host, asked)
	s.note(place.Host, asked, latency)
	s.clock.Sleep(latency)
	now := s.clock.Now()
	response := &step.Response{Request: r, Status: http.StatusOK, Header: http.Header{}, Body: http.NoBody, At: now, Started: now}
	switch {
	case place.Kind == synth.Robots:
		response.Body = io.NopCloser(strings.NewReader(s.robots(place.Host)))
	case s.isSitemap(r):
	case s.web.Fails(place.Host, asked):
		response.Status = http.StatusServiceUnavailable
	case place.Kind == synth.Old:
		response.Status, response.Redirect = http.StatusMovedPermanently, s.web.URL(place.Page)
	case place.Kind == synth.Nothing || s.web.Fate(place.Page) == synth.Missing:
		response.Status = http.StatusNotFound
	}
	if s.pages != nil && r.Purpose == orbweaver.ForPage && response.Status == http.StatusOK {
		if s.pages[r.URL] {
			s.twice++
		}
		s.pages[r.URL] = true
	}
	return response, nil
}

// again answers a request that was made before, as after a kill: no host notices.
func (s *synthetic) again(_ context.Context, o orbweaver.Outcome) (*step.Response, error) {
	return &step.Response{Request: o.Request, Status: http.StatusOK, Header: http.Header{}, Body: http.NoBody, At: o.At, Started: o.At}, nil
}

// sitemap is the path of a host's sitemap.
const sitemap = "/sitemap.xml"

// robots returns the robots.txt of a host.
func (s *synthetic) robots(host int) string {
	text := s.web.RobotsTxt(host)
	if s.lists {
		text += "\nSitemap: " + s.web.Origin(host) + sitemap + "\n"
	}
	return text
}

// isSitemap reports whether a request is for the sitemap of a host.
func (s *synthetic) isSitemap(r orbweaver.Request) bool {
	return s.lists && strings.HasSuffix(r.URL, sitemap) && r.Purpose == orbweaver.ForSitemap
}

// mostListed is the most pages in a sitemap: https://www.sitemaps.org/protocol.html.
const mostListed = 50_000

// listed returns the page of a host's sitemap: a link to each of its pages, and nothing else.
func (s *synthetic) listed(host int) *orbweaver.Page {
	page := &orbweaver.Page{URL: s.web.Origin(host) + sitemap, Status: http.StatusOK, MediaType: "application/xml"}
	first, n := s.web.PagesOf(host)
	for p := first; p < first+min(n, mostListed); p++ {
		page.Links = append(page.Links, orbweaver.Link{To: s.web.URL(p), Origin: orbweaver.FromSitemap})
	}
	return page
}

// note records a request of a host and its address.
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

// Read implements the page reader.
func (s *synthetic) Read(_ context.Context, r *step.Response, _ []byte) (*orbweaver.Page, error) {
	place := s.web.Find(r.Request.URL)
	if s.isSitemap(r.Request) {
		page := s.listed(place.Host)
		page.Request, page.Fetched = r.Request, r.At
		return page, nil
	}
	page := s.web.Page(place.Page)
	page.Request, page.Fetched = r.Request, r.At
	return page, nil
}

// relevant reports whether a URL is a page about the target.
func (s *synthetic) relevant(url string) bool {
	place := s.web.Find(url)
	return place.Kind == synth.Document && s.web.Topic(place.Page) == 0
}
