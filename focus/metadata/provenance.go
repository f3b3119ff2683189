package metadata

import (
	"cmp"
	"slices"

	"orbweaver/internal/order"
	"orbweaver/kb/terms"
)

// steps returns the statements from the term to the class found: two for a sibling.
func (f Found) steps() []terms.Step {
	if f.Sibling == "" {
		return []terms.Step{f.Step}
	}
	up := terms.Step{From: f.Term, Property: f.Step.Property, To: f.Sibling, Dataset: f.Step.Dataset}
	return []terms.Step{up, f.Step}
}

// maxPaths bounds the reported paths to one class.
const maxPaths = 20

// paths returns, for each statement that leads to a class, a shortest path from a given term that ends with
// it. They are sorted by length, then by steps.
func (s *state) paths(nearest map[string]terms.Path, to string) (paths []terms.Path) {
	for _, e := range s.Terms[to].Edges {
		if e.To != to {
			continue
		}
		if before, ok := nearest[e.From]; ok && !passes(before, to) {
			paths = append(paths, append(slices.Clone(before), e))
		}
	}
	order.By(paths, comparePaths)
	return paths[:min(len(paths), maxPaths)]
}

// passes reports whether a path starts at a class or passes through it.
func passes(p terms.Path, class string) bool {
	return slices.ContainsFunc(p, func(s terms.Step) bool { return s.From == class || s.To == class })
}

// comparePaths sorts by length first.
func comparePaths(a, b terms.Path) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), slices.CompareFunc(a, b, func(a, b terms.Step) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Property, b.Property), cmp.Compare(a.To, b.To), cmp.Compare(a.Dataset, b.Dataset))
	}))
}

// nearest returns a shortest path from any given term to every class reached or passed. The path of a given
// term is empty.
func (s *state) nearest() map[string]terms.Path {
	out := map[string][]terms.Step{}
	for _, name := range s.Order {
		for _, e := range s.Terms[name].Edges {
			out[e.From] = append(out[e.From], e)
		}
	}
	near := map[string]terms.Path{}
	var level []string
	for _, name := range s.Order {
		if s.Terms[name].Stage == 0 {
			near[name] = terms.Path{}
			level = append(level, name)
		}
	}
	for len(level) > 0 {
		var next []string
		for _, from := range level {
			for _, e := range out[from] {
				if _, there := near[e.To]; !there {
					near[e.To] = append(slices.Clone(near[from]), e)
					next = append(next, e.To)
				}
			}
		}
		level = next
	}
	return near
}

// deduced returns the subclass relations of a class to given terms that are entailed but not stated:
// rdfs:subClassOf is transitive, and equivalent classes are interchangeable (section 6.4).
func (s *state) deduced(up map[string][]terms.Step, of string) (facts []terms.Fact) {
	type place struct {
		class string
		path  terms.Path
		below bool // the path has a subclass step
	}
	seen := map[string]bool{of: true}
	for level := []place{{class: of}}; len(level) > 0; {
		var next []place
		for _, at := range level {
			for _, e := range up[at.class] {
				if seen[e.To] {
					continue
				}
				seen[e.To] = true
				to := place{e.To, append(slices.Clone(at.path), e), at.below || e.Property == subClassOf}
				if t := s.Terms[e.To]; t != nil && t.Stage == 0 && to.below && len(to.path) > 1 {
					facts = append(facts, terms.Fact{Subject: of, Property: subClassOf, Object: e.To, Premises: to.path})
				}
				next = append(next, to)
			}
		}
		level = next
	}
	order.By(facts, func(a, b terms.Fact) int { return cmp.Compare(a.Object, b.Object) })
	return facts
}

// upwards returns, by class, the statements that make it a subclass or an equivalent of another; each as a
// step from the lower class.
func (s *state) upwards() map[string][]terms.Step {
	up := map[string][]terms.Step{}
	for _, name := range s.Order {
		for _, e := range s.Terms[name].Edges {
			subject, object := e.From, e.To
			if e.Inverse {
				subject, object = object, subject
			}
			stated := terms.Step{From: subject, Property: e.Property, To: object, Dataset: e.Dataset}
			switch e.Property {
			case subClassOf:
				up[subject] = append(up[subject], stated)
			case sameAs, equivalentClass:
				up[subject] = append(up[subject], stated)
				back := terms.Step{From: object, Property: e.Property, Inverse: true, To: subject, Dataset: e.Dataset}
				up[object] = append(up[object], back)
			}
		}
	}
	return up
}
