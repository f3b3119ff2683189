package crossref

import (
	"fmt"

	"orbweaver"
)

// maxLinked bounds the linking pages that are kept of a page: the first.
const maxLinked = 64

// A judgedItem is what an Under keeps of a page beside what a Focus keeps.
type judgedItem struct {
	score    float32 // by the base
	accepted bool    // by the base, when it was judged
	linked   []key   // pages that link to it
}

// add adds a page with its judgement by the base, and its links to the pages fetched before.
func (u *Under) add(p *orbweaver.Page, j orbweaver.Judgement, e *evidence) error {
	f := u.graph
	found := f.findings(p)
	it, err := f.take(found.draft, p.URL, p.Fetched)
	if err != nil {
		return err
	}
	u.pages++
	f.judged = judged{}
	u.threshold = thresholdOf(j, u.threshold)
	if len(it.Terms) > 0 {
		k := kept{
			url: p.URL, terms: compact(it.Vector), main: it.Terms, near: e.context, member: outside,
			under: judgedItem{score: float32(j.Score), accepted: j.Accepted},
		}
		k.labels = f.classify(it.Terms).vector
		k.standing = u.stand(&k)
		for _, from := range e.parents {
			k.under.linked = append(k.under.linked, from.page)
		}
		f.known.add(k)
	}
	for i := range found.targets {
		t := &found.targets[i]
		if k := f.known.find(keyOf(p.Links[t.at].To)); k != nil {
			k.near = k.near.plus(f.words(t.context, maxContext)).heaviest(maxContext)
			if len(k.under.linked) < maxLinked {
				k.under.linked = append(k.under.linked, keyOf(p.URL))
			}
		}
	}
	return nil
}

// thresholdOf returns the acceptance threshold that a judgement names; before, if it names none.
func thresholdOf(j orbweaver.Judgement, before float64) float64 {
	for _, r := range j.Reasons {
		if r.Rule == orbweaver.RuleThreshold {
			return r.Weight
		}
	}
	return before
}

// accepts reports whether a page is part of layer 0: by the latest threshold of the base, or by its verdict if the
// base has none.
func (u *Under) accepts(k *kept) bool {
	if u.threshold > 0 {
		return float64(k.under.score) >= u.threshold
	}
	return k.under.accepted
}

// stand returns a kept page's relevance to every layer.
func (u *Under) stand(k *kept) standing {
	s := u.graph.stand(k.terms, 0, k.labels)
	s[0] = k.under.score
	return s
}

// relayer computes the layers again, from layer 0 outwards, and what words near links are worth.
func (u *Under) relayer() {
	f := u.graph
	f.judged = judged{}
	var inner []*kept
	for i := range f.known.items {
		k := &f.known.items[i]
		k.labels, k.member = f.classify(k.main).vector, outside
		if len(inner) < maxMembers && u.accepts(k) {
			k.member = 0
			inner = append(inner, k)
		}
	}
	f.layers = []layer{f.layerWith(nil, inner)}
	for i := 1; i <= f.opts.Layers; i++ {
		inner = u.linkingTo(inner, int8(i))
		f.layers = append(f.layers, f.layerWith(nil, inner))
	}
	for i := range f.known.items {
		k := &f.known.items[i]
		k.standing = u.stand(k)
	}
	f.learnWords()
}

// linkingTo returns the pages of layer i: those that link to one of the inner layer and are in no layer yet.
func (u *Under) linkingTo(inner []*kept, i int8) (items []*kept) {
	for _, k := range inner {
		for _, from := range k.under.linked {
			q := u.graph.known.find(from)
			if q == nil || q.member != outside {
				continue
			}
			if len(items) == maxMembers {
				return items
			}
			q.member = i
			items = append(items, q)
		}
	}
	return items
}

// shareLayers is the part of a request's score that the layers have; the base has the rest. One third and two
// thirds found less on the six topics that it was chosen on.
const shareLayers = 0.5

// expects returns the worth of a request by the layers, 0 to 1, and the layer by which it is worth most; false
// while nothing is known about words.
func (u *Under) expects(e *evidence) (layer int, worth float64, ok bool) {
	f := u.graph
	if f.layers[0].members == 0 || len(f.taught.words) == 0 {
		return 0, 0, false
	}
	factor := 1.0
	for i := range f.layers {
		if x := factor * f.taught.expects(e.context, i); i == 0 || x > worth {
			layer, worth = i, x
		}
		factor *= discount
	}
	return layer, worth, true
}

// layered returns the judgement of a request, of which the base's is given.
func (u *Under) layered(j orbweaver.Judgement, e *evidence) orbweaver.Judgement {
	layer, worth, ok := u.expects(e)
	if !ok {
		return j
	}
	f := u.graph
	evidence := fmt.Sprintf("of layer %d, %.2f expected", layer, worth)
	if words := f.named(f.taught.telling(e.context, layer, 3)); words != "" {
		evidence += ": " + words
	}
	why := orbweaver.Reason{Rule: RuleLayer, Evidence: evidence, Weight: shareLayers * (worth - j.Score)}
	j.Class = className(layer)
	j.Reasons = append(j.Reasons[:len(j.Reasons):len(j.Reasons)], why)
	j.Score += why.Weight
	return j
}

// unlayered is the reverse of layered.
func unlayered(j orbweaver.Judgement) orbweaver.Judgement {
	if n := len(j.Reasons) - 1; n >= 0 && j.Reasons[n].Rule == RuleLayer {
		j.Score -= j.Reasons[n].Weight
		j.Reasons, j.Class = j.Reasons[:n:n], ""
	}
	return j
}

// Merge combines the links of two pages to one request, for the base and for the layers.
func (u *Under) Merge(note []byte, again orbweaver.Proposal) orbweaver.Merged {
	base, before, ok := splitNote(note)
	more, another, ours := splitNote(again.Note)
	if !ok || !ours {
		return orbweaver.Merged{}
	}
	again.Note, again.Judgement = more, unlayered(again.Judgement)
	merged := u.Base.Merge(base, again)
	if merged.Note == nil {
		merged.Note = base
		merged.Score, _ = u.Base.Worth(base)
	}
	all := before.merge(another)
	merged.Note = joinNotes(merged.Note, &all)
	if _, worth, ok := u.expects(&all); ok {
		merged.Score += shareLayers * (worth - merged.Score)
	}
	return merged
}

// Worth scores a request by its Note and the current state.
func (u *Under) Worth(note []byte) (score float64, ok bool) {
	base, e, ok := splitNote(note)
	if !ok {
		return 0, false
	}
	if score, ok = u.Base.Worth(base); !ok {
		return 0, false
	}
	if _, worth, known := u.expects(&e); known {
		score += shareLayers * (worth - score)
	}
	return score, true
}

// Rerank is Worth with reasons.
func (u *Under) Rerank(known orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	base, e, ok := splitNote(p.Note)
	if !ok {
		return p.Judgement
	}
	p.Note, p.Judgement = base, unlayered(p.Judgement)
	return u.layered(u.Base.Rerank(known, p), &e)
}
