package ontology

import (
	"slices"

	"orbweaver"
	"orbweaver/focus/inlinks"
)

// RuleInlinks is the rule that combines all links to one request.
const RuleInlinks = inlinks.Rule

// readNote decodes a Note; false for a note of another kind, such as a seed's.
func readNote(note []byte) (inlinks.Links, stems, bool) {
	l, words, ok := inlinks.Read(note)
	if !ok || !stems(words).valid() {
		return inlinks.Links{}, nil, false
	}
	return l, words, true
}

// Merge adds another page's link to a waiting request. The request keeps the link of highest rank, the first
// of equals; its score follows from all links. A seed stays unchanged.
func (f *Focus) Merge(note []byte, again orbweaver.Proposal) orbweaver.Merged {
	known, words, ok := readNote(note)
	another, more, ours := readNote(again.Note)
	if !ok || !ours {
		return orbweaver.Merged{}
	}
	all := known.And(another)
	merged := make(stems, 0, inlinks.Size+len(words)+len(more))
	merged = append(all.Append(merged), words...)
	for stem := range more.all() {
		merged = merged.add(inlinks.Size, stem)
	}
	score, _, _ := f.worth(all, merged[inlinks.Size:])
	return orbweaver.Merged{Score: score, Note: merged, Follow: another.Best > known.Best}
}

// Worth scores the links and words in a Note by the current state.
func (f *Focus) Worth(note []byte) (score float64, ok bool) {
	l, words, ok := readNote(note)
	if ok {
		score, _, _ = f.worth(l, words)
	}
	return score, ok
}

// Rerank scores the words of a waiting request by the current state.
func (f *Focus) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	l, words, ok := readNote(p.Note)
	if !ok {
		return p.Judgement
	}
	return f.again(p.Judgement, l, words)
}

// again recomputes a request's score. It modifies no reasons in place.
func (f *Focus) again(j orbweaver.Judgement, l inlinks.Links, s stems) orbweaver.Judgement {
	of := slices.IndexFunc(j.Reasons, func(r orbweaver.Reason) bool { return r.Rule == RuleInlinks || r.Rule == RuleWords })
	switch {
	case of < 0 && f.opts.Paper.Inlinks == MeanLink:
		return j
	case of < 0:
		of = len(j.Reasons)
	}
	reasons := make([]orbweaver.Reason, of, of+2)
	copy(reasons, j.Reasons)
	j.Reasons, j.Score = f.conclude(reasons, l, s)
	return j
}

// worth returns the score of a request: that of its links, raised by the lift of its best word, at most 1.
func (f *Focus) worth(l inlinks.Links, s stems) (score float64, best *word, lift float64) {
	if score = l.Best; f.opts.Paper.Inlinks == MeanLink {
		score = l.Score()
	}
	if best, lift = f.words.best(s); best != nil {
		lift = min(lift, 1-score)
	}
	return score + lift, best, lift
}

// conclude returns worth with its reasons: those of the best link, corrected to add up to it.
func (f *Focus) conclude(reasons []orbweaver.Reason, l inlinks.Links, s stems) ([]orbweaver.Reason, float64) {
	score, best, lift := f.worth(l, s)
	if f.opts.Paper.Inlinks == MeanLink {
		reasons = append(reasons, l.Reason())
	}
	if best != nil {
		reasons = append(reasons, orbweaver.Reason{Rule: RuleWords, Evidence: best.why(), Weight: lift})
	}
	return reasons, score
}
