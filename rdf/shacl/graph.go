package shacl

import (
	"context"
	"errors"
	"fmt"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// graph reads a store as one graph: the union of all its graphs, each statement once.
type graph struct {
	r    quads.Reader
	ctx  context.Context
	left int64 // steps
	most int   // nodes of one answer
	ids  map[rdf.Term]quads.ID
	idle []quads.Cursor
}

// close releases the cursors.
func (g *graph) close() error {
	var errs []error
	for _, c := range g.idle {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// maxIDs bounds the IDs that are remembered by term.
const maxIDs = 1 << 14

// id returns the ID of a term; false: no statement has it.
func (g *graph) id(t rdf.Term) (quads.ID, bool, error) {
	if id, known := g.ids[t]; known {
		return id, id != quads.Default, nil
	}
	id, found, err := g.r.Lookup(t)
	if err != nil {
		return 0, false, err
	}
	if !found {
		id = quads.Default
	}
	if len(g.ids) < maxIDs {
		g.ids[t] = id
	}
	return id, found, nil
}

// step counts a statement read.
func (g *graph) step() error {
	if g.left--; g.left < 0 {
		return ErrSteps
	}
	if g.left&1023 == 0 {
		return g.ctx.Err()
	}
	return nil
}

// each calls f for the statements that match three terms; zero terms match any. Equal statements of several graphs come in a row.
func (g *graph) each(s, p, o rdf.Term, f func(q quads.Quad, c quads.Cursor) error) (err error) {
	pattern := quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Any}
	for _, v := range []struct {
		term rdf.Term
		at   *quads.ID
	}{{s, &pattern.S}, {p, &pattern.P}, {o, &pattern.O}} {
		if v.term.IsZero() {
			continue
		}
		id, found, err := g.id(v.term)
		if err != nil || !found {
			return err
		}
		*v.at = id
	}
	c := g.cursor()
	defer func() {
		if err == nil {
			err = c.Err()
		}
		g.idle = append(g.idle, c)
	}()
	c.Seek(pattern)
	var last quads.Quad
	for c.Next() {
		if err := g.step(); err != nil {
			return err
		}
		q := c.Quad()
		q.G = quads.Default
		if q == last {
			continue
		}
		last = q
		if err := f(q, c); err != nil {
			return err
		}
	}
	return nil
}

// cursor returns a cursor that is not in use.
func (g *graph) cursor() quads.Cursor {
	if n := len(g.idle); n > 0 {
		c := g.idle[n-1]
		g.idle = g.idle[:n-1]
		return c
	}
	return g.r.Cursor()
}

// errEnough ends each.
var errEnough = errors.New("enough")

// objects returns the objects of a subject and a predicate; with inverse, the subjects of an object.
func (g *graph) objects(node rdf.Term, predicate rdf.Term, inverse bool) (out []rdf.Term, err error) {
	s, o := node, rdf.Term{}
	if inverse {
		s, o = o, s
	}
	err = g.each(s, predicate, o, func(q quads.Quad, c quads.Cursor) error {
		id := q.O
		if inverse {
			id = q.S
		}
		t, err := c.Term(id)
		if err != nil {
			return err
		}
		if out = append(out, t); len(out) > g.most {
			return fmt.Errorf("%w: more than %d by %s from %s", ErrValues, g.most, termText(predicate), termText(node))
		}
		return nil
	})
	return out, err
}

var (
	rdfType    = rdf.NewIRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
	subClassOf = rdf.NewIRI("http://www.w3.org/2000/01/rdf-schema#subClassOf")
	rdfsClass  = rdf.NewIRI("http://www.w3.org/2000/01/rdf-schema#Class")
)

// classes returns a class and its subclasses.
func (g *graph) classes(class rdf.Term) ([]rdf.Term, error) {
	all, known := []rdf.Term{class}, map[rdf.Term]bool{class: true}
	for i := 0; i < len(all); i++ {
		narrower, err := g.objects(all[i], subClassOf, true)
		if err != nil {
			return nil, err
		}
		for _, c := range narrower {
			if !known[c] {
				known[c] = true
				all = append(all, c)
			}
		}
		if len(all) > g.most {
			return nil, fmt.Errorf("%w: %s has more than %d subclasses", ErrValues, termText(class), g.most)
		}
	}
	return all, nil
}

// isA reports whether a node is an instance of a class or of a subclass.
func (v *validation) isA(node, class rdf.Term) (bool, error) {
	if node.Kind == rdf.Literal {
		return false, nil
	}
	classes, known := v.instances[class]
	if !known {
		all, err := v.classes(class)
		if err != nil {
			return false, err
		}
		classes = map[quads.ID]struct{}{}
		for _, c := range all {
			id, found, err := v.id(c)
			if err != nil {
				return false, err
			}
			if found {
				classes[id] = struct{}{}
			}
		}
		v.instances[class] = classes
	}
	err := v.each(node, rdfType, rdf.Term{}, func(q quads.Quad, _ quads.Cursor) error {
		if _, is := classes[q.O]; is {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return true, nil
	}
	return false, err
}

// targets calls f for each target node of a shape, once.
func (v *validation) targets(s *shape, f func(rdf.Term) error) error {
	seen := map[quads.ID]struct{}{}
	for _, t := range s.targets {
		var err error
		switch t.kind {
		case "targetNode":
			err = v.targetNode(t.term, seen, f)
		case "targetClass":
			var classes []rdf.Term
			if classes, err = v.classes(t.term); err == nil {
				for _, class := range classes {
					if err = v.eachNode(rdfType, class, false, seen, f); err != nil {
						break
					}
				}
			}
		case "targetSubjectsOf":
			err = v.eachNode(t.term, rdf.Term{}, false, seen, f)
		case "targetObjectsOf":
			err = v.eachNode(t.term, rdf.Term{}, true, seen, f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// targetNode calls f for a node, which the data need not have.
func (v *validation) targetNode(node rdf.Term, seen map[quads.ID]struct{}, f func(rdf.Term) error) error {
	id, found, err := v.id(node)
	if err != nil {
		return err
	}
	if _, again := seen[id]; found && again {
		return nil
	}
	if found {
		seen[id] = struct{}{}
	}
	return f(node)
}

// eachNode calls f for the subjects, or the objects, of statements, unless they were seen.
func (v *validation) eachNode(p, o rdf.Term, objects bool, seen map[quads.ID]struct{}, f func(rdf.Term) error) error {
	return v.each(rdf.Term{}, p, o, func(q quads.Quad, c quads.Cursor) error {
		id := q.S
		if objects {
			id = q.O
		}
		if _, again := seen[id]; again {
			return nil
		}
		seen[id] = struct{}{}
		node, err := c.Term(id)
		if err != nil {
			return err
		}
		return f(node)
	})
}

// statementsOf makes a function of properties and objects one for each.
func statementsOf(f func(property, object rdf.Term) error) func(quads.Quad, quads.Cursor) error {
	return func(q quads.Quad, c quads.Cursor) error {
		property, err := c.Term(q.P)
		if err != nil {
			return err
		}
		object, err := c.Term(q.O)
		if err != nil {
			return err
		}
		return f(property, object)
	}
}
