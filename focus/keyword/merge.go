package keyword

import (
	"orbweaver"
	"orbweaver/focus/inlinks"
)

// evidence is what a Note has of the links to a request.
type evidence struct {
	inlinks.Links
	blind byte // links from the last page or link that something spoke for, or from a seed, at least
}

// append writes a Note.
func (e evidence) append(b []byte) []byte { return append(e.Append(b), e.blind) }

// readNote reads a Note; false when it is none of ours, as with a seed.
func readNote(note []byte) (evidence, bool) {
	l, rest, ok := inlinks.Read(note)
	if !ok || len(rest) != 1 {
		return evidence{}, false
	}
	return evidence{l, rest[0]}, true
}

// Merge weighs another page's link to a request that waits. The request keeps, as what it was followed by,
// the link of the highest rank, the first of equal ones. A seed stays what it is.
func (f *Focus) Merge(note []byte, again orbweaver.Proposal) orbweaver.Merged {
	known, ok := readNote(note)
	another, ours := readNote(again.Note)
	if !ok || !ours {
		return orbweaver.Merged{}
	}
	all := evidence{known.And(another.Links), min(known.blind, another.blind)}
	return orbweaver.Merged{Score: all.Score(), Note: all.append(nil), Follow: another.Best > known.Best}
}

// Worth returns the score of a request by the links in its Note.
func (f *Focus) Worth(note []byte) (score float64, ok bool) {
	l, ok := readNote(note)
	return l.Score(), ok
}

// Rerank makes the reasons of a request's best link add up to the score of all links.
func (f *Focus) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	if e, ok := readNote(p.Note); ok {
		return e.Conclude(p.Judgement)
	}
	return p.Judgement
}
