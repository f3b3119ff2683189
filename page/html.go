package page

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"

	"orbweaver"
	"orbweaver/weburl"
)

// A document is what one pass over the tokens of an HTML page gathers. Its buffers are used again for
// the next page; nothing of a Page points into them.
type document struct {
	opts  Options
	page  *orbweaver.Page
	base  *weburl.Base
	xhtml bool
	based bool // a <base> was seen: the first counts

	source []byte       // the page as UTF-8, with room for the lexer's final NUL
	input  *parse.Input // the lexer's view of source from an offset on
	from   int          // that offset
	swaps  int          // how often the lexer was started again after <svg>

	text   []byte // all text, boilerplate too, white space collapsed, a line end after each block
	blocks []block
	links  []link
	values []byte // decoded attribute values, titles
	pieces []span // by link: where its anchor and its context stand in the page's one string
	failed int    // references that are no URL: each costs as much as a dozen that are, so that they have the same limit

	open    block // the block being filled
	space   bool  // white space since the last character
	breaks  int   // <br> since the last character
	current int   // index of the link that is open; -1: none
	counted int   // length of text up to which the open block's linked bytes are counted

	stack     []element
	raw       tag  // the next text belongs to this element
	runs      bool // the script that is open would be run
	scripts   bool // there are scripts that may make text
	attrs     attributes
	scratch   []byte
	title     span
	ogTitle   span
	heading   span // the first h1
	canonical string
}

// A span is a piece of a document's text or values.
type span struct{ start, end int }

// maxKept is how large a buffer may be to be kept.
const maxKept = 1 << 20

// readHTML fills a page from HTML or XHTML.
func (r *Reader) readHTML(page *orbweaver.Page, base *weburl.Base, body []byte, contentType string) {
	d := r.document()
	d.page, d.base, d.opts, d.xhtml = page, base, r.opts, page.MediaType == typeXHTML
	d.source = append(unicodeText(d.source, body, contentType), 0)
	d.source = d.source[:len(d.source)-1]
	d.run()
	d.finish()
	r.release(d)
}

// document returns one that is ready to be run, but for page, base, limits and source.
func (r *Reader) document() *document {
	d, ok := r.documents.Get().(*document)
	if !ok {
		d = new(document)
	}
	d.reset()
	return d
}

// release keeps the buffers of a document that is done for another page.
func (r *Reader) release(d *document) {
	if d.isSmall() {
		d.page, d.base = nil, nil
		clear(d.links)
		r.documents.Put(d)
	}
}

// isSmall says whether the buffers are worth keeping for another page.
func (d *document) isSmall() bool {
	return max(cap(d.source), cap(d.text), cap(d.values)) <= maxKept &&
		max(cap(d.blocks), cap(d.links), cap(d.pieces)) <= maxKept/64
}

// reset makes a document ready for another page.
func (d *document) reset() {
	*d = document{
		source: d.source[:0], text: d.text[:0], values: d.values[:0], scratch: d.scratch[:0],
		blocks: d.blocks[:0], links: d.links[:0], pieces: d.pieces[:0], stack: d.stack[:0], current: -1,
	}
}

// run reads all tokens. Text outside of tags is not the lexer's business: what stands before the next
// "<" is found faster than byte by byte.
func (d *document) run() {
	lexer := d.lexer(0)
	name, inTag, raw := tagOther, false, false // raw: the next token may be raw text
	for {
		if !inTag && !raw {
			d.textRun()
		}
		raw = raw && inTag
		token, data := lexer.Next()
		switch token {
		case html.ErrorToken:
			d.closeBlock()
			return
		case html.TextToken:
			d.textToken(lexer.Text(), data)
		case html.StartTagToken:
			name, inTag = tagOf(lexer.Text()), true
			raw = name.isRaw()
			d.attrs.clear()
		case html.AttributeToken:
			d.attrs.set(lexer.AttrKey(), lexer.AttrVal())
		case html.StartTagCloseToken:
			inTag = false
			d.startTag(name, false)
		case html.StartTagVoidToken:
			inTag = false
			d.startTag(name, d.xhtml)
			if raw && d.xhtml { // closed already, though the lexer waits for an end tag
				d.raw, raw = tagOther, false
				lexer = d.lexer(d.offset())
			}
		case html.EndTagToken:
			d.endTag(tagOf(lexer.Text()))
		case html.SVGToken, html.MathToken, html.XMLToken:
			if from := d.unswallow(data); from > 0 {
				lexer = d.lexer(from)
			}
		}
	}
}

// textRun takes the text up to the next "<".
func (d *document) textRun() {
	rest := d.source[d.offset():]
	n := bytes.IndexByte(rest, '<')
	if n < 0 {
		n = len(rest)
	}
	if n > 0 {
		d.addText(rest[:n], true)
		d.input.Move(n)
		d.input.Skip()
	}
}

// lexer starts a lexer at an offset of the source. It writes to the source, which is ours, and needs
// one byte of room after it.
func (d *document) lexer(from int) *html.Lexer {
	d.from = from
	d.input = parse.NewInputBytes(d.source[from:])
	return html.NewLexer(d.input)
}

// offset returns the offset of the source that follows the last token.
func (d *document) offset() int { return d.from + d.input.Offset() }

// maxSwaps is how often a page may have left <svg> or <math> open before the rest of it is given up.
const maxSwaps = 3

// unswallow returns where to read on when the lexer took the rest of the page for the inside of
// <svg>, <math> or <xml>, for want of an end tag; 0: it did not.
func (d *document) unswallow(data []byte) int {
	end := bytes.IndexByte(data, '>')
	if d.offset() < len(d.source) || d.swaps == maxSwaps || end < 0 || isClosed(data) {
		return 0
	}
	d.swaps++
	return d.offset() - len(data) + end + 1
}

// isClosed says whether an element that was read as a whole ends in its own end tag.
func isClosed(data []byte) bool {
	i := bytes.LastIndex(data, []byte("</"))
	return i > 0 && bytes.HasSuffix(data, []byte(">")) && len(data) > i+4 && bytes.EqualFold(data[i+2:i+4], data[1:3])
}

// textToken takes text, unless it is the inside of something that is none.
func (d *document) textToken(text, data []byte) {
	raw := d.raw
	d.raw = tagOther
	switch raw {
	case tagTitle:
		if d.title.end == 0 {
			d.title = d.value(text)
		}
		return
	case tagScript:
		d.scripts = d.scripts || d.runs && len(text) > inlined
		return
	case tagStyle, tagIframe, tagTextarea:
		return
	}
	if bytes.HasPrefix(data, []byte("<![CDATA[")) {
		if d.xhtml {
			d.addText(text, false)
		}
		return
	}
	d.addText(text, true)
}

// addText appends text to the open block, white space collapsed and character references decoded.
func (d *document) addText(s []byte, references bool) {
	if d.flags()&muted != 0 || len(d.text) >= d.opts.MaxText || len(d.blocks) >= maxBlocks {
		return
	}
	s = cut(s, d.opts.MaxText-len(d.text))
	for i := 0; i < len(s); {
		c := s[i]
		if isSpace(c) {
			d.space = true
			i++
			continue
		}
		if c == 0xC2 && i+1 < len(s) && (s[i+1] == 0xA0 || s[i+1] == 0xAD) { // no-break space, soft hyphen
			d.space = d.space || s[i+1] == 0xA0
			i += 2
			continue
		}
		if c == '&' && references {
			decoded, n := reference(s[i:])
			d.addDecoded(decoded)
			i += n
			continue
		}
		n := plainRun(s[i:])
		d.addWord(s[i : i+n])
		i += n
	}
}

// addDecoded appends what a character reference stands for.
func (d *document) addDecoded(s string) {
	switch s {
	case "\u00a0", " ", "\t", "\n":
		d.space = true
	case "\u00ad":
	default:
		d.scratch = append(d.scratch[:0], s...)
		d.addWord(d.scratch)
	}
}

// eachByte times a byte is a word of eight such bytes.
const eachByte = 0x0101010101010101

// bytesOf returns the top bit of each byte of x that is c.
func bytesOf(x uint64, c byte) uint64 {
	y := x ^ eachByte*uint64(c)
	return ^((y&(eachByte*0x7f) + eachByte*0x7f) | y | eachByte*0x7f)
}

// plainRun returns how many bytes, one at least, can be taken as they stand: those before the next
// that could be more white space than one blank, a character reference or one of the characters that
// start with 0xC2. It reads eight bytes at a time.
func plainRun(s []byte) int {
	i, before := 0, uint64(0) // before: 0x80 after a blank
	for ; i+8 <= len(s); i += 8 {
		x := binary.LittleEndian.Uint64(s[i:])
		blanks := bytesOf(x, ' ')
		controls := ^((x&(eachByte*0x7f) + eachByte*0x60) | x) & (eachByte * 0x80)
		stop := controls | bytesOf(x, '&') | bytesOf(x, 0xC2) | blanks&(blanks<<8|before)
		if stop != 0 {
			return withoutBlank(s, i+bits.TrailingZeros64(stop)/8)
		}
		before = blanks >> 56
	}
	for ; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c == '&' || c == 0xC2 || c == ' ' && i > 0 && s[i-1] == ' ' {
			break
		}
	}
	return withoutBlank(s, i)
}

// withoutBlank returns n, or where a blank stands before it one less; one at least.
func withoutBlank(s []byte, n int) int {
	if n > 1 && s[n-1] == ' ' {
		n--
	}
	return max(n, 1)
}

// addWord appends bytes that start and end without white space.
func (d *document) addWord(word []byte) {
	d.flushSpace()
	d.breaks = 0
	d.text = append(d.text, word...)
}

// flushSpace writes the white space that was seen, unless the block starts with it.
func (d *document) flushSpace() {
	if d.space && len(d.text) > int(d.open.start) {
		d.text = append(d.text, ' ')
	}
	d.space = false
}

// isSpace says whether HTML takes a byte for white space.
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// value keeps a decoded, collapsed value and returns where.
func (d *document) value(raw []byte) span {
	start := len(d.values)
	d.values = appendValue(d.values, cut(raw, maxValue))
	return span{start, len(d.values)}
}

// maxValue is how many bytes of a title or attribute are kept.
const maxValue = 4096

// cut returns at most the first n bytes, n not negative, without a part of a character at the end.
func cut(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}
