package ontology

import (
	"slices"
	"strings"
)

// kept allocates the findings of a page, the hits and the evidence of all its links, in a few large pieces,
// since most are only a hit or two. The zero value is ready for use.
type kept struct {
	free  []hit // rest of the current piece
	texts strings.Builder
}

// The sizes of a piece.
const (
	keptHits = 32
	keptText = 512 // bytes
)

// hits returns an empty slice with capacity for most hits.
func (k *kept) hits(most int) []hit {
	if len(k.free) < most {
		k.free = make([]hit, max(keptHits, most))
	}
	return k.free[:0:most]
}

// keep keeps the hits appended to the slice that hits returned last.
func (k *kept) keep(hits []hit) []hit {
	k.free = k.free[len(hits):]
	return slices.Clip(hits)
}

// text returns a kept copy of b.
func (k *kept) text(b []byte) string {
	from := k.texts.Len()
	if k.texts.Cap()-from < len(b) {
		k.texts.Reset()
		k.texts.Grow(max(keptText, len(b)))
		from = 0
	}
	k.texts.Write(b)
	return k.texts.String()[from:]
}
