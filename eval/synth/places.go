package synth

import (
	"strconv"
	"strings"
)

// A Kind is the kind of resource at an address.
type Kind uint8

// The kinds.
const (
	Nothing  Kind = iota // no such address
	Robots               // /robots.txt
	Document             // /p/7, or /x/7 if forbidden
	Old                  // /r/7: redirects to the page
)

// A Place is the resource at an address.
type Place struct {
	Kind Kind
	Host int
	Page int64 // of Document and Old
}

// Path prefixes of pages: regular, forbidden, and old addresses.
const (
	pathPlain     = "/p/"
	pathForbidden = "/x/"
	pathOld       = "/r/"
)

// URL returns the address at which a page answers.
func (w *Web) URL(page int64) string { return w.address(page, w.run(w.Host(page)), false) }

// PagesOf returns the pages of a host: the number of the first, and how many there are.
func (w *Web) PagesOf(host int) (first, n int64) {
	r := w.run(host)
	return r.first, r.size
}

// address returns the address of a page of a run; with old, the one that redirects.
func (w *Web) address(page int64, r run, old bool) string {
	path := pathPlain
	switch {
	case w.fate(page, r) == Forbidden:
		path = pathForbidden
	case old:
		path = pathOld
	}
	return w.Origin(r.host) + path + strconv.FormatInt(page-r.first, 10)
}

// Find resolves an address on the web's default hosts (those of a nil Origin).
func (w *Web) Find(url string) Place {
	name, ok := strings.CutPrefix(url, "http://h")
	if !ok {
		return Place{}
	}
	name, path, ok := strings.Cut(name, ".example")
	host, err := strconv.Atoi(name)
	if !ok || err != nil || host < 0 || host >= w.Hosts || strconv.Itoa(host) != name {
		return Place{}
	}
	return w.At(host, path)
}

// At resolves a path on a host.
func (w *Web) At(host int, path string) Place {
	if path == "/robots.txt" {
		return Place{Kind: Robots, Host: host}
	}
	if len(path) <= len(pathPlain) {
		return Place{Host: host}
	}
	folder, name := path[:len(pathPlain)], path[len(pathPlain):]
	n, err := strconv.ParseInt(name, 10, 64)
	r := w.run(host)
	if err != nil || n < 0 || n >= r.size || strconv.FormatInt(n, 10) != name {
		return Place{Host: host}
	}
	place := Place{Kind: Document, Host: host, Page: r.first + n}
	forbidden := w.fate(place.Page, r) == Forbidden
	switch {
	case folder == pathOld && !forbidden && w.moved(place.Page):
		place.Kind = Old
	case folder == pathForbidden && forbidden, folder == pathPlain && !forbidden:
	default:
		return Place{Host: host}
	}
	return place
}
