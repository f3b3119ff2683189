package relevance

import (
	"cmp"
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"testing"
)

type relation string

// A step is one relation from one class to another.
type hop struct {
	to, relation, via, from string
}

// neighbours is where one step leads from a class, in order of relations and IRIs.
func (u universe) neighbours(iri string) (hops []hop) {
	c := u.Class(iri)
	for _, e := range c.Equivalent {
		hops = append(hops, hop{e, "equivalent", "", iri})
	}
	for _, e := range c.Sub {
		hops = append(hops, hop{e, "sub", "", iri})
	}
	for _, e := range c.Super {
		hops = append(hops, hop{e, "super", "", iri})
	}
	for _, p := range c.Super {
		if top(p) {
			continue
		}
		for _, e := range u.Class(p).Sub {
			if e != iri {
				hops = append(hops, hop{e, "sibling", p, iri})
			}
		}
	}
	return hops
}

// top is a class above all: that others are below it too says nothing.
func top(iri string) bool {
	switch iri {
	case "http://www.w3.org/2002/07/owl#Thing", "http://schema.org/Thing", "http://www.w3.org/2000/01/rdf-schema#Resource",
		"http://www.w3.org/2000/01/rdf-schema#Class", "http://www.w3.org/2002/07/owl#Class":
		return true
	}
	return false
}

// pool is what two steps lead to: by one, by a subclass or an equivalent of those, and by others.
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
		if top(s) {
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

// domains is the users' terms, by domain.
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

// sampled are those of a pool that come first by their hash, so many of each stratum.
func sampled(pool [3][]string, sizes [3]int) (drawn [3][]string) {
	for i, all := range pool {
		all = slices.Clone(all)
		slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(hash(a), hash(b)), cmp.Compare(a, b)) })
		drawn[i] = all[:min(len(all), sizes[i])]
	}
	return drawn
}

func hash(iri string) uint64 {
	h := fnv.New64a()
	h.Write([]byte("marks of 2026"))
	h.Write([]byte(iri))
	return h.Sum64()
}
