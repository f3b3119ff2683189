package crossref

import (
	"fmt"
	"math"

	"orbweaver"
)

// The rules of link judgements, in the order of their reasons.
const (
	RuleLayer   = "layer"   // the expected layer of the page; only with ByLayers
	RuleInlinks = "inlinks" // the relevance of the pages that link to it
	RuleLearned = "learned" // the relevance of pages that were linked to beside the same words
	RuleAnchor  = "anchor"  // the words of links to it
	RuleContext = "context" // the words around them
)

// shares are the maximum contributions of each kind of evidence; they add up to 1.
type shares struct{ inlinks, learned, anchor, context float64 }

// shares returns the weights of the kinds of evidence. Feedback weighs most. It is on the scale of the
// linking pages' relevance, whose mean is about 0.02. Cosines of the few words of links are several times as
// large where they are not 0: their small share serves to break ties.
func (f *Focus) shares() shares {
	if f.opts.BestInlink && f.opts.NoLinkText && !f.opts.learns() {
		return shares{inlinks: 1} // the priority is r of equation 3
	}
	if !f.opts.learns() {
		return shares{inlinks: 0.4, anchor: 0.4, context: 0.2} // those of the ontology focus
	}
	return shares{inlinks: 0.2, learned: 0.75, anchor: 0.02, context: 0.03}
}

// discount is the worth of a layer relative to the next inner one: its pages need another request, and few of
// their links lead inwards.
const discount = 0.1

// A ranking is the worth of a waiting request by one layer, in parts that add up to at most 1.
type ranking struct {
	layer                             int
	inlinks, learned, anchor, context float64
}

func (r ranking) sum() float64 { return r.inlinks + r.learned + r.anchor + r.context }

// times scales a ranking.
func (r ranking) times(factor float64) ranking {
	return ranking{r.layer, r.inlinks * factor, r.learned * factor, r.anchor * factor, r.context * factor}
}

// rank returns the layer to which a waiting request belongs and its worth there: the layer by which it is
// worth most, each layer counting a tenth of the next inner one. By one layer the worth combines the mean
// relevance of the linking pages, shrunk towards the global mean (pseudo-count 1), the relevance expected
// from the words near its links (feedback), and the cosines of the words of its links. ByRelevance looks at layer
// 0 alone.
func (f *Focus) rank(e *evidence) (best ranking) {
	means, share := f.inlinks(e), f.shares()
	factor := 1.0
	for i := range f.layers {
		if i > 0 && f.opts.Order == ByRelevance {
			break
		}
		l := &f.layers[i]
		r := ranking{
			layer: i, inlinks: share.inlinks * means[i], learned: share.learned * f.taught.expects(e.context, i),
			anchor: share.anchor * l.terms.cosine(e.anchor, 0), context: share.context * l.terms.cosine(e.context, 0),
		}
		if f.opts.Order == ByWorth {
			r = r.times(factor)
			factor *= discount
		}
		if i == 0 || r.sum() > best.sum() {
			best = r
		}
	}
	return best
}

// inlinks returns the mean relevance of the linking pages, by layer, as of the end of the last round. For an
// evicted page only its relevance to layer 0 is known. With BestInlink it is the relevance of the best page.
func (f *Focus) inlinks(e *evidence) (mean [maxLayers]float64) {
	if f.opts.BestInlink {
		best := f.bestInlink(e)
		for i := range f.layers {
			mean[i] = float64(best[i])
		}
		return mean
	}
	mean[0] = e.rest
	for i := range e.parents {
		at := f.standingOf(&e.parents[i])
		for i := range f.layers {
			mean[i] += float64(at[i])
		}
	}
	for i := range f.layers {
		mean[i] = (mean[i] + float64(f.taught.mean[i])) / float64(e.links+1)
	}
	return mean
}

// standingOf returns the relevance of a linking page, as of the end of the last round.
func (f *Focus) standingOf(p *parent) standing {
	if p.here != nil {
		return *p.here
	}
	if k := f.known.find(p.page); k != nil {
		return k.standing
	}
	return standing{float32(p.relevance)}
}

// bestInlink returns the relevance of the linking page by which the request would come first: "the outlinks
// extracted from the most similar items are prioritized" (section 3.5).
func (f *Focus) bestInlink(e *evidence) (best standing) {
	first := -1.0
	for i := range e.parents {
		at, worth := f.standingOf(&e.parents[i]), 0.0
		for layer := range f.layers {
			r := ranking{layer: layer, inlinks: float64(at[layer])}
			switch f.opts.Order {
			case ByRelevance:
				r.inlinks = float64(at[0])
			case ByWorth:
				r.inlinks *= math.Pow(discount, float64(layer))
			case ByLayers:
				if layer != at.layer() {
					continue
				}
			}
			worth = max(worth, f.priority(r))
		}
		if worth > first {
			best, first = at, worth
		}
	}
	return best
}

// priority returns the score of a waiting request, 0..1. With ByLayers, requests of layer i lie between
// (n-1-i)/n and (n-i)/n, where n is the number of layers.
func (f *Focus) priority(r ranking) float64 {
	if f.opts.Order != ByLayers {
		return r.sum()
	}
	n := float64(len(f.layers))
	return (n - 1 - float64(r.layer) + r.sum()) / n
}

// reasons returns reasons that add up to the priority.
func (f *Focus) reasons(e *evidence, r ranking) []orbweaver.Reason {
	within := fmt.Sprintf("of layer %d", r.layer)
	reasons := make([]orbweaver.Reason, 0, 5)
	add := func(rule, evidence string, weight float64) {
		if weight > 0 {
			reasons = append(reasons, orbweaver.Reason{Rule: rule, Evidence: evidence, Weight: weight})
		}
	}
	if f.opts.Order == ByLayers {
		n := float64(len(f.layers))
		add(RuleLayer, fmt.Sprint(r.layer), (n-1-float64(r.layer))/n)
		r = r.times(1 / n)
	}
	pages := fmt.Sprintf("%d pages that link to it, as those %s", e.links, within)
	if f.opts.BestInlink && e.links > 1 {
		pages = fmt.Sprintf("the best of %d pages that link to it, as those %s", e.links, within)
	}
	if e.links == 1 {
		pages = "1 page that links to it, as those " + within
	}
	add(RuleInlinks, pages, r.inlinks)
	add(RuleLearned, f.named(f.taught.telling(e.context, r.layer, 3)), r.learned)
	add(RuleAnchor, f.inCommon(e.anchor, r.layer, 3), r.anchor)
	add(RuleContext, f.inCommon(e.context, r.layer, 3), r.context)
	return reasons
}

// Merge adds another page's links to a waiting request. The request keeps the link of the most relevant page,
// the first of equals. A seed stays unchanged.
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

// best returns the relevance of the most relevant linking page.
func (e *evidence) best() (best float64) {
	for _, p := range e.parents {
		best = max(best, p.relevance)
	}
	return best
}

// Worth scores a request by its Note and the current state.
func (f *Focus) Worth(note []byte) (score float64, ok bool) {
	e, ok := readNote(note)
	if !ok {
		return 0, false
	}
	return f.priority(f.rank(&e)), true
}

// Rerank is Worth with reasons. With NoRerank the score is unchanged and only the link's reasons are
// returned.
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

// className returns the name of a layer, used as the class of pages and links.
func className(layer int) string { return fmt.Sprintf("L%d", layer) }
