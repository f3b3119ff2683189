package ontology

// The rules of link judgements, in the order of their reasons.
const (
	RulePage    = "page"    // the score of the page that the link stands on
	RuleAnchor  = "anchor"  // what anchor text, title attribute and URL name
	RuleContext = "context" // what the words around the link name
)

// How much of a link's score each kind of evidence can give; they add up to 1.
const (
	sharePage    = 0.4
	shareAnchor  = 0.4
	shareContext = 0.2
)

// signs are the features of a link before it is followed. Anchor, path and context are sums of weight × idf over the
// entities named, each entity counted once.
type signs struct {
	page    float64 // what the page's score says of its links, 0..1: see lends
	anchor  float64 // anchor text and title attribute
	path    float64 // words of the URL
	context float64 // 20 words either side
}

// linkOdds is how much less the odds of a page's links are than its own: most links of a page about a topic
// lead elsewhere.
const linkOdds = 2.5

// lends is what the score of a page, 0..1, says of where its links lead, 0..1. By Frequency it is the score,
// in which few pages come near one half.
func (f *Focus) lends(score float64) float64 {
	if f.opts.Measure == Frequency {
		return score
	}
	return score / (score + linkOdds*(1-score))
}

// ranking is a link's rank, 0..1, in parts that add up to it.
type ranking struct{ page, anchor, context float64 }

func (r ranking) Score() float64 { return r.page + r.anchor + r.context }

// rank is the whole of link ranking: a weighted sum of the page's score and of what stands at the
// link. An anchor is about its target, so one that names an entity of weight 1 says all that can be
// said; a context is about much else, and saturates slowly: x/(x+1). A URL often repeats its anchor,
// so the stronger one counts.
func rank(s signs) ranking {
	return ranking{
		page:    sharePage * s.page,
		anchor:  shareAnchor * min(1, max(s.anchor, s.path)),
		context: shareContext * s.context / (s.context + 1),
	}
}
