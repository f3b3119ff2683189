package urllist

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"orbweaver/weburl"
)

// maxToken is the maximum size of a tag or a text in a sitemap, in bytes.
const maxToken = 1 << 20

var errToken = errors.New("a tag or a text is longer than 1 MB")

// A guarded reader fails when a decoder reads too much for one token.
type guarded struct {
	io.ByteReader
	read int // since the last token
}

func (g *guarded) ReadByte() (byte, error) {
	if g.read++; g.read > maxToken {
		return 0, errToken
	}
	return g.ByteReader.ReadByte()
}

// Read is for io.Reader; a decoder reads bytes.
func (g *guarded) Read([]byte) (int, error) { return 0, errToken }

// xml reads a sitemap or an index of sitemaps (sitemaps.org).
func (s *scan) xml(in io.ByteReader) error {
	guard := &guarded{ByteReader: in}
	d := xml.NewDecoder(guard)
	d.Strict = false
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil } // URLs are ASCII
	var m sitemap
	for {
		guard.read = 0
		token, err := d.RawToken()
		line, _ := d.InputPos()
		switch {
		case errors.Is(err, io.EOF) && m.depth == 0 && m.entry != "":
			return nil
		case errors.Is(err, io.EOF):
			return s.broken(line, io.ErrUnexpectedEOF)
		case err != nil:
			return s.broken(line, err)
		}
		if err := s.token(&m, token, line); err != nil {
			return err
		}
	}
}

// A sitemap is the state of reading one.
type sitemap struct {
	entry string // name of its entries: url or sitemap; empty: before the root
	depth int    // elements open
	loc   bool   // in the URL of an entry
	text  strings.Builder
}

// token acts on a tag or a text.
func (s *scan) token(m *sitemap, token xml.Token, line int) error {
	switch t := token.(type) {
	case xml.StartElement:
		m.depth++
		switch {
		case m.depth == 1:
			return s.root(m, t.Name.Local, line)
		case m.depth == 3 && t.Name.Local == "loc":
			m.loc = true
			m.text.Reset()
		}
	case xml.EndElement:
		if m.depth == 0 {
			return s.problem(line, "closes a tag that is not open", "")
		}
		if m.depth--; m.loc && m.depth == 2 {
			m.loc = false
			return s.page(strings.TrimSpace(m.text.String()))
		}
	case xml.CharData:
		if m.loc && m.text.Len() <= weburl.MaxLength {
			m.text.Write(t[:min(len(t), weburl.MaxLength+1)])
		}
	}
	return nil
}

// root begins a sitemap.
func (s *scan) root(m *sitemap, name string, line int) error {
	switch name {
	case "urlset":
		m.entry, s.form = "url", formSitemap
	case "sitemapindex":
		m.entry, s.form = "sitemap", formIndex
	default:
		return s.problem(line, "its root is <"+name[:min(len(name), 40)]+">: no sitemap", "a sitemap is a <urlset> or a <sitemapindex>")
	}
	return nil
}
