package distil

import (
	"cmp"
	"slices"
	"strings"

	"orbweaver/rdf"
)

// A Target is a class with what it covers.
type Target struct {
	IRI    string
	Covers []string // of the wanted classes: itself and those below it, in order
	Size   int      // classes below it, itself included
}

// Best returns the class of a namespace that covers most of the wanted classes: itself and those below it. Among classes that
// cover as many it is the one with fewest classes below it, then the first by IRI. false: the statements have none of the
// wanted classes.
func Best(statements []rdf.Triple, namespace string, wanted []string) (t Target, ok bool) {
	below := map[string][]string{}
	classes := map[string]bool{}
	for _, s := range statements {
		switch {
		case s.S.Kind != rdf.IRI || s.O.Kind != rdf.IRI:
		case s.P.Value == subClassOf || s.P.Value == broader:
			below[s.O.Value] = append(below[s.O.Value], s.S.Value)
			classes[s.O.Value], classes[s.S.Value] = true, true
		case s.P.Value == nsSKOS+"narrower":
			below[s.S.Value] = append(below[s.S.Value], s.O.Value)
			classes[s.O.Value], classes[s.S.Value] = true, true
		case s.P.Value == rdfType && (s.O.Value == nsOWL+"Class" || s.O.Value == nsRDFS+"Class" || s.O.Value == nsSKOS+"Concept"):
			classes[s.S.Value] = true
		}
	}
	for class := range above(below, classes, wanted) {
		if !strings.HasPrefix(class, namespace) {
			continue
		}
		has := reach(below, class)
		one := Target{IRI: class, Size: len(has)}
		for _, w := range wanted {
			if has[w] {
				one.Covers = append(one.Covers, w)
			}
		}
		if !ok || one.compare(t) < 0 {
			t, ok = one, true
		}
	}
	return t, ok
}

// compare orders targets, better first.
func (t Target) compare(o Target) int {
	return cmp.Or(cmp.Compare(len(o.Covers), len(t.Covers)), cmp.Compare(t.Size, o.Size), strings.Compare(t.IRI, o.IRI))
}

// above returns the wanted classes and all above them.
func above(below map[string][]string, classes map[string]bool, wanted []string) map[string]bool {
	up := map[string][]string{}
	for a, all := range below {
		for _, b := range all {
			up[b] = append(up[b], a)
		}
	}
	all := map[string]bool{}
	for _, w := range wanted {
		if classes[w] {
			for class := range reach(up, w) {
				all[class] = true
			}
		}
	}
	return all
}

// reach returns a node and all that can be reached from it.
func reach(edges map[string][]string, from string) map[string]bool {
	seen, next := map[string]bool{from: true}, []string{from}
	for len(next) > 0 {
		node := next[len(next)-1]
		next = next[:len(next)-1]
		for _, to := range edges[node] {
			if !seen[to] {
				seen[to] = true
				next = append(next, to)
			}
		}
	}
	return seen
}

// Declares returns how many of the wanted classes the statements are about.
func Declares(statements []rdf.Triple, wanted []string) (n int) {
	about := map[string]bool{}
	for _, s := range statements {
		if s.S.Kind == rdf.IRI && (s.P.Value == rdfType && isSchema(s.O.Value) || relates(s.P.Value)) {
			about[s.S.Value] = true
		}
	}
	for _, w := range slices.Compact(slices.Sorted(slices.Values(wanted))) {
		if about[w] {
			n++
		}
	}
	return n
}
