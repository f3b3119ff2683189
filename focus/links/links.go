// Package links groups a page's links by target, for focuses that evaluate each link and propose each target
// once, by its best link.
//
// This package is not part of the stable API.
package links

import (
	"iter"

	"orbweaver"
)

// A Link is one occurrence of a link, with the features (S) that a focus extracts from the text at it.
type Link[S any] struct {
	At      int32 // in Page.Links
	next    int32 // the next link to the same target, -1 for none
	Anchor  S     // anchor text and title attribute
	Path    S     // words of the URL
	Context S     // words around the link
}

// Groups holds the links of a page that may be followed, by target. The zero value is empty.
type Groups[S any] struct {
	Links   []Link[S] // in the order of the page
	Targets []int32   // the first link to each distinct target, in document order: positions in Links
}

// MayFollow reports whether a link of a page may be followed: it leads elsewhere, and its rel does not forbid it.
func MayFollow(p *orbweaver.Page, l *orbweaver.Link) bool {
	return l.To != "" && l.To != p.URL && (l.Rel == "" || !l.NoFollow())
}

// Read groups the links of a page and calls read to fill in the features of each. Links to one target share
// Path: for all but the first of them read gets Path filled in, and again set. The table is scratch space,
// reused from page to page.
func (g *Groups[S]) Read(p *orbweaver.Page, table *Table, read func(read *Link[S], l *orbweaver.Link, again bool)) {
	table.clear(len(p.Links))
	target := func(of int32) string { return p.Links[g.Links[of].At].To }
	for i := range p.Links {
		l := &p.Links[i]
		if !MayFollow(p, l) {
			continue
		}
		at := int32(len(g.Links))
		before := table.put(l.To, at, target)
		g.Links = append(g.Links, Link[S]{At: int32(i), next: -1})
		if before >= 0 {
			g.Links[before].next = at
			g.Links[at].Path = g.Links[before].Path
		} else {
			g.Targets = append(g.Targets, at)
		}
		read(&g.Links[at], l, before >= 0)
	}
}

// To returns the links to a target, identified by its first link.
func (g *Groups[S]) To(first int32) iter.Seq[*Link[S]] {
	return func(yield func(*Link[S]) bool) {
		for at := first; at >= 0; at = g.Links[at].next {
			if !yield(&g.Links[at]) {
				return
			}
		}
	}
}

// A Ranking is the rank of a link, with its components.
type Ranking interface{ Score() float64 }

// Best returns the highest-ranked link to a target, the first of equals.
func Best[S any, R Ranking](g *Groups[S], first int32, rank func(*Link[S]) R) (best *Link[S], top R) {
	for l := range g.To(first) {
		if r := rank(l); best == nil || r.Score() > top.Score() {
			best, top = l, r
		}
	}
	return best, top
}
