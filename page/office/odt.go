package office

import "strconv"

// odt reads a text document of OpenDocument.
func (p *pack) odt() []byte {
	p.head(p.properties("meta.xml", map[string]string{
		"title": "title", "initial-creator": "creator", "creator": "?creator", "creation-date": "created", "date": "?created",
		"language": "language", "rights": "rights",
	}))
	d := &openPart{writer: &p.out}
	p.walk("content.xml", p.budget, d.node)
	return p.out.b
}

// openPart writes the content.
type openPart struct {
	*writer
	body    bool
	skipped int      // depth within an element that is not read
	items   int      // open items of lists
	cells   int      // open cells of tables
	blocks  []string // tags of the open paragraphs: a note or a frame is within one
}

func (d *openPart) node(n node) bool {
	switch {
	case d.skipped > 0:
		if n.text == nil {
			d.skipped++
			if n.end {
				d.skipped -= 2
			}
		}
	case n.text != nil:
		if len(d.blocks) > 0 {
			d.text(string(n.text))
		}
	case n.end:
		d.ended(n.name)
	default:
		d.started(n)
	}
	return !d.full()
}

// started writes the start of an element. White space is that of <text:s>, <text:tab> and <text:line-break> as well.
func (d *openPart) started(n node) {
	switch n.name {
	case "body":
		d.body = true
	case "tracked-changes", "annotation", "note-citation", "table-of-content", "forms", "sequence-decls", "automatic-styles", "scripts", "object", "desc":
		d.skipped = 1
	case "h", "p":
		if !d.body {
			return
		}
		tag := "p"
		if n.name == "h" {
			level, _ := strconv.Atoi(n.attr("outline-level"))
			tag = heading(level)
		} else if d.items > 0 {
			tag = "li"
		}
		d.unlink()
		d.blocks = append(d.blocks, tag)
		d.block(tag, d.cells > 0)
	case "a":
		d.link(n.attr("href"))
	case "s", "tab", "line-break":
		if len(d.blocks) > 0 {
			d.text(" ")
		}
	case "list-item", "list-header":
		d.items++
	case "table":
		d.open("table")
	case "table-row":
		d.open("tr")
	case "table-cell":
		d.open("td")
		d.cells++
	}
}

func (d *openPart) ended(name string) {
	switch name {
	case "h", "p":
		if last := len(d.blocks) - 1; last >= 0 {
			d.unlink()
			d.unblock(d.blocks[last], d.cells > 0)
			d.blocks = d.blocks[:last]
		}
	case "a":
		d.unlink()
	case "list-item", "list-header":
		d.items--
	case "table":
		d.close("table")
	case "table-row":
		d.close("tr")
	case "table-cell":
		d.close("td")
		d.cells--
	}
}
