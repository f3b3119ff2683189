package ontology

import (
	"fmt"
	"slices"
	"strings"

	"orbweaver/internal/order"
)

// A Finding is a property of an ontology that its author may want to check. No finding is an error.
type Finding struct {
	Kind     string // one of the constants below
	Entity   string // the IRI it is about, or the words of the entry
	Evidence string // for people
}

// The kinds of findings, in the order in which Check returns them.
const (
	FindingCycle       = "hierarchy-cycle"    // entities that are above themselves
	FindingBoth        = "class-and-property" // one IRI is both
	FindingUndeclared  = "undeclared"         // a domain or range that no file declares as a class
	FindingWordless    = "no-entry"           // an entity without words except its local name
	FindingAmbiguous   = "ambiguous-entry"    // an entry that names three entities or more
	FindingUnreachable = "unreachable"        // an entity that no target reaches
)

const (
	manyEntities = 3  // number of entities from which on an entry is reported as ambiguous
	maxEvidence  = 10 // names in one piece of evidence
)

// Check returns findings, each kind in IRI order. An entity is unreachable if no target reaches it or,
// without targets, if no other entity does.
func (o *Ontology) Check(targets ...int) []Finding {
	return slices.Concat(o.cycles(), o.punned(), o.undeclared(), o.wordless(), o.ambiguous(), o.unreachable(targets))
}

func (o *Ontology) punned() (f []Finding) {
	for _, i := range o.both {
		f = append(f, Finding{FindingBoth, o.entities[i].IRI, "is used as a class and as a property; counts as a class"})
	}
	return f
}

func (o *Ontology) undeclared() (f []Finding) {
	for _, u := range o.undefd {
		f = append(f, Finding{FindingUndeclared, o.entities[u.class].IRI,
			fmt.Sprintf("is the %s of %s, but no file says that it is a class", u.role, o.entities[u.property].IRI)})
	}
	return f
}

func (o *Ontology) wordless() (f []Finding) {
	for _, e := range o.entities {
		if !e.Labelled {
			f = append(f, Finding{FindingWordless, e.IRI, fmt.Sprintf("has no lexical entry but its local name, %q", e.Name)})
		}
	}
	return f
}

func (o *Ontology) ambiguous() (f []Finding) {
	for _, e := range o.entries {
		if len(e.Entities) >= manyEntities {
			f = append(f, Finding{FindingAmbiguous, e.Text,
				fmt.Sprintf("names %d entities: %s", len(e.Entities), o.list(e.Entities))})
		}
	}
	return f
}

func (o *Ontology) unreachable(targets []int) (f []Finding) {
	reached := make([]bool, len(o.entities))
	for _, t := range targets {
		for i, d := range o.Distances(t) {
			reached[i] = reached[i] || d >= 0
		}
	}
	for i, e := range o.entities {
		alone := o.degree(int32(i)) == 0
		switch {
		case len(targets) == 0 && alone:
			f = append(f, Finding{FindingUnreachable, e.IRI, "is connected to no other entity"})
		case len(targets) > 0 && !reached[i]:
			f = append(f, Finding{FindingUnreachable, e.IRI, "is reached from no target"})
		}
	}
	return f
}

// list names the first ten entities.
func (o *Ontology) list(entities []int32) string {
	var names []string
	for _, i := range entities[:min(len(entities), maxEvidence)] {
		names = append(names, o.entities[i].IRI)
	}
	if more := len(entities) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// cycles finds the strongly connected components of the hierarchies (Tarjan, without recursion, since a
// hierarchy may be as deep as its file is long).
func (o *Ontology) cycles() (f []Finding) {
	t := tarjan{o: o, order: make([]int32, len(o.entities)), low: make([]int32, len(o.entities)), on: make([]bool, len(o.entities))}
	for i := range o.entities {
		if t.order[i] == 0 {
			t.from(int32(i))
		}
	}
	order.By(t.found, func(a, b []int32) int { return slices.Compare(a, b) })
	for _, cycle := range t.found {
		f = append(f, Finding{FindingCycle, o.entities[cycle[0]].IRI, "lies above itself, by way of " + o.list(cycle[1:])})
	}
	return f
}

type tarjan struct {
	o          *Ontology
	order, low []int32 // from 1; 0: not reached
	on         []bool
	stack      []int32
	count      int32
	found      [][]int32
}

func (t *tarjan) enter(i int32) {
	t.count++
	t.order[i], t.low[i], t.on[i] = t.count, t.count, true
	t.stack = append(t.stack, i)
}

func (t *tarjan) from(root int32) {
	type frame struct{ node, edge int32 }
	t.enter(root)
	for path := []frame{{root, 0}}; len(path) > 0; {
		top := &path[len(path)-1]
		if up := t.o.parents.of(top.node); int(top.edge) < len(up) {
			next := up[top.edge]
			top.edge++
			if t.order[next] == 0 {
				t.enter(next)
				path = append(path, frame{next, 0})
			} else if t.on[next] {
				t.low[top.node] = min(t.low[top.node], t.order[next])
			}
			continue
		}
		node := top.node
		path = path[:len(path)-1]
		if len(path) > 0 {
			below := path[len(path)-1].node
			t.low[below] = min(t.low[below], t.low[node])
		}
		t.leave(node)
	}
}

// leave pops a finished component off the stack and records it if it is a cycle.
func (t *tarjan) leave(node int32) {
	if t.low[node] != t.order[node] {
		return
	}
	at := slices.Index(t.stack, node)
	component := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	for _, i := range component {
		t.on[i] = false
	}
	if len(component) > 1 {
		slices.Sort(component)
		t.found = append(t.found, component)
	}
}
