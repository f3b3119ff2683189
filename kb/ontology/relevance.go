package ontology

import (
	"cmp"
	"math"
	"slices"

	"orbweaver/internal/order"
)

// A Set selects the extent of background knowledge (definition 7 of the paper). Each set includes the
// previous one.
type Set uint8

// The relevance sets of an entity e.
const (
	Single     Set = iota // e alone
	Taxonomic             // and entities one step away in the hierarchies, or as instance and class
	Relational            // and the relations at e, and what they lead to from e
	Total                 // and all reachable entities, at a discount
)

// String returns the set's name in lower case.
func (s Set) String() string {
	return [...]string{"single", "taxonomic", "relational", "total"}[min(s, Total)]
}

// ParseSet returns the set of a name.
func ParseSet(name string) (Set, bool) {
	for s := Single; s <= Total; s++ {
		if s.String() == name {
			return s, true
		}
	}
	return Single, false
}

// A Decay is the shape of a discount.
type Decay uint8

// The decays, as weights of the distance d ≥ 0. All are 1 at distance 0 and decrease with every step.
const (
	Exponential Decay = iota // nᵈ, the paper's
	Linear                   // 1 − d/(D+1), where D is the largest distance from the target
	Logarithmic              // 1/(1 + (1/n − 1)·log₂(1+d)): n at distance 1, as the exponential
)

// ParseDecay returns the decay of a name in lower case.
func ParseDecay(name string) (Decay, bool) {
	switch name {
	case "exponential":
		return Exponential, true
	case "linear":
		return Linear, true
	case "logarithmic":
		return Logarithmic, true
	}
	return Exponential, false
}

// A Discount determines the weight of an entity in a Total set by its distance.
type Discount struct {
	Decay Decay
	Base  float64 // the paper's n, 0 < n < 1; unused by Linear
}

// Weight returns the weight at a distance, 0 < w ≤ 1, where furthest is the distance of the farthest entity.
func (d Discount) Weight(distance, furthest int) float64 {
	switch d.Decay {
	case Linear:
		return 1 - float64(distance)/float64(furthest+1)
	case Logarithmic:
		return 1 / (1 + (1/d.Base-1)*math.Log2(1+float64(distance)))
	}
	return math.Pow(d.Base, float64(distance))
}

// A Member is an entity in the relevance set of a target.
type Member struct {
	Entity   int
	Set      Set // the smallest that contains it
	Distance int // in steps, see Distances
	Weight   float64
}

// Relevance returns the relevance set of a target, by set, then distance, then IRI. Weights are 1 in all sets
// except Total, where they are the discount's; entities out of reach are left out.
func (o *Ontology) Relevance(target int, set Set, discount Discount) []Member {
	distances := o.Distances(target)
	smallest := o.smallestSets(target)
	furthest := 0
	if set == Total {
		furthest = slices.Max(distances)
	}
	var members []Member
	for i, d := range distances {
		if d < 0 || smallest[i] > set {
			continue
		}
		m := Member{Entity: i, Set: smallest[i], Distance: d, Weight: 1}
		if set == Total {
			m.Weight = discount.Weight(d, furthest)
		}
		members = append(members, m)
	}
	order.Stably(members, func(a, b Member) int {
		return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(a.Distance, b.Distance))
	})
	return members
}

// smallestSets returns for every entity the smallest relevance set of the target that contains it.
func (o *Ontology) smallestSets(target int) []Set {
	sets := make([]Set, len(o.entities))
	for i := range sets {
		sets[i] = Total
	}
	reach := func(i int32, s Set) { sets[i] = min(sets[i], s) }
	reach(int32(target), Single)
	for _, i := range o.taxonomy.of(int32(target)) {
		reach(i, Taxonomic)
	}
	for _, relation := range o.schema.of(int32(target)) {
		reach(relation, Relational)
		if o.entities[target].Kind != Property {
			for _, other := range o.schema.of(relation) {
				reach(other, Relational)
			}
		}
	}
	for _, user := range o.users.of(int32(target)) {
		reach(user, Relational)
	}
	for _, l := range o.links.of(int32(target)) {
		if l.property >= 0 {
			reach(l.property, Relational)
		}
		reach(l.other, Relational)
	}
	return sets
}

// Distances returns the number of steps from an entity to every other, -1 for those out of reach.
//
// Steps are symmetric. One step connects a class and its subclass, a property and its subproperty, an
// instance and its class, two equals (owl:equivalentClass, owl:sameAs, skos:exactMatch and the like), a
// property and its domain or range, and a property and the subject or object of its statements. Domain and
// range are therefore two apart, and so are subject and object. A path that enters a property from one of its
// statements may not leave it by another: sharing a property does not bring instances close to each other.
func (o *Ontology) Distances(from int) []int { return o.searched(from).distance }

// Before returns for every entity the one before it on a shortest path from an entity, by the steps of Distances; -1 for that entity itself
// and for those out of reach. Of a statement, a path has the two ends alone, which are two steps apart.
func (o *Ontology) Before(from int) []int {
	s := o.searched(from)
	before := make([]int, len(s.before))
	for i, b := range s.before {
		if before[i] = int(b); s.distance[i] < 1 {
			before[i] = -1
		}
	}
	return before
}

func (o *Ontology) searched(from int) search {
	s := search{o: o, distance: make([]int, len(o.entities)), before: make([]int32, len(o.entities)), entered: make([]bool, len(o.entities))}
	for i := range s.distance {
		s.distance[i] = -1
	}
	s.visit(int32(from), 0, -1)
	for d := 0; d < len(s.levels); d++ {
		for _, v := range s.levels[d] {
			s.expand(v, d)
		}
		s.levels[d] = nil
	}
	return s
}

// A search is a breadth-first search with steps of one and two. An entity is reached when its distance is
// known, and entered when paths may continue from it in any direction.
type search struct {
	o        *Ontology
	distance []int
	before   []int32 // on a shortest path
	entered  []bool
	levels   [][]visit
}

type visit struct {
	entity  int32
	before  int32
	through bool // a property entered from one of its statements: paths may not continue to others
}

// visit adds an entity to the level of a distance.
func (s *search) visit(i int32, d int, before int32) { s.push(visit{entity: i, before: before}, d) }

func (s *search) push(v visit, d int) {
	if s.entered[v.entity] || v.through && s.distance[v.entity] >= 0 {
		return
	}
	for len(s.levels) <= d {
		s.levels = append(s.levels, nil)
	}
	s.levels[d] = append(s.levels[d], v)
}

func (s *search) expand(v visit, d int) {
	i := v.entity
	if s.entered[i] || v.through && s.distance[i] >= 0 {
		return
	}
	if s.distance[i] < 0 {
		s.distance[i], s.before[i] = d, v.before
	}
	for _, next := range s.o.taxonomy.of(i) {
		s.visit(next, d+1, i)
	}
	for _, next := range s.o.schema.of(i) {
		s.visit(next, d+1, i)
	}
	for _, l := range s.o.links.of(i) {
		if l.property >= 0 {
			s.push(visit{l.property, i, true}, d+1)
		}
		s.visit(l.other, d+2, i)
	}
	if v.through {
		return
	}
	s.entered[i] = true
	for _, next := range s.o.users.of(i) {
		s.visit(next, d+1, i)
	}
}
