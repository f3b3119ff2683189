// Package page reads a response as a page: it extracts media type, title, main text in blocks, language, links
// with their surroundings, and quads.
//
// HTML is read in one pass over its tokens, without a tree; boilerplate is separated from text by block
// text density and link density (Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow
// Text Features, WSDM 2010), by elements and by class names, and a page that would lose nearly all its
// text that way keeps it. What a page is follows from header and bytes together, because headers lie.
//
// Beside HTML and RDF it reads plain text and Markdown, feeds (RSS, Atom, JSON Feed), sitemaps and PDF.
//
// A page depends on the response alone, but for data in JSON-LD, which may need contexts of other
// addresses: Reader.Read marks a page with data in it as Pending, Reader.Data reads it. Whatever the
// bytes are, reading them neither panics nor hangs, and memory stays within a small multiple of the
// body's limit. Fetching, running scripts and any opinion of what a page is worth are not its business.
//
// This package is not part of the stable API.
package page

import (
	"context"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/text"
	"orbweaver/weburl"
)

// Options are the limits of reading. A value of zero or less stands for the default.
type Options struct {
	MaxBody  int64 // bytes of a decoded body; above: orbweaver.ErrTooLarge
	MaxLinks int   // links kept of a page, the first ones, of a sitemap 50 000; after as many that are no URL none is examined
	MaxText  int   // bytes of text kept of a page, and of half a million blocks at most

	Simhash bool // pages get their Simhash

	// Agent is the product token under which pages may address this crawler alone: in X-Robots-Tag, and
	// as name of a <meta>. Case does not matter.
	Agent string
}

// DefaultOptions are 10 MiB of body, 10 000 links, 4 MiB of text, and "orbweaver".
func DefaultOptions() Options {
	return Options{MaxBody: 10 << 20, MaxLinks: 10_000, MaxText: 4 << 20, Agent: "orbweaver"}
}

// A Reader turns responses into pages. Several goroutines may use it.
type Reader struct {
	opts      Options
	documents sync.Pool // of *document: buffers, which carry nothing from one page to the next
}

// NewReader returns a reader with the given limits.
func NewReader(opts Options) *Reader {
	defaults := DefaultOptions()
	if opts.MaxBody <= 0 {
		opts.MaxBody = defaults.MaxBody
	}
	if opts.MaxLinks <= 0 {
		opts.MaxLinks = defaults.MaxLinks
	}
	if opts.MaxText <= 0 {
		opts.MaxText = defaults.MaxText
	}
	if opts.Agent == "" {
		opts.Agent = defaults.Agent
	}
	opts.MaxText = min(opts.MaxText, maxText)
	return &Reader{opts: opts}
}

// Read reads one response, whose entity body is payload: content coding may still be on it, and it is
// not changed. The page's Body holds the decoded document when that is RDF, JSON or HTML with data in it,
// and may share memory with payload; it is nil for all else. Errors name the URL and wrap ErrTooLarge, ErrMalformed
// (content coding), ErrBadURL or ErrUnreadable, or the context's error.
func (r *Reader) Read(ctx context.Context, resp *step.Response, payload []byte) (page *orbweaver.Page, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	url := resp.Request.URL
	defer func() {
		if p := recover(); p != nil {
			page, err = nil, fmt.Errorf("read %s: %v: %w", url, p, orbweaver.ErrUnreadable)
		}
	}()
	base, err := weburl.NewBase(url)
	if err != nil {
		return nil, fmt.Errorf("read %v: %w", err, orbweaver.ErrBadURL)
	}
	body, err := Decode(resp.Header, payload, r.opts.MaxBody)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", url, err)
	}
	contentType := resp.Header.Get("Content-Type")
	body, contentType, err = unpacked(body, contentType, resp.Request, r.opts.MaxBody)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", url, err)
	}
	page = &orbweaver.Page{
		Request: resp.Request, URL: base.String(), Status: resp.Status, Fetched: resp.At,
		MediaType: mediaType(body, contentType), Digest: resp.Digest, Size: int64(len(payload)),
	}
	if page.Digest == "" {
		page.Digest = Digest(payload)
	}
	fromHeader(page, resp.Header, base, r.opts)
	if isLinkedJSON(page) {
		page.MediaType = typeLDJSON
	}
	r.readBody(page, base, body, contentType)
	if page.Lang == "" {
		page.Lang = language(resp.Header.Get("Content-Language"), page.Text)
	}
	if r.opts.Simhash {
		page.Simhash = text.Simhash(page.Text)
	}
	return page, nil
}

// readBody reads what the media type says the body is.
func (r *Reader) readBody(page *orbweaver.Page, base *weburl.Base, body []byte, contentType string) {
	switch page.MediaType {
	case typeHTML, typeXHTML:
		r.readHTML(page, base, body, contentType)
	case typeTurtle, typeNTriples, typeRDFXML, typeNQuads, typeTriG:
		page.Body = body
		readRDF(page, formatOf(page.MediaType), r.opts)
	case typeJSON:
		page.Body = body
	case typeLDJSON:
		page.Body = body
		page.Pending = true
	case typeRSS, typeAtom:
		r.readFeed(page, base, body, contentType)
	case typeJSONFeed:
		page.Body = body
		r.readFeed(page, base, body, contentType)
	case typeXML:
		if isSitemap(localRoot(body)) {
			readSitemap(page, base, xmlText(body, contentType), r.opts)
		}
	case typePDF:
		readPDF(page, base, body, r.opts)
	default:
		if strings.HasPrefix(page.MediaType, "text/") {
			r.readPlain(page, base, unicodeText(body, contentType))
		}
	}
}

// readPlain reads text without markup, or in Markdown.
func (r *Reader) readPlain(page *orbweaver.Page, base *weburl.Base, text []byte) {
	if page.Request.Purpose == orbweaver.ForSitemap && readTextSitemap(page, base, text, r.opts) {
		return
	}
	page.Text = plainText(text, r.opts.MaxText)
	markdown := isMarkdown(page)
	if markdown || page.MediaType == typePlain {
		t := textLinks{page: page, base: base, limit: r.opts.MaxLinks, markdown: markdown}
		t.readLinks()
	}
}

// Digest returns the digest of a payload as WARC files write it.
func Digest(payload []byte) string {
	sum := sha1.Sum(payload)
	var b [5 + 32]byte
	copy(b[:], "sha1:")
	base32.StdEncoding.Encode(b[5:], sum[:])
	return string(b[:])
}

// fromHeader takes what HTTP headers say of links and robots.
func fromHeader(page *orbweaver.Page, header http.Header, base *weburl.Base, opts Options) {
	for _, value := range header["X-Robots-Tag"] {
		robots(page, value, opts.Agent)
	}
	for _, value := range header["Link"] {
		headerLinks(page, value, base, opts.MaxLinks)
	}
	if ref := refreshTarget(header.Get("Refresh")); ref != "" && len(page.Links) < opts.MaxLinks {
		if to, err := base.Resolve(ref); err == nil && to != page.URL {
			page.Links = append(page.Links, orbweaver.Link{To: to, Rel: "refresh", Origin: orbweaver.FromHeader})
		}
	}
}

// robots applies a list of robots directives. Those behind "name:" are for the crawler of that name
// alone, and "*" is all crawlers. What commas part within a date are words without meaning.
func robots(page *orbweaver.Page, directives, agent string) {
	ours := true
	for directive := range strings.SplitSeq(directives, ",") {
		if name, rest, named := strings.Cut(directive, ":"); named && isAgent(strings.TrimSpace(name)) {
			name = strings.TrimSpace(name)
			ours = name == "*" || strings.EqualFold(name, agent)
			directive = rest
		}
		if ours {
			obey(page, directive)
		}
	}
}

// isAgent reports whether what stands before a colon names a crawler: neither a directive that has a
// value, maybe behind others, nor a part of a date.
func isAgent(name string) bool {
	name = strings.ToLower(name)
	switch {
	case name == "*":
		return true
	case name == "", name == "unavailable_after", strings.HasPrefix(name, "max-"), strings.ContainsAny(name, " \t\r\n\f\v"):
		return false
	}
	return 'a' <= name[0] && name[0] <= 'z'
}

// obey applies the words of a directive, but for a value: "max-image-preview: none" says nothing of the
// page.
func obey(page *orbweaver.Page, directive string) {
	value := false
	for word := range strings.FieldsSeq(directive) {
		if value {
			value = false
			continue
		}
		value = strings.HasSuffix(word, ":")
		switch strings.ToLower(word) {
		case "none":
			page.NoFollow, page.NoIndex = true, true
		case "nofollow":
			page.NoFollow = true
		case "noindex":
			page.NoIndex = true
		}
	}
}
