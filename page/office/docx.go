package office

import (
	"strconv"
	"strings"
)

// docx reads a document of WordprocessingML, and its notes behind it.
func (p *pack) docx() []byte {
	p.coreHead()
	main := p.mainPart("word/document.xml")
	styles := p.styles(main[:strings.LastIndexByte(main, '/')+1] + "styles.xml")
	folder := main[:strings.LastIndexByte(main, '/')+1]
	for _, part := range []string{main, folder + "footnotes.xml", folder + "endnotes.xml"} {
		if p.files[part] == nil {
			continue
		}
		d := &wordPart{writer: &p.out, styles: styles, targets: p.relations(part)}
		p.walk(part, p.budget, d.node)
	}
	return p.out.b
}

// coreHead writes the head of a document of ECMA-376.
func (p *pack) coreHead() {
	p.head(p.properties("docProps/core.xml", map[string]string{
		"title": "title", "creator": "creator", "language": "language", "rights": "rights", "created": "created", "modified": "?created",
	}))
}

// mainPart is the name of the part with the text, or by which the others are found.
func (p *pack) mainPart(main string) string {
	p.walk("_rels/.rels", maxHead, func(n node) bool {
		if n.name == "Relationship" && !n.end && strings.HasSuffix(n.attr("Type"), "/officeDocument") {
			main = strings.TrimPrefix(n.attr("Target"), "/")
			return false
		}
		return true
	})
	return main
}

// styles returns the levels of the styles that are headings, by their ids: names are the same in all languages, ids are not.
func (p *pack) styles(part string) map[string]int {
	levels, parents := map[string]int{}, map[string]string{}
	id := ""
	p.walk(part, p.budget, func(n node) bool {
		if n.end {
			return true
		}
		switch value := n.attr("val"); n.name {
		case "style":
			id = n.attr("styleId")
		case "name":
			if name := strings.ToLower(value); name == "title" {
				levels[id] = 1
			} else if digits, is := strings.CutPrefix(name, "heading "); is {
				levels[id], _ = strconv.Atoi(digits)
			}
		case "basedOn":
			parents[id] = value
		case "outlineLvl":
			if level, err := strconv.Atoi(value); err == nil && level < 9 && levels[id] == 0 {
				levels[id] = level + 1
			}
		}
		return len(parents) < maxNames && len(levels) < maxNames
	})
	for id := range parents {
		for at, steps := parents[id], 0; at != "" && levels[id] == 0 && steps < 10; at, steps = parents[at], steps+1 {
			levels[id] = levels[at]
		}
	}
	return levels
}

// wordPart writes one part of a document.
type wordPart struct {
	*writer
	styles  map[string]int
	targets map[string]string

	skipped int      // depth within an element that is not read
	cells   int      // open cells of tables
	props   bool     // within the properties of a paragraph
	blocks  []string // tags of the open paragraphs: a text box is within one
	begun   bool     // the tag of the innermost one is written
	texts   bool     // within <w:t>
	fields  []field  // open fields
	instr   bool     // within <w:instrText>
	hidden  bool     // the run is not shown: <w:vanish>
}

// A field is an instruction and its result.
type field struct {
	instruction string
	result      bool
}

// unread are elements whose content is not shown: deleted or moved text, what older programs show instead, drawings' data.
func unread(name string) bool {
	switch name {
	case "del", "moveFrom", "Fallback", "delText", "delInstrText", "sectPr", "tblPr", "trPr", "tcPr", "annotationRef":
		return true
	}
	return false
}

// node writes one node.
func (d *wordPart) node(n node) bool {
	switch {
	case d.skipped > 0:
		if n.text == nil {
			d.skipped++
			if n.end {
				d.skipped -= 2
			}
		}
	case n.text != nil:
		d.content(n.text)
	case n.end:
		d.ended(n.name)
	case unread(n.name):
		d.skipped = 1
	default:
		d.started(n)
	}
	return !d.full()
}

// content takes text: of a run, or of a field's instruction.
func (d *wordPart) content(text []byte) {
	switch {
	case d.instr && len(d.fields) > 0:
		if f := &d.fields[len(d.fields)-1]; len(f.instruction) < 8192 {
			f.instruction += string(text)
		}
	case d.texts && !d.hidden && !d.instructs():
		d.begin()
		d.text(string(text))
	}
}

// begin writes the start of the open paragraph, once its properties are known.
func (d *wordPart) begin() {
	if !d.begun && len(d.blocks) > 0 {
		d.block(d.blocks[len(d.blocks)-1], d.cells > 0)
		d.begun = true
	}
}

func (d *wordPart) started(n node) {
	switch n.name {
	case "p":
		d.unlink()
		d.blocks, d.begun = append(d.blocks, "p"), false
	case "pPr":
		d.props = true
	case "pStyle", "numPr", "outlineLvl":
		d.property(n)
	case "r":
		d.hidden = false
	case "vanish":
		value := n.attr("val")
		d.hidden = !d.props && value != "0" && value != "false" && value != "off"
	case "t":
		d.texts = true
	case "tab", "br", "cr", "ptab":
		if !d.props && !d.hidden {
			d.begin()
			d.text(" ")
		}
	case "noBreakHyphen":
		if !d.hidden {
			d.text("-")
		}
	case "hyperlink":
		d.begin()
		d.link(d.targets[n.attr("id")])
	case "fldSimple":
		d.begin()
		d.link(hyperlink(n.attr("instr")))
	case "fldChar":
		d.fieldPart(n.attr("fldCharType"))
	case "instrText":
		d.instr = true
	case "tbl":
		d.open("table")
	case "tr":
		d.open("tr")
	case "tc":
		d.open("td")
		d.cells++
	}
}

func (d *wordPart) ended(name string) {
	switch name {
	case "r":
		d.hidden = false
	case "p":
		if len(d.blocks) == 0 {
			return
		}
		d.unlink()
		if tag := d.blocks[len(d.blocks)-1]; d.begun {
			d.unblock(tag, d.cells > 0)
		}
		d.blocks = d.blocks[:len(d.blocks)-1]
		d.begun = false
	case "pPr":
		d.props = false
	case "t":
		d.texts = false
	case "instrText":
		d.instr = false
	case "hyperlink", "fldSimple":
		d.unlink()
	case "tbl":
		d.close("table")
	case "tr":
		d.close("tr")
	case "tc":
		d.close("td")
		d.cells--
	}
}

// instructs reports whether what follows is the instruction of a field, which some programs write as text.
func (d *wordPart) instructs() bool {
	return len(d.fields) > 0 && !d.fields[len(d.fields)-1].result
}

// property makes a paragraph a heading or an item.
func (d *wordPart) property(n node) {
	if !d.props || len(d.blocks) == 0 {
		return
	}
	tag := &d.blocks[len(d.blocks)-1]
	level, value := 0, n.attr("val")
	switch n.name {
	case "pStyle":
		level = d.styles[value]
	case "outlineLvl":
		if l, err := strconv.Atoi(value); err == nil && l < 9 {
			level = l + 1
		}
	case "numPr":
		if *tag == "p" {
			*tag = "li"
		}
	}
	if level > 0 {
		*tag = heading(level)
	}
}

// fieldPart opens the link of a field between its instruction and its result, and closes it at its end.
func (d *wordPart) fieldPart(part string) {
	last := len(d.fields) - 1
	switch {
	case part == "begin" && last < maxDepth:
		d.fields = append(d.fields, field{})
	case last < 0:
	case part == "separate":
		d.fields[last].result = true
		if ref := hyperlink(d.fields[last].instruction); ref != "" {
			d.begin()
			d.link(ref)
		}
	case part == "end":
		if d.fields[last].result && hyperlink(d.fields[last].instruction) != "" {
			d.unlink()
		}
		d.fields = d.fields[:last]
	}
}

// hyperlink returns the address of the field HYPERLINK "address"; empty: it is another one.
func hyperlink(instruction string) string {
	rest, is := strings.CutPrefix(strings.TrimSpace(instruction), "HYPERLINK ")
	if !is {
		return ""
	}
	if quoted, is := strings.CutPrefix(strings.TrimSpace(rest), `"`); is {
		address, _, _ := strings.Cut(quoted, `"`)
		return address
	}
	address, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	return address
}
