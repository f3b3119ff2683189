// Package urllist reads lists of URLs that are too long to be the seeds of a crawl: one URL per line, sitemaps, CDX and CDXJ
// indexes, pages of WACZ files; plain or gzip. It streams: memory does not grow with a list.
package urllist

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"sync"

	"orbweaver"
)

// Bounds of a list, and of its parts.
const (
	maxURLs  = 100_000_000
	maxBytes = 64 << 30 // unpacked
	partURLs = 50_000   // as many as a sitemap may have (sitemaps.org)

	// PartBytes is the maximum size of a part.
	PartBytes = 4 << 20
)

// An Error is what is wrong with a list, and where. It wraps orbweaver.ErrInput.
type Error struct {
	File string
	Line int // from 1; 0: the file as a whole
	Msg  string
	Hint string // what to do; may be empty
}

// Error returns file, line, message and hint.
func (e *Error) Error() string {
	s := e.File
	if e.Line > 0 {
		s = fmt.Sprintf("%s:%d", s, e.Line)
	}
	if s += ": " + e.Msg; e.Hint != "" {
		s += ": " + e.Hint
	}
	return s
}

// Unwrap returns orbweaver.ErrInput.
func (e *Error) Unwrap() error { return orbweaver.ErrInput }

// A List is a file of URLs, read once from beginning to end. Its parts are read again on demand. It is safe for concurrent
// use.
type List struct {
	Path    string
	Form    string // "URLs", "sitemap", "sitemap index", "CDX", "CDXJ" or "pages"
	URLs    int64  // canonical; repetitions count unless they follow each other
	LeftOut int64  // entries that are no page: other schemes, failures, robots.txt, invalid URLs
	Parts   int    // into which the list is divided, in order
	Digest  string // "sha256:" and hex over the URLs, each followed by a line feed

	mu     sync.Mutex
	cursor *cursor // at the part that is probably asked for next; nil: none is open
}

// Open reads a list from beginning to end. Lists of URLs, one per line, must be valid; of the other forms, which programs
// write, entries without a usable URL are left out. The error is an *Error.
func Open(path string) (*List, error) {
	l := &List{Path: path}
	c := newCursor(path)
	defer c.stop()
	hash := sha256.New()
	for {
		part, err := c.part()
		if err != nil {
			return nil, err
		}
		if part == nil {
			break
		}
		l.Parts++
		for _, url := range part {
			io.WriteString(hash, url+"\n")
		}
		if l.URLs += int64(len(part)); l.URLs > maxURLs {
			return nil, &Error{File: path, Msg: fmt.Sprintf("holds more than %d URLs", maxURLs), Hint: "divide it"}
		}
	}
	if l.URLs == 0 {
		return nil, &Error{File: path, Msg: "holds no URL of a page"}
	}
	l.Form, l.LeftOut = c.scan.form, c.scan.leftOut
	l.Digest = "sha256:" + hex.EncodeToString(hash.Sum(nil))
	return l, nil
}

// Index reports whether the URLs are those of sitemaps.
func (l *List) Index() bool { return l.Form == formIndex }

// Part returns the URLs of a part, from 0. Parts in order cost one pass over the file. The error is an *Error; a file that has
// become shorter since Open has no such part.
func (l *List) Part(n int) ([]string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cursor == nil || l.cursor.next > n {
		l.close()
		l.cursor = newCursor(l.Path)
	}
	for {
		part, err := l.cursor.part()
		if err == nil && part == nil {
			err = &Error{File: l.Path, Msg: "has become shorter since the crawl began", Hint: "restore it"}
		}
		if err != nil {
			l.close()
			return nil, err
		}
		if l.cursor.next > n {
			if l.cursor.next == l.Parts {
				l.close()
			}
			return part, nil
		}
	}
}

// Document returns a part as a sitemap, one URL per line; of an index, in XML.
func (l *List) Document(n int) (media string, body []byte, err error) {
	part, err := l.Part(n)
	if err != nil {
		return "", nil, err
	}
	var b bytes.Buffer
	if !l.Index() {
		for _, url := range part {
			b.WriteString(url)
			b.WriteByte('\n')
		}
		return "text/plain; charset=utf-8", b.Bytes(), nil
	}
	b.WriteString(`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, url := range part {
		b.WriteString("<sitemap><loc>")
		xml.EscapeText(&b, []byte(url))
		b.WriteString("</loc></sitemap>\n")
	}
	b.WriteString("</sitemapindex>\n")
	return "application/xml", b.Bytes(), nil
}

// Close closes the file, if one is open. The list can still be used.
func (l *List) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.close()
}

func (l *List) close() {
	if l.cursor != nil {
		l.cursor.stop()
		l.cursor = nil
	}
}

// A cursor reads the parts of a list in order.
type cursor struct {
	scan *scan
	pull func() (string, error, bool)
	stop func()
	next int    // number of the next part
	last string // the first URL of the next part, read already; empty: none is
}

func newCursor(path string) *cursor {
	c := &cursor{scan: &scan{path: path}}
	c.pull, c.stop = iter.Pull2(c.scan.urls())
	return c
}

// part returns the next part; nil: there is none.
func (c *cursor) part() ([]string, error) {
	var part []string
	size := 0
	for {
		url := c.last
		if c.last = ""; url == "" {
			var err error
			var ok bool
			if url, err, ok = c.pull(); err != nil {
				return nil, err
			}
			if !ok {
				break
			}
		}
		if len(part) == partURLs || size+len(url)+markup > PartBytes {
			c.last = url
			break
		}
		part, size = append(part, url), size+len(url)+markup
	}
	if part != nil {
		c.next++
	}
	return part, nil
}

// markup is about how much a URL takes in a document beside itself: a line feed or tags.
const markup = 48
