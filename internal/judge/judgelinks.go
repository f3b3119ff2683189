package judge

import (
	"cmp"
	"context"
	"math"
	"slices"

	"orbweaver"
	"orbweaver/internal/kind"
	"orbweaver/internal/step"
)

// listedLinks is how many of the best links are listed, and of the worst.
const listedLinks = 10

// A LinkCount says what became of a page's links. Targets is the sum of what stands below it.
type LinkCount struct {
	All      int `json:"all"`      // as they stand on the page
	Targets  int `json:"targets"`  // distinct, what the focus asks for by itself included
	Follow   int `json:"follow"`   // a crawl would ask for them
	Dropped  int `json:"dropped"`  // the focus does not follow them
	Scope    int `json:"scope"`    // out of scope
	Robots   int `json:"robots"`   // forbidden by robots.txt
	NoFollow int `json:"nofollow"` // the page asks that they be not followed
	Itself   int `json:"itself"`   // to the page itself, or back to where a redirect led here
}

// An Offer is a request that the focus proposes.
type Offer struct {
	orbweaver.Proposal
	refused *Refusal // by scope or robots.txt
}

// offersOf weighs a plan as a crawl would: each request once, best first, those that the focus drops
// last. Equals stay in the order in which they were proposed.
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
	slices.SortStableFunc(offers, byRank)
	return offers, n
}

// dropped reports whether a crawl drops a proposal for what the focus says of it.
func dropped(j orbweaver.Judgement) bool { return j.Drop || math.IsNaN(j.Score) }

// byRank puts what is followed before what is dropped, and better before worse.
func byRank(a, b Offer) int {
	switch x, y := dropped(a.Judgement), dropped(b.Judgement); {
	case x && !y:
		return 1
	case y && !x:
		return -1
	}
	return cmp.Compare(b.Score, a.Score)
}

// add counts an offer: by the focus's opinion first, then scope, then robots.txt, as a crawl asks.
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
	follow := map[string]bool{} // by target: a link to it may be followed
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

// once leaves one proposal of each request, as the engine does: a Merger weighs them, else the better
// stands.
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
			kept[i].Judgement = reranker.Rerank(nil, kept[i]) // with the reasons of its turn
		}
	}
	return kept
}

// A RankedLink is what the focus thinks of a link.
type RankedLink struct {
	Score   float64            `json:"score"`
	URL     string             `json:"url"`
	Anchor  string             `json:"anchor,omitempty"`
	Origin  orbweaver.Origin   `json:"origin,omitempty"`
	Dropped bool               `json:"dropped,omitempty"` // by the focus
	Refused *Refusal           `json:"refused,omitempty"`
	Reasons []orbweaver.Reason `json:"reasons,omitempty"`
}

// Rank keeps the best links and, of the others, the worst, the worst first.
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
	if math.IsNaN(r.Score) { // JSON has no word for it
		r.Score = 0
	}
	if o.Via != nil {
		r.Anchor, r.Origin = o.Via.Anchor, o.Via.Origin
	}
	return r
}
