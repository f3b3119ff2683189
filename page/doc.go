// Package page reads what came back from the Web as a page: bytes become media type, title, main text
// in blocks, language, links with all that surrounds them, and quads.
//
// HTML is read in one pass over its tokens, without a tree; boilerplate is told from text by block
// text density and link density (Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow
// Text Features, WSDM 2010), by elements and by class names, and a page that would lose nearly all its
// text that way keeps it. What a page is follows from header and bytes together, because headers lie.
//
// A page depends on the response alone. Whatever the bytes are, reading them neither panics nor hangs,
// and memory stays within a small multiple of the body's limit. Fetching, embedded data, feeds,
// sitemaps and any opinion of what a page is worth are not its business.
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
	"orbweaver/weburl"
)

// Options are the limits of reading. A value of zero or less stands for the default.
type Options struct {
	MaxBody  int64 // bytes of a decoded body; above: orbweaver.ErrTooLarge
	MaxLinks int   // links kept of a page, the first ones; after as many that are no URL none is looked at
	MaxText  int   // bytes of text kept of a page, and of half a million blocks at most
}

// DefaultOptions are 10 MiB of body, 10 000 links and 4 MiB of text.
func DefaultOptions() Options { return Options{MaxBody: 10 << 20, MaxLinks: 10_000, MaxText: 4 << 20} }

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
	opts.MaxText = min(opts.MaxText, maxText)
	return &Reader{opts: opts}
}

// Read reads one response, whose entity body is payload: content coding may still be on it, and it is
// not changed. The page's Body holds the decoded document when that is RDF or JSON, and may share
// memory with payload; it is nil for all else. Errors name the URL and wrap ErrTooLarge, ErrMalformed
// (content coding), ErrBadURL or ErrUnreadable, or the context's error.
func (r *Reader) Read(ctx context.Context, resp *orbweaver.Response, payload []byte) (page *orbweaver.Page, err error) {
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
	page = &orbweaver.Page{
		Request: resp.Request, URL: base.String(), Status: resp.Status, Fetched: resp.At,
		MediaType: mediaType(body, contentType), Digest: digest(payload), Size: int64(len(payload)),
	}
	fromHeader(page, resp.Header, base, r.opts.MaxLinks)
	r.readBody(page, base, body, contentType)
	if page.Lang == "" {
		page.Lang = language(resp.Header.Get("Content-Language"), page.Text)
	}
	return page, nil
}

// readBody reads what the media type says the body is.
func (r *Reader) readBody(page *orbweaver.Page, base *weburl.Base, body []byte, contentType string) {
	switch page.MediaType {
	case typeHTML, typeXHTML:
		r.readHTML(page, base, body, contentType)
	case typeTurtle, typeNTriples, typeRDFXML:
		page.Body = body
		readRDF(page, r.opts)
	case typeJSON, typeLDJSON, typeNQuads, typeTriG:
		page.Body = body
	default:
		if strings.HasPrefix(page.MediaType, "text/") {
			page.Text = plainText(unicodeText(nil, body, contentType), r.opts.MaxText)
		}
	}
}

// digest returns the digest of a payload as WARC files write it.
func digest(payload []byte) string {
	sum := sha1.Sum(payload)
	var b [5 + 32]byte
	copy(b[:], "sha1:")
	base32.StdEncoding.Encode(b[5:], sum[:])
	return string(b[:])
}

// fromHeader takes what HTTP headers say of links and robots.
func fromHeader(page *orbweaver.Page, header http.Header, base *weburl.Base, maxLinks int) {
	for _, value := range header["X-Robots-Tag"] {
		robots(page, value)
	}
	for _, value := range header["Link"] {
		headerLinks(page, value, base, maxLinks)
	}
}

// robots applies a list of robots directives, unless it is for a named crawler only.
func robots(page *orbweaver.Page, directives string) {
	for directive := range strings.SplitSeq(directives, ",") {
		directive = strings.ToLower(strings.TrimSpace(directive))
		if name, _, named := strings.Cut(directive, ":"); named && !strings.Contains(name, "unavailable") &&
			!strings.HasPrefix(name, "max-") {
			return
		}
		switch directive {
		case "none":
			page.NoFollow, page.NoIndex = true, true
		case "nofollow":
			page.NoFollow = true
		case "noindex":
			page.NoIndex = true
		}
	}
}
