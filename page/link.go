package page

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/text"
	"orbweaver/weburl"
)

// A link is one being read. Its text spans are resolved at the end of the page.
type link struct {
	to, rel, typ string
	title        span // in values
	anchor       span // in text; if lone, in values
	lone         bool // without text of its own
	origin       orbweaver.Origin
	path         uint32
	place        place
}

// contextWords is the number of words on each side of a link in its context, and maxContext its bytes at most.
const contextWords, maxContext = 20, 512

// newLink keeps a link to a reference, if it is to another page on the Web.
func (d *document) newLink(origin orbweaver.Origin, ref []byte) bool {
	d.referred = true
	if d.flags()&linkless != 0 || len(d.links)+len(d.page.Links) >= d.opts.MaxLinks || len(ref) > weburl.MaxLength ||
		d.failed >= d.opts.MaxLinks {
		return false
	}
	if len(ref) > 0 && ref[0] == '#' && !d.based {
		return false
	}
	to, err := d.base.Resolve(unescape(ref))
	if err != nil {
		d.failed++
		return false
	}
	if to == d.page.URL {
		return false
	}
	l := link{to: to, origin: origin}
	if d.attrs.has(attrRel) {
		l.rel = strings.ToLower(strings.TrimSpace(unescape(cut(d.attrs.get(attrRel), maxValue))))
	}
	if d.attrs.has(attrType) {
		l.typ = unescape(cut(d.attrs.get(attrType), maxValue))
	}
	if d.attrs.has(attrTitle) {
		l.title = d.value(d.attrs.get(attrTitle))
	}
	if origin != orbweaver.FromHead {
		l.place, l.path = d.where()
	}
	d.links = append(d.links, l)
	return true
}

// openLink starts a link; its anchor text follows.
func (d *document) openLink(origin orbweaver.Origin, ref []byte) {
	if !d.newLink(origin, ref) {
		return
	}
	d.flushSpace()
	d.current = len(d.links) - 1
	d.counted = len(d.text)
	d.links[d.current].anchor.start = len(d.text)
}

// closeLink ends the open link.
func (d *document) closeLink() {
	if d.current < 0 {
		return
	}
	d.countLinked()
	d.links[d.current].anchor.end = len(d.text)
	d.current = -1
}

// countLinked adds the link's text since the last count to the block's.
func (d *document) countLinked() {
	d.open.linked += int32(max(0, len(d.text)-max(d.counted, int(d.open.start))))
	d.counted = len(d.text)
}

// lone keeps a link without text, with the text of an attribute.
func (d *document) lone(origin orbweaver.Origin, ref, said []byte) {
	if !d.newLink(origin, ref) {
		return
	}
	l := &d.links[len(d.links)-1]
	l.lone = true
	if said != nil {
		l.anchor = d.value(said)
	}
}

// context returns the text before and after an anchor within its blocks. from is a block that does not come
// after it. It also returns the block where the anchor starts, as from for the next anchor.
func (d *document) context(anchor span, from int) (before, after []byte, first int) {
	first = d.blockAt(from, anchor.start)
	if first < len(d.blocks) && int(d.blocks[first].start) <= anchor.start {
		before = lastWords(d.text[d.blocks[first].start:anchor.start])
	}
	last := d.blockAt(first, anchor.end)
	if last < len(d.blocks) && int(d.blocks[last].start) <= anchor.end {
		after = firstWords(d.text[anchor.end:d.blocks[last].end])
	}
	return before, after, first
}

// blockAt returns the first block from i on that does not end before an offset of the text.
func (d *document) blockAt(i, offset int) int {
	for i < len(d.blocks) && int(d.blocks[i].end) < offset {
		i++
	}
	return i
}

// lastWords returns the last words of collapsed text.
func lastWords(b []byte) []byte {
	b = trimBlanks(b)
	if len(b) > maxContext {
		b = b[len(b)-maxContext:]
		b = b[wordStart(b):]
	}
	words, i := 0, len(b)
	for ; i >= 8; i -= 8 { // eight bytes at a time, until they may contain the last blank
		blanks := bits.OnesCount64(bytesOf(binary.LittleEndian.Uint64(b[i-8:]), ' '))
		if words+blanks >= contextWords {
			break
		}
		words += blanks
	}
	for i--; i >= 0; i-- {
		if b[i] == ' ' {
			if words++; words == contextWords {
				return b[i+1:]
			}
		}
	}
	return b
}

// wordStart returns the start of the first complete word of a truncated text, or, if there is only one word, of
// its first complete character.
func wordStart(b []byte) int {
	if i := bytes.IndexByte(b, ' '); i >= 0 {
		return i + 1
	}
	i := 0
	for i < len(b) && !utf8.RuneStart(b[i]) {
		i++
	}
	return i
}

// firstWords returns the first words of collapsed text.
func firstWords(b []byte) []byte {
	for len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	if len(b) > maxContext {
		if end := bytes.LastIndexByte(b[:maxContext+1], ' '); end > 0 {
			b = b[:end]
		}
		b = cut(b, maxContext)
	}
	words, i := 0, 0
	for ; i+8 <= len(b); i += 8 {
		blanks := bits.OnesCount64(bytesOf(binary.LittleEndian.Uint64(b[i:]), ' '))
		if words+blanks >= contextWords {
			break
		}
		words += blanks
	}
	for ; i < len(b); i++ {
		if b[i] == ' ' {
			if words++; words == contextWords {
				return b[:i]
			}
		}
	}
	return trimBlanks(b)
}

// trimBlanks returns text without trailing blanks.
func trimBlanks(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return b
}

// headerLinks reads the links of one HTTP header Link (RFC 8288) to other documents.
func headerLinks(page *orbweaver.Page, value string, base *weburl.Base, maxLinks int) {
	for failed := 0; len(page.Links) < maxLinks && failed < maxLinks; {
		_, rest, ok := strings.Cut(value, "<")
		if !ok {
			return
		}
		ref, rest, ok := strings.Cut(rest, ">")
		if !ok {
			return
		}
		l := orbweaver.Link{Origin: orbweaver.FromHeader}
		for {
			name, content, after, more := parameter(rest)
			rest = after
			if !more {
				break
			}
			setParameter(&l, name, strings.ToValidUTF8(content, "\ufffd"))
		}
		value = rest
		to, err := base.Resolve(strings.TrimSpace(ref))
		switch {
		case err != nil:
			failed++
		case l.Rel == "canonical":
			page.Canonical = to
		case to != page.URL && !isPart(l.Rel):
			l.To = to
			page.Links = append(page.Links, l)
		}
	}
}

// setParameter sets a parameter of a header link; the first of a name counts.
func setParameter(l *orbweaver.Link, name, content string) {
	switch {
	case name == "rel" && l.Rel == "":
		l.Rel = strings.ToLower(content)
	case name == "type" && l.Type == "":
		l.Type = content
	case name == "title" && l.Title == "":
		l.Title = text.Composed(content)
	}
}

// parameter splits off the next ";name=value"; ok is false if there is none.
func parameter(s string) (name, content, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t")
	if !strings.HasPrefix(s, ";") {
		return "", "", s, false
	}
	s = strings.TrimLeft(s[1:], " \t")
	end := strings.IndexAny(s, "=;,")
	if end < 0 {
		return s, "", "", true
	}
	name, s = strings.ToLower(strings.TrimSpace(s[:end])), s[end:]
	if s[0] != '=' {
		return name, "", s, true
	}
	s = strings.TrimLeft(s[1:], " \t")
	if strings.HasPrefix(s, `"`) {
		content, rest, _ = strings.Cut(s[1:], `"`)
		return name, content, rest, true
	}
	if end = strings.IndexAny(s, ";,"); end < 0 {
		end = len(s)
	}
	return name, strings.TrimSpace(s[:end]), s[end:], true
}
