package ontology

import (
	"fmt"
	"slices"

	"orbweaver"
	kb "orbweaver/kb/ontology"
)

// maxWeights bounds the weights kept for Min and Max, which need them per target.
const maxWeights = 1 << 24

// weights are the values of a match of each entity, before idf and length. They are computed before the
// crawl, so that judging takes time linear in the matches.
type weights struct {
	page []float64    // by entity; Σ over targets of w; unused by Min and Max
	link []float64    // by entity: the value of a match near a link
	rows [][]targeted // by entity, by target ascending; nil for Sum
}

type targeted struct {
	target int32 // position among the targets
	weight float64
}

// newWeights folds step II and, for Sum, step III into one weight per entity: Σ_t Σ_e f(e)·w(t,e) = Σ_e f(e)
// · Σ_t w(t,e).
//
// The text of a link is too short to name every target. For links, Min is therefore the mean over targets,
// and Max uses for each entity the nearest target.
func newWeights(opts Options, targets []int32) (weights, error) {
	n := opts.Ontology.Len()
	w := weights{page: make([]float64, n), link: make([]float64, n)}
	if opts.Combine != Sum {
		w.rows = make([][]targeted, n)
	}
	kept := 0
	for t, target := range targets {
		members := opts.Ontology.Relevance(int(target), opts.Relevance, kb.Discount{Decay: opts.Discount, Base: opts.Base})
		if kept += len(members); w.rows != nil && kept > maxWeights {
			return weights{}, fmt.Errorf("%d targets are too many to combine by min or max over %d entities: %w",
				len(targets), n, orbweaver.ErrInput)
		}
		for _, m := range members {
			w.add(opts.Combine, t, m, len(targets))
		}
	}
	return w, nil
}

func (w *weights) add(how Combine, target int, m kb.Member, targets int) {
	w.page[m.Entity] += m.Weight
	if w.rows != nil {
		w.rows[m.Entity] = append(w.rows[m.Entity], targeted{int32(target), m.Weight})
	}
	switch how {
	case Sum:
		w.link[m.Entity] += m.Weight
	case Min:
		w.link[m.Entity] += m.Weight / float64(targets)
	case Max:
		w.link[m.Entity] = max(w.link[m.Entity], m.Weight)
	}
}

// of returns the weight of an entity for one target.
func (w *weights) of(entity int32, target int) float64 {
	row := w.rows[entity]
	i, ok := slices.BinarySearchFunc(row, int32(target), func(t targeted, target int32) int { return int(t.target - target) })
	if !ok {
		return 0
	}
	return row[i].weight
}
