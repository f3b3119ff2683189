package page

import (
	"bytes"
	"slices"
	"strings"

	"orbweaver"
)

// A block is a run of text between the borders of block elements.
type block struct {
	start, end int32 // in text, which is at most maxText long
	linked     int32 // bytes of it inside links
	kind       tag   // the element it stands in
	flags      flag  // of that element
	worth      worth
}

// maxText is the largest limit that text can have.
const maxText = 1 << 30

// maxBlocks is how many blocks of a page are kept; no text is read behind them.
const maxBlocks = 1 << 19

// size is how many bytes of text a block has.
func (b block) size() int { return int(b.end - b.start) }

// closeBlock ends the open block.
func (d *document) closeBlock() { d.closeBlockAs(d.flags()) }

// closeBlockAs ends the open block, which stood under the given flags.
func (d *document) closeBlockAs(flags flag) {
	if d.current >= 0 {
		d.countLinked()
	}
	d.space, d.breaks = false, 0
	kind := d.open.kind
	if len(d.text) > int(d.open.start) {
		d.open.end, d.open.flags = int32(len(d.text)), flags
		d.open.worth = d.worthOf(d.open)
		if kind == tagH1 && d.heading.end == 0 && flags&hidden == 0 {
			d.heading = span{int(d.open.start), len(d.text)}
		}
		if len(d.blocks) == cap(d.blocks) { // doubling leaves less behind than what append does
			d.blocks = slices.Grow(d.blocks, max(64, len(d.blocks)))
		}
		d.blocks = append(d.blocks, d.open)
		d.text = append(d.text, '\n')
	}
	d.open = block{start: int32(len(d.text)), kind: d.innermost()}
}

// innermost returns the innermost block element that is open.
func (d *document) innermost() tag {
	for i := len(d.stack) - 1; i >= 0 && i >= len(d.stack)-8; i-- {
		if d.stack[i].tag.isBlock() {
			return d.stack[i].tag
		}
	}
	return tagOther
}

// A worth says how much a block looks like text by itself.
type worth uint8

const (
	bad  worth = iota // nearly all links
	weak              // short
	good              // sentences
)

// worthOf judges a block by its length and the share of it that is linked.
func (d *document) worthOf(b block) worth {
	size := b.size()
	switch {
	case int(b.linked)*2 > size:
		return bad
	case b.kind == tagH1 || b.kind == tagHeading:
		return weak
	case size >= 80 && int(b.linked)*5 < size*2, size >= 25 && int(b.linked)*5 < size*2 && endsSentence(d.text[b.start:b.end]):
		return good
	}
	return weak
}

// endsSentence says whether text ends as sentences do.
func endsSentence(b []byte) bool {
	end := len(b)
	for end > 0 && strings.IndexByte("\")'] ", b[end-1]) >= 0 {
		end--
	}
	if b = b[:end]; end == 0 {
		return false
	}
	switch b[end-1] {
	case '.', '!', '?', ':', ';':
		return true
	}
	return bytes.HasSuffix(b, []byte("。")) || bytes.HasSuffix(b, []byte("！")) || bytes.HasSuffix(b, []byte("”"))
}

// goodBytes counts the text in good blocks that have none of some flags and all of others.
func (d *document) goodBytes(without, with flag) int {
	n := 0
	for _, b := range d.blocks {
		if b.flags&without == 0 && b.flags&with == with && b.worth == good {
			n += b.size()
		}
	}
	return n
}

// article is how many bytes of text make a page worth reading without what its readers say of it.
const article = 500

// unwanted returns the flags that keep a block of this page out of its text. Marks that would cost a
// page most of its good text are mistaken: a wrapper named "with-sidebar", a page within <aside>. What
// readers say is left out of any page that has something to say itself, however much longer it is.
func (d *document) unwanted() (without, with flag) {
	never := hidden | discussion
	all := d.goodBytes(never, 0)
	if all < article {
		never = hidden
		all = d.goodBytes(never, 0)
	}
	without = never | boilerTag | boilerName
	kept := d.goodBytes(without, 0)
	if kept*4 < all {
		without = never | boilerTag
		kept = d.goodBytes(without, 0)
	}
	if kept*4 < all {
		without, kept = never, all
	}
	if main := d.goodBytes(without, inMain); main > 250 && main*10 >= kept*3 {
		with = inMain
	}
	return without, with
}

// A selection is the blocks of a range that carry the right flags and are worth enough.
type selection struct {
	blocks        []block
	without, with flag
	least         worth
}

// has says whether a block of the range is selected.
func (s selection) has(b block) bool {
	return b.flags&s.without == 0 && b.flags&s.with == s.with && b.worth >= s.least
}

// size is how many bytes the selection takes at most.
func (s selection) size() int {
	n := 0
	for _, b := range s.blocks {
		if s.has(b) {
			n += b.size() + len("\n\n")
		}
	}
	return n
}

// main returns the page's main text: all between its first and its last good block that is not nearly
// all links, the headings and short blocks right around them, and where that leaves next to nothing,
// all that is shown.
func (d *document) main() selection {
	without, with := d.unwanted()
	first, last, size, total := d.extent(without, with)
	if size >= 140 || size*4 >= total {
		return selection{d.blocks[first:min(last, len(d.blocks))], without, with, weak}
	}
	if all := (selection{d.blocks, without, 0, bad}); all.size() > 0 {
		return all
	}
	return selection{d.blocks, hidden, 0, bad}
}

// leading and trailing are how many short blocks before the first and after the last good one are
// taken for text too.
const leading, trailing = 3, 5

// extent returns the blocks of the main text, how many bytes of it are good, and how many bytes there
// are in all that are not unwanted.
func (d *document) extent(without, with flag) (first, last, size, total int) {
	first, last = -1, -1
	for i, b := range d.blocks {
		if b.flags&without != 0 || b.flags&with != with {
			continue
		}
		total += b.size()
		if b.worth != good {
			continue
		}
		size += b.size()
		if first < 0 {
			first = i
		}
		last = i
	}
	return d.stretch(first, -1, leading, without), d.stretch(last, 1, trailing, without) + 1, size, total
}

// stretch moves an index by as many blocks at most as are no links and not unwanted. Items and cells
// that stand together are one.
func (d *document) stretch(i, step, most int, without flag) int {
	for taken := 0; i >= 0; {
		next := i + step
		if next < 0 || next >= len(d.blocks) || d.blocks[next].flags&without != 0 || d.blocks[next].worth == bad {
			break
		}
		if !isLine(d.blocks[i].kind) || !isLine(d.blocks[next].kind) {
			if taken++; taken > most {
				break
			}
		}
		i = next
	}
	return max(i, 0)
}

// writeBlocks writes a selection of blocks. Items and cells are lines, all else is parted by blank lines.
func (d *document) writeBlocks(out *strings.Builder, s selection) {
	first, before := true, tagOther
	for _, b := range s.blocks {
		if !s.has(b) {
			continue
		}
		if !first {
			out.WriteByte('\n')
			if !isLine(before) || !isLine(b.kind) {
				out.WriteByte('\n')
			}
		}
		out.Write(d.text[b.start:b.end])
		first, before = false, b.kind
	}
}

// isLine says whether blocks of a kind stand together.
func isLine(t tag) bool { return t == tagItem || t == tagCell }

// finish turns what was gathered into the page. All its strings are pieces of one, which is made in
// one go: what it is to hold is measured first.
func (d *document) finish() {
	d.closeLink()
	main := d.main()
	heading := cut(d.text[d.heading.start:d.heading.end], maxValue)
	var out strings.Builder
	out.Grow(main.size() + len(d.values) + d.measureLinks() + len(heading))
	d.writeBlocks(&out, main)
	text := strings.TrimRight(cut(out.String(), d.opts.MaxText), " \n")
	start := out.Len()
	out.Write(d.values)
	values := out.String()[start:]
	page := d.page
	page.Text = text
	page.Scripted = d.isScripted(page.Text)
	switch {
	case d.title.end > d.title.start:
		page.Title = values[d.title.start:d.title.end]
	case d.ogTitle.end > d.ogTitle.start:
		page.Title = values[d.ogTitle.start:d.ogTitle.end]
	default:
		start = out.Len()
		out.Write(heading)
		page.Title = out.String()[start:]
	}
	if d.canonical != "" {
		page.Canonical = d.canonical
	}
	if len(d.links) > 0 {
		links := make([]orbweaver.Link, len(page.Links), len(page.Links)+len(d.links))
		copy(links, page.Links)
		for i := range d.links {
			links = append(links, d.finished(&out, values, i))
		}
		page.Links = links
	}
}

// A piece is the text at a link: its anchor and, before and after it, its context.
type piece struct{ anchor, before, after []byte }

// measureLinks finds the anchors and contexts of the links, and returns an upper bound of their size in bytes.
func (d *document) measureLinks() int {
	size := 0
	for i, block := 0, 0; i < len(d.links); i++ {
		var p piece
		if l := &d.links[i]; !l.lone {
			p.anchor = bytes.TrimSpace(cut(d.text[l.anchor.start:l.anchor.end], maxValue))
			p.before, p.after, block = d.context(l.anchor, block)
			size += len(p.anchor) + len(p.before) + len(" ") + len(p.after)
		}
		d.pieces = append(d.pieces, p)
	}
	return size
}

// finished returns a page's link; its texts are written to the page's one string.
func (d *document) finished(out *strings.Builder, values string, i int) orbweaver.Link {
	l, p := &d.links[i], &d.pieces[i]
	link := orbweaver.Link{To: l.to, Rel: l.rel, Type: l.typ, Title: values[l.title.start:l.title.end], Origin: l.origin}
	if l.lone {
		link.Anchor = values[l.anchor.start:l.anchor.end]
		return link
	}
	start := out.Len()
	for anchor := p.anchor; len(anchor) > 0; {
		end := indexOrEnd(anchor, '\n')
		out.Write(anchor[:end])
		if anchor = anchor[end:]; len(anchor) > 0 { // it runs over several blocks
			out.WriteByte(' ')
			anchor = anchor[1:]
		}
	}
	end := out.Len()
	out.Write(p.before)
	if len(p.before) > 0 && len(p.after) > 0 {
		out.WriteByte(' ')
	}
	out.Write(p.after)
	whole := out.String()
	link.Anchor, link.Context = whole[start:end], whole[end:]
	return link
}
