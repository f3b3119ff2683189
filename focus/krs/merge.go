package krs

import (
	"orbweaver"
	"orbweaver/focus/inlinks"
)

// readNote decodes a Note; false for a note of another kind, such as a seed's.
func readNote(note []byte) (inlinks.Links, bool) {
	l, rest, ok := inlinks.Read(note)
	return l, ok && len(rest) == 0
}

// Merge adds another page's link to a waiting request. The request keeps the link of highest rank, the first
// of equals. A seed stays unchanged, and so does every request of a breadth-first crawl.
func (f *Focus) Merge(note []byte, again orbweaver.Proposal) orbweaver.Merged {
	known, ok := readNote(note)
	another, ours := readNote(again.Note)
	if !ok || !ours {
		return orbweaver.Merged{}
	}
	all := known.And(another)
	return orbweaver.Merged{Score: all.Score(), Note: all.Append(nil), Follow: another.Best > known.Best}
}

// Worth returns the score of a request by the links in its Note.
func (f *Focus) Worth(note []byte) (score float64, ok bool) {
	l, ok := readNote(note)
	return l.Score(), ok
}

// Rerank makes the reasons of a request's best link add up to the score of all links.
func (f *Focus) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	if l, ok := readNote(p.Note); ok {
		return l.Conclude(p.Judgement)
	}
	return p.Judgement
}
