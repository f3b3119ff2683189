package crossref

import (
	"fmt"

	"orbweaver"
)

// The rules of link judgements, in the order of their reasons.
const (
	RuleLayer   = "layer"   // that the page is expected in this layer; only where layers go strictly first
	RuleInlinks = "inlinks" // the relevance of the pages that link to it
	RuleLearned = "learned" // what pages turned out to be that were linked to beside the same words
	RuleAnchor  = "anchor"  // the words of links to it
	RuleContext = "context" // the words around them
)

// Shares are how much of a page's worth each kind of evidence can give; they add up to 1.
type shares struct{ inlinks, learned, anchor, context float64 }

// shares are the weights of the kinds of evidence. Learned words weigh most. They are on the scale of the linking
// pages' relevance, whose mean is about 0.02; cosines of the few words of links are several times that where they are
// not 0, so that a small share of them breaks ties.
func (f *Focus) shares() shares {
	if !f.opts.learns() {
		return shares{inlinks: 0.4, anchor: 0.4, context: 0.2} // those of the ontology focus
	}
	return shares{inlinks: 0.2, learned: 0.75, anchor: 0.02, context: 0.03}
}

// discount is what a layer is worth of the one within: its pages need another request, and few of their links
// lead inwards.
const discount = 0.1

// A ranking is what a page that waits is worth by one layer, in parts that add up to at most 1.
type ranking struct {
	layer                             int
	inlinks, learned, anchor, context float64
}

func (r ranking) sum() float64 { return r.inlinks + r.learned + r.anchor + r.context }

// times is the ranking in other units.
func (r ranking) times(factor float64) ranking {
	return ranking{r.layer, r.inlinks * factor, r.learned * factor, r.anchor * factor, r.context * factor}
}

// rank finds the layer to which a page that waits belongs by all that is known of it: where it is worth most,
// each layer counting a tenth of the one within. By one layer a page is worth the mean relevance of the pages that
// link to it, shrunk towards the global mean (pseudo-count 1), what is expected of a page by the words near its links
// (feedback), and the cosines of the words of its links.
func (f *Focus) rank(e *evidence) (best ranking) {
	means, share := f.inlinks(e), f.shares()
	factor := 1.0
	for i := range f.layers {
		l := &f.layers[i]
		r := ranking{
			layer: i, inlinks: share.inlinks * means[i], learned: share.learned * f.taught.expects(e.context, i),
			anchor: share.anchor * l.terms.cosine(e.anchor, 0), context: share.context * l.terms.cosine(e.context, 0),
		}
		if !f.opts.Strict {
			r = r.times(factor)
			factor *= discount
		}
		if i == 0 || r.sum() > best.sum() {
			best = r
		}
	}
	return best
}

// inlinks is the mean relevance, by layer, of the pages that link. Where a page stands is as of the end of the
// last round; where that is forgotten, only what it was to layer 0 is known.
func (f *Focus) inlinks(e *evidence) (mean [maxLayers]float64) {
	mean[0] = e.rest
	for _, p := range e.parents {
		at := p.here
		if k := f.known.find(p.page); at == nil && k != nil {
			at = &k.standing
		}
		if at == nil {
			mean[0] += p.relevance
			continue
		}
		for i := range f.layers {
			mean[i] += float64(at[i])
		}
	}
	for i := range f.layers {
		mean[i] = (mean[i] + float64(f.taught.mean[i])) / float64(e.links+1)
	}
	return mean
}

// priority is what all that waits is ordered by, 0..1. Where layers go strictly first, those of layer i lie
// between (n-1-i)/n and (n-i)/n, n being the number of layers.
func (f *Focus) priority(r ranking) float64 {
	if !f.opts.Strict {
		return r.sum()
	}
	n := float64(len(f.layers))
	return (n - 1 - float64(r.layer) + r.sum()) / n
}

// reasons add up to the priority.
func (f *Focus) reasons(e *evidence, r ranking) []orbweaver.Reason {
	within := fmt.Sprintf("of layer %d", r.layer)
	reasons := make([]orbweaver.Reason, 0, 5)
	add := func(rule, evidence string, weight float64) {
		if weight > 0 {
			reasons = append(reasons, orbweaver.Reason{Rule: rule, Evidence: evidence, Weight: weight})
		}
	}
	if f.opts.Strict {
		n := float64(len(f.layers))
		add(RuleLayer, fmt.Sprint(r.layer), (n-1-float64(r.layer))/n)
		r = r.times(1 / n)
	}
	pages := fmt.Sprintf("%d pages that link to it, as those %s", e.links, within)
	if e.links == 1 {
		pages = "1 page that links to it, as those " + within
	}
	add(RuleInlinks, pages, r.inlinks)
	add(RuleLearned, f.named(f.taught.telling(e.context, r.layer, 3)), r.learned)
	add(RuleAnchor, f.inCommon(e.anchor, r.layer, 3), r.anchor)
	add(RuleContext, f.inCommon(e.context, r.layer, 3), r.context)
	return reasons
}

// Merge weighs the links of another page to a request that waits. The link that it is followed by is the one
// of the most relevant page, the first of equal ones. A seed stays what it is.
func (f *Focus) Merge(note []byte, again orbweaver.Proposal) orbweaver.Merged {
	before, ok := readNote(note)
	another, ours := readNote(again.Note)
	if !ok || !ours {
		return orbweaver.Merged{}
	}
	all := before.merge(another)
	return orbweaver.Merged{
		Score: f.priority(f.rank(&all)), Note: all.note(), Follow: another.best() > before.best(),
	}
}

// best is the relevance of the most relevant page.
func (e *evidence) best() (best float64) {
	for _, p := range e.parents {
		best = max(best, p.relevance)
	}
	return best
}

// Worth ranks a request by its Note, as of now.
func (f *Focus) Worth(note []byte) (score float64, ok bool) {
	e, ok := readNote(note)
	if !ok {
		return 0, false
	}
	return f.priority(f.rank(&e)), true
}

// Rerank is Worth with reasons. Without ranking again the score stays what it was, and has no reasons but
// those of the link.
func (f *Focus) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	e, ok := readNote(p.Note)
	if !ok || f.opts.NoRerank {
		return p.Judgement
	}
	r := f.rank(&e)
	j := p.Judgement
	j.Score, j.Class, j.Reasons = f.priority(r), className(r.layer), f.reasons(&e, r)
	return j
}

// className names a layer as the class of a page or a link.
func className(layer int) string { return fmt.Sprintf("L%d", layer) }
