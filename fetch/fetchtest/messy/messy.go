// Package messy is a small invented Web about lighthouses as one meets it in the first week of a crawl: lists of many
// pages, walls that answer with a status of success, pages that don't say their encoding, a mirror, banners, a login,
// pages that are not found and say so with 200, a dump, PDFs, stubs under a menu of fifty links, URLs without end.
//
// [New] makes it, the same at each call, and knows the truth: which pages are about lighthouses, and how many of each
// hindrance a crawl of all of it meets. It is served over a [fetchtest.Network]: probes, cookies and walls need a server.
// It shares no code with the crawler. It does not misbehave on the wire: that is package hostile's.
//
// This package is not part of the stable API.
package messy

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"orbweaver/fetch/fetchtest"
)

// The hindrances that [Web.Planted] counts beside failures, which are counted by the name that a crawl gives them
// ("soft-404"), walls also by vendor ("wall: Anubis"), and statuses ("status 404").
const (
	Copies    = "the same bytes"       // of a page met before
	NearCopy  = "nearly the same text" // likewise
	Textless  = "without text"         // documents
	Scripted  = "needs scripts"        // pages without text before them
	Depth     = "depth"                // links beyond 20 links from a seed
	Trapped   = "trap"                 // links that lead on without end
	Forbidden = "robots"               // links that robots.txt forbids
)

// A Web is the messy Web. It is not changed after New.
type Web struct {
	Seeds   []string          // the directory, from which everything can be reached
	Truth   []string          // pages about lighthouses, sorted; of copies all
	Lists   map[string]int    // pages and items of each list, by the prefix of their URLs
	Titles  map[string]string // of pages that don't declare their encoding, by URL
	Planted map[string]int    // hindrances
	hosts   []*host
}

// A host answers requests by path and query.
type host struct {
	name   string
	pages  map[string]answer
	robots string
	other  func(*http.Request) answer // all other requests; nil: 404
}

// An answer is a status with a document; zero: 404.
type answer struct {
	status int // 0: 200 if there is a body
	kind   string
	body   string
	header [][2]string
}

const html = "text/html; charset=utf-8"

// New makes the Web.
func New() *Web {
	w := &Web{Lists: map[string]int{}, Titles: map[string]string{}, Planted: map[string]int{}}
	w.directory(w.lists(), w.encodings(), w.walls(), w.standIns(), w.endless(), w.documents(), w.town())
	slices.Sort(w.Truth)
	return w
}

// add adds a host.
func (w *Web) add(name string) *host {
	h := &host{name: name, pages: map[string]answer{}}
	w.hosts = append(w.hosts, h)
	return h
}

// url is the URL of a path at a host.
func (h *host) url(path string) string { return "http://" + h.name + path }

// relevant notes pages of a host about lighthouses.
func (w *Web) relevant(h *host, paths ...string) {
	for _, path := range paths {
		w.Truth = append(w.Truth, h.url(path))
	}
}

// Serve puts the hosts on a network.
func (w *Web) Serve(n *fetchtest.Network) {
	for i, h := range w.hosts {
		n.Serve(h.name, netip.AddrPortFrom(fetchtest.Address(i).Addr(), 80), h)
	}
}

// ServeHTTP answers a request.
func (h *host) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	a, ok := h.pages[r.URL.RequestURI()]
	switch {
	case ok:
	case r.URL.Path == "/robots.txt" && h.robots != "":
		a = answer{kind: "text/plain", body: h.robots}
	case r.URL.Path != "/robots.txt" && h.other != nil:
		a = h.other(r)
	}
	for _, field := range a.header {
		rw.Header().Add(field[0], field[1])
	}
	if a.kind != "" {
		rw.Header().Set("Content-Type", a.kind)
	}
	switch {
	case a.status != 0:
		rw.WriteHeader(a.status)
	case a.body == "":
		rw.WriteHeader(http.StatusNotFound)
	}
	_, _ = rw.Write([]byte(a.body))
}

// page is a page in HTML.
func page(lang, title string, parts ...string) answer {
	return answer{kind: html, body: "<!doctype html><html lang=" + lang + "><title>" + title + "</title>\n" + strings.Join(parts, "\n")}
}

// link is a link of a list.
func link(to, text string) string { return `<li><a href="` + to + `">` + text + "</a></li>" }
