package page

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"strings"
)

// The limits of a feed that the feed library is shown. It calls itself for elements in each other,
// copies all namespaces for each element, and a text for each piece of it.
const (
	feedDepth      = 48
	feedElements   = 100_000
	feedNamespaces = 24 // in the whole document
	feedAttributes = 24 // of one element
	feedItems      = 10_000
)

// A feedGuard writes a feed again, well formed and within limits: without comments, processing
// instructions, declarations, xml:base, and what nests too deep; each text in one piece. What breaks
// off or is malformed is closed where it ends.
type feedGuard struct {
	out        []byte
	stack      []string // names of open elements
	elements   int
	namespaces int
	items      int
	skipped    int    // depth below the deepest element that is written
	base       string // xml:base of the root
}

// guarded returns a feed, which is UTF-8, as the feed library is to see it, and its own xml:base.
func guarded(feed []byte) (safe []byte, base string) {
	d := xml.NewDecoder(bytes.NewReader(feed))
	d.Strict = false
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	g := feedGuard{out: make([]byte, 0, len(feed)+len(feed)/8)}
	for g.elements < feedElements && g.items <= feedItems {
		token, err := d.RawToken()
		if err != nil {
			break
		}
		switch t := token.(type) {
		case xml.StartElement:
			g.start(t)
		case xml.EndElement:
			g.end(fullName(t.Name))
		case xml.CharData:
			if len(g.stack) > 0 {
				g.out = appendXML(g.out, t)
			}
		}
		if len(g.stack) == 0 && g.elements > 0 { // the root is closed: what follows is none of the feed
			break
		}
	}
	for len(g.stack) > 0 {
		g.close()
	}
	return g.out, g.base
}

// fullName returns a raw name with its prefix.
func fullName(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// start writes a start tag.
func (g *feedGuard) start(t xml.StartElement) {
	g.elements++
	if len(g.stack) >= feedDepth {
		g.skipped++
		return
	}
	if (t.Name.Local == "item" || t.Name.Local == "entry") && len(g.stack) < 4 {
		g.items++
	}
	name := fullName(t.Name)
	g.out = append(append(g.out, '<'), name...)
	for _, a := range t.Attr[:min(len(t.Attr), feedAttributes)] {
		g.attribute(a)
	}
	g.out = append(g.out, '>')
	g.stack = append(g.stack, name)
}

// attribute writes an attribute, unless it is one namespace too many.
func (g *feedGuard) attribute(a xml.Attr) {
	switch {
	case a.Name.Space == "xml" && a.Name.Local == "base":
		if len(g.stack) == 0 {
			g.base = a.Value
		}
		return
	case a.Name.Space == "xmlns" || a.Name.Space == "" && a.Name.Local == "xmlns":
		if g.namespaces++; g.namespaces > feedNamespaces {
			return
		}
	}
	if len(a.Value) > 2*maxValue {
		return
	}
	g.out = append(append(append(g.out, ' '), fullName(a.Name)...), `="`...)
	g.out = append(appendXML(g.out, []byte(a.Value)), '"')
}

// end closes the innermost element of a name, and all inside it; none open: nothing.
func (g *feedGuard) end(name string) {
	if g.skipped > 0 {
		g.skipped--
		return
	}
	i := len(g.stack) - 1
	for i >= 0 && !strings.EqualFold(g.stack[i], name) {
		i--
	}
	for i >= 0 && len(g.stack) > i {
		g.close()
	}
}

// close writes the end tag of the innermost element.
func (g *feedGuard) close() {
	last := len(g.stack) - 1
	g.out = append(append(append(g.out, "</"...), g.stack[last]...), '>')
	g.stack = slices.Delete(g.stack, last, last+1)
}

// appendXML appends characters in a form that is one piece of text, and what XML does not know left
// out.
func appendXML(dst, text []byte) []byte {
	start := 0
	for i, c := range text {
		var escaped string
		switch {
		case c == '&':
			escaped = "&amp;"
		case c == '<':
			escaped = "&lt;"
		case c == '>':
			escaped = "&gt;"
		case c == '"':
			escaped = "&#34;"
		case c < ' ' && c != '\t' && c != '\n':
		default:
			continue
		}
		dst = append(append(dst, text[start:i]...), escaped...)
		start = i + 1
	}
	return append(dst, text[start:]...)
}
