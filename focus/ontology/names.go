package ontology

import (
	"slices"

	"orbweaver"
)

// The limits of reading the names on a page.
const (
	maxNames  = 256  // distinct names per page
	maxNaming = 1000 // links read per page
	maxAnchor = 128  // bytes of an anchor or title
	nameWords = 3    // as in phrases of a text
)

// A name is a page's term for something that has a page: a piece of its title, or of the anchor of a link
// (keyphraseness: Mihalcea and Csomai, "Wikify!", CIKM 2007).
type name struct {
	key   uint64 // the same as that of the phrase in a text
	form  string // as written
	title bool   // of this page
}

// names reads the title and the anchors of a page. An anchor or title is split at punctuation, and leading
// articles and the like are dropped. A piece is a name if it has at most three words, beside abbreviations and
// initials, and each may be an entry.
func (a *around) names(p *orbweaver.Page) []name {
	a.seen.clear()
	a.named = a.named[:0]
	english := isEnglish(p.Lang)
	a.nameIn(p.Title, english, true)
	for i := range p.Links[:min(len(p.Links), maxNaming)] {
		if l := &p.Links[i]; l.To != p.URL {
			a.nameIn(l.Anchor, english, false)
		}
	}
	return slices.Clone(a.named)
}

// nameIn records the names in an anchor or title.
func (a *around) nameIn(s string, english, title bool) {
	if len(s) > maxAnchor {
		return
	}
	var key uint64
	words, full, start, end, whole, closed := 0, 0, 0, 0, true, false
	done := func() {
		fits := whole && 0 < full && full <= nameWords && words <= maxParts && end-start <= maxForm
		if fits && len(a.named) < maxNames && a.seen.add(key) {
			a.named = append(a.named, name{key, s[start:end], title})
		}
		words, full, whole = 0, 0, true
	}
	for a.words.reset(s); a.words.next(); end = a.words.end {
		if end > 0 && (closed || !joined(s, int32(end), int32(a.words.start()))) {
			done()
		}
		word, short := a.words.word, a.words.short
		closed = short && !a.words.open
		switch {
		case a.words.isWithin(s, 0):
			whole = false
		case says(word, english):
			if h := hashOfWord(word, english); words == 0 {
				key, start = h, a.words.start()
			} else {
				key = fold(key, h)
			}
			if words++; !short {
				full++
			}
		case words > 0 || !isStop(word, english):
			whole = false
		}
	}
	done()
}
