package editing

import (
	"fmt"
	"slices"
	"strings"

	"orbweaver/kb/ontology"
	"orbweaver/rdf"
)

func (d *Draft) merge(e Edit) (s Step, err error) {
	from, err := d.entity(e.Entity)
	if err != nil {
		return s, err
	}
	to, err := d.entity(e.To)
	if err != nil {
		return s, err
	}
	if e.Entity == e.To {
		return s, fmt.Errorf("%s is itself: %w", d.quoted(e.Entity), ErrNothing)
	}
	if from.kind() != to.kind() {
		return s, fmt.Errorf("%s is a %s, and %s a %s: %w", d.quoted(e.Entity), from.kind(), d.quoted(e.To), to.kind(), ontology.ErrWrongKind)
	}
	s.Remove = d.g.about(rdf.NewIRI(e.Entity))
	for _, t := range s.Remove {
		n := replaced(t, e.Entity, e.To)
		if n.S == n.O { // what held between the two
			continue
		}
		if n.P.Value == preferred && n.S.Value == e.To { // a concept has one preferred label in a language
			n.P.Value = alternative
		}
		s.Add = append(s.Add, n)
	}
	if err := d.acyclicAfter(s); err != nil {
		return s, fmt.Errorf("%s cannot become part of %s: %w", d.quoted(e.Entity), d.quoted(e.To), err)
	}
	s.Says = fmt.Sprintf("%s is part of %s", d.quoted(e.Entity), d.quoted(e.To))
	return s, nil
}

// acyclicAfter tries a step, and returns an error if what it adds stands above itself.
func (d *Draft) acyclicAfter(s Step) error {
	done, undone := d.Steps()
	done, undone = slices.Clone(done), slices.Clone(undone)
	whole, err := d.step(s)
	if err != nil {
		return err
	}
	defer func() {
		d.apply(whole.Add, whole.Remove)
		d.steps, d.at = append(done, undone...), len(done)
	}()
	for _, t := range whole.Add {
		r := ontology.RoleOf(t.P.Value)
		if t.O.Kind != rdf.IRI || r != ontology.RoleSubClass && r != ontology.RoleSubProp {
			continue
		}
		if err := d.acyclic(t.S.Value, t.O.Value); err != nil {
			return err
		}
	}
	return nil
}

// Dependents is what depends on an entity: what is lost, or left without it, when it is deleted.
type Dependents struct {
	Statements int    `json:"statements"` // that go with it
	Below      []Item `json:"below"`      // directly below it, at most fifty, as of the other lists
	Instances  []Item `json:"instances"`
	Properties []Item `json:"properties"` // with it as domain or range
	Others     []Item `json:"others"`     // related to it otherwise
}

// Dependents returns what depends on an entity. The error wraps ontology.ErrUnknownEntity.
func (d *Draft) Dependents(iri string) (p Dependents, err error) {
	if _, err = d.entity(iri); err != nil {
		return p, err
	}
	p.Statements = len(d.gone(iri))
	p.Below, _ = d.Children(iri, 0, shown)
	below := d.below(iri)
	var instances, properties, others []string
	for _, l := range d.g.in[rdf.NewIRI(iri)] {
		if l.to.Kind != rdf.IRI || d.natures[l.to.Value].kind() == "" || slices.Contains(below, l.to.Value) {
			continue
		}
		switch ontology.RoleOf(l.predicate) {
		case ontology.RoleType:
			instances = append(instances, l.to.Value)
		case ontology.RoleDomain, ontology.RoleRange:
			properties = append(properties, l.to.Value)
		default:
			others = append(others, l.to.Value)
		}
	}
	p.Instances, p.Properties, p.Others = d.first(instances), d.first(properties), d.first(others)
	return p, nil
}

// shown is the number of entities of a list of a form.
const shown = 50

// first returns the first of some entities by name, each once.
func (d *Draft) first(iris []string) []Item {
	slices.Sort(iris)
	return d.items(part(d.byName(slices.Compact(iris)), 0, shown))
}

// gone returns the statements that go with an entity: those about it, and those of blank nodes that they alone lead to.
func (d *Draft) gone(iri string) []rdf.Triple {
	all := d.g.about(rdf.NewIRI(iri))
	without := map[rdf.Triple]bool{}
	for _, t := range all {
		without[t] = true
	}
	return d.closed(all, without)
}

// closed adds the statements of blank nodes that only statements that go lead to, and of restrictions and lists that lose a part.
func (d *Draft) closed(all []rdf.Triple, without map[rdf.Triple]bool) []rdf.Triple {
	for i := 0; i < len(all); i++ {
		t := all[i]
		all = append(all, d.g.below(t.O, without)...)
		if t.S.Kind != rdf.Blank || ontology.RoleOf(t.P.Value) != ontology.RoleExpression {
			continue
		}
		for _, l := range d.g.in[t.S] { // an expression without one of its parts says something else
			up := rdf.Triple{S: l.to, P: rdf.NewIRI(l.predicate), O: t.S}
			if !without[up] {
				without[up] = true
				all = append(all, up)
			}
		}
		all = append(all, d.g.below(t.S, without)...)
	}
	return all
}

func (d *Draft) remove(e Edit) (s Step, err error) {
	n, err := d.entity(e.Entity)
	if err != nil {
		return s, err
	}
	s.Remove = d.gone(e.Entity)
	s.Says = d.quoted(e.Entity) + " deleted"
	if !e.Lift {
		return s, nil
	}
	all := d.above(e.Entity)
	for _, below := range d.below(e.Entity) {
		for _, above := range all {
			s.Add = append(s.Add, state(below, upward(n.kind()), rdf.NewIRI(above)))
		}
	}
	return s, nil
}

func (d *Draft) retract(e Edit) (s Step, err error) {
	without := map[rdf.Triple]bool{}
	for _, t := range e.Remove {
		without[t] = true
	}
	s.Remove = d.closed(slices.Clone(e.Remove), without)
	s.Says = "statements removed"
	if e.Says != "" {
		s.Says = e.Says
	}
	return s, nil
}

func (d *Draft) add(e Edit) (s Step, err error) {
	for _, t := range e.Add {
		if t.S.Kind == rdf.Literal || t.P.Kind != rdf.IRI || strings.TrimSpace(t.P.Value) == "" {
			return s, fmt.Errorf("a statement about %q: %w", t.S.Value, ErrEdit)
		}
	}
	s.Add = e.Add
	s.Says = fmt.Sprintf("%d statements added", len(e.Add))
	if e.Says != "" {
		s.Says = e.Says
	}
	return s, nil
}
