package page

import (
	"context"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
)

// A Block is a part of a page's article that stands by itself, for readers who need more of the page's form than its Text has.
type Block struct {
	Start, End int // in Page.Text, in bytes
	Shape      Shape
	Level      int    // of a heading, 1 to 6
	Row        int    // of a cell: its table row, numbered through the page; of others 0
	Code       string // of Code: the text with its line breaks and indentation, which Text does not keep
}

// A Shape is what a block is.
type Shape uint8

// The shapes of blocks.
const (
	Paragraph Shape = iota
	Heading
	Item  // of a list
	Cell  // of a table
	Code  // preformatted
	Quote // without paragraphs of its own: these end it
)

// ReadBlocks is Read, and returns the blocks of the article in order too. HTML, and what is read as HTML, has all shapes; Markdown has headings,
// code and paragraphs; all other text consists of paragraphs. Blocks that are in the page's Text and not in its article are left out.
func (r *Reader) ReadBlocks(ctx context.Context, resp *step.Response, payload []byte) (*orbweaver.Page, []Block, error) {
	blocks := []Block{}
	one := &Reader{opts: r.opts, shapes: &blocks}
	page, err := one.Read(ctx, resp, payload)
	if err != nil {
		return nil, nil, err
	}
	if len(blocks) == 0 && len(page.Text) > 0 {
		blocks = plainBlocks(page.Text, isMarkdown(page))
	}
	return page, blocks, nil
}

// A blockForm is the shape of a block, and what belongs to it.
type blockForm struct {
	shape Shape
	level uint8
	row   int32
}

// formOf returns what the name of an element says of the blocks within.
func formOf(name []byte) blockForm {
	switch string(name) {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return blockForm{shape: Heading, level: name[1] - '0'}
	case "li", "dt", "dd":
		return blockForm{shape: Item}
	case "td", "th":
		return blockForm{shape: Cell}
	case "pre":
		return blockForm{shape: Code}
	case "blockquote":
		return blockForm{shape: Quote}
	}
	return blockForm{}
}

// form returns the form of the current text.
func (d *document) form() blockForm {
	if len(d.stack) == 0 {
		return blockForm{}
	}
	return d.stack[len(d.stack)-1].form
}

// formWithin returns the form of what is within an element that is being opened: its own, or that of what it stands in. A cell ends items, a
// list ends cells.
func (d *document) formWithin(t tag) blockForm {
	own, outer := d.named, d.form()
	d.named = blockForm{}
	switch {
	case own.shape == Cell:
		own.row = max(d.rows, 1)
		return own
	case t == tagRow:
		d.rows++
		return blockForm{}
	case own.shape != Paragraph && outer.shape != Code:
		return own
	case t == tagList && outer.shape != Quote, t == tagTable, t == tagMain:
		return blockForm{}
	}
	return outer
}

// A code is the text of a block of code.
type code struct {
	start int32 // of its block
	text  string
}

// addCode keeps text of a block of code as it stands.
func (d *document) addCode(s []byte, references bool) {
	if d.shapes == nil || d.form().shape != Code {
		return
	}
	if references && slices.Contains(s, '&') {
		d.code = append(d.code, unescape(s)...)
		return
	}
	d.code = append(d.code, s...)
}

// keepCode ends the code of the block that was just closed.
func (d *document) keepCode() {
	if d.shapes != nil && len(d.code) > 0 {
		text := strings.Trim(strings.ReplaceAll(string(d.code), "\r\n", "\n"), "\r\n")
		d.codes, d.code = append(d.codes, code{d.open.start, text}), d.code[:0]
	}
}

// shape notes a block of the text.
func (d *document) shape(b block, start, end int) {
	if d.shapes == nil || b.flags&apart != 0 {
		return
	}
	out := Block{Start: start, End: end, Shape: b.form.shape, Level: int(b.form.level), Row: int(b.form.row)}
	if out.Shape == Code {
		i, found := slices.BinarySearchFunc(d.codes, b.start, func(c code, at int32) int { return int(c.start) - int(at) })
		if found {
			out.Code = d.codes[i].text
		}
	}
	*d.shapes = append(*d.shapes, out)
}

// endShapes cuts the blocks to the length of the text.
func (d *document) endShapes(length int) {
	if d.shapes == nil {
		return
	}
	all := *d.shapes
	for n := len(all); n > 0 && all[n-1].End > length; n-- {
		if all[n-1].End = length; all[n-1].Start >= length {
			all = all[:n-1]
		}
	}
	*d.shapes = all
}

// fence begins and ends code in Markdown.
const fence = "```"

// plainBlocks returns the paragraphs of a text, and of Markdown the headings with "#" and fenced code. Blank lines separate them.
func plainBlocks(text string, markdown bool) (blocks []Block) {
	start, fenced := -1, false // start: of the open block; -1: none
	end := func(at int, shape Shape) {
		if start < 0 {
			return
		}
		b := Block{Start: start, End: start + len(strings.TrimRight(text[start:at], " \n")), Shape: shape}
		if shape == Code {
			_, inner, _ := strings.Cut(text[b.Start:b.End], "\n")
			b.Code = strings.TrimRight(strings.TrimSuffix(inner, fence), "\n")
		}
		if start = -1; b.End > b.Start {
			blocks = append(blocks, b)
		}
	}
	at := 0
	for line := range strings.Lines(text) {
		next, plain := at+len(line), strings.TrimSpace(line)
		isFence := markdown && strings.HasPrefix(plain, fence)
		hashes := len(plain) - len(strings.TrimLeft(plain, "#"))
		switch {
		case fenced:
			if isFence {
				end(next, Code)
				fenced = false
			}
		case isFence:
			end(at, Paragraph)
			start, fenced = at, true
		case plain == "":
			end(at, Paragraph)
		case markdown && hashes >= 1 && hashes <= 6 && strings.HasPrefix(plain[hashes:], " "):
			end(at, Paragraph)
			title := strings.TrimSpace(plain[hashes:])
			from := at + strings.Index(line, title)
			if title != "" {
				blocks = append(blocks, Block{Start: from, End: from + len(title), Shape: Heading, Level: hashes})
			}
		case start < 0:
			start = at
		}
		at = next
	}
	if fenced {
		end(len(text), Code)
	}
	end(len(text), Paragraph)
	return blocks
}
