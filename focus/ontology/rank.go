package ontology

// The rules of link judgements, in the order of their reasons.
const (
	RulePage    = "page"    // the score of the page with the link
	RuleAnchor  = "anchor"  // entities named in anchor text, title attribute or URL
	RuleContext = "context" // entities named in the words around the link
)

// The maximum contribution of each kind of evidence to a link's score; they add up to 1.
const (
	sharePage    = 0.4
	shareAnchor  = 0.4
	shareContext = 0.2
)

// signs are the features of a link before it is followed. anchor, path and context are sums of weight × idf
// over the entities named, each entity counted once.
type signs struct {
	page    float64 // the page's score as inherited by its links, 0..1: see lends
	anchor  float64 // anchor text and title attribute
	path    float64 // words of the URL
	context float64 // 20 words either side
}

// linkOdds is the ratio of the odds of a page's links to its own odds: most links of an on-topic page lead
// elsewhere.
const linkOdds = 2.5

// lends returns the part of a page's score that its links inherit, 0..1. With Frequency it is the score,
// which is far below one half for most pages.
func (f *Focus) lends(score float64) float64 {
	if f.opts.Measure == Frequency {
		return score
	}
	return score / (score + linkOdds*(1-score))
}

// ranking is a link's rank, 0..1, in parts that add up to it.
type ranking struct{ page, anchor, context float64 }

func (r ranking) Score() float64 { return r.page + r.anchor + r.context }

// rank returns the weighted sum of the page's score and of the entities at the link. An anchor describes its
// target, so an entity of weight 1 in it gives the maximum. A context is also about other things and
// saturates slowly: x/(x+1). A URL often repeats its anchor, so the stronger of the two counts.
func rank(s signs) ranking {
	return ranking{
		page:    sharePage * s.page,
		anchor:  shareAnchor * min(1, max(s.anchor, s.path)),
		context: shareContext * s.context / (s.context + 1),
	}
}
