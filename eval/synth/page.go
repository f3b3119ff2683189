package synth

import (
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"strings"

	"orbweaver"
)

// Bounds of a page's random properties.
const (
	minWords = 40
	maxWords = 3000
	maxBytes = 1 << 20
	block    = 40 // words per paragraph
)

// A content is the content of a page, shared with its duplicates.
type content struct {
	title  string
	text   string   // paragraphs, separated by a blank line
	blocks []string // the same paragraphs, as a slice
	links  []hyperlink
}

// A hyperlink is a link with its position.
type hyperlink struct {
	to, anchor string
	block      int
}

// Page returns a page as a parser of its HTML would. The caller sets Request and Fetched. Each call returns a
// new value.
func (w *Web) Page(page int64) *orbweaver.Page {
	source := w.source(page)
	c := w.content(source)
	links := make([]orbweaver.Link, len(c.links))
	for i, l := range c.links {
		links[i] = orbweaver.Link{To: l.to, Anchor: l.anchor, Context: c.blocks[l.block], Origin: orbweaver.FromAnchor}
	}
	return &orbweaver.Page{
		URL: w.URL(page), Status: 200, MediaType: "text/html", Title: c.title, Text: c.text, Lang: "en",
		Digest: w.digest(source), Size: int64(w.size(source)), Links: links,
	}
}

// size returns the HTML size of a page in bytes, at least that of its words and links.
func (w *Web) size(page int64) int {
	d := w.dice(forSize, page)
	return min(int(d.draw(w.Bytes)), maxBytes)
}

// digest replaces the digest of a page's HTML: pages have equal digests exactly if their bytes are equal.
func (w *Web) digest(source int64) string {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:8], w.Seed)
	binary.LittleEndian.PutUint64(b[8:], uint64(source))
	sum := sha1.Sum(b[:])
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// content makes the content of a page that is not a duplicate.
func (w *Web) content(page int64) content {
	d, topic := w.dice(forText, page), w.Topic(page)
	title := w.phrase(w.topical[topic], &d)
	n := min(max(int(d.draw(w.Words)), minWords), maxWords)
	text, ends := w.write(n, topic, &d)
	blocks := make([]string, len(ends))
	from := 0
	for i, end := range ends {
		blocks[i] = text[from:end]
		from = end + len("\n\n")
	}
	c := content{title: title, text: text, blocks: blocks, links: make([]hyperlink, 0, 32)}
	own := w.run(w.Host(page))
	for to := range w.targetsOf(page, own) {
		words := w.general
		if d.chance(w.Told) {
			words = w.topical[w.Topic(to)]
		}
		c.links = append(c.links, hyperlink{to: w.address(to, w.runOf(to, own), w.moved(to)), anchor: w.phrase(words, &d)})
	}
	for i := range c.links { // evenly over the page
		c.links[i].block = i * len(blocks) / len(c.links)
	}
	return c
}

// phrase returns two words, the first capitalized.
func (w *Web) phrase(list []string, d *dice) string {
	first, second := word(list, d), word(list, d)
	b := make([]byte, 0, len(first)+1+len(second))
	b = append(b, first[0]-'a'+'A')
	b = append(append(append(b, first[1:]...), ' '), second...)
	return string(b)
}

// write returns n words in sentences of ten, and the offsets at which paragraphs end.
func (w *Web) write(n, topic int, d *dice) (text string, ends []int) {
	var b strings.Builder
	b.Grow(n * 8)
	ends = make([]int, 0, n/block+1)
	own, foreign := w.Topical, 0.0
	mentioned := w.topical[d.below(int64(w.Topics))]
	if d.chance(w.Mentions) {
		foreign = 0.02
	}
	for i := range n {
		list := w.general
		switch u := d.float(); {
		case u < own:
			list = w.topical[topic]
		case u < own+foreign:
			list = mentioned
		}
		b.WriteString(word(list, d))
		switch last := i == n-1; {
		case last || i%block == block-1:
			b.WriteByte('.')
			ends = append(ends, b.Len())
			if !last {
				b.WriteString("\n\n")
			}
		case i%10 == 9:
			b.WriteString(". ")
		default:
			b.WriteByte(' ')
		}
	}
	return b.String(), ends
}
