package page

import (
	"bytes"
	"slices"

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

// appendBlocks appends the blocks of a range that carry the right flags and are worth enough, and
// returns how many. Items and cells are lines, all else is parted by blank lines.
func (d *document) appendBlocks(dst []byte, first, last int, without, with flag, least worth) ([]byte, int) {
	n, before := 0, tagOther
	for _, b := range d.blocks[first:min(last, len(d.blocks))] {
		if b.flags&without != 0 || b.flags&with != with || b.worth < least {
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
	out = bytes.TrimRight(cut(out, d.opts.MaxText), " \n")
	mainEnd := len(out)
	out = append(out, d.values...)
	valuesEnd := len(out)
	for i, block := 0, 0; i < len(d.links); i++ {
		out, block = d.appendPieces(out, &d.links[i], block)
	}
	heading := cut(d.text[d.heading.start:d.heading.end], maxValue)
	out = append(out, heading...)
	whole := string(out)
	d.source = out
	page := d.page
	page.Text = whole[:mainEnd]
	page.Scripted = d.isScripted(page.Text)
	values := whole[mainEnd:valuesEnd]
	switch {
	case d.title.end > d.title.start:
		page.Title = values[d.title.start:d.title.end]
	case d.ogTitle.end > d.ogTitle.start:
		page.Title = values[d.ogTitle.start:d.ogTitle.end]
	default:
		page.Title = whole[len(whole)-len(heading):]
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
		anchor, context := d.pieces[2*i], d.pieces[2*i+1]
		links = append(links, orbweaver.Link{
			To: l.to, Rel: l.rel, Type: l.typ, Title: values[l.title.start:l.title.end], Origin: l.origin,
			Anchor: whole[anchor.start:anchor.end], Context: whole[context.start:context.end],
		})
	}
	page.Links = links
}

// appendPieces appends anchor and context of a link. It takes and returns a block as context does.
func (d *document) appendPieces(out []byte, l *link, block int) ([]byte, int) {
	start := len(out)
	if l.lone {
		out = append(out, d.values[l.anchor.start:l.anchor.end]...)
		d.pieces = append(d.pieces, span{start, len(out)}, span{})
		return out, block
	}
	anchor := d.text[l.anchor.start:l.anchor.end]
	out = append(out, bytes.TrimSpace(cut(anchor, maxValue))...)
	for i := start; i < len(out); i++ {
		if out[i] == '\n' { // the anchor runs over several blocks
			out[i] = ' '
		}
	}
	end := len(out)
	before, after, block := d.context(l.anchor, block)
	out = append(out, before...)
	if len(before) > 0 && len(after) > 0 {
		out = append(out, ' ')
	}
	out = append(out, after...)
	d.pieces = append(d.pieces, span{start, end}, span{end, len(out)})
	return out, block
}
