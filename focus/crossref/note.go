package crossref

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"orbweaver/internal/order"
)

// The maximum size of a Note.
const (
	maxParents = 16 // linking pages, the most relevant; of others only the sum is kept
	maxAnchor  = 16 // terms
	maxContext = 24
)

// evidence describes a waiting request, in its Note: the pages that link to it and the words of their links.
type evidence struct {
	links   int     // pages that link to it
	rest    float64 // sum of the relevance to layer 0 of pages that are not among the parents
	parents []parent
	anchor  vector
	context vector
}

// A parent is a linking page.
type parent struct {
	page      key
	relevance float64   // to layer 0 when the link was found, for use after the item is evicted
	here      *standing // standing of the page being judged; not in a Note
}

// merge returns the combined evidence.
func (e *evidence) merge(o evidence) evidence {
	all := evidence{
		links: e.links + o.links, rest: e.rest + o.rest,
		parents: append(slices.Clip(e.parents), o.parents...),
		anchor:  e.anchor.plus(o.anchor).heaviest(maxAnchor),
		context: e.context.plus(o.context).heaviest(maxContext),
	}
	if len(all.parents) > maxParents {
		order.Stably(all.parents, func(a, b parent) int { return cmp.Compare(b.relevance, a.relevance) })
		for _, p := range all.parents[maxParents:] {
			all.rest += p.relevance
		}
		all.parents = all.parents[:maxParents]
	}
	return all
}

// The layout of a Note: head, parents, dims of anchor and context.
const (
	noteMark   = 'x'
	noteHead   = 12
	noteParent = 12
	noteDim    = 8
)

// note encodes the evidence.
func (e *evidence) note() []byte {
	size := noteHead + noteParent*len(e.parents) + noteDim*(len(e.anchor)+len(e.context))
	b := append(make([]byte, 0, size), noteMark)
	b = binary.LittleEndian.AppendUint32(b, uint32(e.links))
	b = appendFloat(b, e.rest)
	b = append(b, byte(len(e.parents)), byte(len(e.anchor)), byte(len(e.context)))
	for _, p := range e.parents {
		b = appendFloat(binary.LittleEndian.AppendUint64(b, uint64(p.page)), p.relevance)
	}
	return appendDims(appendDims(b, e.anchor), e.context)
}

func appendFloat(b []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
}

func appendDims(b []byte, v vector) []byte {
	for _, d := range v {
		b = binary.LittleEndian.AppendUint32(b, d.id)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(d.weight))
	}
	return b
}

// readNote decodes a Note; false for a note of another kind, such as a seed's.
func readNote(b []byte) (e evidence, ok bool) {
	if len(b) < noteHead || b[0] != noteMark {
		return e, false
	}
	parents, anchor, context := int(b[9]), int(b[10]), int(b[11])
	if len(b) != noteHead+noteParent*parents+noteDim*(anchor+context) {
		return e, false
	}
	e.links, e.rest = int(binary.LittleEndian.Uint32(b[1:])), readFloat(b[5:])
	b = b[noteHead:]
	e.parents = make([]parent, parents)
	for i := range e.parents {
		e.parents[i] = parent{page: key(binary.LittleEndian.Uint64(b)), relevance: readFloat(b[8:])}
		b = b[noteParent:]
	}
	e.anchor, e.context = readDims(b, anchor), readDims(b[noteDim*anchor:], context)
	return e, true
}

func readFloat(b []byte) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
}

func readDims(b []byte, n int) vector {
	v := make(vector, n)
	for i := range v {
		v[i] = dim{binary.LittleEndian.Uint32(b), math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))}
		b = b[noteDim:]
	}
	return v
}
