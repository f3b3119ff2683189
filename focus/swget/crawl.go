package swget

import (
	"context"
	"iter"
	"slices"
	"strconv"

	"orbweaver"
	"orbweaver/kb/nautilod"
	"orbweaver/rdf"
)

// The rules of judgements.
const (
	RuleResult    = "result"     // a page: the document of a node at which the expression ends
	RuleOnTheWay  = "on-the-way" // a page: the document of another node that was reached
	RuleNotOfNode = "no-node"    // a page: the document of no node
	RuleLevel     = "level"      // a request: the distance of its node from the start
)

// scoreOnTheWay is the score of a page that the search needs but does not look for.
const scoreOnTheWay = 0.5

// Judge accepts the documents of results, as far as known when a document arrives: a node whose only
// remaining step is a test is tested on its document.
func (f *Focus) Judge(ctx context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	j := judgement(RuleNotOfNode, p.URL, 0)
	var document stored
	if f.guarded {
		var err error
		if document, _, err = f.load(readable(p)); err != nil {
			return j, err
		}
		document.at = p.Fetched
	}
	for _, url := range append(slices.Clone(p.Request.Redirects), p.Request.URL) {
		for _, n := range f.byURL[url] {
			switch {
			case f.isResult(ctx, &f.nodes[n], document):
				j = judgement(RuleResult, f.nodes[n].iri, 1)
				j.Accepted = true
				return j, nil
			case j.Score == 0:
				j = judgement(RuleOnTheWay, f.nodes[n].iri, scoreOnTheWay)
			}
		}
	}
	if f.guarded {
		return j, ctx.Err() // a canceled test has no result
	}
	return j, nil
}

func judgement(rule, evidence string, score float64) orbweaver.Judgement {
	return orbweaver.Judgement{Score: score, Reasons: []orbweaver.Reason{{Rule: rule, Evidence: evidence, Weight: score}}}
}

// isResult reports whether a node is a result, or becomes one by its document.
func (f *Focus) isResult(ctx context.Context, n *node, document stored) bool {
	var states []int
	for _, at := range n.visits {
		if f.ends(f.visits[at]) {
			return true
		}
		states = append(states, int(f.visits[at].state))
	}
	if !f.guarded {
		return false
	}
	met := make([]bool, f.walks.Len())
	for i := 0; i < len(states); i++ {
		for _, next := range f.walks.Next(states[i]) {
			if met[next] || !f.stays(ctx, next, document, n.iri) {
				continue
			}
			if f.walks.Final(next) {
				return true
			}
			met[next] = true
			states = append(states, next)
		}
	}
	return false
}

// stays reports whether the step from a state, a test or an action, succeeds at its node by the document
// alone.
func (f *Focus) stays(ctx context.Context, state int, document stored, node string) bool {
	switch label := f.walks.Label(state).(type) {
	case *nautilod.Test:
		passed, _ := passes(ctx, label, document, node)
		return passed
	case *nautilod.Action:
		return true
	}
	return false
}

// readable yields the statements of a page and skips unreadable ones.
func readable(p *orbweaver.Page) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		if p.Quads == nil {
			return
		}
		for q, err := range p.Quads {
			if err == nil && !yield(q, nil) {
				return
			}
		}
	}
}

// Plan proposes nothing: the next requests are known when a level is complete.
func (f *Focus) Plan(context.Context, *orbweaver.Page, orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	return nil, nil
}

// Learn learns nothing: the search advances at the end of a round.
func (f *Focus) Learn(context.Context, orbweaver.Outcome) (orbweaver.Lesson, error) {
	return orbweaver.Lesson{}, nil
}

// Seeds proposes the documents of the start nodes.
func (f *Focus) Seeds(ctx context.Context, known orbweaver.Known) ([]orbweaver.Proposal, error) {
	return f.advance(ctx, known)
}

// RoundSize is 0: a round ends when nothing waits.
func (f *Focus) RoundSize() int { return 0 }

// EndRound advances the search by the documents that arrived, and proposes those needed next.
func (f *Focus) EndRound(ctx context.Context, r orbweaver.Round) ([]orbweaver.Proposal, orbweaver.Lesson, error) {
	proposals, err := f.advance(ctx, r.Known)
	return proposals, orbweaver.Lesson{}, err
}

// proposal requests the document of a node: nodes nearer to the start go first.
func (f *Focus) proposal(v visit, n *node) orbweaver.Proposal {
	p := orbweaver.Proposal{
		Request:   orbweaver.Request{URL: n.url, Depth: int(v.level)},
		Judgement: judgement(RuleLevel, "level "+strconv.Itoa(int(v.level))+": "+n.iri, 1/float64(1+v.level)),
	}
	for v.property < 0 && v.parent >= 0 { // the statement precedes tests and actions
		v = f.visits[v.parent]
	}
	if v.property >= 0 {
		p.Via = &orbweaver.Link{To: n.url, Rel: f.properties[v.property], Origin: orbweaver.FromTriple}
		p.Parent = f.nodes[f.visits[v.parent].node].document
	}
	return p
}
