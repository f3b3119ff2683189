package synth

import (
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"strings"

	"orbweaver"
)

// Bounds of what is drawn of a page.
const (
	minWords = 40
	maxWords = 3000
	maxBytes = 1 << 20
	block    = 40 // words of a paragraph
)

// A content is what a page says, whoever says it.
type content struct {
	title  string
	text   string   // paragraphs, a blank line between
	blocks []string // the same, one by one
	links  []hyperlink
}

// A hyperlink is a link and its place.
type hyperlink struct {
	to, anchor string
	block      int
}

// Page is a page as a reader of its HTML would make it. Request and Fetched are the caller's to fill
// in. It is made anew each time.
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

// size is how many bytes the HTML of a page has, its words and links allowing.
func (w *Web) size(page int64) int {
	d := w.dice(forSize, page)
	return min(int(d.draw(w.Bytes)), maxBytes)
}

// digest stands for that of a page's HTML: two pages have the same when their bytes are.
func (w *Web) digest(source int64) string {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:8], w.Seed)
	binary.LittleEndian.PutUint64(b[8:], uint64(source))
	sum := sha1.Sum(b[:])
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// content makes what a page says that has words of its own.
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

// phrase is two words, the first with a capital.
func (w *Web) phrase(list []string, d *dice) string {
	first, second := word(list, d), word(list, d)
	b := make([]byte, 0, len(first)+1+len(second))
	b = append(b, first[0]-'a'+'A')
	b = append(append(append(b, first[1:]...), ' '), second...)
	return string(b)
}

// write makes n words in sentences of ten, and says where the paragraphs end.
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
