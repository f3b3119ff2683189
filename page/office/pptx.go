package office

import "strconv"

// pptx reads the slides of a presentation in their order, each with its notes. Hidden slides are left out.
func (p *pack) pptx() []byte {
	p.coreHead()
	main := p.mainPart("ppt/presentation.xml")
	parts := p.related(main)
	var slides []string
	p.walk(main, p.budget, func(n node) bool {
		if n.name == "sldId" && !n.end {
			if part := partOf(parts, relationID(n), ""); part != "" {
				slides = append(slides, part)
			}
		}
		return len(slides) < maxChapters
	})
	read := map[string]bool{}
	for i, part := range slides {
		if read[part] {
			continue
		}
		read[part] = true
		p.slide(part, "Slide "+strconv.Itoa(i+1))
		if notes := partOf(p.related(part), "", "notesSlide"); notes != "" && !read[notes] {
			read[notes] = true
			d := &slidePart{writer: &p.out, targets: p.relations(notes), notes: true}
			p.walk(notes, p.budget, d.node)
		}
	}
	return p.out.b
}

// relationID is the attribute r:id of an element that has an id of its own as well.
func relationID(n node) string {
	for _, a := range n.attrs {
		if a.Name.Local == "id" && a.Name.Space != "" {
			return a.Value
		}
	}
	return ""
}

// slide writes one slide: its title, or else its number, as a heading, and the text of its other shapes.
func (p *pack) slide(part, number string) {
	d := &slidePart{writer: &p.out, targets: p.relations(part), number: number}
	p.walk(part, p.budget, d.node)
}

// slidePart writes the shapes of a slide or of its notes.
type slidePart struct {
	*writer
	targets map[string]string
	number  string // heading of a slide without a title; empty once there is one
	notes   bool

	skipped int    // depth within an element that is not read
	tag     string // of the paragraphs of the shape
	begun   bool   // the tag of the open paragraph is written
	texts   bool   // within <a:t>
	cells   int    // open cells of tables
}

// unshown are placeholders of what every slide has.
func unshown(placeholder string) bool {
	switch placeholder {
	case "sldNum", "dt", "ftr", "hdr", "sldImg":
		return true
	}
	return false
}

func (d *slidePart) node(n node) bool {
	switch {
	case d.skipped > 0:
		if n.text == nil {
			d.skipped++
			if n.end {
				d.skipped -= 2
			}
		}
	case n.text != nil:
		if d.texts {
			d.begin()
			d.text(string(n.text))
		}
	case n.end:
		d.ended(n.name)
	default:
		return d.started(n) && !d.full()
	}
	return !d.full()
}

// begin writes the start of the open paragraph, and before it the heading of a slide whose first shape is no title.
func (d *slidePart) begin() {
	if d.begun {
		return
	}
	if d.number != "" && d.tag != "h2" {
		d.open("h2")
		d.text(d.number)
		d.close("h2")
	}
	d.number, d.begun = "", true
	d.block(d.tag, d.cells > 0)
}

// started writes the start of an element; false: the slide is hidden.
func (d *slidePart) started(n node) bool {
	switch n.name {
	case "sld":
		return n.attr("show") != "0" && n.attr("show") != "false"
	case "sp", "graphicFrame":
		d.tag = "p"
	case "cNvPr":
		if hidden := n.attr("hidden"); hidden == "1" || hidden == "true" {
			d.tag = ""
		}
	case "ph":
		switch kind := n.attr("type"); {
		case unshown(kind):
			d.tag = ""
		case (kind == "title" || kind == "ctrTitle") && d.tag != "" && !d.notes:
			d.tag = "h2"
		}
	case "Fallback":
		d.skipped = 1
	case "p":
		d.begun = false
	case "t":
		d.texts = d.tag != ""
	case "br", "tab":
		if d.begun {
			d.text(" ")
		}
	case "hlinkClick":
		if target := d.targets[n.attr("id")]; target != "" && d.tag != "" {
			d.begin()
			d.link(target)
		}
	case "tbl":
		d.open("table")
	case "tr":
		d.open("tr")
	case "tc":
		d.open("td")
		d.cells++
	}
	return true
}

func (d *slidePart) ended(name string) {
	switch name {
	case "r":
		d.unlink()
	case "p":
		d.unlink()
		if d.begun {
			d.unblock(d.tag, d.cells > 0)
		}
		d.begun = false
	case "t":
		d.texts = false
	case "tbl":
		d.close("table")
	case "tr":
		d.close("tr")
	case "tc":
		d.close("td")
		d.cells--
	}
}
