package plan

import "math"

// Weights of nodes whose rows say little of their work.
const (
	pathCost    = 10  // of a solution of a path: the steps that lead to none
	serviceCost = 1e6 // of a request, during which nothing is computed
)

// Cost estimates how many rows the steps of a plan pass on until its first rows solutions are read; math.Inf(1): all of
// them. Steps that need all their input, such as a sort, count in full, others as far as they are read. The patterns of
// EXISTS are left out.
func (p *Plan) Cost(rows float64) float64 { return cost(p.Root, rows/max(1, Estimate(p.Root))) }

// cost is that of a node of whose solutions a share is read.
func cost(n Node, share float64) float64 {
	share = min(share, 1)
	own, inputs := Estimate(n)*share, share
	switch n := n.(type) {
	case *Slice:
		if most := float64(n.Offset) + float64(n.Limit); n.Limit >= 0 {
			inputs = math.Min(1, most/max(1, Estimate(n.Input)))
		}
	case *Sort, *Group, *Table:
		inputs = 1
	case *Minus:
		if !n.Probe {
			return own + cost(n.Left, share) + cost(n.Right, 1)
		}
	case *Path:
		own *= pathCost
	case *Service:
		own += serviceCost
	}
	for _, input := range Inputs(n) {
		own += cost(input, inputs)
	}
	return max(own, 1)
}
