package page

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/internal/coding/charset"
	"orbweaver/weburl"
)

// A document is the state of one pass over the tokens of an HTML page. Its buffers are reused for the next
// page; nothing of a Page refers to them.
type document struct {
	opts  Options
	page  *orbweaver.Page
	base  *weburl.Base
	xhtml bool
	ran   bool // its scripts have run: noscript represents nothing
	based bool // a <base href> was seen: the first counts
	late  bool // it came after references, which are to be resolved again

	referred bool // there are references so far
	whole    bool // all text is main text

	source   []byte // the page as UTF-8, often the response's own bytes: not to be changed
	encoding string // the WHATWG name of the encoding of the page's bytes; "" is UTF-8
	at       int    // offset of the unread rest
	tagAt    int    // offset of the start tag being read
	swaps    int    // times that the parser left an unclosed <svg>

	text   []byte // all text, boilerplate included, white space collapsed, a line end after each block
	blocks []block
	sums   []int32 // by container: bytes of good blocks within
	links  []link
	values []byte  // decoded attribute values, titles
	pieces []piece // by link
	failed int     // invalid references, with the same limit as links: each costs as much as a dozen valid ones

	open    block // the block being filled
	space   bool  // white space since the last character
	breaks  int   // <br> since the last character
	current int   // index of the link that is open; -1: none
	counted int   // length of text already counted for the open block's linked bytes

	stack     []element
	nodes     []int32   // containers in document order: the parent of each; the first is the page
	named     blockForm // what the name of the start tag says of the blocks within
	rows      int32     // rows of tables so far
	shapes    *[]Block  // blocks of the article for readers; nil: not wanted
	code      []byte    // text of the open block as it stands, if that is code and shapes are wanted
	codes     []code    // of the blocks before
	caption   bool      // the start tag is of a <figcaption> or <address>
	runs      bool      // the open script is executable
	scripts   bool      // there are scripts that may make text
	hints     hint      // of their effects
	attrs     attributes
	noscripts []span // of text: what <noscript> represents
	plain     int    // number of <noscript>
	data      bool   // its tags indicate embedded data
	title     span
	ogTitle   span
	heading   span // the first h1
	canonical string

	forms      []int // offsets of the first forms
	openSearch span  // the tag of the first link to an OpenSearch description
}

// A span is a range of a document's text or values.
type span struct{ start, end int }

// maxKept is the largest buffer that is reused.
const maxKept = 1 << 20

// readHTML fills a page from HTML or XHTML.
func (r *Reader) readHTML(page *orbweaver.Page, base *weburl.Base, body []byte, contentType string) {
	d := r.document()
	d.page, d.base, d.opts, d.xhtml = page, base, r.opts, page.MediaType == typeXHTML
	text, encoding := charset.Text(body, contentType)
	flawed(page, flawEncoding, replaced(text, body))
	d.source = text
	if encoding.Name != "utf-8" {
		d.encoding = encoding.Name
	}
	d.base, d.shapes, d.ran = base.In(d.encoding), r.shapes, page.Rendered
	d.run()
	if d.late {
		d.runAgain()
	}
	d.finish()
	d.readSearches()
	if d.data {
		page.Body, page.Pending = d.source, true
	} else if r.opts.KeepBody {
		page.Body = d.source
	}
	r.release(d)
}

// runAgain reads a page anew with the base that it has after its first links: that counts for them too (HTML,
// 2.4.1). It is rare, and so need not be fast.
func (d *document) runAgain() {
	before := *d
	d.reset()
	d.page, d.opts, d.xhtml, d.ran, d.shapes = before.page, before.opts, before.xhtml, before.ran, before.shapes
	d.source, d.encoding, d.base, d.based = before.source, before.encoding, before.base, true
	d.run()
}

// document returns a document to run, except for page, base, limits and source.
func (r *Reader) document() *document {
	if d, ok := r.documents.Get().(*document); ok {
		return d
	}
	return &document{current: -1}
}

// release returns the buffers to the pool.
func (r *Reader) release(d *document) {
	if d.isSmall() {
		d.reset()
		r.documents.Put(d)
	}
}

// isSmall reports whether the buffers are worth reusing.
func (d *document) isSmall() bool {
	return max(cap(d.text), cap(d.values)) <= maxKept &&
		max(cap(d.blocks), cap(d.links), cap(d.pieces)) <= maxKept/64
}

// reset prepares a document for another page. It keeps no references to the last.
func (d *document) reset() {
	clear(d.links)
	clear(d.pieces)
	*d = document{
		text: d.text[:0], values: d.values[:0],
		blocks: d.blocks[:0], links: d.links[:0], pieces: d.pieces[:0], noscripts: d.noscripts[:0], stack: d.stack[:0], nodes: d.nodes[:0], sums: d.sums[:0], forms: d.forms[:0], current: -1,
	}
}

// addText appends text to the open block, white space collapsed and character references decoded.
func (d *document) addText(s []byte, references bool) {
	if d.flags()&muted != 0 || len(d.text) >= d.opts.MaxText || len(d.blocks) >= maxBlocks {
		return
	}
	s = cut(s, d.opts.MaxText-len(d.text))
	d.addCode(s, references)
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

// addDecoded appends the decoded text of a character reference.
func (d *document) addDecoded(s string) {
	switch s {
	case "\u00a0", " ", "\t", "\n":
		d.space = true
	case "\u00ad":
	default:
		d.addWord([]byte(s))
	}
}

// eachByte times a byte is a word of eight such bytes. The tests below set the top bit of each matching byte.
const eachByte, topBits = 0x0101010101010101, 0x8080808080808080

// bytesOf sets the top bit of each byte of x that equals c.
func bytesOf(x uint64, c byte) uint64 {
	y := x ^ eachByte*uint64(c)
	return ^((y&^topBits + eachByte*0x7f) | y | ^uint64(topBits))
}

// plainRun returns the number of bytes, at least one, that can be copied unchanged: those before the next byte
// that may start repeated white space, a character reference or a character with lead byte 0xC2. It reads eight
// bytes at a time, and sixteen of ASCII.
func plainRun(s []byte) int {
	i := plainASCII(s, false)
	before := uint64(0) // 0x80 after a blank
	if i > 0 && s[i-1] == ' ' {
		before = 0x80
	}
	for ; i+8 <= len(s); i += 8 {
		x := binary.LittleEndian.Uint64(s[i:])
		blanks := bytesOf(x, ' ')
		controls := ^((x&^topBits + eachByte*0x60) | x) & topBits
		stop := controls | bytesOf(x, '&') | bytesOf(x, 0xC2) | blanks&(blanks<<8|before)
		if stop != 0 {
			return withoutBlank(s, i+bits.TrailingZeros64(stop)/8)
		}
		before = blanks >> 56
		if x&topBits == 0 {
			if n := plainASCII(s[i+8:], before != 0); n > 0 {
				i += n
				before = bytesOf(uint64(s[i+7]), ' ') & 0x80
			}
		}
	}
	for ; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c == '&' || c == 0xC2 || c == ' ' && i > 0 && s[i-1] == ' ' {
			break
		}
	}
	return withoutBlank(s, i)
}

// plainASCII returns the number of bytes, in multiples of sixteen, that are ASCII and can be copied unchanged.
// Its sums never carry into the next byte, which makes it cheap.
func plainASCII(s []byte, afterBlank bool) int {
	const low = eachByte * 0x7f
	before, rest := uint64(0x80), s // before: not 0x80 after a blank
	if afterBlank {
		before = 0
	}
	for len(rest) >= 16 {
		x, y := binary.LittleEndian.Uint64(rest), binary.LittleEndian.Uint64(rest[8:])
		solidX, solidY := (x^eachByte*' ')+low, (y^eachByte*' ')+low
		text := (x + eachByte*0x60) & (y + eachByte*0x60) & ((x ^ eachByte*'&') + low) & ((y ^ eachByte*'&') + low) &
			(solidX | solidX<<8 | before) & (solidY | solidY<<8 | solidX>>56) &^ (x | y)
		if text&topBits != topBits {
			break
		}
		before, rest = solidY>>56, rest[16:]
	}
	return len(s) - len(rest)
}

// withoutBlank returns n, or n-1 if a blank precedes it; at least one.
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
	if from := len(d.text) - len(word); !isASCII(word) {
		d.compose(from)
	}
}

// flushSpace writes pending white space, unless the block starts with it.
func (d *document) flushSpace() {
	if d.space && len(d.text) > int(d.open.start) {
		d.text = append(d.text, ' ')
	}
	d.space = false
}

// isSpace reports whether a byte is white space in HTML.
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// value keeps a decoded, collapsed value and returns its span.
func (d *document) value(raw []byte) span {
	start := len(d.values)
	d.values = appendValue(d.values, cut(raw, maxValue))
	return span{start, len(d.values)}
}

// titled is value for a title, which is text.
func (d *document) titled(raw []byte) span {
	start := len(d.values)
	if raw = cut(raw, maxValue); bytes.IndexByte(raw, '&') >= 0 {
		raw = unescapeText(raw)
	}
	d.values = appendCollapsed(d.values, raw)
	return span{start, len(d.values)}
}

// maxValue is the number of bytes kept of a title or attribute.
const maxValue = 4096

// cut returns at most the first n bytes, without a partial character at the end; n is not negative.
func cut[T string | []byte](b T, n int) T {
	if len(b) <= n {
		return b
	}
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}
