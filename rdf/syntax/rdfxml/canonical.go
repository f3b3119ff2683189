package rdfxml

import (
	"cmp"
	"slices"

	"orbweaver/internal/order"
	"orbweaver/rdf/syntax/internal/markup"
)

// canonical writes tokens as exclusive canonical XML with comments (W3C Recommendation of 18 July
// 2002): namespaces are declared where they are first visibly used, attributes are in order.
type canonical struct {
	out      []byte
	declared []declaration // in scope in the output, innermost last
	levels   []int         // len(declared) at each open element
}

type declaration struct{ prefix, space string }

// write appends a token.
func (c *canonical) write(t *markup.Token) {
	switch t.Kind {
	case markup.Text:
		c.text(t.Text)
	case markup.Comment:
		c.out = append(append(append(c.out, "<!--"...), t.Text...), "-->"...)
	case markup.Instruction:
		c.out = append(append(append(c.out, "<?"...), t.Text...), "?>"...)
	case markup.Start:
		c.start(t)
	case markup.End:
		c.out = append(c.out, "</"...)
		c.name(t.Name)
		c.out = append(c.out, '>')
		last := len(c.levels) - 1
		c.declared, c.levels = c.declared[:c.levels[last]], c.levels[:last]
	}
}

// start appends a start tag.
func (c *canonical) start(t *markup.Token) {
	c.levels = append(c.levels, len(c.declared))
	outer := len(c.declared)
	c.use(t.Name)
	for _, a := range t.Attrs {
		if a.Prefix != "" {
			c.use(a.Name)
		}
	}
	c.out = append(c.out, '<')
	c.name(t.Name)
	added := c.declared[outer:]
	order.By(added, func(a, b declaration) int { return cmp.Compare(a.prefix, b.prefix) })
	for _, d := range added {
		c.out = append(c.out, " xmlns"...)
		if d.prefix != "" {
			c.out = append(append(c.out, ':'), d.prefix...)
		}
		c.value(d.space)
	}
	attrs := slices.Clone(t.Attrs)
	order.By(attrs, func(a, b markup.Attr) int {
		return cmp.Or(cmp.Compare(a.Space, b.Space), cmp.Compare(a.Local, b.Local))
	})
	for _, a := range attrs {
		c.out = append(c.out, ' ')
		c.name(a.Name)
		c.value(a.Value)
	}
	c.out = append(c.out, '>')
}

// use declares the namespace of a name unless it is in scope.
func (c *canonical) use(n markup.Name) {
	if n.Prefix == "xml" || n.Undeclared() {
		return
	}
	space := ""
	for i := len(c.declared) - 1; i >= 0; i-- {
		if c.declared[i].prefix == n.Prefix {
			if space = c.declared[i].space; space == n.Space {
				return
			}
			break
		}
	}
	if n.Space != space {
		c.declared = append(c.declared, declaration{n.Prefix, n.Space})
	}
}

// name appends a name as written.
func (c *canonical) name(n markup.Name) {
	if n.Prefix != "" {
		c.out = append(append(c.out, n.Prefix...), ':')
	}
	c.out = append(c.out, n.Local...)
}

// value appends ="value".
func (c *canonical) value(s string) {
	c.out = append(markup.AppendValue(append(c.out, `="`...), s), '"')
}

// text appends character data.
func (c *canonical) text(b []byte) { c.out = markup.AppendText(c.out, b) }
