package krs

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"orbweaver"
)

// links is the evidence of the links to one request, kept in its Note while it waits.
type links struct {
	pages uint32  // that link to it
	sum   float64 // of the ranks of their links
	best  float64 // the highest of them
}

// score is the mean rank of the links, drawn towards 0 as by one more link of rank 0: one link from one
// good page proves little, and a page that everybody links to is about nothing in particular.
func (l links) score() float64 { return l.sum / float64(l.pages+1) }

// noteSize is the length of a Note.
const noteSize = 20

func (l links) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, l.pages)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(l.sum))
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(l.best))
}

// readNote reads a Note; false when it is none of ours, as with a seed.
func readNote(note []byte) (links, bool) {
	if len(note) != noteSize {
		return links{}, false
	}
	return links{
		pages: binary.LittleEndian.Uint32(note),
		sum:   math.Float64frombits(binary.LittleEndian.Uint64(note[4:])),
		best:  math.Float64frombits(binary.LittleEndian.Uint64(note[12:])),
	}, true
}

// Merge weighs another page's link to a request that waits. The request keeps, as what it was followed by,
// the link of the highest rank, the first of equal ones. A seed stays what it is, and so does every request
// of a breadth-first crawl.
func (f *Focus) Merge(note []byte, again orbweaver.Proposal) orbweaver.Merged {
	known, ok := readNote(note)
	another, ours := readNote(again.Note)
	if !ok || !ours {
		return orbweaver.Merged{}
	}
	all := links{
		pages: known.pages + another.pages,
		sum:   known.sum + another.sum,
		best:  max(known.best, another.best),
	}
	return orbweaver.Merged{Score: all.score(), Note: all.append(nil), Follow: another.best > known.best}
}

// Worth is the score of a request by the links that its Note tells of.
func (f *Focus) Worth(note []byte) (score float64, ok bool) {
	l, ok := readNote(note)
	return l.score(), ok
}

// Rerank has the reasons of a request's best link add up to the score of all links.
func (f *Focus) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	l, ok := readNote(p.Note)
	of := slices.IndexFunc(p.Reasons, func(r orbweaver.Reason) bool { return r.Rule == RuleInlinks })
	if !ok || of < 0 {
		return p.Judgement
	}
	j := p.Judgement
	j.Reasons = append(slices.Clone(j.Reasons[:of]), inlinks(l)) // those who hold the ones before keep them
	j.Score = l.score()
	return j
}

// inlinks is the reason that makes those of the best link add up to the score of all.
func inlinks(l links) orbweaver.Reason {
	evidence := "1 page links here"
	if l.pages > 1 {
		evidence = strconv.Itoa(int(l.pages)) + " pages link here"
	}
	return orbweaver.Reason{Rule: RuleInlinks, Evidence: evidence, Weight: l.score() - l.best}
}
