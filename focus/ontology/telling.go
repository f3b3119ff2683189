package ontology

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/order"
	kb "orbweaver/kb/ontology"
)

// RuleTelling is the rule of entities that count for less, because they do not tell pages about the target from
// others in this crawl. Its weight is 0: the shares of these entities are reduced already.
const RuleTelling = "telling"

// The constants of telling. An entity is as telling as the ontology says until its pages prove the contrary.
const (
	tellingPrior = 20   // pages after which the evidence has half of its final weight
	tellingBase  = 0.15 // mean score of these pages
	leastTelling = 0.25 // smallest factor
)

// telling learns how well each entity tells pages about the targets from the other pages of a crawl. Of every page
// it asks what the page would score without the entity, so that no entity testifies for itself: an entity that
// alone makes pages relevant gains nothing by it. Where the pages with the entity score so no less than those without it, its
// factor is 1. Else it is 1 plus the difference of the log odds of the two means, at least 0.25, shrunk towards 1 by n/(n+20)
// after n pages with it. A target always has the factor 1.
type telling struct {
	pages int64
	sum   float64 // of the scores of all pages
	list  []told  // by entity

	values []float64 // by entity: cached factors
	valid  []int64   // by entity: the page count, plus 1, for which the cached factor holds
}

// told is what the pages that name an entity are like.
type told struct {
	Pages int64   `json:"pages"`
	Sum   float64 `json:"sum"`  // of their scores
	Rest  float64 `json:"rest"` // of what they would score without the entity
}

func newTelling(entities int) *telling {
	return &telling{list: make([]told, entities), values: make([]float64, entities), valid: make([]int64, entities)}
}

// factor returns the factor of an entity, 0.25 to 1. A nil telling has the factor 1 for all.
func (t *telling) factor(entity int32) float64 {
	if t == nil {
		return 1
	}
	if t.valid[entity] != t.pages+1 {
		with, without := t.means(entity)
		n := float64(t.list[entity].Pages)
		f := min(1, max(leastTelling, 1+logOdds(with)-logOdds(without)))
		t.values[entity] = 1 + (f-1)*n/(n+tellingPrior)
		t.valid[entity] = t.pages + 1
	}
	return t.values[entity]
}

// means returns the mean score, without the entity, of the pages with it, and that of the pages without it; both
// shrunk by pages of the prior.
func (t *telling) means(entity int32) (with, without float64) {
	one := &t.list[entity]
	without = (max(0, t.sum-one.Sum) + tellingPrior*tellingBase) / (float64(t.pages-one.Pages) + tellingPrior)
	return (one.Rest + tellingPrior*without) / (float64(one.Pages) + tellingPrior), without
}

func logOdds(p float64) float64 {
	p = min(0.99, max(0.01, p))
	return math.Log(p / (1 - p))
}

// tell counts a page, as it was judged: before its entities are counted for the idf.
func (f *Focus) tell(found *findings) {
	if f.telling == nil {
		return
	}
	r, target := f.relevance(found)
	score := f.scoreOf(r)
	rests := make([]float64, len(found.hits)) // before any factor changes
	for i, h := range found.hits {
		words, _ := f.value(found, i)
		rests[i] = f.scoreOf(max(0, r-words*f.weightOf(found, h.entity, target)))
	}
	for i, h := range found.hits {
		if h.count == 0 || slices.Contains(found.by.targets, h.entity) {
			continue
		}
		one := &f.telling.list[h.entity]
		one.Pages, one.Sum, one.Rest = one.Pages+1, one.Sum+score, one.Rest+rests[i]
	}
	f.telling.pages, f.telling.sum = f.telling.pages+1, f.telling.sum+score
}

// weightOf returns the weight of an entity on pages, for the target that determined r; -1 for all of them.
func (f *Focus) weightOf(found *findings, entity int32, target int) float64 {
	if target >= 0 {
		return found.by.weights.of(entity, target)
	}
	return found.by.weights.page[entity]
}

// appendTelling appends the reason of the entities of a page that count for less, in the order of the ontology; none if
// all count in full.
func (f *Focus) appendTelling(reasons []orbweaver.Reason, found *findings) []orbweaver.Reason {
	var names []string
	for i, h := range found.hits {
		if factor := f.telling.factor(h.entity); factor < 0.995 && found.evidence[i] != "" && len(names) < maxReasons {
			names = append(names, fmt.Sprintf("%s ×%.2f", found.by.ontology.Entity(int(h.entity)).Name, factor))
		}
	}
	if names == nil {
		return reasons
	}
	return append(reasons, orbweaver.Reason{Rule: RuleTelling, Evidence: strings.Join(names, ", ")})
}

// What is suggested of entities that tell little.
const (
	littleFactor = 0.5 // at most
	littlePages  = 20  // with the entity, at least
	maxLittle    = 20
)

// suggestLittle returns the entities that count for little, the least telling first. Score is 1 minus the factor; On and
// Off are the mean scores of the pages with the entity, if they did not name it, and of the others.
func (f *Focus) suggestLittle(k *knowledge) (all []orbweaver.Suggestion) {
	if f.telling == nil {
		return nil
	}
	for i := range f.telling.list {
		factor, pages := f.telling.factor(int32(i)), f.telling.list[i].Pages
		e := k.ontology.Entity(i)
		id := idOf(orbweaver.SuggestLittle, hashOf(e.IRI))
		if pages < littlePages || factor > littleFactor || k.weights.page[i] <= 0 || f.decided[id] {
			continue
		}
		with, without := f.telling.means(int32(i))
		all = append(all, orbweaver.Suggestion{
			ID: id, Kind: orbweaver.SuggestLittle, Text: "counts for little: " + e.Name, Entity: e.IRI,
			Count: pages, Score: rounded(1 - factor), On: rounded(with), Off: rounded(without),
		})
	}
	order.By(all, func(a, b orbweaver.Suggestion) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(len(all), maxLittle)]
}

// A toldState is the state of telling in a snapshot. Each entity has its pages and sums, by IRI.
type toldState struct {
	Pages    int64           `json:"pages"`
	Sum      float64         `json:"sum"`
	Entities map[string]told `json:"entities"`
}

// state returns the state for a snapshot; nil if the focus learns none.
func (t *telling) state(o *kb.Ontology) *toldState {
	if t == nil {
		return nil
	}
	s := &toldState{Pages: t.pages, Sum: t.sum, Entities: map[string]told{}}
	for i, one := range t.list {
		if one.Pages > 0 {
			s.Entities[o.Entity(i).IRI] = one
		}
	}
	return s
}

// restoreTelling decodes a state. A snapshot of an earlier version has none: the focus then begins to learn.
func (f *Focus) restoreTelling(s *toldState) (*telling, error) {
	if f.telling == nil {
		return nil, nil
	}
	t := newTelling(f.Ontology().Len())
	if s == nil {
		return t, nil
	}
	sane := func(n, most int64, sum float64) bool { return 0 <= n && n <= most && 0 <= sum && sum <= float64(n) }
	if !sane(s.Pages, math.MaxInt32, s.Sum) {
		return nil, fmt.Errorf("ontology focus: snapshot: telling of %d pages: %w", s.Pages, orbweaver.ErrDamaged)
	}
	t.pages, t.sum = s.Pages, s.Sum
	for _, iri := range slices.Sorted(maps.Keys(s.Entities)) {
		one := s.Entities[iri]
		i, ok := f.Ontology().Find(iri)
		if !ok && f.opts.Forget {
			continue
		}
		if !ok {
			return nil, fmt.Errorf("ontology focus: snapshot: %s is not in the ontology: %w", iri, orbweaver.ErrForeign)
		}
		if !sane(one.Pages, s.Pages, one.Sum) || !sane(one.Pages, s.Pages, one.Rest) {
			return nil, fmt.Errorf("ontology focus: snapshot: telling of %s: %w", iri, orbweaver.ErrDamaged)
		}
		t.list[i] = one
	}
	return t, nil
}

// renumbered returns the state for an ontology of n entities; to has their numbers there, or says that they are gone.
func (t *telling) renumbered(to []int32, n int) *telling {
	if t == nil {
		return nil
	}
	again := newTelling(n)
	again.pages, again.sum = t.pages, t.sum
	for i, one := range t.list {
		if to[i] != gone {
			again.list[to[i]] = one
		}
	}
	return again
}
