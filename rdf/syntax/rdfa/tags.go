package rdfa

// A class is a set of roles of an HTML element in nesting.
type class uint32

const (
	block       class = 1 << iota // HTML calls it special, and it has content
	solid                         // a block that ends the search for an open item
	barrier                       // end tags do not match across it
	paragraph                     // p
	button                        // button
	item                          // li
	description                   // dd, dt
	heading                       // h1 to h6
	table                         // table
	section                       // row groups and captions
	row                           // tr
	cell                          // td, th
	option                        // option
	optgroup                      // optgroup
	choice                        // option containers
	ruby                          // ruby
	rubyText                      // rt, rp
	link                          // a
	inert                         // template
	foreign                       // svg, math
	formatting                    // often closed late
	void                          // no content and no end tag
	ofHead                        // allowed in the head
	noParagraph                   // closes an open paragraph
	anything                      // matches any element
)

// classOf returns the class of an element.
func classOf(name string) class {
	switch name {
	case "address", "div":
		return anything | block | noParagraph
	case "p":
		return anything | block | noParagraph | paragraph
	case "article", "aside", "blockquote", "center", "details", "dialog", "dir", "dl", "fieldset", "figcaption",
		"figure", "footer", "form", "header", "hgroup", "listing", "main", "menu", "nav", "ol", "plaintext",
		"pre", "search", "section", "summary", "ul", "xmp":
		return anything | block | solid | noParagraph
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return anything | block | solid | noParagraph | heading
	case "li":
		return anything | block | solid | noParagraph | item
	case "dd", "dt":
		return anything | block | solid | noParagraph | description
	case "a":
		return anything | formatting | link
	case "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u":
		return anything | formatting
	case "area", "br", "col", "embed", "frame", "img", "input", "keygen", "param", "source", "track", "wbr":
		return anything | void
	case "hr":
		return anything | void | noParagraph
	case "base", "basefont", "bgsound", "link", "meta":
		return anything | void | ofHead
	case "noframes", "noscript", "script", "style", "title":
		return anything | block | solid | ofHead
	}
	return anything | rareClassOf(name)
}

// rareClassOf returns the class of elements of tables, forms and other rare ones.
func rareClassOf(name string) class {
	switch name {
	case "table":
		return block | solid | barrier | noParagraph | table
	case "caption":
		return block | solid | barrier | section
	case "colgroup", "tbody", "tfoot", "thead":
		return block | solid | section
	case "tr":
		return block | solid | row
	case "td", "th":
		return block | solid | barrier | cell
	case "body", "frameset", "head", "iframe", "noembed", "textarea":
		return block | solid
	case "applet", "html", "marquee", "object":
		return block | solid | barrier
	case "button":
		return block | solid | button
	case "select":
		return block | solid | choice
	case "datalist":
		return choice
	case "option":
		return option
	case "optgroup":
		return optgroup
	case "template":
		return block | solid | barrier | choice | inert | ofHead
	case "ruby":
		return ruby
	case "rt", "rp":
		return rubyText
	case "svg", "math":
		return barrier | foreign
	}
	return 0
}

// endedBy returns the class of open elements that a start tag closes, and the classes that stop the search;
// nothing is the empty class.
func endedBy(c class) (ended, barriers class) {
	switch {
	case c&item != 0:
		return item, solid
	case c&description != 0:
		return description, solid
	case c&row != 0:
		return row, table | inert | section
	case c&cell != 0:
		return cell, table | inert | row
	case c&section != 0:
		return section, table | inert
	case c&option != 0:
		return option, choice | optgroup
	case c&optgroup != 0:
		return optgroup, choice
	case c&rubyText != 0:
		return rubyText, ruby | inert
	case c&button != 0:
		return button, barrier
	case c&link != 0:
		return link, block
	case c&heading != 0:
		return heading, anything
	}
	return 0, 0
}

// isVoid reports whether an element has no content and no end tag.
func isVoid(name string) bool { return classOf(name)&void != 0 }
