package page

import (
	"sort"
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// A link is one that is being read. Spans of text are resolved when the page is whole.
type link struct {
	to, rel, typ string
	title        span // in values
	anchor       span // in text; or in values, when lone
	lone         bool // has no text of its own
	origin       orbweaver.Origin
}

// contextWords is how many words either side of a link are its context.
const contextWords = 20

// newLink keeps a link to a reference, if it leads to another page on the Web.
func (d *document) newLink(origin orbweaver.Origin, ref []byte) bool {
	if d.flags()&linkless != 0 || len(d.links)+len(d.page.Links) >= d.opts.MaxLinks || len(ref) > weburl.MaxLength {
		return false
	}
	if len(ref) > 0 && ref[0] == '#' && !d.based {
		return false
	}
	to, err := d.base.Resolve(unescape(ref))
	if err != nil || to == d.page.URL {
		return false
	}
	l := link{to: to, origin: origin}
	if d.attrs.rel != nil {
		l.rel = strings.ToLower(strings.TrimSpace(unescape(d.attrs.rel)))
	}
	if d.attrs.typ != nil {
		l.typ = unescape(d.attrs.typ)
	}
	if d.attrs.title != nil {
		l.title = d.value(d.attrs.title)
	}
	d.links = append(d.links, l)
	return true
}

// openLink starts a link whose anchor text follows.
func (d *document) openLink(origin orbweaver.Origin, ref []byte) {
	if !d.newLink(origin, ref) {
		return
	}
	d.flushSpace()
	d.current = len(d.links) - 1
	d.counted = len(d.text)
	d.links[d.current].anchor.start = len(d.text)
}

// closeLink ends the link that is open.
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
	d.open.linked += max(0, len(d.text)-max(d.counted, d.open.start))
	d.counted = len(d.text)
}

// lone keeps a link that has no text inside; what is said of it stands in an attribute.
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

// context returns what stands before and after an anchor within its blocks.
func (d *document) context(anchor span) (before, after []byte) {
	n := sort.Search(len(d.blocks), func(i int) bool { return d.blocks[i].end >= anchor.start })
	if n < len(d.blocks) && d.blocks[n].start <= anchor.start {
		before = lastWords(d.text[d.blocks[n].start:anchor.start])
	}
	m := sort.Search(len(d.blocks), func(i int) bool { return d.blocks[i].end >= anchor.end })
	if m < len(d.blocks) && d.blocks[m].start <= anchor.end {
		after = firstWords(d.text[anchor.end:d.blocks[m].end])
	}
	return before, after
}

// lastWords returns the last words of collapsed text.
func lastWords(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	words := 0
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] == ' ' {
			if words++; words == contextWords {
				return b[i+1:]
			}
		}
	}
	return b
}

// firstWords returns the first words of collapsed text.
func firstWords(b []byte) []byte {
	for len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	words := 0
	for i, c := range b {
		if c == ' ' {
			if words++; words == contextWords {
				return b[:i]
			}
		}
	}
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return b
}

// headerLinks takes the links of one HTTP header Link (RFC 8288) that are to other documents.
func headerLinks(page *orbweaver.Page, value string, base *weburl.Base, maxLinks int) {
	for len(page.Links) < maxLinks {
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
			setParameter(&l, name, content)
		}
		value = rest
		to, err := base.Resolve(strings.TrimSpace(ref))
		switch {
		case err != nil:
		case l.Rel == "canonical":
			page.Canonical = to
		case to != page.URL && !isPart(l.Rel):
			l.To = to
			page.Links = append(page.Links, l)
		}
	}
}

// setParameter keeps a parameter of a header link; the first of a name counts.
func setParameter(l *orbweaver.Link, name, content string) {
	switch {
	case name == "rel" && l.Rel == "":
		l.Rel = strings.ToLower(content)
	case name == "type" && l.Type == "":
		l.Type = content
	case name == "title" && l.Title == "":
		l.Title = content
	}
}

// parameter splits the next ";name=value" off; ok is false where none follows.
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
