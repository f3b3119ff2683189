package office

import "strconv"

// Limits of a workbook: bytes of its shared strings, and cells that are written.
const maxShared, maxCells = 8 << 20, 500_000

// xlsx reads the sheets of a workbook in their order, each with its name as heading and its cells as a table. Hidden
// sheets and rows, errors, formulas and formats are left out: a date is the number that is stored.
func (p *pack) xlsx() []byte {
	p.coreHead()
	main := p.mainPart("xl/workbook.xml")
	parts := p.related(main)
	type sheet struct{ name, part string }
	var sheets []sheet
	p.walk(main, p.budget, func(n node) bool {
		if state := n.attr("state"); n.name == "sheet" && !n.end && state != "hidden" && state != "veryHidden" {
			if part := partOf(parts, relationID(n), ""); part != "" {
				sheets = append(sheets, sheet{n.attr("name"), part})
			}
		}
		return len(sheets) < maxChapters
	})
	shared := p.shared(partOf(parts, "", "sharedStrings"))
	read, cells := map[string]bool{}, maxCells
	for _, s := range sheets {
		if read[s.part] {
			continue
		}
		read[s.part] = true
		p.out.open("h2")
		p.out.text(s.name)
		p.out.close("h2")
		p.out.open("table")
		d := &sheetPart{writer: &p.out, shared: shared, cells: &cells}
		p.walk(s.part, p.budget, d.node)
		d.endRow()
		p.out.close("table")
	}
	return p.out.b
}

// shared returns the strings that cells refer to by their numbers. Those of phonetic guides are no text.
func (p *pack) shared(part string) (list []string) {
	if part == "" {
		return nil
	}
	var s text
	size := 0
	p.walk(part, p.budget, func(n node) bool {
		s.node(n)
		if n.name == "si" && n.end {
			list = append(list, string(s.value))
			size += len(s.value)
			s = text{}
		}
		return size < maxShared && len(list) < maxShared/8
	})
	return list
}

// text collects what is in <t> elements.
type text struct {
	value    []byte
	open     bool
	phonetic int
}

func (t *text) node(n node) {
	switch {
	case n.text != nil:
		if t.open && t.phonetic == 0 {
			t.value = append(t.value, n.text...)
		}
	case n.name == "rPh":
		t.phonetic++
		if n.end {
			t.phonetic -= 2
		}
	case n.name == "t":
		t.open = !n.end
	}
}

// sheetPart writes the cells of a sheet.
type sheetPart struct {
	*writer
	shared []string
	cells  *int // budget

	kind   string // of the open cell
	value  []byte // of its <v>
	inline text   // of its <is>
	within bool   // <v>
	row    bool   // a row is open
	hidden bool   // the row is hidden
}

func (d *sheetPart) node(n node) bool {
	d.inline.node(n)
	switch {
	case n.text != nil:
		if d.within && len(d.value) < 1<<15 {
			d.value = append(d.value, n.text...)
		}
	case n.name == "v":
		d.within = !n.end
	case n.name == "row":
		d.endRow()
		d.hidden = !n.end && (n.attr("hidden") == "1" || n.attr("hidden") == "true")
	case n.name == "c" && !n.end:
		d.kind, d.value, d.inline = n.attr("t"), d.value[:0], text{}
	case n.name == "c":
		d.cell(d.content())
	}
	return !d.full() && *d.cells > 0
}

// content is the text of the open cell.
func (d *sheetPart) content() string {
	switch d.kind {
	case "s":
		if i, err := strconv.Atoi(string(d.value)); err == nil && i >= 0 && i < len(d.shared) {
			return d.shared[i]
		}
		return ""
	case "inlineStr":
		return string(d.inline.value)
	case "b":
		if string(d.value) == "1" {
			return "TRUE"
		}
		return "FALSE"
	case "e":
		return ""
	}
	return string(d.value)
}

// cell writes a cell that is not empty.
func (d *sheetPart) cell(s string) {
	if s == "" || d.hidden {
		return
	}
	if !d.row {
		d.open("tr")
		d.row = true
	}
	*d.cells--
	d.open("td")
	d.text(s)
	d.close("td")
}

func (d *sheetPart) endRow() {
	if d.row {
		d.close("tr")
		d.row = false
	}
}
