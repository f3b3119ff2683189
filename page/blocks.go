package page

import (
	"bytes"
	"slices"
	"strings"

	"orbweaver"
)

// A block is a run of text between boundaries of block elements.
type block struct {
	start, end int32 // in text, which is at most maxText long
	linked     int32 // bytes of it inside links
	kind       tag   // its innermost block element
	node       int32 // its innermost container, in nodes
	flags      flag  // of its innermost block element
	worth      worth
	form       blockForm
}

// maxText is the upper limit of Options.MaxText.
const maxText = 1 << 30

// maxBlocks is the number of blocks kept per page; text after them is ignored.
const maxBlocks = 1 << 19

// size is the number of bytes of text in a block.
func (b block) size() int { return int(b.end - b.start) }

// closeBlock ends the open block.
func (d *document) closeBlock() { d.closeBlockAs(d.flags()) }

// closeBlockAs ends the open block, which has the given flags.
func (d *document) closeBlockAs(flags flag) {
	if d.current >= 0 {
		d.countLinked()
	}
	d.space, d.breaks = false, 0
	kind := d.open.kind
	if len(d.text) > int(d.open.start) {
		if flags&scriptless != 0 && isPlea(d.text[d.open.start:]) {
			flags |= hidden
		}
		d.open.end, d.open.flags = int32(len(d.text)), flags
		d.open.worth, d.open.node = d.worthOf(d.open), d.node()
		if kind == tagH1 && d.heading.end == 0 && flags&hidden == 0 {
			d.heading = span{int(d.open.start), len(d.text)}
		}
		if len(d.blocks) == cap(d.blocks) { // doubling wastes less than append does
			d.blocks = slices.Grow(d.blocks, max(64, len(d.blocks)))
		}
		d.blocks = append(d.blocks, d.open)
		d.keepCode()
		d.text = append(d.text, '\n')
	}
	d.open = block{start: int32(len(d.text)), kind: d.innermost(), form: d.form()}
}

// innermost returns the innermost open block element.
func (d *document) innermost() tag {
	for i := len(d.stack) - 1; i >= 0 && i >= len(d.stack)-8; i-- {
		if d.stack[i].tag.isBlock() {
			return d.stack[i].tag
		}
	}
	return tagOther
}

// A worth is how much a block looks like main text.
type worth uint8

const (
	bad  worth = iota // nearly all links
	weak              // short
	good              // sentences
)

// worthOf classifies a block by its length and link density.
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

// endsSentence reports whether text ends like a sentence.
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

// article is how many bytes of text make a page readable without its comments.
const article = 500

// unwanted returns the flags that exclude a block of this page from its text. Marks that would exclude most
// good text are ignored: a wrapper named "with-sidebar", a page within <aside>. Reader comments are excluded
// from every page with enough text of its own, however long they are.
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

// A selection is the blocks of a range with the right flags and sufficient worth.
type selection struct {
	blocks        []block
	without, with flag
	least         worth
}

// has reports whether a block of the range is selected.
func (s selection) has(b block) bool {
	return b.flags&s.without == 0 && b.flags&s.with == s.with && b.worth >= s.least
}

// size is the maximal number of bytes of the selection.
func (s selection) size() int {
	n := 0
	for _, b := range s.blocks {
		if s.has(b) {
			n += b.size() + len("\n\n")
		}
	}
	return n
}

// main returns the page's main text: everything between its first and its last good block without blocks that
// are almost only links, plus adjacent headings and short blocks; if that leaves almost nothing, all visible
// text.
func (d *document) main() selection {
	if d.whole {
		return selection{d.blocks, hidden, 0, bad}
	}
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

// items counts the blocks of a main text that are little but links; a page with text beside them has none.
func (s selection) items() (n int) {
	if s.least > bad {
		return 0
	}
	for _, b := range s.blocks {
		if b.worth == bad && s.has(b) {
			n++
		}
	}
	return n
}

// leading and trailing are the numbers of short blocks before the first and after the last good one that belong
// to the main text.
const leading, trailing = 3, 5

// extent returns the range of the main text, the bytes of its good blocks, and the bytes of all wanted blocks.
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

// stretch moves an index over at most n blocks that are neither links nor unwanted. Adjacent items and cells
// count as one.
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

// writeBlocks writes a selection of blocks. Items and cells are lines; blank lines separate all others. It returns the
// runs of blocks that are not apart; nil: none is.
func (d *document) writeBlocks(out *strings.Builder, s selection) (parts [][2]int) {
	first, before := true, tagOther
	whole, open := true, false
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
		start := out.Len()
		out.Write(d.text[b.start:b.end])
		first, before = false, b.kind
		d.shape(b, start, out.Len())
		switch in := b.flags&apart == 0; {
		case !in:
			whole, open = false, false
		case open:
			parts[len(parts)-1][1] = out.Len()
		default:
			parts, open = append(parts, [2]int{start, out.Len()}), true
		}
	}
	if whole {
		return nil
	}
	return parts
}

// isLine reports whether blocks of a kind are lines.
func isLine(t tag) bool { return t == tagItem || t == tagCell }

// finish converts the gathered data to the page. All its strings share one allocation, whose size is computed
// first.
func (d *document) finish() {
	d.closeLink()
	main := d.main()
	heading := cut(d.text[d.heading.start:d.heading.end], maxValue)
	var out strings.Builder
	out.Grow(main.size() + len(d.values) + d.measureLinks() + len(heading))
	if !d.whole {
		d.setApart(main)
	}
	parts := d.writeBlocks(&out, main)
	text := strings.TrimRight(cut(out.String(), d.opts.MaxText), " \n")
	d.endShapes(len(text))
	start := out.Len()
	out.Write(d.values)
	values := out.String()[start:]
	page := d.page
	page.Text, page.Article = text, inText(parts, len(text))
	page.Scripted = d.isScripted(page.Text)
	if !d.whole && !d.opts.Unlisted {
		page.Items = main.items()
	}
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

// A piece is the text of a link: its anchor and its context before and after.
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

// finished returns a link of the page; its strings refer to the page's one string.
func (d *document) finished(out *strings.Builder, values string, i int) orbweaver.Link {
	l, p := &d.links[i], &d.pieces[i]
	link := orbweaver.Link{To: l.to, Rel: l.rel, Type: l.typ, Title: values[l.title.start:l.title.end], Origin: l.origin, Path: l.path, Place: placeNames[l.place]}
	if l.lone {
		link.Anchor = values[l.anchor.start:l.anchor.end]
		return link
	}
	start := out.Len()
	for anchor := p.anchor; len(anchor) > 0; {
		end := indexOrEnd(anchor, '\n')
		out.Write(anchor[:end])
		if anchor = anchor[end:]; len(anchor) > 0 { // it spans several blocks
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
