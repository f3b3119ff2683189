// Package inlinks scores a request by all links to it, for focuses that rank links one by one. The evidence
// is kept in the Note of the waiting request.
//
// This package is not part of the stable API.
package inlinks

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"orbweaver"
)

// Rule names the reason that corrects the best link's reasons to the score of all links.
const Rule = "inlinks"

// Links summarizes the links to one request.
type Links struct {
	Pages uint32  // pages that link to it
	Sum   float64 // sum of the ranks of their links
	Best  float64 // highest of these ranks
}

// One returns the evidence of a single page's link.
func One(rank float64) Links { return Links{Pages: 1, Sum: rank, Best: rank} }

// And returns the combined evidence.
func (l Links) And(more Links) Links {
	return Links{Pages: l.Pages + more.Pages, Sum: l.Sum + more.Sum, Best: max(l.Best, more.Best)}
}

// Score is the mean rank of the links, shrunk towards 0 (pseudo-count 1). A single link from a good page is
// weak evidence, since every page has some unrelated links; several links that agree are stronger. Unlike the
// maximum, the mean separates a page that relevant pages link to from one that every page links to.
func (l Links) Score() float64 { return l.Sum / float64(l.Pages+1) }

// Size is the encoded length of Links in a Note.
const Size = 20

// Append appends the encoding of Links to b.
func (l Links) Append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, l.Pages)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(l.Sum))
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(l.Best))
}

// Read decodes the Links at the start of a Note and returns the rest; false when the note is too short, as a
// seed's is.
func Read(note []byte) (l Links, rest []byte, ok bool) {
	if len(note) < Size {
		return Links{}, nil, false
	}
	return Links{
		Pages: binary.LittleEndian.Uint32(note),
		Sum:   math.Float64frombits(binary.LittleEndian.Uint64(note[4:])),
		Best:  math.Float64frombits(binary.LittleEndian.Uint64(note[12:])),
	}, note[Size:], true
}

// Reason returns the reason of Rule.
func (l Links) Reason() orbweaver.Reason {
	evidence := "1 page links here"
	if l.Pages > 1 {
		evidence = strconv.Itoa(int(l.Pages)) + " pages link here"
	}
	return orbweaver.Reason{Rule: Rule, Evidence: evidence, Weight: l.Score() - l.Best}
}

// Conclude makes the reasons of a request's best link add up to the score of all links. It drops the reasons
// after that of Rule and modifies none in place. A judgement without Rule is returned unchanged.
func (l Links) Conclude(j orbweaver.Judgement) orbweaver.Judgement {
	of := slices.IndexFunc(j.Reasons, func(r orbweaver.Reason) bool { return r.Rule == Rule })
	if of < 0 {
		return j
	}
	j.Reasons = append(slices.Clone(j.Reasons[:of]), l.Reason())
	j.Score = l.Score()
	return j
}
