package fetchtest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"
)

// A Plan configures Generate.
type Plan struct {
	Seed       uint64
	Hosts      int
	Pages      int           // plain pages per host, at least 4; "/" is the first
	Addresses  int           // that hosts share evenly; 0: one each
	Plain      bool          // only links, robots.txt and forbidden paths
	Latency    time.Duration // of every host
	Politeness Politeness
}

// Generate draws a web of hosts h000.test, h001.test and so on. All pages of a host ("/", "/p1", …) are
// connected by links, and link to pages of other hosts, dead ends, a missing host, forbidden paths, and each
// other in several spellings. The same plan gives the same web.
//
// Unless Plain, hosts differ in their robots.txt (Crawl-delay, absent, refused at first, redirected to another
// host, forbidding the site) and have redirects (within, across, in a chain, in a loop, to a forbidden path),
// pages that are busy or cut at first, a slow page, and pages that only sitemaps name. No host except those
// that forbid their site fails more than four times in all.
func Generate(p Plan) *Web {
	p.Pages = max(p.Pages, 4)
	if p.Addresses <= 0 {
		p.Addresses = p.Hosts
	}
	g := generator{Plan: p, draw: rand.New(rand.NewPCG(p.Seed, 1))}
	hosts := make([]Host, p.Hosts)
	for i := range hosts {
		hosts[i] = g.host(i)
	}
	return NewWeb(p.Politeness, hosts...)
}

type generator struct {
	Plan
	draw *rand.Rand
}

func name(i int) string { return fmt.Sprintf("h%03d.test", i) }

func (g *generator) host(i int) Host {
	h := Host{Name: name(i), At: i % g.Addresses, Latency: g.Latency}
	h.Robots.Disallow = []string{"/private/"}
	if !g.Plain {
		h.Robots = g.robots(i)
	}
	for n := range g.Pages {
		p := g.page(i, n)
		if h.Robots.Status == 0 { // without rules it would be one page at two addresses
			p.Links = append(p.Links, "/%70rivate/2")
		}
		h.Pages = append(h.Pages, p)
	}
	h.Pages = append(h.Pages, Page{Path: "/private/1", Links: []string{"/private/2"}}, Page{Path: "/private/2"})
	if !g.Plain {
		g.decorate(i, &h)
	}
	return h
}

// path is that of a host's n-th plain page.
func path(n int) string {
	if n == 0 {
		return "/"
	}
	return fmt.Sprintf("/p%d", n)
}

// page is a plain page. Page (n-1)/3 links to page n, so that all are reachable from "/".
func (g *generator) page(i, n int) Page {
	p := Page{Path: path(n), Links: []string{"/private/1", "/gone"}}
	for child := 3*n + 1; child <= 3*n+3 && child < g.Pages; child++ {
		p.Links = append(p.Links, path(child))
	}
	some, other := path(g.draw.IntN(g.Pages)), name(g.draw.IntN(g.Hosts))
	p.Links = append(p.Links,
		some, some+"#part", "/x/.."+some, "//"+name(i)+":80"+some, // one page, four spellings
		"//"+other+path(g.draw.IntN(g.Pages)), "//"+other+"/private/1")
	if n == 1 {
		p.Links = append(p.Links, "//nowhere.invalid/")
	}
	return p
}

// robots is the robots.txt of a host that is not plain.
func (g *generator) robots(i int) Robots {
	r := Robots{Disallow: []string{"/private/", "/find?"}}
	switch i % 8 {
	case 1:
		r.Delay = 2 * g.Politeness.Delay
	case 2:
		r.Status = http.StatusNotFound
	case 3:
		r.Trouble = Trouble{Times: 1, RetryAfter: g.retryAfter()}
	case 4: // the other host is never asked for its own rules first
		r.At = []string{fmt.Sprintf("//%s/robots-of/%d", name((i+1)%g.Hosts), i)}
		r.Delay = 3 * g.Politeness.Delay
	case 5:
		r.At = []string{"/rules", fmt.Sprintf("//%s/robots-of/%d", name((i+2)%g.Hosts), i)}
	case 6:
		r.Trouble = Trouble{Times: 1, Cut: true}
	case 7:
		if i%16 == 7 {
			r.Trouble = Trouble{Times: -1}
		}
	}
	return r
}

// retryAfter exceeds the usual delay, in whole seconds.
func (g *generator) retryAfter() time.Duration {
	return (2*g.Politeness.Delay + time.Second).Truncate(time.Second)
}

// decorate adds the redirects and failures of a host that is not plain.
func (g *generator) decorate(i int, h *Host) {
	other := name(g.draw.IntN(g.Hosts))
	extra := []Page{
		{Path: "/moved", Redirect: "/p1"},
		{Path: "/away", Redirect: "//" + other + "/p2"},
		{Path: "/chain1", Redirect: "/chain2"},
		{Path: "/chain2", Redirect: "//" + other + "/chain3"},
		{Path: "/chain3", Redirect: "/end of chain"},
		{Path: "/end of chain"},
		{Path: "/loop1", Redirect: "/loop2"},
		{Path: "/loop2", Redirect: "/loop1"},
		{Path: "/trap", Redirect: "/private/1"},
		{Path: "/away trap", Redirect: "//" + other + "/private/2"},
		{Path: "/lost", Redirect: "//nowhere.invalid/"},
		{Path: "/busy", Trouble: Trouble{Times: 2, RetryAfter: g.retryAfter(), Date: i%2 == 0}},
		{Path: "/failing", Trouble: Trouble{Times: i % 2}},
		{Path: "/slow", Slow: 2 * g.Politeness.Delay},
		{Path: "/error", Status: http.StatusForbidden},
		{Path: "/find?q=a&n=1"},
		{Path: "/find"},
		{Path: "/query?q=a&n=1"},
	}
	if h.Robots.Trouble.Times == 0 {
		extra = append(extra, Page{Path: "/cut", Trouble: Trouble{Times: 1, Cut: true}})
	}
	for _, p := range extra {
		page := &h.Pages[g.draw.IntN(g.Pages)]
		page.Links = append(page.Links, escape(p.Path))
	}
	h.Pages = append(h.Pages, extra...)
	h.Pages = append(h.Pages,
		Page{Path: "/listed1", Listed: true, Links: []string{"/listed3"}}, Page{Path: "/listed2", Listed: true},
		Page{Path: "/listed3"}, Page{Path: "/private/listed", Listed: true})
}
