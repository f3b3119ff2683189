package ontology

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"orbweaver"
)

// RuleInlinks is the rule that weighs all links to one request together.
const RuleInlinks = "inlinks"

// links is the evidence of the links to one request, kept in its Note while it waits.
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

// linksSize is the length of links in a Note; stems follow.
const linksSize = 20

// append writes the links of a Note.
func (l links) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, l.pages)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(l.sum))
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(l.best))
}

// readNote reads a Note; false when it is none of ours, as with a seed.
func readNote(note []byte) (links, stems, bool) {
	if len(note) < linksSize || !stems(note[linksSize:]).valid() {
		return links{}, nil, false
	}
	return links{
		pages: binary.LittleEndian.Uint32(note),
		sum:   math.Float64frombits(binary.LittleEndian.Uint64(note[4:])),
		best:  math.Float64frombits(binary.LittleEndian.Uint64(note[12:])),
	}, note[linksSize:], true
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
	all := links{
		pages: known.pages + another.pages,
		sum:   known.sum + another.sum,
		best:  max(known.best, another.best),
	}
	merged := make(stems, 0, linksSize+len(words)+len(more))
	merged = append(all.append(merged), words...)
	for stem := range more.all() {
		merged = merged.add(linksSize, stem)
	}
	score, _, _ := f.worth(all, merged[linksSize:])
	return orbweaver.Merged{Score: score, Note: merged, Follow: another.best > known.best}
}

// Worth weighs the links and words that a Note tells of by what was learned since.
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

// again concludes anew what a request is worth. The reasons before stay as they are, for those who
// hold them.
func (f *Focus) again(j orbweaver.Judgement, l links, s stems) orbweaver.Judgement {
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
func (f *Focus) worth(l links, s stems) (score float64, best *word, lift float64) {
	score = l.score()
	if best, lift = f.words.best(s); best != nil {
		lift = min(lift, 1-score)
	}
	return score + lift, best, lift
}

// conclude is worth with the reasons, which are those of the best link and then add up to it.
func (f *Focus) conclude(reasons []orbweaver.Reason, l links, s stems) ([]orbweaver.Reason, float64) {
	score, best, lift := f.worth(l, s)
	reasons = append(reasons, inlinks(l))
	if best != nil {
		reasons = append(reasons, orbweaver.Reason{Rule: RuleWords, Evidence: best.why(), Weight: lift})
	}
	return reasons, score
}

// inlinks is the reason that makes those of the best link add up to the score of all.
func inlinks(l links) orbweaver.Reason {
	evidence := "1 page links here"
	if l.pages > 1 {
		evidence = strconv.Itoa(int(l.pages)) + " pages link here"
	}
	return orbweaver.Reason{Rule: RuleInlinks, Evidence: evidence, Weight: l.score() - l.best}
}
