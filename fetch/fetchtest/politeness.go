package fetchtest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// maxViolations bounds the violations kept as text; further ones are counted.
const maxViolations = 1000

// A guest is the recent requests of a host or an address.
type guest struct {
	asked  bool
	last   time.Time // latest start
	flying int
}

// A visit is a request in progress.
type visit struct {
	w        *Web
	host     *host
	path     string
	resource *resource // nil: not found
	trouble  bool      // it will fail
	index    int       // in Web.visits
	once     sync.Once
}

// enter records a request and the rules that it breaks.
func (w *Web) enter(h *host, path string, r *http.Request) *visit {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	v := &visit{w: w, host: h, path: path, resource: h.resources[path], index: len(w.visits)}
	w.visits = append(w.visits, Visit{Host: h.Name, Path: path, At: now})
	if r.UserAgent() == "" {
		w.blame(v, "no User-Agent")
	}
	w.checkRobots(v)
	w.checkTimes(v, now)
	h.guest.enter(now)
	w.places[h.At].enter(now)
	if t := v.resource; t != nil && t.trouble.Times != 0 {
		v.trouble = true
		t.trouble.Times = max(t.trouble.Times-1, -1)
	}
	return v
}

// checkRobots looks for requests that robots.txt forbids, or that precede it.
func (w *Web) checkRobots(v *visit) {
	switch h := v.host; {
	case v.resource != nil && v.resource.hop:
	case !h.known:
		w.blame(v, "before robots.txt was answered")
	case h.forbids(v.path):
		w.blame(v, "forbidden by robots.txt")
	}
}

// checkTimes looks for requests that come too early. A Crawl-delay counts once robots.txt was served.
func (w *Web) checkTimes(v *visit, now time.Time) {
	h, address := v.host, w.places[v.host.At]
	delay := w.politeness.Delay
	if h.known {
		delay = max(delay, h.Robots.Delay)
	}
	if gap := h.guest.gap(now); h.guest.asked && gap < delay-w.politeness.Tolerance {
		w.blame(v, fmt.Sprintf("gap at host: %v, not %v", gap, delay))
	}
	if gap := address.gap(now); address.asked && gap < w.politeness.Delay-w.politeness.Tolerance {
		w.blame(v, fmt.Sprintf("gap at address: %v, not %v", gap, w.politeness.Delay))
	}
	if h.guest.flying >= w.politeness.Connections {
		w.blame(v, fmt.Sprintf("in flight at host: %d already", h.guest.flying))
	}
	if address.flying >= w.politeness.Connections {
		w.blame(v, fmt.Sprintf("in flight at address: %d already", address.flying))
	}
	if early := h.quiet.Sub(now); early > w.politeness.Tolerance {
		w.blame(v, fmt.Sprintf("Retry-After: %v too early", early))
	}
}

// blame records a violation.
func (w *Web) blame(v *visit, what string) {
	if len(w.violations) == maxViolations {
		w.more++
		return
	}
	w.violations = append(w.violations, fmt.Sprintf("request %d, %s%s: %s", v.index+1, v.host.Name, v.path, what))
}

func (g *guest) gap(now time.Time) time.Duration { return now.Sub(g.last) }

func (g *guest) enter(now time.Time) {
	g.asked, g.last = true, now
	g.flying++
}

// leave ends a visit with its status; 0: incomplete. Only the first call counts.
func (v *visit) leave(status int) {
	v.once.Do(func() {
		w := v.w
		w.mu.Lock()
		defer w.mu.Unlock()
		v.host.guest.flying--
		w.places[v.host.At].flying--
		w.visits[v.index].Status = status
		switch {
		case v.resource == nil || status == 0:
		case v.trouble:
			if after := v.resource.trouble.RetryAfter; after > 0 {
				v.host.quiet = time.Now().Add(after)
			}
		default:
			v.resource.served++
			if v.resource.opens != nil && status < 500 {
				v.resource.opens.known = true
			}
		}
	})
}

// Violations returns the broken rules, in the order of the requests. Each names the request, its host and path,
// and one of:
//
//	no User-Agent
//	before robots.txt was answered
//	forbidden by robots.txt
//	gap at host: …              start to start, under the delay or the host's Crawl-delay
//	gap at address: …           start to start, under the delay
//	in flight at host: …        more than Politeness.Connections
//	in flight at address: …
//	Retry-After: …              requested before that time
func (w *Web) Violations() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := slices.Clone(w.violations)
	if w.more > 0 {
		all = append(all, fmt.Sprintf("and %d more", w.more))
	}
	return all
}

// Asked is the number of requests by host name, robots.txt and failures included. Hosts without requests are
// left out.
func (w *Web) Asked() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	asked := map[string]int{}
	for _, v := range w.visits {
		asked[v.Host]++
	}
	return asked
}

// Visits are all requests by start time.
func (w *Web) Visits() []Visit {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.visits)
}

// Pages are the URLs of pages served completely with 200, sorted, without duplicates.
func (w *Web) Pages() []string { return w.served(1) }

// Repeated are the URLs of pages served completely with 200 more than once, sorted.
func (w *Web) Repeated() []string { return w.served(2) }

func (w *Web) served(times int) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var urls []string
	for _, h := range w.hosts {
		for _, path := range slices.Sorted(maps.Keys(h.resources)) {
			if r := h.resources[path]; r.isPage() && r.served >= times {
				urls = append(urls, h.base+escape(path))
			}
		}
	}
	slices.Sort(urls)
	return urls
}

// isPage reports whether a resource is a page with status 200.
func (r *resource) isPage() bool {
	return r.page != nil && r.redirect == "" && (r.status == 0 || r.status == http.StatusOK)
}
