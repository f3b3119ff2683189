package editing

import (
	"fmt"

	"orbweaver/kb/ontology"
	"orbweaver/rdf"
)

func (d *Draft) relate(e Edit) (s Step, err error) {
	as, err := d.relation(e)
	if err != nil {
		return s, err
	}
	if up := ontology.RoleOf(as); up == ontology.RoleSubClass || up == ontology.RoleSubProp {
		if err := d.acyclic(e.Entity, e.To); err != nil {
			return s, err
		}
	} else if up == ontology.RoleNarrower {
		if err := d.acyclic(e.To, e.Entity); err != nil {
			return s, err
		}
	}
	s.Add = []rdf.Triple{state(e.Entity, as, rdf.NewIRI(e.To))}
	s.Says = fmt.Sprintf("%s: %s %s", d.quoted(e.Entity), d.g.name(as), d.quoted(e.To))
	return s, nil
}

// relation checks the ends of a relation, and returns its property.
func (d *Draft) relation(e Edit) (as string, err error) {
	n, err := d.entity(e.Entity)
	if err != nil {
		return "", err
	}
	if as, err = property(e.As, upward(n.kind())); err != nil {
		return "", err
	}
	if e.To == "" {
		return "", fmt.Errorf("%s: what is it related to? %w", e.Do, ErrEdit)
	}
	to := d.natures[e.To].kind()
	fits := true
	switch ontology.RoleOf(as) {
	case ontology.RoleSubClass, ontology.RoleNarrower:
		fits = n.kind() != Property && n.kind() != Individual && to != Property && to != Individual
	case ontology.RoleSubProp:
		fits = n.kind() == Property && (to == Property || to == "")
	case ontology.RoleDomain:
		fits = n.kind() == Property && to != Property
	case ontology.RoleRange:
		fits = n.kind() == Property && to != Property
	case ontology.RoleType:
		fits = to == Class || to == Concept || to == ""
	case ontology.RoleLabel:
		fits = false
	}
	if !fits {
		return "", fmt.Errorf("%s, a %s, cannot have %s as its %s: %w", d.quoted(e.Entity), n.kind(), d.quoted(e.To), d.g.name(as), ontology.ErrWrongKind)
	}
	if to == "" {
		return as, checkTarget(e.To)
	}
	return as, nil
}

// checkTarget checks an IRI that the file does not describe: an entity of another file, or a datatype.
func checkTarget(iri string) error {
	if ontology.Builtin(iri) {
		return nil
	}
	return checkIRI(iri)
}

// acyclic returns an error if an entity is to stand below one that stands below it.
func (d *Draft) acyclic(below, above string) error {
	reached := map[string]bool{}
	for stack := []string{above}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at == below {
			return fmt.Errorf("%s cannot be below %s, which is below it: %w", d.quoted(below), d.quoted(above), ErrCycle)
		}
		if !reached[at] {
			reached[at] = true
			stack = append(stack, d.above(at)...)
		}
	}
	return nil
}

func (d *Draft) unrelate(e Edit) (s Step, err error) {
	n, err := d.entity(e.Entity)
	if err != nil {
		return s, err
	}
	as, err := property(e.As, upward(n.kind()))
	if err != nil {
		return s, err
	}
	gone := state(e.Entity, as, rdf.NewIRI(e.To))
	if !d.g.has(gone) {
		return s, fmt.Errorf("%s does not have %s as its %s: %w", d.quoted(e.Entity), d.quoted(e.To), d.g.name(as), ErrNothing)
	}
	s.Remove = []rdf.Triple{gone}
	s.Says = fmt.Sprintf("%s: no longer %s %s", d.quoted(e.Entity), d.g.name(as), d.quoted(e.To))
	return s, nil
}

func (d *Draft) move(e Edit) (s Step, err error) {
	n, err := d.entity(e.Entity)
	if err != nil {
		return s, err
	}
	term := rdf.NewIRI(e.Entity)
	for _, l := range d.g.out[term] {
		r := ontology.RoleOf(l.predicate)
		if (r == ontology.RoleSubClass || r == ontology.RoleSubProp) && l.to.Kind == rdf.IRI && (e.From == "" || l.to.Value == e.From) {
			s.Remove = append(s.Remove, state(e.Entity, l.predicate, l.to))
		}
	}
	for _, l := range d.g.in[term] {
		if ontology.RoleOf(l.predicate) == ontology.RoleNarrower && (e.From == "" || l.to.Value == e.From) {
			s.Remove = append(s.Remove, rdf.Triple{S: l.to, P: rdf.NewIRI(l.predicate), O: term})
		}
	}
	if e.To == "" {
		s.Says = d.quoted(e.Entity) + " is at the top"
		return s, nil
	}
	to, err := d.entity(e.To)
	if err != nil {
		return s, err
	}
	if n.kind() != to.kind() || n.kind() == Individual {
		return s, fmt.Errorf("%s, a %s, cannot be below %s, a %s: %w", d.quoted(e.Entity), n.kind(), d.quoted(e.To), to.kind(), ontology.ErrWrongKind)
	}
	if err := d.acyclic(e.Entity, e.To); err != nil {
		return s, err
	}
	s.Add = []rdf.Triple{state(e.Entity, upward(n.kind()), rdf.NewIRI(e.To))}
	s.Says = fmt.Sprintf("%s is below %s", d.quoted(e.Entity), d.quoted(e.To))
	return s, nil
}
