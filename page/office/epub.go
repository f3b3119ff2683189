package office

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// epub reads the chapters of a publication in the order of its spine.
func (p *pack) epub() []byte {
	opf := p.packagePart()
	p.head(p.properties(opf, map[string]string{
		"title": "title", "creator": "creator", "date": "issued", "language": "language", "rights": "rights",
	}))
	for _, part := range p.spine(opf) {
		d := &chapter{writer: &p.out}
		p.walk(part, p.budget, d.node)
		d.unlink()
	}
	return p.out.b
}

// packagePart is the name of the part that lists the others.
func (p *pack) packagePart() (opf string) {
	p.walk("META-INF/container.xml", maxHead, func(n node) bool {
		if n.name == "rootfile" && !n.end {
			opf = n.attr("full-path")
		}
		return opf == ""
	})
	return opf
}

// spine returns the names of the chapters in reading order, without the table of contents.
func (p *pack) spine(opf string) (parts []string) {
	items := map[string]string{}
	p.walk(opf, p.budget, func(n node) bool {
		switch {
		case n.end:
		case n.name == "item" && len(items) < maxNames && !slices.Contains(strings.Fields(n.attr("properties")), "nav") && isChapter(n.attr("media-type")):
			if ref, err := url.PathUnescape(n.attr("href")); err == nil {
				items[n.attr("id")] = path.Join(path.Dir(opf), ref)
			}
		case n.name == "itemref":
			if part := items[n.attr("idref")]; part != "" {
				parts = append(parts, part)
				delete(items, n.attr("idref"))
			}
		}
		return len(parts) < maxChapters
	})
	return parts
}

func isChapter(mediaType string) bool {
	return mediaType == "application/xhtml+xml" || mediaType == "text/html" || mediaType == "application/x-dtbook+xml"
}

// chapter writes one chapter: the structure of its text, without attributes.
type chapter struct {
	*writer
	body    bool
	skipped int // depth within an element that is not read
}

func (c *chapter) node(n node) bool {
	switch {
	case c.skipped > 0:
		if n.text == nil {
			c.skipped++
			if n.end {
				c.skipped -= 2
			}
		}
	case n.text != nil:
		if c.body {
			c.text(string(n.text))
		}
	default:
		c.element(n)
	}
	return !c.full()
}

// element writes the start or the end of an element.
func (c *chapter) element(n node) {
	switch n.name {
	case "body", "book":
		c.body = !n.end
	case "script", "style", "svg", "math", "head", "nav", "template", "rt", "rp":
		if !n.end {
			c.skipped = 1
		}
	case "a":
		if n.end {
			c.unlink()
		} else if c.body {
			c.link(n.attr("href"))
		}
	case "br":
		if !n.end && c.body {
			c.text(" ")
		}
	case "h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "dt", "dd", "td", "th", "tr", "table", "ul", "ol", "dl", "blockquote", "pre", "figcaption", "caption", "div":
		c.tag(n.name, n.end)
	case "section", "article", "aside", "header", "footer", "main", "figure":
		c.tag("div", n.end)
	}
}

func (c *chapter) tag(name string, end bool) {
	switch {
	case !c.body:
	case end:
		c.close(name)
	default:
		c.open(name)
	}
}
