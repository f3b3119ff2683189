package page

import (
	"bytes"

	"orbweaver"
)

// A block is a run of text between the borders of block elements.
type block struct {
	start, end int  // in text
	linked     int  // bytes of it inside links
	kind       tag  // the element it stands in
	flags      flag // of that element
}

// closeBlock ends the open block.
func (d *document) closeBlock() { d.closeBlockAs(d.flags()) }

// closeBlockAs ends the open block, which stood under the given flags.
func (d *document) closeBlockAs(flags flag) {
	if d.current >= 0 {
		d.countLinked()
	}
	d.space, d.breaks = false, 0
	kind := d.open.kind
	if len(d.text) > d.open.start {
		d.open.end, d.open.flags = len(d.text), flags
		if kind == tagH1 && d.heading.end == 0 && flags&hidden == 0 {
			d.heading = span{d.open.start, d.open.end}
		}
		d.blocks = append(d.blocks, d.open)
		d.text = append(d.text, '\n')
	}
	d.open = block{start: len(d.text), kind: d.innermost()}
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

// worth judges a block by its length and the share of it that is linked.
func (d *document) worth(b block) worth {
	size := b.end - b.start
	switch {
	case b.linked*2 > size:
		return bad
	case b.kind == tagH1 || b.kind == tagHeading:
		return weak
	case size >= 80 && b.linked*5 < size*2, size >= 25 && b.linked*5 < size*2 && endsSentence(d.text[b.start:b.end]):
		return good
	}
	return weak
}

// endsSentence says whether text ends as sentences do.
func endsSentence(b []byte) bool {
	b = bytes.TrimRight(b, "\")'] ")
	if len(b) == 0 {
		return false
	}
	switch b[len(b)-1] {
	case '.', '!', '?', ':', ';':
		return true
	}
	return bytes.HasSuffix(b, []byte("。")) || bytes.HasSuffix(b, []byte("！")) || bytes.HasSuffix(b, []byte("”"))
}

// goodBytes counts the text in good blocks that have none of some flags and all of others.
func (d *document) goodBytes(without, with flag) int {
	n := 0
	for _, b := range d.blocks {
		if b.flags&without == 0 && b.flags&with == with && d.worth(b) == good {
			n += b.end - b.start
		}
	}
	return n
}

// unwanted returns the flags that keep a block of this page out of its text. Marks that would cost a
// page most of its good text are mistaken: a wrapper named "with-sidebar", a page within <aside>.
func (d *document) unwanted() (without, with flag) {
	without = hidden | boilerTag | boilerName
	all := d.goodBytes(hidden, 0)
	kept := d.goodBytes(without, 0)
	if kept*4 < all {
		without = hidden | boilerTag
		kept = d.goodBytes(without, 0)
	}
	if kept*4 < all {
		without, kept = hidden, all
	}
	if main := d.goodBytes(without, inMain); main > 250 && main*10 >= kept*3 {
		with = inMain
	}
	return without, with
}

// appendMain appends the page's main text to dst: all between its first and its last good block that
// is not nearly all links, the headings and short blocks right around them, and where that leaves next
// to nothing, all that is shown.
func (d *document) appendMain(dst []byte) []byte {
	without, with := d.unwanted()
	first, last, size, total := d.extent(without, with)
	if size < 140 && size*4 < total {
		dst, n := d.appendBlocks(dst, 0, len(d.blocks), without, 0, bad)
		if n == 0 {
			dst, _ = d.appendBlocks(dst, 0, len(d.blocks), hidden, 0, bad)
		}
		return dst
	}
	dst, _ = d.appendBlocks(dst, first, last, without, with, weak)
	return dst
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
		total += b.end - b.start
		if d.worth(b) != good {
			continue
		}
		size += b.end - b.start
		if first < 0 {
			first = i
		}
		last = i
	}
	return d.stretch(first, -1, leading, without), d.stretch(last, 1, trailing, without) + 1, size, total
}

// stretch moves an index by as many blocks at most as are no links and not unwanted.
func (d *document) stretch(i, step, most int, without flag) int {
	for range most {
		next := i + step
		if i < 0 || next < 0 || next >= len(d.blocks) || d.blocks[next].flags&without != 0 || d.worth(d.blocks[next]) == bad {
			break
		}
		i = next
	}
	return max(i, 0)
}

// appendBlocks appends the blocks of a range that carry the right flags and are worth enough, and
// returns how many. Items and cells are lines, all else is parted by blank lines.
func (d *document) appendBlocks(dst []byte, first, last int, without, with flag, least worth) ([]byte, int) {
	n, before := 0, tagOther
	for _, b := range d.blocks[first:min(last, len(d.blocks))] {
		if b.flags&without != 0 || b.flags&with != with || d.worth(b) < least {
			continue
		}
		if n > 0 {
			dst = append(dst, '\n')
			if !isLine(before) || !isLine(b.kind) {
				dst = append(dst, '\n')
			}
		}
		dst = append(dst, d.text[b.start:b.end]...)
		before = b.kind
		n++
	}
	return dst, n
}

// isLine says whether blocks of a kind stand together.
func isLine(t tag) bool { return t == tagItem || t == tagCell }

// finish turns what was gathered into the page. All its strings are pieces of one.
func (d *document) finish() {
	d.closeLink()
	out := d.appendMain(d.source[:0]) // the source is read: its buffer serves again
	mainEnd := len(out)
	out = append(out, d.values...)
	valuesEnd := len(out)
	pieces := make([]span, 0, 2*len(d.links))
	for i := range d.links {
		out, pieces = d.appendPieces(out, pieces, &d.links[i])
	}
	out = append(out, d.text[d.heading.start:d.heading.end]...)
	whole := string(out)
	d.source = out
	page := d.page
	page.Text = whole[:mainEnd]
	values := whole[mainEnd:valuesEnd]
	switch {
	case d.title.end > d.title.start:
		page.Title = values[d.title.start:d.title.end]
	case d.ogTitle.end > d.ogTitle.start:
		page.Title = values[d.ogTitle.start:d.ogTitle.end]
	default:
		page.Title = whole[len(whole)-(d.heading.end-d.heading.start):]
	}
	if d.canonical != "" {
		page.Canonical = d.canonical
	}
	if len(d.links) == 0 {
		return
	}
	links := make([]orbweaver.Link, len(page.Links), len(page.Links)+len(d.links))
	copy(links, page.Links)
	for i, l := range d.links {
		anchor, context := pieces[2*i], pieces[2*i+1]
		links = append(links, orbweaver.Link{
			To: l.to, Rel: l.rel, Type: l.typ, Title: values[l.title.start:l.title.end], Origin: l.origin,
			Anchor: whole[anchor.start:anchor.end], Context: whole[context.start:context.end],
		})
	}
	page.Links = links
}

// appendPieces appends anchor and context of a link.
func (d *document) appendPieces(out []byte, pieces []span, l *link) ([]byte, []span) {
	start := len(out)
	if l.lone {
		out = append(out, d.values[l.anchor.start:l.anchor.end]...)
		return out, append(pieces, span{start, len(out)}, span{})
	}
	anchor := d.text[l.anchor.start:l.anchor.end]
	anchor = anchor[:min(len(anchor), maxValue)]
	out = append(out, bytes.TrimSpace(anchor)...)
	for i := start; i < len(out); i++ {
		if out[i] == '\n' { // the anchor runs over several blocks
			out[i] = ' '
		}
	}
	end := len(out)
	before, after := d.context(l.anchor)
	out = append(out, before...)
	if len(before) > 0 && len(after) > 0 {
		out = append(out, ' ')
	}
	out = append(out, after...)
	return out, append(pieces, span{start, end}, span{end, len(out)})
}
