package relevance

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// A hop is a relation that leads from a class to another.
type hop struct{ to, relation string }

// neighbours returns the classes one step from a class, in order of relations and IRIs.
func (u universe) neighbours(iri string) (hops []hop) {
	c := u.Class(iri)
	for _, e := range c.Equivalent {
		hops = append(hops, hop{e, "equivalent"})
	}
	for _, e := range c.Sub {
		hops = append(hops, hop{e, "sub"})
	}
	for _, e := range c.Super {
		hops = append(hops, hop{e, "super"})
	}
	for _, p := range c.Super {
		if Top(p) {
			continue
		}
		for _, e := range u.Class(p).Sub {
			if e != iri {
				hops = append(hops, hop{e, "sibling"})
			}
		}
	}
	return hops
}

// pool returns the classes within two steps: by one step, by a subclass or an equivalent of those, and
// others.
func (u universe) pool(terms []string) [3][]string {
	given := map[string]bool{}
	for _, t := range terms {
		given[t] = true
	}
	var strata [3]map[string]bool
	for i := range strata {
		strata[i] = map[string]bool{}
	}
	for _, t := range terms {
		for _, h := range u.neighbours(t) {
			if !given[h.to] {
				strata[0][h.to] = true
			}
		}
	}
	for s := range strata[0] {
		if Top(s) {
			continue
		}
		for _, h := range u.neighbours(s) {
			if given[h.to] || strata[0][h.to] {
				continue
			}
			if h.relation == "sub" || h.relation == "equivalent" {
				strata[1][h.to] = true
				delete(strata[2], h.to)
			} else if !strata[1][h.to] {
				strata[2][h.to] = true
			}
		}
	}
	var out [3][]string
	for i, s := range strata {
		for iri := range s {
			out[i] = append(out[i], iri)
		}
		slices.Sort(out[i])
	}
	return out
}

// domains returns the users' terms, by domain.
func domains(t testing.TB) (names []string, terms map[string][]string) {
	content, err := os.ReadFile("testdata/domains.tsv")
	if err != nil {
		t.Fatal(err)
	}
	terms = map[string][]string{}
	for line := range strings.Lines(string(content)) {
		name, iri, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			t.Fatalf("domains.tsv: %q", line)
		}
		if terms[name] == nil {
			names = append(names, name)
		}
		terms[name] = append(terms[name], iri)
	}
	return names, terms
}
