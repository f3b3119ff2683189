package fetchtest

import (
	"maps"
	"slices"
)

// Allowed are the URLs of all pages that a perfect crawler fetches, sorted: by links, redirects and sitemaps
// from the seeds, obeying robots.txt, with Politeness.Retries retries of failures. It assumes that no redirect
// chain and no slow page exceeds the crawler's limits.
func (w *Web) Allowed() []string { return w.AllowedFrom(w.Seeds()...) }

// AllowedFrom is Allowed from other seeds. It includes the sitemaps of the robots.txt of every host that
// receives a request.
func (w *Web) AllowedFrom(seeds ...string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := reach{w: w, seen: map[string]bool{}, asked: map[*host]bool{}, pages: map[string]bool{}}
	for _, seed := range seeds {
		r.follow(w.hosts[0], seed)
	}
	for len(r.waiting) > 0 {
		next := r.waiting[len(r.waiting)-1]
		r.waiting = r.waiting[:len(r.waiting)-1]
		r.get(next)
	}
	return slices.Sorted(maps.Keys(r.pages))
}

// A reach is a crawl without a network.
type reach struct {
	w       *Web
	seen    map[string]bool
	asked   map[*host]bool
	pages   map[string]bool
	waiting []spot
}

// A spot is a path on a host.
type spot struct {
	host *host
	path string
}

// follow queues the target of a reference unless it is known or absent.
func (r *reach) follow(from *host, ref string) {
	h, path, ok := r.w.find(from, ref)
	if ok && !r.seen[h.Name+path] {
		r.seen[h.Name+path] = true
		r.waiting = append(r.waiting, spot{h, path})
	}
}

func (r *reach) get(s spot) {
	if robots := s.host.Robots; robots.Trouble.Times < 0 || robots.Status >= 500 {
		return
	}
	if !r.asked[s.host] && s.host.hasRules() {
		r.asked[s.host] = true
		for _, path := range s.host.listed() {
			r.follow(s.host, escape(path))
		}
	}
	res := s.host.resources[s.path]
	if res == nil || res.page == nil || s.host.forbids(s.path) || !r.yields(res.page.Trouble) {
		return
	}
	if res.redirect != "" {
		r.follow(s.host, res.redirect)
		return
	}
	if !res.isPage() {
		return
	}
	r.pages[s.host.base+escape(s.path)] = true
	for _, link := range res.page.Links {
		r.follow(s.host, link)
	}
}

// yields reports whether trouble ends within the retries.
func (r *reach) yields(t Trouble) bool {
	return t.Times >= 0 && t.Times <= r.w.politeness.Retries
}
