package ontology

import (
	"encoding/binary"
	"math"
	"strconv"

	"orbweaver"
)

// RuleInlinks is the rule that weighs all links to one request together.
const RuleInlinks = "inlinks"

// evidence of the links to one request, kept in its Note while it waits.
type links struct {
	pages uint32  // that link to it
	sum   float64 // of the ranks of their links
	best  float64 // the highest of them
}

// score is the mean rank of the links, drawn towards 0 as by one more link of rank 0. One link from
// one good page proves little: it may be the odd link out, as every page has some. Several links
// that agree prove more, and a page that everybody links to is about nothing in particular: the mean
// tells it from one that is linked to by the right pages alone, where the highest rank cannot.
func (l links) score() float64 { return l.sum / float64(l.pages+1) }

// noteSize is the length of a Note.
const noteSize = 20

// append writes a Note.
func (l links) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, l.pages)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(l.sum))
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(l.best))
}

// readLinks reads a Note; false when it is none of ours, as with a seed.
func readLinks(note []byte) (links, bool) {
	if len(note) != noteSize {
		return links{}, false
	}
	return links{
		pages: binary.LittleEndian.Uint32(note),
		sum:   math.Float64frombits(binary.LittleEndian.Uint64(note[4:])),
		best:  math.Float64frombits(binary.LittleEndian.Uint64(note[12:])),
	}, true
}

// Merge weighs another page's link to a request that waits. The request keeps, as what it was
// followed by, the link of the highest rank, the first of equal ones; its score is the shrunk mean
// of all. A seed stays what it is.
func (f *Focus) Merge(waiting, again orbweaver.Proposal) orbweaver.Proposal {
	known, ok := readLinks(waiting.Note)
	another, ours := readLinks(again.Note)
	if !ok || !ours {
		return waiting
	}
	merged := waiting
	if another.best > known.best {
		merged = again
	}
	all := links{
		pages: known.pages + another.pages,
		sum:   known.sum + another.sum,
		best:  max(known.best, another.best),
	}
	merged.Note = all.append(make([]byte, 0, noteSize))
	merged.Score = all.score()
	merged.Reasons = append(merged.Reasons[:len(merged.Reasons)-1:len(merged.Reasons)-1], inlinks(all))
	return merged
}

// inlinks is the reason that makes the reasons of the best link add up to the score.
func inlinks(l links) orbweaver.Reason {
	evidence := "1 page links here"
	if l.pages > 1 {
		evidence = strconv.Itoa(int(l.pages)) + " pages link here"
	}
	return orbweaver.Reason{Rule: RuleInlinks, Evidence: evidence, Weight: l.score() - l.best}
}
