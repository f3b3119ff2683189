package eval

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"

	"orbweaver/internal/order"
	"orbweaver/ledger"
)

//go:embed parts.html
var partsPart string // embedded; read-only

const (
	maxParts  = 16 // of a blend
	shownSets = 20 // of parts
)

// partsTally counts the pages of a blend by the parts that accept them.
type partsTally struct {
	names []string
	sets  map[uint16]count // by the bits of the parts that accept
}

// of returns the bits of the parts that accept a line's page, and their number.
func (t *partsTally) of(l *ledger.Line) (set uint16, parts uint8) {
	for i, p := range l.Parts[:min(len(l.Parts), maxParts)] {
		if len(t.names) <= i {
			t.names = append(t.names, printable(p.Name, 60))
		}
		if p.Accepted {
			set |= 1 << i
		}
	}
	return set, uint8(min(len(l.Parts), maxParts))
}

// add counts a page n times; n is 1 or -1.
func (t *partsTally) add(s *standing, n int) {
	if s.parts == 0 {
		return
	}
	if t.sets == nil {
		t.sets = map[uint16]count{}
	}
	c := t.sets[s.set]
	c.add(s.accepted, n)
	t.sets[s.set] = c
}

// partsView is what the parts of a blend accept: each alone, together, and page by page.
type partsView struct {
	Names []string
	Each  []partRow
	Sets  []setRow
	More  int // sets that are not shown
	Venn  *vennView
	Pages []partsPage
}

// partRow is a part: the pages that it accepts, those that no other part accepts, and those of the blend among them.
type partRow struct {
	Name                   string
	Accepted, Alone, Blend int
	Bar                    float64
}

// setRow is a set of parts: the pages that exactly these accept.
type setRow struct {
	Has             []bool // by part
	Pages, Accepted int
	Bar             float64
}

// partsPage is one of the best pages, with what each part says of it.
type partsPage struct {
	URL, Title, Score string
	Parts             []partCell
}

type partCell struct {
	Chance   string
	Accepted bool
}

// view returns the view of a blend's parts; nil if the crawl has none.
func (t *partsTally) view(best []ledger.Line) *partsView {
	if len(t.names) == 0 {
		return nil
	}
	v := &partsView{Names: t.names, Each: make([]partRow, len(t.names))}
	most, largest := 0, 0
	for set, c := range t.sets {
		if c.pages == 0 {
			continue
		}
		row := setRow{Has: make([]bool, len(t.names)), Pages: c.pages, Accepted: c.accepted}
		for i := range t.names {
			if row.Has[i] = set>>i&1 == 1; row.Has[i] {
				v.Each[i].Accepted += c.pages
				v.Each[i].Blend += c.accepted
				if set == 1<<i {
					v.Each[i].Alone = c.pages
				}
			}
		}
		largest = max(largest, c.pages)
		v.Sets = append(v.Sets, row)
	}
	for i := range v.Each {
		v.Each[i].Name = t.names[i]
		most = max(most, v.Each[i].Accepted)
	}
	for i := range v.Each {
		v.Each[i].Bar = 100 * ratio(v.Each[i].Accepted, most)
	}
	order.By(v.Sets, func(a, b setRow) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), slices.CompareFunc(a.Has, b.Has, func(x, y bool) int { return cmp.Compare(bit(y), bit(x)) }))
	})
	for i := range v.Sets {
		v.Sets[i].Bar = 100 * ratio(v.Sets[i].Pages, largest)
	}
	v.Venn = t.venn()
	v.More = max(0, len(v.Sets)-shownSets)
	v.Sets = v.Sets[:min(len(v.Sets), shownSets)]
	for _, l := range best {
		v.Pages = append(v.Pages, t.page(l))
	}
	return v
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// page returns a row of the best pages.
func (t *partsTally) page(l ledger.Line) partsPage {
	p := partsPage{URL: harmless(l.URL), Title: printable(cmp.Or(l.Title, l.URL), 100), Score: strconv.FormatFloat(l.Score, 'f', 3, 64)}
	for i := range t.names {
		cell := partCell{Chance: "–"}
		if i < len(l.Parts) && !l.Parts[i].Silent {
			cell = partCell{strconv.FormatFloat(l.Parts[i].Chance, 'f', 3, 64), l.Parts[i].Accepted}
		}
		p.Parts = append(p.Parts, cell)
	}
	return p
}

// vennView is a Venn diagram of two or three parts.
type vennView struct {
	Height  int
	Circles []vennCircle
	Counts  []vennCount
}

type vennCircle struct {
	X, Y, R, LabelX, LabelY int
	Name, Anchor            string
	Style                   int // colour of the page's style sheet
}

type vennCount struct{ X, Y, Pages int }

// venn draws two or three parts; nil for more. Areas are not in proportion: the numbers tell.
func (t *partsTally) venn() *vennView {
	pages := func(set uint16) int { return t.sets[set].pages }
	short := func(i int) string { return printable(t.names[i], 24) }
	switch len(t.names) {
	case 2:
		return &vennView{
			Height:  240,
			Circles: []vennCircle{{150, 130, 95, 150, 25, short(0), "middle", 5}, {270, 130, 95, 270, 25, short(1), "middle", 6}},
			Counts:  []vennCount{{105, 135, pages(1)}, {210, 135, pages(3)}, {315, 135, pages(2)}},
		}
	case 3:
		return &vennView{
			Height: 350,
			Circles: []vennCircle{
				{150, 130, 95, 150, 25, short(0), "middle", 5}, {270, 130, 95, 270, 25, short(1), "middle", 6}, {210, 230, 95, 210, 343, short(2), "middle", 7},
			},
			Counts: []vennCount{
				{110, 115, pages(1)}, {310, 115, pages(2)}, {210, 285, pages(4)},
				{210, 100, pages(3)}, {150, 195, pages(5)}, {270, 195, pages(6)}, {210, 165, pages(7)},
			},
		}
	}
	return nil
}
