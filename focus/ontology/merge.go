package ontology

import (
	"slices"

	"orbweaver"
	"orbweaver/focus/inlinks"
)

// RuleInlinks is the rule that weighs all links to one request together.
const RuleInlinks = inlinks.Rule

// readNote reads a Note; false when it is none of ours, as with a seed.
func readNote(note []byte) (inlinks.Links, stems, bool) {
	l, words, ok := inlinks.Read(note)
	if !ok || !stems(words).valid() {
		return inlinks.Links{}, nil, false
	}
	return l, words, true
}

// Merge weighs another page's link to a request that waits. The request keeps, as what it was
// followed by, the link of the highest rank, the first of equal ones; its score is concluded from
// all. A seed stays what it is.
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

// Worth scores the links and words in a Note by what was learned since.
func (f *Focus) Worth(note []byte) (score float64, ok bool) {
	l, words, ok := readNote(note)
	if ok {
		score, _, _ = f.worth(l, words)
	}
	return score, ok
}

// Rerank weighs the words of a request that waits by what was learned since.
func (f *Focus) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	l, words, ok := readNote(p.Note)
	if !ok {
		return p.Judgement
	}
	return f.again(p.Judgement, l, words)
}

// again scores a request anew. It changes no reasons in place.
func (f *Focus) again(j orbweaver.Judgement, l inlinks.Links, s stems) orbweaver.Judgement {
	of := slices.IndexFunc(j.Reasons, func(r orbweaver.Reason) bool { return r.Rule == RuleInlinks })
	if of < 0 {
		return j
	}
	reasons := make([]orbweaver.Reason, of, of+2)
	copy(reasons, j.Reasons)
	j.Reasons, j.Score = f.conclude(reasons, l, s)
	return j
}

// worth is what a request is worth: the links to it, lifted by the best of their words, at most 1.
func (f *Focus) worth(l inlinks.Links, s stems) (score float64, best *word, lift float64) {
	score = l.Score()
	if best, lift = f.words.best(s); best != nil {
		lift = min(lift, 1-score)
	}
	return score + lift, best, lift
}

// conclude is worth with the reasons, which are those of the best link and then add up to it.
func (f *Focus) conclude(reasons []orbweaver.Reason, l inlinks.Links, s stems) ([]orbweaver.Reason, float64) {
	score, best, lift := f.worth(l, s)
	reasons = append(reasons, l.Reason())
	if best != nil {
		reasons = append(reasons, orbweaver.Reason{Rule: RuleWords, Evidence: best.why(), Weight: lift})
	}
	return reasons, score
}
