package ontology

import (
	"slices"

	"orbweaver"
	"orbweaver/focus/inlinks"
)

// RuleInlinks is the rule that combines all links to one request.
const RuleInlinks = inlinks.Rule

// Merge adds another page's link to a waiting request. The request keeps the link of highest rank, the first
// of equals; its score follows from all links. A seed stays unchanged.
func (f *Focus) Merge(old []byte, again orbweaver.Proposal) orbweaver.Merged {
	known, ok := parseNote(old)
	another, ours := parseNote(again.Note)
	if !ok || !ours || another.alone() && known.listed != nil {
		return orbweaver.Merged{}
	}
	all := note{Links: known.And(another.Links), listed: known.listed}
	if all.listed == nil {
		all.listed = another.listed
	}
	merged := stems(all.append(make([]byte, 0, inlinks.Size+len(old)+len(again.Note))))
	from := len(merged)
	merged = append(merged, known.stems...)
	for stem := range another.stems.all() {
		merged = merged.add(from, stem)
	}
	all.stems = merged[from:]
	return orbweaver.Merged{Score: f.worth(all).score, Note: merged, Follow: another.Best > known.Best}
}

// Worth scores the links and words in a Note by the current state.
func (f *Focus) Worth(b []byte) (score float64, ok bool) {
	n, ok := parseNote(b)
	if ok {
		score = f.worth(n).score
	}
	return score, ok
}

// Rerank scores the words of a waiting request by the current state.
func (f *Focus) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	n, ok := parseNote(p.Note)
	if !ok {
		return p.Judgement
	}
	return f.again(p.Judgement, n)
}

// again recomputes a request's score. It modifies no reasons in place.
func (f *Focus) again(j orbweaver.Judgement, n note) orbweaver.Judgement {
	of := slices.IndexFunc(j.Reasons, func(r orbweaver.Reason) bool {
		return r.Rule == RuleInlinks || r.Rule == RuleWords || r.Rule == RuleURL
	})
	switch {
	case of < 0 && f.opts.Paper.Inlinks == MeanLink:
		return j
	case of < 0:
		of = len(j.Reasons)
	}
	j.Reasons = j.Reasons[:of:of]
	return f.conclude(j, n)
}

// appendLearned appends the reasons beside those of the best link.
func (f *Focus) appendLearned(reasons []orbweaver.Reason, n note, w worth) []orbweaver.Reason {
	if f.opts.Paper.Inlinks == MeanLink {
		reasons = append(reasons, n.Reason())
	}
	if w.word != nil {
		reasons = append(reasons, orbweaver.Reason{Rule: RuleWords, Evidence: w.word.why(), Weight: w.lift})
	}
	if w.raise != 0 {
		reasons = append(reasons, orbweaver.Reason{Rule: RuleURL, Evidence: f.urls.Why(w.signs), Weight: w.raise})
	}
	return reasons
}
