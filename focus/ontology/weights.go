package ontology

import (
	"fmt"
	"slices"

	"orbweaver"
	kb "orbweaver/kb/ontology"
)

// maxWeights bounds the weights kept for Min and Max, which need them for every target apart.
const maxWeights = 1 << 24

// weights says what a match of an entity is worth, before idf and length. They are computed before
// the crawl, so that judging takes time linear in the matches.
type weights struct {
	page []float64    // by entity; of the folded sum: Σ over targets of w; unused by Min and Max
	link []float64    // by entity: what a match near a link is worth
	rows [][]targeted // by entity, by target ascending; nil for Sum
}

type targeted struct {
	target int32 // position among the targets
	weight float64
}

// newWeights folds step II and, for Sum, step III into one weight an entity:
// Σ_t Σ_e f(e)·w(t,e) = Σ_e f(e) · Σ_t w(t,e).
//
// A link has little text, too little to name every target. So for links Min is the mean over
// targets, and Max takes for each entity the target that it is nearest to.
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
