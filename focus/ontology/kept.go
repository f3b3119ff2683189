package ontology

import (
	"slices"
	"strings"
)

// kept is where what was found on a page is kept: the hits and the evidence of all its links in a few
// pieces, since most of them are a hit or two. The zero value is ready.
type kept struct {
	free []hit // of the piece last made
	said strings.Builder
}

// Pieces of what is kept.
const (
	keptHits = 32
	keptText = 512 // bytes
)

// hits returns room for so many hits.
func (k *kept) hits(most int) []hit {
	if len(k.free) < most {
		k.free = make([]hit, max(keptHits, most))
	}
	return k.free[:0:most]
}

// keep keeps the hits that the room last given was filled with.
func (k *kept) keep(hits []hit) []hit {
	k.free = k.free[len(hits):]
	return slices.Clip(hits)
}

// text keeps a text.
func (k *kept) text(b []byte) string {
	from := k.said.Len()
	if k.said.Cap()-from < len(b) {
		k.said.Reset()
		k.said.Grow(max(keptText, len(b)))
		from = 0
	}
	k.said.Write(b)
	return k.said.String()[from:]
}
