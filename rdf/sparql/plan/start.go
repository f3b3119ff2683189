package plan

import "maps"

// When other parts than the best one are tried as the first.
const (
	longWay   = 10_000 // the least cost, in steps of a cursor, of the way from the best one
	maxStarts = 16     // parts of a group
)

// start returns the place of the part to begin with. That is the best one, unless the way from there is
// long and a shorter one begins elsewhere: what gives few solutions may lead to many that are all to be
// looked up, where two large tables would have met in few.
func (o *ordering) start(filters []*Expr) int {
	best := o.best()
	if len(o.left) < 3 || len(o.left) > maxStarts {
		return best
	}
	least := o.way(best, filters)
	if least < longWay {
		return best
	}
	for i, first := 0, best; i < len(o.left); i++ {
		if i == first || !o.ready(o.left[i]) {
			continue
		}
		if cost := o.way(i, filters); cost < least {
			best, least = i, cost
		}
	}
	return best
}

// way estimates what it takes to join all parts, a given one first, then always the best.
func (o *ordering) way(i int, filters []*Expr) (cost float64) {
	trial := *o
	trial.values = maps.Clone(o.values)
	for {
		part := trial.left[i]
		rows, own := trial.joined(part)
		cost += trial.cost(part, rows, own)
		trial.take(i)
		if len(trial.left) == 0 {
			return cost
		}
		_, filters = trial.filtered(nil, filters)
		i = trial.best()
	}
}
