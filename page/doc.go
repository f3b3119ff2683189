// Package page reads a response as a page: it extracts media type, title, main text in blocks, language, links
// with their context, and quads.
//
// It reads HTML in one pass over its tokens, without a tree, and separates boilerplate from text by block text
// density and link density (Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text Features,
// WSDM 2010), by elements and by class names. A page that would lose nearly all its text keeps it. Within the text it
// marks the article: see setApart. The media
// type follows from header and bytes together, because headers are often wrong.
//
// Besides HTML and RDF it reads plain text and Markdown, feeds (RSS, Atom, JSON Feed), sitemaps, PDF, DOCX, PPTX, XLSX, ODT and EPUB.
//
// A page is a function of the response, except for data in JSON-LD, which may need contexts at other URLs:
// Reader.Read marks a page with such data as Pending, Reader.Data reads it. On any input, reading neither
// panics nor hangs, and memory is bounded by a small multiple of the body limit. The package does not fetch,
// run scripts or judge relevance.
//
// This package is not part of the stable API.
package page

import (
	"cmp"
	"context"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"orbweaver"
	"orbweaver/internal/coding/charset"
	"orbweaver/internal/step"
	"orbweaver/page/office"
	"orbweaver/text"
	"orbweaver/weburl"
)

// Options are the limits of reading. A value of zero or less means the default.
type Options struct {
	MaxBody  int64 // bytes of a decoded body; above: orbweaver.ErrTooLarge
	MaxDump  int64 // bytes of a document of RDF, or of a packed dump as received; 0: MaxBody is for these too, and one file is unpacked
	MaxLinks int   // links kept of a page, the first ones, of a sitemap 50 000; also the limit of invalid references
	MaxText  int   // bytes of text kept of a page, and at most half a million blocks

	Simhash  bool // compute Page.Simhash
	Unlisted bool // Page.Items is 0 always: a page that only lists links is a text as any other
	KeepBody bool // keep the Body of HTML without data, too
	Mistakes bool // Quads of documents of RDF have an error at each mistake, after which they go on; else mistakes are skipped

	// Agent is the product token by which pages may address only this crawler: in X-Robots-Tag, and as name of
	// a <meta>. Case does not matter.
	Agent string
}

// DefaultOptions are 10 MiB of body, 10 000 links, 4 MiB of text, and "orbweaver".
func DefaultOptions() Options {
	return Options{MaxBody: 10 << 20, MaxLinks: 10_000, MaxText: 4 << 20, Agent: "orbweaver"}
}

// A Reader converts responses to pages. It is safe for concurrent use.
type Reader struct {
	opts      Options
	documents sync.Pool // of *document: reusable buffers without state
	shapes    *[]Block  // of a reader for one page: see ReadBlocks
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

// Read reads one response, whose entity body is payload, possibly with content codings; payload is not changed.
// The page's Body is the decoded document if it is RDF, JSON or HTML with data, and may share memory with
// payload; otherwise it is nil. Errors name the URL and wrap ErrTooLarge, ErrMalformed (content coding),
// ErrBadURL or ErrUnreadable, or the context's error.
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
	limit := r.opts.MaxBody
	if r.isDump(resp) {
		limit = max(limit, r.opts.MaxDump)
	}
	body, damage, err := salvaged(resp.Header, payload, limit)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", url, err)
	}
	page = &orbweaver.Page{
		Request: resp.Request, URL: base.String(), Status: resp.Status, Fetched: resp.At, Rendered: resp.Ran,
		Digest: resp.Digest, Size: int64(len(payload)),
	}
	if page.Digest == "" {
		page.Digest = Digest(payload)
	}
	flawed(page, flawHeader, resp.Flawed)
	if damage != "" {
		flawed(page, flawCoding, 1)
	}
	fromHeader(page, resp.Header, base, r.opts)
	if err := r.readContent(page, base, body, resp); err != nil {
		return nil, fmt.Errorf("read %s: %w", url, err)
	}
	if page.Lang == "" || !isRDF(page.MediaType) { // RDF has the languages of its labels
		page.Lang = language(cmp.Or(page.Lang, resp.Header.Get("Content-Language")), page.Text)
	}
	if r.opts.Simhash {
		page.Simhash = text.Simhash(page.Text)
	}
	return page, nil
}

// readContent reads a decoded body: a packed dump, or a document.
func (r *Reader) readContent(page *orbweaver.Page, base *weburl.Base, body []byte, resp *step.Response) error {
	contentType := resp.Header.Get("Content-Type")
	if r.opts.MaxDump > 0 {
		if d, is := newDump(body, contentType, resp.Request, r.opts.MaxDump); is {
			if is, err := r.readDump(page, d); is || err != nil {
				return err
			}
		}
	}
	body, contentType, err := unpacked(body, contentType, resp.Request, r.opts.MaxBody)
	if err != nil {
		return err
	}
	body = charset.Narrow(body)
	page.MediaType = mediaType(body, contentType)
	if err := r.checkSize(page.MediaType, body); err != nil {
		return err
	}
	if isLinkedJSON(page) {
		page.MediaType = typeLDJSON
	}
	r.readBody(page, base, body, contentType)
	return nil
}

// readBody reads the body according to its media type.
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
		switch root := localRoot(body); {
		case isSitemap(root):
			readSitemap(page, base, xmlText(page, body, contentType), r.opts)
		case isOpenSearch(root):
			readOpenSearch(page, base, xmlText(page, body, contentType))
		case string(root) == "svg":
			r.readSVG(page, base, body, contentType)
		}
	case typeSVG:
		r.readSVG(page, base, body, contentType)
	case typeOpenSearch:
		readOpenSearch(page, base, xmlText(page, body, contentType))
	case typePDF:
		readPDF(page, base, body, r.opts)
	case office.DOCX, office.PPTX, office.XLSX, office.ODT, office.EPUB:
		r.readOffice(page, base, body)
	default:
		if strings.HasPrefix(page.MediaType, "text/") {
			r.readPlain(page, base, textOf(page, body, contentType))
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
	page.Text = norm.NFC.String(page.Text)
}

// Digest returns the digest of a payload in the format of WARC files.
func Digest(payload []byte) string {
	sum := sha1.Sum(payload)
	var b [5 + 32]byte
	copy(b[:], "sha1:")
	base32.StdEncoding.Encode(b[5:], sum[:])
	return string(b[:])
}

// fromHeader reads the HTTP headers Link and X-Robots-Tag.
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

// robots applies a list of robots directives. Those after "name:" apply only to the crawler of that name; "*"
// is all crawlers. Commas within a date split it into unknown words, which are ignored.
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

// isAgent reports whether the text before a colon names a crawler: it is neither a directive with a value nor a
// part of a date.
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

// obey applies the words of a directive, but not its value: "max-image-preview: none" is no directive "none".
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
