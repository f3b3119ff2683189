package keyword

import (
	"orbweaver"
	"orbweaver/focus/inlinks"
)

// evidence is the part of a Note about the links to a request.
type evidence struct {
	inlinks.Links
	blind byte // minimum number of links since the last page or link with evidence, or a seed
}

// append encodes a Note.
func (e evidence) append(b []byte) []byte { return append(e.Append(b), e.blind) }

// readNote decodes a Note; false for a note of another kind, such as a seed's.
func readNote(note []byte) (evidence, bool) {
	l, rest, ok := inlinks.Read(note)
	if !ok || len(rest) != 1 {
		return evidence{}, false
	}
	return evidence{l, rest[0]}, true
}

// Merge adds another page's link to a waiting request. The request keeps the link of highest rank, the first
// of equals. A seed stays unchanged.
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
