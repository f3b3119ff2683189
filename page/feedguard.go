package page

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"strings"
)

// Limits on a feed for the feed library, which recurses on nesting, and copies all namespaces for each element
// and the text for each piece of it.
const (
	feedDepth      = 48
	feedElements   = 100_000
	feedNamespaces = 24 // in the whole document
	feedAttributes = 24 // of one element
	feedItems      = 10_000
)

// A feedGuard rewrites a feed, well formed and within limits: without comments, processing instructions,
// declarations, xml:base, and elements nested too deep; each text in one piece. It closes elements that are
// truncated or malformed.
type feedGuard struct {
	out        []byte
	stack      []string // names of open elements
	elements   int
	namespaces int
	items      int
	skipped    int    // depth below the deepest element that is written
	base       string // xml:base of the root
	others     []feedPage
}

// A feedPage is another page of a feed (RFC 5005), which the feed library does not tell.
type feedPage struct{ rel, href string }

const maxFeedPages = 8

// isFeedPage reports whether a relation of a feed leads to another page of it.
func isFeedPage(rel string) bool {
	switch rel {
	case "next", "prev", "previous", "next-archive", "prev-archive":
		return true
	}
	return false
}

// guarded returns a feed, which is UTF-8, rewritten for the feed library, its own xml:base, and its other pages. After
// what is no XML it goes on with the next item.
func guarded(feed []byte) (safe []byte, base string, others []feedPage) {
	g := feedGuard{out: make([]byte, 0, len(feed)+len(feed)/8)}
	for n := 0; n < maxBreaks && len(feed) > 0; n++ {
		feed = from(feed[g.readUntil(feed):], "<item>", "<item ", "<entry>", "<entry ")
		if i := slices.IndexFunc(g.stack, isItem); i >= 0 {
			g.closeTo(i)
		}
	}
	g.closeTo(0)
	return g.out, g.base, g.others
}

// readUntil rewrites a feed up to its end, its limits, or the first error, and returns the offset.
func (g *feedGuard) readUntil(feed []byte) int {
	d := xml.NewDecoder(bytes.NewReader(feed))
	d.Strict = false
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	for g.elements < feedElements && g.items <= feedItems {
		token, err := d.RawToken()
		if err == io.EOF {
			break
		} else if err != nil {
			return int(d.InputOffset())
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
		if len(g.stack) == 0 && g.elements > 0 { // after the root element: not part of the feed
			break
		}
	}
	return len(feed)
}

// isItem reports whether a name is that of an item.
func isItem(name string) bool {
	_, local, prefixed := strings.Cut(name, ":")
	if prefixed {
		name = local
	}
	return name == "item" || name == "entry"
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
	if isItem(t.Name.Local) && len(g.stack) < 4 {
		g.items++
	}
	if i := slices.Index(g.stack, t.Name.Local); i >= 0 && isItem(t.Name.Local) && t.Name.Space == "" {
		g.closeTo(i) // items are not nested: the end tag is missing
	}
	if t.Name.Local == "link" && !slices.ContainsFunc(g.stack, isItem) {
		g.other(t.Attr)
	}
	name := fullName(t.Name)
	g.out = append(append(g.out, '<'), name...)
	for _, a := range t.Attr[:min(len(t.Attr), feedAttributes)] {
		g.attribute(a)
	}
	g.out = append(g.out, '>')
	g.stack = append(g.stack, name)
}

// other keeps a link of the feed itself to another page of it.
func (g *feedGuard) other(attributes []xml.Attr) {
	var p feedPage
	for _, a := range attributes {
		switch a.Name.Local {
		case "rel":
			p.rel = strings.ToLower(strings.TrimSpace(a.Value))
		case "href":
			p.href = a.Value
		}
	}
	if isFeedPage(p.rel) && p.href != "" && len(g.others) < maxFeedPages {
		g.others = append(g.others, p)
	}
}

// attribute writes an attribute, unless it exceeds the limit of namespaces.
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

// end closes the innermost element of a name, and all inside it; it does nothing if none is open.
func (g *feedGuard) end(name string) {
	if g.skipped > 0 {
		g.skipped--
		return
	}
	i := len(g.stack) - 1
	for i >= 0 && !strings.EqualFold(g.stack[i], name) {
		i--
	}
	if i >= 0 {
		g.closeTo(i)
	}
}

// closeTo writes end tags until so many elements are open.
func (g *feedGuard) closeTo(open int) {
	for len(g.stack) > open {
		g.close()
	}
}

// close writes the end tag of the innermost element.
func (g *feedGuard) close() {
	last := len(g.stack) - 1
	g.out = append(append(append(g.out, "</"...), g.stack[last]...), '>')
	g.stack = slices.Delete(g.stack, last, last+1)
}

// appendXML appends characters as a single piece of text, without characters that are invalid in XML.
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
