package fetchtest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
)

// key is the percent-decoded path and query that identifies a resource, so that its other spellings are equal.
func key(u *url.URL) string {
	path := u.Path
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return path
}

// escape writes a key as in a URL.
func escape(key string) string {
	path, query, found := strings.Cut(key, "?")
	escaped := (&url.URL{Path: path}).EscapedPath()
	if found {
		escaped += "?" + query
	}
	return escaped
}

// expand makes a reference to another host absolute and leaves others unchanged.
func (w *Web) expand(from *host, ref string) string {
	rest, other := strings.CutPrefix(ref, "//")
	if !other {
		return ref
	}
	name, path := rest, "/"
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		name, path = rest[:i], rest[i:]
	}
	if h := w.named[strings.TrimSuffix(strings.ToLower(name), ":80")]; h != nil {
		if h.base == "http://"+h.Name {
			return "http://" + name + path // in its original spelling
		}
		return h.base + path
	}
	if w.unknown != "" {
		return w.unknown + path
	}
	return "http://" + name + path
}

// find follows a reference from a host.
func (w *Web) find(from *host, ref string) (h *host, path string, ok bool) {
	base, err := url.Parse(from.base + "/")
	if err != nil {
		return nil, "", false
	}
	u, err := base.Parse(w.expand(from, ref))
	if err != nil {
		return nil, "", false
	}
	authority := strings.ToLower(strings.TrimSuffix(u.Host, ":80"))
	for _, candidate := range []*host{w.answering[authority], w.named[authority]} {
		if candidate != nil && u.Scheme == "http" {
			return candidate, key(u), true
		}
	}
	return nil, "", false
}

// html is the body of a page.
func (w *Web) html(h *host, p *Page) []byte {
	if p.Body != "" {
		return []byte(p.Body)
	}
	var b bytes.Buffer
	name := html.EscapeString(h.Name + p.Path)
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\"><head><title>%s</title></head>\n"+
		"<body><h1>%[1]s</h1>\n"+
		"<p>This page stands at %[1]s. It was made for a test, and it says the same to everyone who asks.</p>\n<ul>\n", name)
	for i, link := range p.Links {
		fmt.Fprintf(&b, "<li><a href=\"%s\">link %d of the page</a></li>\n", html.EscapeString(w.expand(h, link)), i+1)
	}
	b.WriteString("</ul></body></html>\n")
	return b.Bytes()
}

// robots is the body of a robots.txt. Its first group, for another crawler, forbids everything.
func (w *Web) robots(h *host) []byte {
	var b bytes.Buffer
	b.WriteString("# rules\nUser-agent: somebody-elses-bot\nDisallow: /\n\nUser-agent: *\n")
	for _, prefix := range h.Robots.Disallow {
		fmt.Fprintf(&b, "Disallow: %s\n", prefix)
	}
	if h.Robots.Delay > 0 {
		fmt.Fprintf(&b, "Crawl-delay: %g\n", h.Robots.Delay.Seconds())
	}
	if len(h.listed()) > 0 {
		fmt.Fprintf(&b, "\nSitemap: %s/sitemap.xml\n", h.base)
	}
	return b.Bytes()
}

// listed are the paths in a host's sitemaps.
func (h *host) listed() (paths []string) {
	for i := range h.Pages {
		if h.Pages[i].Listed {
			paths = append(paths, h.Pages[i].Path)
		}
	}
	return paths
}

// hasRules reports whether robots.txt has a body, with rules and sitemaps.
func (h *host) hasRules() bool {
	return h.Robots.Status == 0 || h.Robots.Status == http.StatusOK
}

// putSitemaps puts an index at /sitemap.xml, and the listed pages in two sitemaps, the second one
// gzipped.
func (h *host) putSitemaps() {
	paths := h.listed()
	if len(paths) == 0 {
		return
	}
	half := (len(paths) + 1) / 2
	h.put("/sitemap.xml", &resource{kind: "application/xml", body: func(*Web) []byte {
		return h.sitemap("sitemapindex", "sitemap", []string{"/sitemap-1.xml", "/sitemap-2.xml.gz"})
	}})
	h.put("/sitemap-1.xml", &resource{kind: "application/xml", body: func(*Web) []byte {
		return h.sitemap("urlset", "url", paths[:half])
	}})
	h.put("/sitemap-2.xml.gz", &resource{kind: "application/gzip", body: func(*Web) []byte {
		return zipped(h.sitemap("urlset", "url", paths[half:]))
	}})
}

// sitemap writes one as sitemaps.org has it.
func (h *host) sitemap(root, entry string, paths []string) []byte {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	fmt.Fprintf(&b, "<%s xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n", root)
	for _, path := range paths {
		loc := html.EscapeString(h.base + escape(path))
		fmt.Fprintf(&b, "<%s><loc>%s</loc><lastmod>2026-01-02</lastmod></%[1]s>\n", entry, loc)
	}
	fmt.Fprintf(&b, "</%s>\n", root)
	return b.Bytes()
}

func zipped(content []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(content) // a bytes.Buffer takes everything
	z.Close()
	return b.Bytes()
}
