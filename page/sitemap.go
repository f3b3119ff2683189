package page

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/weburl"
)

// maxBreaks bounds the places of a sitemap that are no XML, and behind which it goes on.
const maxBreaks = 1000

// sitemapEntries is the protocol's limit of entries in a sitemap, and the least limit of links kept of one.
const sitemapEntries = 50_000

// An entry is one <url> or <sitemap> of a sitemap, or one line of one in plain text.
type entry struct {
	to         string
	modified   int64    // seconds since 1970; undated: the smallest value
	alternates []string // the same page in other languages
}

// undated is the time of an entry without one: older than any.
const undated = -1 << 63

// A sitemap is the result of one pass over a document of the sitemaps protocol.
type sitemap struct {
	base    *weburl.Base
	limit   int // alternates kept
	bad     int // references that may be invalid
	entries []entry
	index   bool // its entries are sitemaps
	failed  int
	others  int // alternates so far

	datasets datasets

	open  bool   // inside an entry
	depth int    // elements open inside that
	field string // the element that the text belongs to; empty: none
	text  []byte
	now   entry
}

// isSitemap reports whether the root element is one of the sitemaps protocol.
func isSitemap(root []byte) bool {
	return string(root) == "urlset" || string(root) == "sitemapindex"
}

// localRoot returns the local name of a document's root element in lower case.
func localRoot(body []byte) []byte {
	name, _ := rootElement(bytes.TrimPrefix(body[:min(len(body), sniffed)], []byte("\xef\xbb\xbf")))
	if _, local, prefixed := bytes.Cut(name, []byte(":")); prefixed {
		name = local
	}
	return bytes.ToLower(name)
}

// readSitemap fills a page from a sitemap or an index of sitemaps (sitemaps.org): only links, most recently
// changed first. A truncated or malformed document gives the entries before the error.
func readSitemap(page *orbweaver.Page, base *weburl.Base, body []byte, opts Options) {
	limit := max(opts.MaxLinks, sitemapEntries)
	s := sitemap{base: base, limit: limit, bad: opts.MaxLinks, index: string(localRoot(body)) == "sitemapindex"}
	flawed(page, flawMarkup, s.read(body))
	flawed(page, flawAddress, s.failed)
	s.finish(page, limit)
}

// read reads all entries. After what is no XML it goes on with the next entry. It returns how often.
func (s *sitemap) read(body []byte) (breaks int) {
	for n := 0; n < maxBreaks && len(body) > 0 && s.failed < s.bad; n++ {
		at := s.readUntil(body)
		if at < len(body) && s.failed < s.bad {
			breaks++
		}
		body = from(body[at:], "<url>", "<sitemap>")
	}
	s.keep() // the document may be truncated within an entry with a URL
	s.datasets.close()
	return breaks
}

// from returns a text from the first of some tags on; empty: there is none.
func from(text []byte, tags ...string) []byte {
	start := len(text)
	for _, tag := range tags {
		if i := bytes.Index(text[:start], []byte(tag)); i >= 0 {
			start = i
		}
	}
	return text[start:]
}

// readUntil reads entries up to the first error, and returns its offset. Raw tokens have neither namespaces nor
// nesting, and so need no limits: entries do not nest.
func (s *sitemap) readUntil(body []byte) int {
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Strict = false
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil } // UTF-8 already
	for s.failed < s.bad {
		token, err := d.RawToken()
		if err != nil {
			return int(d.InputOffset())
		}
		switch t := token.(type) {
		case xml.StartElement:
			s.start(t)
		case xml.EndElement:
			s.end(t.Name.Local)
		case xml.CharData:
			if s.field != "" && len(s.text) <= weburl.MaxLength {
				s.text = append(s.text, t[:min(len(t), weburl.MaxLength+1)]...)
			}
		}
	}
	return len(body)
}

// start handles a start tag. Only direct children of an entry count: an image's URL does not.
func (s *sitemap) start(t xml.StartElement) {
	s.field = ""
	switch {
	case t.Name.Local == "url" || t.Name.Local == "sitemap":
		s.keep()
		s.datasets.close()
		s.open, s.depth = true, 0
		return
	case s.datasets.open:
		s.startInDataset(t.Name.Local)
		return
	case !s.open && t.Name.Local == datasetElement:
		s.datasets.open = true
		return
	case !s.open:
		return
	}
	s.depth++
	if s.depth > 1 {
		return
	}
	switch t.Name.Local {
	case "loc", "lastmod":
		s.field, s.text = t.Name.Local, s.text[:0]
	case "link":
		s.alternate(t.Attr)
	}
}

// end acts on an end tag.
func (s *sitemap) end(name string) {
	switch {
	case s.datasets.open:
		s.endInDataset(name)
		return
	case !s.open:
	case name == "url" || name == "sitemap":
		s.keep()
	case s.field == "loc" && name == "loc":
		if s.now.to == "" {
			s.now.to = s.resolve(string(bytes.TrimSpace(s.text)))
		}
	case s.field == "lastmod" && name == "lastmod":
		s.now.modified = w3cTime(string(bytes.TrimSpace(s.text)))
	}
	s.field = ""
	s.depth = max(0, s.depth-1)
}

// keep ends the open entry.
func (s *sitemap) keep() {
	if s.now.to != "" {
		s.entries = append(s.entries, s.now)
	}
	s.open, s.field, s.now = false, "", entry{modified: undated}
}

// alternate reads an <xhtml:link rel="alternate" href="…"> of the open entry.
func (s *sitemap) alternate(attrs []xml.Attr) {
	rel, href := "", ""
	for _, a := range attrs {
		switch a.Name.Local {
		case "rel":
			rel = a.Value
		case "href":
			href = a.Value
		}
	}
	if !strings.EqualFold(rel, "alternate") || s.others >= s.limit {
		return
	}
	if to := s.resolve(href); to != "" {
		s.others++
		s.now.alternates = append(s.now.alternates, to)
	}
}

// resolve returns the canonical form of a URL; empty: invalid.
func (s *sitemap) resolve(ref string) string {
	if len(ref) > weburl.MaxLength || ref == "" {
		return ""
	}
	to, err := s.base.Resolve(ref)
	if err != nil {
		s.failed++
		return ""
	}
	return to
}

// finish turns entries into links, each target once: those of data sets, then the entries, newest first, those
// without a time last, equals in the order of the document.
func (s *sitemap) finish(page *orbweaver.Page, limit int) {
	order.Stably(s.entries, func(a, b entry) int { return cmp.Compare(b.modified, a.modified) })
	rel := ""
	if s.index {
		rel = "sitemap"
	}
	seen := make(map[string]bool, len(s.entries)) // true: the entry itself was kept
	for _, e := range s.entries {
		seen[e.to] = false
	}
	links := slices.Grow(page.Links, min(len(s.datasets.links)+len(s.entries), limit))
	add := func(l orbweaver.Link) {
		if kept := seen[l.To]; kept || l.To == page.URL || len(links) >= limit {
			return
		}
		seen[l.To], l.Origin = true, orbweaver.FromSitemap
		links = append(links, l)
	}
	for _, l := range s.datasets.links {
		add(l)
	}
	for _, e := range s.entries {
		link := orbweaver.Link{To: e.to, Rel: rel}
		if e.modified > 0 {
			link.Modified = e.modified
		}
		add(link)
		for _, to := range e.alternates {
			if _, known := seen[to]; !known { // others are entries of their own
				add(orbweaver.Link{To: to, Rel: "alternate"})
			}
		}
	}
	page.Links = links
}

// readTextSitemap fills a page from a sitemap in plain text, one absolute URL per line; false: it is not one. Lines
// that are none are left out, unless they are as many.
func readTextSitemap(page *orbweaver.Page, base *weburl.Base, text []byte, opts Options) bool {
	limit := max(opts.MaxLinks, sitemapEntries)
	s := sitemap{base: base, limit: limit}
	others := 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if len(s.entries) >= limit {
			break
		}
		to := ""
		if hasPrefixFold(line, "http://") || hasPrefixFold(line, "https://") {
			to = s.resolve(textURL(line))
		}
		if to == "" {
			if others++; others > len(s.entries)+maxStrange {
				return false
			}
			continue
		}
		s.entries = append(s.entries, entry{to: to, modified: undated})
	}
	if others >= len(s.entries) {
		return false
	}
	flawed(page, flawAddress, others)
	s.finish(page, limit)
	return true
}

// maxStrange is how many more lines than URLs a sitemap in plain text may begin with, such as a comment.
const maxStrange = 20

// textURL returns the URL of a line; empty: there is more in the line.
func textURL(line []byte) string {
	if bytes.ContainsAny(line, " \t") {
		return ""
	}
	return string(line[:min(len(line), weburl.MaxLength+1)])
}

// w3cTime returns the seconds since 1970 of a date and time in one of the forms of the W3C's note
// (NOTE-datetime), or undated.
func w3cTime(s string) int64 {
	layout := ""
	switch len(s) {
	case len("2006"):
		layout = "2006"
	case len("2006-01"):
		layout = "2006-01"
	case len("2006-01-02"):
		layout = time.DateOnly
	case len("2006-01-02T15:04Z"):
		layout = "2006-01-02T15:04Z07:00"
	case len("2006-01-02T15:04+07:00"):
		if strings.HasSuffix(s, "Z") { // hundredths of a second
			layout = time.RFC3339
		} else {
			layout = "2006-01-02T15:04Z07:00"
		}
	case len("2006-01-02T15:04:05"): // without a zone, against the note
		layout = "2006-01-02T15:04:05"
	default:
		layout = time.RFC3339
	}
	t, err := time.Parse(layout, s)
	if err != nil {
		return undated
	}
	return t.Unix()
}
