package metadata

import (
	"cmp"
	"slices"

	"orbweaver/kb/terms"
)

// steps are the statements that lead from a term to the one found: two of a sibling.
func (f Found) steps() []terms.Step {
	if f.Sibling == "" {
		return []terms.Step{f.Step}
	}
	up := terms.Step{From: f.Term, Property: f.Step.Property, To: f.Sibling, Dataset: f.Step.Dataset}
	return []terms.Step{up, f.Step}
}

// maxPaths is how many paths to one term are reported.
const maxPaths = 20

// paths are the ways from terms given to another: for each statement that leads to it, a shortest one that
// ends with it; by length, then by their steps.
func (s *state) paths(nearest map[string]terms.Path, to string) (paths []terms.Path) {
	for _, e := range s.Terms[to].Edges {
		if e.To != to {
			continue
		}
		if before, ok := nearest[e.From]; ok && !passes(before, to) {
			paths = append(paths, append(slices.Clone(before), e))
		}
	}
	slices.SortFunc(paths, comparePaths)
	return paths[:min(len(paths), maxPaths)]
}

// passes reports whether a path begins at a class or comes by it.
func passes(p terms.Path, class string) bool {
	return slices.ContainsFunc(p, func(s terms.Step) bool { return s.From == class || s.To == class })
}

// comparePaths puts shorter ones first.
func comparePaths(a, b terms.Path) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), slices.CompareFunc(a, b, func(a, b terms.Step) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Property, b.Property), cmp.Compare(a.To, b.To), cmp.Compare(a.Dataset, b.Dataset))
	}))
}

// nearest is a shortest path to every class that was reached or lies on the way, from any term given. Of
// a term given it is empty.
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

// deduced are the subclass relations of a class to given terms that are entailed but not stated: rdfs:subClassOf is
// transitive, and what is the same may stand for each other (section 6.4).
func (s *state) deduced(up map[string][]terms.Step, of string) (facts []terms.Fact) {
	type place struct {
		class string
		path  terms.Path
		below bool // a subclass step is among them
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
	slices.SortFunc(facts, func(a, b terms.Fact) int { return cmp.Compare(a.Object, b.Object) })
	return facts
}

// upwards are the statements by which a class is below another or the same, by class; each as a step from
// the lower one.
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
