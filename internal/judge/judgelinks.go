package judge

import (
	"cmp"
	"context"
	"math"
	"slices"

	"orbweaver"
	"orbweaver/internal/kind"
	"orbweaver/internal/order"
	"orbweaver/internal/step"
)

// listedLinks is the maximum number of best links and of worst links in a verdict.
const listedLinks = 10

// A LinkCount counts a page's links by outcome. Targets is the sum of the fields after it.
type LinkCount struct {
	All      int `json:"all"`      // links on the page
	Targets  int `json:"targets"`  // distinct targets, including those that the focus adds
	Follow   int `json:"follow"`   // a crawl would request them
	Dropped  int `json:"dropped"`  // the focus does not follow them
	Scope    int `json:"scope"`    // out of scope
	Robots   int `json:"robots"`   // disallowed by robots.txt
	NoFollow int `json:"nofollow"` // marked nofollow by the page
	Itself   int `json:"itself"`   // to the page itself or to a URL that redirected to it
}

// An Offer is a request that the focus proposes.
type Offer struct {
	orbweaver.Proposal
	refused *Refusal // by scope or robots.txt
}

// offersOf ranks a plan as a crawl would: each request once, best first, dropped ones last. Equal scores keep the order
// of proposal.
func (t *JudgeRun) offersOf(ctx context.Context, p *orbweaver.Page, plan []orbweaver.Proposal) ([]Offer, LinkCount) {
	n := LinkCount{All: len(p.Links)}
	known := map[string]bool{p.URL: true, p.Request.URL: true}
	for _, hop := range p.Request.Redirects {
		known[hop] = true
	}
	proposed := map[string]bool{}
	var offers []Offer
	for _, proposal := range once(t.Pipeline.Focus, plan) {
		if proposed[proposal.URL] = true; known[proposal.URL] {
			continue
		}
		o := Offer{Proposal: proposal, refused: t.refuses(ctx, proposal.URL, true)}
		n.add(o)
		offers = append(offers, o)
	}
	n.leftOut(p, proposed, known)
	order.Stably(offers, byRank)
	return offers, n
}

// dropped reports whether a crawl drops a proposal with this judgement.
func dropped(j orbweaver.Judgement) bool { return j.Drop || math.IsNaN(j.Score) }

// byRank orders followed links before dropped ones, then by decreasing score.
func byRank(a, b Offer) int {
	switch x, y := dropped(a.Judgement), dropped(b.Judgement); {
	case x && !y:
		return 1
	case y && !x:
		return -1
	}
	return cmp.Compare(b.Score, a.Score)
}

// add counts an offer. The checks are in the order of a crawl: focus, scope, robots.txt.
func (n *LinkCount) add(o Offer) {
	n.Targets++
	switch {
	case dropped(o.Judgement):
		n.Dropped++
	case o.refused == nil:
		n.Follow++
	case o.refused.By == orbweaver.ErrRobots:
		n.Robots++
	default:
		n.Scope++
	}
}

// leftOut counts the targets of links that the focus does not propose.
func (n *LinkCount) leftOut(p *orbweaver.Page, proposed, known map[string]bool) {
	follow := map[string]bool{} // by target: at least one link may be followed
	var targets []string
	for _, l := range p.Links {
		if l.To == "" {
			continue
		}
		may, seen := follow[l.To]
		if !seen {
			targets = append(targets, l.To)
		}
		follow[l.To] = may || !p.NoFollow && !l.NoFollow()
	}
	for _, target := range targets {
		switch {
		case known[target]:
			n.Itself++
		case proposed[target]:
			continue
		case follow[target]:
			n.Dropped++
		default:
			n.NoFollow++
		}
		n.Targets++
	}
}

// once reduces a plan to one proposal per request, as the engine does: by the focus's Merger if it has one, otherwise
// the better proposal wins.
func once(focus orbweaver.Focus, plan []orbweaver.Proposal) []orbweaver.Proposal {
	type identity struct{ url, accept, query, state string }
	merger, merges := kind.Merger(focus)
	at := map[identity]int{}
	var kept []orbweaver.Proposal
	for _, p := range plan {
		id := identity{p.URL, p.Accept, p.Query, p.State}
		i, again := at[id]
		switch {
		case !again:
			at[id] = len(kept)
			kept = append(kept, p)
		case dropped(p.Judgement):
		case dropped(kept[i].Judgement):
			kept[i] = p
		case merges:
			kept[i] = step.Merge(merger.Merge(kept[i].Note, p), kept[i], p)
			kept[i].Judgement = merger.Rerank(nil, kept[i])
		case p.Score > kept[i].Score:
			kept[i] = p
		}
	}
	reranker, ranks := kind.Reranker(focus)
	for i := range kept {
		if ranks && !merges && !dropped(kept[i].Judgement) {
			kept[i].Judgement = reranker.Rerank(nil, kept[i]) // with the reasons at selection time
		}
	}
	return kept
}

// A RankedLink is a link with the focus's prediction.
type RankedLink struct {
	Score   float64            `json:"score"`
	Chance  float64            `json:"chance,omitempty"` // that it leads to an accepted page; 0: unknown
	URL     string             `json:"url"`
	Anchor  string             `json:"anchor,omitempty"`
	Origin  orbweaver.Origin   `json:"origin,omitempty"`
	Dropped bool               `json:"dropped,omitempty"` // by the focus
	Refused *Refusal           `json:"refused,omitempty"`
	Reasons []orbweaver.Reason `json:"reasons,omitempty"`
}

// Rank stores the best links, and the worst of the others, worst first.
func (v *Verdict) Rank(offers []Offer, n LinkCount) {
	v.Links = &n
	best := min(listedLinks, len(offers))
	for _, o := range offers[:best] {
		v.Best = append(v.Best, o.ranked())
	}
	worst := offers[max(best, len(offers)-listedLinks):]
	for _, o := range slices.Backward(worst) {
		v.Worst = append(v.Worst, o.ranked())
	}
}

func (o Offer) ranked() RankedLink {
	r := RankedLink{Score: o.Score, URL: o.URL, Dropped: dropped(o.Judgement), Refused: o.refused, Reasons: o.Reasons}
	if math.IsNaN(r.Score) { // not representable in JSON
		r.Score = 0
	}
	if o.Via != nil {
		r.Anchor, r.Origin = o.Via.Anchor, o.Via.Origin
	}
	return r
}
