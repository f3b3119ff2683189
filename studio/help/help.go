// Package help has the pages for users, those of the folder docs, as HTML for the studio, and searches them.
//
// They are rendered when they change, not here: pages.zst has them, and a test writes it and compares it with the folder. HTML within their
// Markdown is left out, links between them lead to pages of the studio, those to files that it does not serve are text, and headings have
// the anchors that GitHub gives them.
//
// This package is not part of the stable API.
package help

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"

	"github.com/klauspost/compress/zstd"
)

// Base is the path of the index at the studio; a page is below it by its folder and name, without ".md".
const Base = "/help"

// maxPages bounds what the pages may be, in bytes.
const maxPages = 64 << 20

//go:embed pages.zst
var packed []byte

// ErrNoPage is the error for a page that there is not.
var ErrNoPage = errors.New("there is no such page of help")

// A Page is one page, rendered.
type Page struct {
	Path, Title string
	HTML        template.HTML // without the title
	Sections    []Section     // in order; the first is what stands before the second heading
}

// A Section is a heading and what stands below it up to the next.
type Section struct {
	Level        int // 1: the page itself
	Anchor, Name string
	Text         string // without marks; blocks end with a line break
}

// contents are what pages.zst has, as JSON.
type contents struct {
	Pages    []*Page
	Pictures map[string]string // SVG, by path at the studio
}

// A Shelf has all pages, and the words of their sections. It never changes.
type Shelf struct {
	contents
	pages   map[string]*Page // by path
	words   [][]counted      // of each entry
	entries []entry
	holding map[string]int // by word: sections with it
}

// Open reads the pages, which takes a moment. The error says that the program was built with a file that is none.
func Open() (*Shelf, error) { return open(packed) }

func open(packed []byte) (*Shelf, error) {
	unpack, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderMaxMemory(maxPages), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("help: %w", err)
	}
	defer unpack.Close()
	var c contents
	if err := json.NewDecoder(unpack).Decode(&c); err != nil {
		return nil, fmt.Errorf("help: %w", err)
	}
	return shelve(c), nil
}

func shelve(c contents) *Shelf {
	s := &Shelf{contents: c, pages: map[string]*Page{}, holding: map[string]int{}}
	for _, page := range c.Pages {
		s.pages[page.Path] = page
		s.take(page)
	}
	return s
}

// Page returns the page at a path of the studio, or an error that wraps ErrNoPage.
func (s *Shelf) Page(at string) (*Page, error) {
	page, ok := s.pages[at]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrNoPage, at)
	}
	return page, nil
}

// Picture returns the picture, SVG, at a path of the studio, or an error that wraps ErrNoPage.
func (s *Shelf) Picture(at string) (string, error) {
	picture, ok := s.Pictures[at]
	if !ok {
		return "", fmt.Errorf("%w: %s", ErrNoPage, at)
	}
	return picture, nil
}
