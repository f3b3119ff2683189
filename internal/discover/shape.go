package discover

import (
	"hash/fnv"
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// The shapes of pages.
const (
	shapeOther   = "other"
	shapeArticle = "article"
	shapeIndex   = "index"
)

// Bounds of the shape of a list.
const (
	fewestListed = 8   // links that stand alone
	shareListed  = 0.6 // of them, among the links of the page to its own host
	shareText    = 0.5 // of their text, in relation to the other text
	shortText    = 200 // bytes of text below which a page without a list is no article
)

// A sketch is a set of the targets of one page's links to its own host: a Bloom filter of 1 024 bits and one hash.
type sketch [16]uint64

func (s *sketch) add(h uint64)      { s[h>>6&15] |= 1 << (h & 63) }
func (s *sketch) has(h uint64) bool { return s[h>>6&15]&(1<<(h&63)) != 0 }

// A listing is what the links of a page to its own host are like.
type listing struct {
	own   int // distinct targets that the page before, of the same host, does not link to
	alone int // those of them whose link stands alone: nothing but the link in its block
	text  int // bytes of their link texts
	links sketch
}

// listingOf looks at the links of a page. before has the links of a page of the same host: what both link to is navigation.
func listingOf(p *orbweaver.Page, before *sketch) (l listing) {
	host := weburl.Host(p.URL)
	seen := map[string]bool{}
	for i := range p.Links {
		link := &p.Links[i]
		if seen[link.To] || link.Origin != orbweaver.FromAnchor || weburl.Host(link.To) != host {
			continue
		}
		seen[link.To] = true
		h := hash(link.To)
		l.links.add(h)
		if before != nil && before.has(h) {
			continue
		}
		if l.own++; len(link.Context) <= 24 && strings.TrimSpace(link.Anchor) != "" {
			l.alone++
			l.text += len(link.Anchor)
		}
	}
	return l
}

// shape returns the shape of a page with n bytes of text.
func (l listing) shape(n int) string {
	rest := float64(max(0, n-l.text))
	switch {
	case l.alone >= fewestListed && float64(l.alone) >= shareListed*float64(l.own) && float64(l.text) >= shareText*rest:
		return shapeIndex
	case n >= shortText:
		return shapeArticle
	}
	return shapeOther
}

// hash returns 64 bits of a text, the same on every machine.
func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}
