package editing

import (
	"cmp"
	"slices"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/kb/ontology"
	"orbweaver/rdf"
)

// An Item is an entity as lists and trees show it.
type Item struct {
	IRI        string `json:"iri"`
	Name       string `json:"name"`
	Kind       string `json:"kind"`            // class, property, individual or concept; empty: none that the file describes
	Below      int    `json:"below,omitempty"` // entities directly below it
	Declared   bool   `json:"declared"`        // the file says its kind
	Deprecated bool   `json:"deprecated,omitempty"`
}

// item returns an IRI as an Item.
func (d *Draft) item(iri string) Item {
	n := d.natures[iri]
	return Item{
		IRI: iri, Name: clipped(d.g.name(iri)), Kind: n.kind(), Below: len(d.below(iri)),
		Declared: n&isDeclared != 0, Deprecated: n&isDeprecated != 0,
	}
}

// maxName bounds the names in lists, in bytes. A form has the whole labels.
const maxName = 400

// clipped is the beginning of a name that is too long for a list.
func clipped(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.ToValidUTF8(name[:maxName], "") + "…"
}

func (d *Draft) items(iris []string) []Item {
	all := make([]Item, 0, len(iris))
	for _, iri := range iris {
		all = append(all, d.item(iri))
	}
	return all
}

// above returns the entities directly above one, ascending.
func (d *Draft) above(iri string) []string { return d.hierarchy(iri, true) }

// below returns the entities directly below one, ascending.
func (d *Draft) below(iri string) []string { return d.hierarchy(iri, false) }

func (d *Draft) hierarchy(iri string, up bool) (all []string) {
	term := rdf.NewIRI(iri)
	take := func(l link) {
		if l.to.Kind == rdf.IRI && l.to != term && d.natures[l.to.Value].kind() != "" {
			all = append(all, l.to.Value)
		}
	}
	for _, l := range d.g.out[term] {
		if r := ontology.RoleOf(l.predicate); up && (r == ontology.RoleSubClass || r == ontology.RoleSubProp) || !up && r == ontology.RoleNarrower {
			take(l)
		}
	}
	for _, l := range d.g.in[term] {
		if r := ontology.RoleOf(l.predicate); !up && (r == ontology.RoleSubClass || r == ontology.RoleSubProp) || up && r == ontology.RoleNarrower {
			take(l)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// byName sorts IRIs by the names of their entities.
func (d *Draft) byName(iris []string) []string {
	names := make(map[string]string, len(iris))
	for _, iri := range iris {
		names[iri] = folded(d.g.name(iri))
	}
	order.By(iris, func(a, b string) int { return cmp.Or(cmp.Compare(names[a], names[b]), cmp.Compare(a, b)) })
	return iris
}

// Roots returns the entities of a kind that stand at the top of the tree, by name: those below nothing of the file, and of each cycle without
// a way in one. Of individuals it returns all. It skips entities, and returns at most n, and how many there are.
func (d *Draft) Roots(kind string, skip, n int) (roots []Item, total int) {
	all, ok := d.roots[kind]
	if !ok {
		all = d.byName(d.top(kind))
		d.roots[kind] = all
	}
	return d.items(part(all, skip, n)), len(all)
}

// top returns the roots of a kind.
func (d *Draft) top(kind string) (all []string) {
	var rest []string
	for iri, n := range d.natures {
		switch {
		case n.kind() != kind:
		case kind == Individual || len(d.above(iri)) == 0:
			all = append(all, iri)
		default:
			rest = append(rest, iri)
		}
	}
	if kind == Individual {
		return all
	}
	reached := map[string]bool{}
	for _, iri := range all {
		d.descend(iri, reached)
	}
	slices.Sort(rest)
	for _, iri := range rest { // what is left lies on a cycle, or below one
		if !reached[iri] {
			all = append(all, iri)
			d.descend(iri, reached)
		}
	}
	return all
}

// descend notes an entity and all below it.
func (d *Draft) descend(from string, reached map[string]bool) {
	for stack := []string{from}; len(stack) > 0; {
		iri := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !reached[iri] {
			reached[iri] = true
			stack = append(stack, d.below(iri)...)
		}
	}
}

// Children returns the entities directly below one, by name, likewise in parts.
func (d *Draft) Children(iri string, skip, n int) (children []Item, total int) {
	all := d.byName(d.below(iri))
	return d.items(part(all, skip, n)), len(all)
}

// Path returns the entities from a root of the tree down to an entity, which is the last: the shortest way, and of several the first by name.
func (d *Draft) Path(iri string) []Item {
	from := map[string]string{iri: ""}
	for level := []string{iri}; len(level) > 0; {
		var next []string
		for _, at := range level {
			above := d.byName(d.above(at))
			if len(above) == 0 {
				return d.items(trace(from, at))
			}
			for _, up := range above {
				if _, seen := from[up]; !seen {
					from[up] = at
					next = append(next, up)
				}
			}
		}
		level = next
	}
	return d.items([]string{iri}) // on a cycle
}

// trace follows the way down from an entity.
func trace(from map[string]string, at string) (way []string) {
	for ; at != ""; at = from[at] {
		way = append(way, at)
	}
	return way
}

// part returns at most n elements after some.
func part(all []string, skip, n int) []string {
	skip = min(max(skip, 0), len(all))
	return all[skip:min(skip+max(n, 0), len(all))]
}

// Counts returns the number of entities of each kind.
func (d *Draft) Counts() map[string]int {
	counts := map[string]int{}
	for _, n := range d.natures {
		if k := n.kind(); k != "" {
			counts[k]++
		}
	}
	return counts
}

// Namespace returns the namespace of most entities of the file; empty if it has none.
func (d *Draft) Namespace() string {
	count := map[string]int{}
	for iri, n := range d.natures {
		if n&isDeclared != 0 {
			count[iri[:len(iri)-len(local(iri))]]++
		}
	}
	best := ""
	for space, n := range count {
		if best == "" || n > count[best] || n == count[best] && space < best {
			best = space
		}
	}
	return best
}

// local is the part of an IRI after its last "#" or "/".
func local(iri string) string { return iri[strings.LastIndexAny(iri, "#/")+1:] }
