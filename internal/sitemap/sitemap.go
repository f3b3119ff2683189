// Package sitemap gives the hosts of an archive sitemaps, made from its index, and may replace the URLs of pages by ones
// without words.
package sitemap

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// perFile is the maximum number of URLs in a sitemap (sitemaps.org); a host with more has an index of sitemaps.
const perFile = 50_000

// name is the path of a host's sitemap. A document of the archive at that URL is hidden.
const name = "/orbweaver-sitemap"

// Web is an archive with sitemaps. It is immutable and safe for concurrent use.
type Web struct {
	archive *archive.Web
	share   float64
	seed    int64
	hosts   []string          // that have a sitemap, in the archive's order
	listed  map[string]int    // by host: URLs in its sitemap
	real    map[string]string // by opaque URL: the archive's
	opaque  map[string]string // by URL of the archive
}

// New returns the web of an archive with the sitemaps of a crawl file; nil if it gives none. The URLs in plain, which
// are the seeds, keep their words.
func New(web *archive.Web, given crawlfile.Sitemap, plain []string) *Web {
	if given.Part() == 0 && given.Opaque == 0 {
		return nil
	}
	w := &Web{archive: web, share: given.Part(), seed: given.Seed,
		listed: map[string]int{}, real: map[string]string{}, opaque: map[string]string{}}
	keep := map[string]bool{}
	for _, url := range plain {
		keep[url] = true
	}
	for e := range web.All() {
		if !isPage(e) {
			continue
		}
		if !keep[e.URL] && w.drawn("opaque", e.URL, given.Opaque) {
			w.rename(e.URL)
		}
		if w.lists(e.URL) {
			host := weburl.Host(e.URL)
			if w.listed[host]++; w.listed[host] == 1 {
				w.hosts = append(w.hosts, host)
			}
		}
	}
	return w
}

// isPage reports whether a sitemap may list a document.
func isPage(e archive.Entry) bool {
	return e.Status/100 == 2 && !strings.HasSuffix(e.URL, "/robots.txt") && strings.HasPrefix(e.URL, "http")
}

// lists reports whether the sitemap of its host has a URL of the archive.
func (w *Web) lists(url string) bool { return w.drawn("sitemap", url, w.share) }

// drawn reports whether a URL is in a share of all URLs. The draw depends on seed, purpose and URL alone.
func (w *Web) drawn(purpose, url string, share float64) bool {
	return share >= 1 || float64(w.number(purpose, url)>>11)/(1<<53) < share
}

// number returns 64 bits of the SHA-256 of seed, purpose and URL.
func (w *Web) number(purpose, url string) uint64 {
	sum := sha256.Sum256([]byte(strconv.FormatInt(w.seed, 10) + " " + purpose + " " + url))
	return binary.BigEndian.Uint64(sum[:])
}

// rename replaces a URL by a number on the same host.
func (w *Web) rename(url string) {
	for n := w.number("name", url); ; n++ {
		opaque := weburl.Host(url) + "/" + strconv.FormatUint(n%1e10, 10)
		if _, taken := w.real[opaque]; !taken {
			w.real[opaque], w.opaque[url] = url, opaque
			return
		}
	}
}

// Shown returns the URL by which crawls know a document of the archive.
func (w *Web) Shown(url string) string {
	if w != nil {
		if opaque, ok := w.opaque[url]; ok {
			return opaque
		}
	}
	return url
}

// archived is the inverse of Shown.
func (w *Web) archived(url string) string {
	if real, ok := w.real[url]; ok {
		return real
	}
	return url
}

// Canonical is weburl.Canonical followed by Shown.
func (w *Web) Canonical(raw string) (string, error) {
	url, err := weburl.Canonical(raw)
	return w.Shown(url), err
}

// Of returns the URL of a host's sitemap; empty: it has none.
func (w *Web) Of(host string) string {
	if w == nil || w.listed[host] == 0 {
		return ""
	}
	return host + name + ".xml"
}

// Hosts returns the hosts with a sitemap, in the archive's order.
func (w *Web) Hosts() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; w != nil && i < len(w.hosts) && yield(w.hosts[i]); i++ {
		}
	}
}

// Words describes the sitemaps and the replaced URLs; empty: there are none.
func (w *Web) Words() string {
	if w == nil {
		return ""
	}
	words := "none"
	if len(w.hosts) > 0 {
		urls := 0
		for _, n := range w.listed {
			urls += n
		}
		words = fmt.Sprintf("made from the archive's index, %d URLs (%.4g %% of the pages, seed %d)", urls, 100*w.share, w.seed)
	}
	if len(w.real) > 0 {
		words += fmt.Sprintf("; %d pages under URLs without words", len(w.real))
	}
	return words
}

// Fetching wraps a fetcher of the archive: it answers requests for sitemaps, and maps replaced URLs.
func (w *Web) Fetching(inner pipeline.Fetcher) pipeline.Fetcher {
	if w == nil {
		return inner
	}
	return fetcher{w, inner}
}

type fetcher struct {
	web   *Web
	inner pipeline.Fetcher
}

// Fetch answers a request.
func (f fetcher) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	host := weburl.Host(r.URL)
	if rest, ok := strings.CutPrefix(r.URL, host+name); ok && f.web.listed[host] > 0 {
		if body := f.web.document(host, rest); body != nil {
			return &step.Response{Request: r, Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/xml"}},
				Body: io.NopCloser(bytes.NewReader(body)), At: time.Unix(0, 0).UTC()}, nil
		}
	}
	real := r
	real.URL = f.web.archived(r.URL)
	if _, hidden := f.web.opaque[r.URL]; hidden {
		return nil, fmt.Errorf("fetch %s: its URL was replaced: %w", r.URL, orbweaver.ErrAbsent)
	}
	response, err := f.inner.Fetch(ctx, real)
	if response != nil {
		response.Request, response.Redirect = r, f.web.Shown(response.Redirect)
	}
	return response, err
}

// Reading wraps a reader: a page is read by its URL in the archive, and its links have the URLs that are shown.
func (w *Web) Reading(inner pipeline.Reader) pipeline.Reader {
	if w == nil || len(w.real) == 0 {
		return inner
	}
	return reader{w, inner}
}

type reader struct {
	web   *Web
	inner pipeline.Reader
}

// Read reads a page.
func (r reader) Read(ctx context.Context, response *step.Response, payload []byte) (*orbweaver.Page, error) {
	real := *response
	real.Request.URL = r.web.archived(response.Request.URL)
	p, err := r.inner.Read(ctx, &real, payload)
	if p == nil {
		return p, err
	}
	p.Request, p.URL, p.Canonical = response.Request, r.web.Shown(p.URL), r.web.Shown(p.Canonical)
	for i := range p.Links {
		p.Links[i].To = r.web.Shown(p.Links[i].To)
	}
	return p, err
}

// document returns a sitemap of a host by what follows its name: the sitemap or an index, or a numbered part of it. Nil:
// there is no such sitemap.
func (w *Web) document(host, rest string) []byte {
	if rest == ".xml" {
		if w.listed[host] > perFile {
			return index(host, (w.listed[host]+perFile-1)/perFile)
		}
		return w.part(host, 0)
	}
	digits, ok := strings.CutSuffix(strings.TrimPrefix(rest, "-"), ".xml")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || (n-1)*perFile >= w.listed[host] {
		return nil
	}
	return w.part(host, n-1)
}

// index returns an index of sitemaps.
func index(host string, parts int) []byte {
	b := bytes.NewBufferString(`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for n := range parts {
		fmt.Fprintf(b, "<sitemap><loc>%s%s-%d.xml</loc></sitemap>\n", host, name, n+1)
	}
	b.WriteString("</sitemapindex>\n")
	return b.Bytes()
}

// part returns the sitemap with the n-th lot of a host's URLs, from 0.
func (w *Web) part(host string, n int) []byte {
	b := bytes.NewBufferString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	at := 0
	for e := range w.archive.All() {
		if weburl.Host(e.URL) != host || !isPage(e) || !w.lists(e.URL) {
			continue
		}
		if at/perFile == n {
			b.WriteString("<url><loc>")
			xml.EscapeText(b, []byte(w.Shown(e.URL)))
			b.WriteString("</loc></url>\n")
		}
		at++
	}
	b.WriteString("</urlset>\n")
	return b.Bytes()
}

// Links returns all URLs in a host's sitemap, as shown, in the archive's order.
func (w *Web) Links(host string) (urls []string) {
	for e := range w.archive.All() {
		if weburl.Host(e.URL) == host && isPage(e) && w.lists(e.URL) {
			urls = append(urls, w.Shown(e.URL))
		}
	}
	return urls
}
