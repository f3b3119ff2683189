package ontology

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"orbweaver/rdf"
)

// removals are statements of every kind that an ontology reads, without synonyms.
func removals() (all []rdf.Quad) {
	ex := func(i int) rdf.Term { return rdf.NewIRI(fmt.Sprintf("http://example.org/E%d", i)) }
	for i := range 5 {
		for j := range 5 {
			for _, p := range []string{
				rdfType, nsRDFS + "subClassOf", nsRDFS + "subPropertyOf", nsOWL + "sameAs", nsSKOS + "related",
				nsRDFS + "domain", nsRDFS + "range", nsOntolex + "denotes", nsOntolex + "canonicalForm", "http://example.org/P",
			} {
				all = append(all, rdf.Quad{S: ex(i), P: rdf.NewIRI(p), O: ex(j)})
			}
			all = append(all, rdf.Quad{S: ex(i + 5), P: rdf.NewIRI(nsSKOS + "broader"), O: ex(j + 5)})
		}
		for _, class := range []string{nsOWL + "Class", nsSKOS + "Concept", nsOWL + "ObjectProperty", nsRDFS + "Datatype"} {
			all = append(all, rdf.Quad{S: ex(i), P: rdf.NewIRI(rdfType), O: rdf.NewIRI(class)})
		}
		for _, p := range []string{nsRDFS + "label", nsSKOS + "altLabel", nsOntolex + "writtenRep"} {
			all = append(all, rdf.Quad{S: ex(i), P: rdf.NewIRI(p), O: rdf.NewLang(fmt.Sprint("word ", i%3), "en")})
		}
	}
	return all
}

// known returns the ontology of statements, without its source.
func known(t *testing.T, statements []rdf.Quad) *Ontology {
	t.Helper()
	o, err := Build(func(yield func(rdf.Triple, error) bool) {
		for _, q := range statements {
			if !yield(rdf.Triple{S: q.S, P: q.P, O: q.O}, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestWithout: an ontology without some statements equals one that never had them, and With adds them again.
func TestWithout(t *testing.T) {
	draw, all := rand.New(rand.NewPCG(1, 2)), removals()
	for round := range 300 {
		draw.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		n := 5 + draw.IntN(40)
		gone := draw.IntN(n)
		whole := known(t, all[:n])
		less, want := whole.Without(append(slices.Clone(all[:gone]), all[n])), known(t, all[gone:n]) // including one that it never had
		again, before := less.With(all[:gone]), known(t, slices.Concat(all[gone:n], all[:gone]))
		for _, o := range []*Ontology{whole, less, want, again, before} {
			o.source = nil
		}
		if !reflect.DeepEqual(less, want) {
			t.Fatalf("round %d, %d of %d statements removed: %+v\nwant %+v", round, gone, n, less.entities, want.entities)
		}
		if !reflect.DeepEqual(again, before) {
			t.Fatalf("round %d: with what was removed it is another", round)
		}
	}
}

// TestWithoutOtherWords: a relation is removed in all its synonyms; the receiver keeps it.
func TestWithoutOtherWords(t *testing.T) {
	o := build(t, `ex:A skos:narrower ex:B ; skos:prefLabel "a", "alpha" . ex:B skos:broader ex:A ; skos:prefLabel "b" . ex:C skos:broader ex:B .`)
	below := rdf.Quad{S: rdf.NewIRI("http://example.org/B"), P: rdf.NewIRI(nsRDFS + "subClassOf"), O: rdf.NewIRI("http://example.org/A")}
	if less := o.Without([]rdf.Quad{below}); less.Len() != 2 || o.Len() != 3 {
		t.Errorf("%d entities, of %d: A is nothing any more, B and C are", less.Len(), o.Len())
	}
	word := rdf.Quad{S: rdf.NewIRI("http://example.org/A"), P: rdf.NewIRI(nsSKOS + "prefLabel"), O: rdf.NewString("alpha")}
	less := o.Without([]rdf.Quad{word})
	if e := less.EntriesOf(find(t, less, "A")); len(e) != 1 || e[0].Text != "a" {
		t.Errorf("entries %+v", e)
	}
	word.O = rdf.NewString("a")
	less = less.Without([]rdf.Quad{word})
	if e := less.EntriesOf(find(t, less, "A")); len(e) != 1 || e[0].Text != "A" {
		t.Errorf("without a label it is known by its local name: %+v", e)
	}
}
