// Package inlinks scores a request by all links to it, for focuses that rank links one by one. The evidence stands
// in the request's Note while it waits.
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

// Rule is the rule of the reason that makes those of the best link add up to the score of all links.
const Rule = "inlinks"

// Links is the evidence of the links to one request.
type Links struct {
	Pages uint32  // that link to it
	Sum   float64 // of the ranks of their links
	Best  float64 // the highest of them
}

// One is the link of one page.
func One(rank float64) Links { return Links{Pages: 1, Sum: rank, Best: rank} }

// And is both together.
func (l Links) And(more Links) Links {
	return Links{Pages: l.Pages + more.Pages, Sum: l.Sum + more.Sum, Best: max(l.Best, more.Best)}
}

// Score is the mean rank of the links, shrunk towards 0 (pseudo-count 1). One link from one good page proves little:
// every page has some odd links. Several links that agree prove more; a page that all pages link to is about nothing
// in particular: unlike the maximum, the mean separates it from a page linked by relevant pages only.
func (l Links) Score() float64 { return l.Sum / float64(l.Pages+1) }

// Size is the length of Links in a Note.
const Size = 20

// Append writes Links as a Note has them.
func (l Links) Append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, l.Pages)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(l.Sum))
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(l.Best))
}

// Read reads the Links that a Note begins with, and returns the rest of it; false when it is too short,
// as that of a seed.
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

// Reason is the reason of Rule.
func (l Links) Reason() orbweaver.Reason {
	evidence := "1 page links here"
	if l.Pages > 1 {
		evidence = strconv.Itoa(int(l.Pages)) + " pages link here"
	}
	return orbweaver.Reason{Rule: Rule, Evidence: evidence, Weight: l.Score() - l.Best}
}

// Conclude makes the reasons of a request's best link add up to the score of all links. It drops the reasons
// after that of Rule and changes none in place. A judgement without Rule stays as it is.
func (l Links) Conclude(j orbweaver.Judgement) orbweaver.Judgement {
	of := slices.IndexFunc(j.Reasons, func(r orbweaver.Reason) bool { return r.Rule == Rule })
	if of < 0 {
		return j
	}
	j.Reasons = append(slices.Clone(j.Reasons[:of]), l.Reason())
	j.Score = l.Score()
	return j
}
