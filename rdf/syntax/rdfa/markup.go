package rdfa

import (
	"cmp"

	"orbweaver/internal/order"
	"orbweaver/rdf/syntax/internal/markup"
)

// A capture is the markup of an element, as the value of a property.
type capture struct {
	out   []byte
	depth int
	html  bool // rdf:HTML, else rdf:XMLLiteral
	soup  bool // the page is HTML: its elements are in the XHTML namespace
}

// start writes a start tag. The outermost elements of XML declare the namespaces in scope.
func (c *capture) start(name string, t *tag, n *names) {
	c.out = append(append(c.out, '<'), name...)
	for _, a := range t.all {
		c.attr("", a.name, a.value)
	}
	if c.depth == 0 && !c.html {
		c.declare(t, n)
	}
	c.out = append(c.out, '>')
	c.depth++
}

// declare writes the namespaces in scope that the tag does not declare itself.
func (c *capture) declare(t *tag, n *names) {
	own := make(map[string]bool, len(t.spaces))
	for _, d := range t.spaces {
		own[d.name] = true
	}
	if space := n.prefixes[""].space; !own[""] {
		if space == "" && c.soup {
			space = xhtmlNS
		}
		if space != "" {
			c.attr("", "xmlns", space)
		}
	}
	bound := make([]binding, 0, len(n.prefixes))
	for key, b := range n.prefixes {
		if key != "" && !own[b.prefix] {
			bound = append(bound, b)
		}
	}
	order.By(bound, func(a, b binding) int { return cmp.Compare(a.prefix, b.prefix) })
	for _, b := range bound {
		c.attr("xmlns:", b.prefix, b.space)
	}
}

// attr writes an attribute.
func (c *capture) attr(prefix, name, value string) {
	c.out = append(append(append(append(c.out, ' '), prefix...), name...), `="`...)
	if c.html {
		c.out = appendHTML(c.out, value)
	} else {
		c.out = markup.AppendValue(c.out, value)
	}
	c.out = append(c.out, '"')
}

// appendHTML appends an attribute value with HTML's escapes.
func appendHTML(dst []byte, value string) []byte {
	for i := range len(value) {
		switch x := value[i]; x {
		case '&':
			dst = append(dst, "&amp;"...)
		case '"':
			dst = append(dst, "&quot;"...)
		default:
			dst = append(dst, x)
		}
	}
	return dst
}

// text writes text.
func (c *capture) text(b []byte, raw bool) {
	if raw && c.html {
		c.out = append(c.out, b...)
		return
	}
	c.out = markup.AppendText(c.out, b)
}

// end writes an end tag.
func (c *capture) end(name string) {
	c.depth--
	if c.html && isVoid(name) {
		return
	}
	c.out = append(append(append(c.out, "</"...), name...), '>')
}
