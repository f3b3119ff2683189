package baseline

import (
	"context"
	"strconv"

	"orbweaver"
)

type breadthFirst struct{ links links }

// NewBreadthFirst returns the uninformed focus: it follows every link in discovery order, nearest to the
// seeds first, and accepts every page. Scores are 1/(1+depth).
func NewBreadthFirst() orbweaver.Focus { return &breadthFirst{} }

func (b *breadthFirst) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	j := atDepth(p.Request.Depth)
	j.Accepted = true
	return j, nil
}

func (b *breadthFirst) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	return b.links.each(p, same(atDepth(p.Request.Depth+1))), nil
}

func atDepth(depth int) orbweaver.Judgement {
	return because(near(depth), RuleDepth, "depth "+strconv.Itoa(depth))
}
