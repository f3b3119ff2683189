package editing_test

import (
	"fmt"
	"testing"
	"time"

	"orbweaver/kb/editing"
	"orbweaver/rdf"
)

// large is an ontology of n classes in a tree of ten below each, with three labels each.
func large(n int) (all []rdf.Triple) {
	iri := func(i int) rdf.Term { return rdf.NewIRI(e(fmt.Sprintf("C%d", i))) }
	for i := range n {
		all = append(all, rdf.Triple{S: iri(i), P: rdf.NewIRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), O: rdf.NewIRI("http://www.w3.org/2002/07/owl#Class")})
		for k, lang := range []string{"en", "de", "fr"} {
			all = append(all, rdf.Triple{S: iri(i), P: rdf.NewIRI("http://www.w3.org/2000/01/rdf-schema#label"), O: rdf.NewLang(fmt.Sprintf("class %d of kind %d", i, k), lang)})
		}
		if i > 0 {
			all = append(all, rdf.Triple{S: iri(i), P: rdf.NewIRI("http://www.w3.org/2000/01/rdf-schema#subClassOf"), O: iri(i / 10)})
		}
	}
	return all
}

// BenchmarkLarge: what opening and editing cost with 50 000 classes of 150 000 labels.
func BenchmarkLarge(b *testing.B) {
	all := large(50_000)
	d := editing.New(all)
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			editing.New(all)
		}
	})
	b.Run("edit", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.Do(editing.Edit{Do: editing.DoCreate, Text: "new", Under: e("C77")}, "", time.Time{}); err != nil {
				b.Fatal(err)
			}
			d.Undo()
		}
	})
	b.Run("roots", func(b *testing.B) {
		for b.Loop() {
			_, _ = d.Do(editing.Edit{Do: editing.DoCreate, Text: "new", Under: e("C77")}, "", time.Time{})
			d.Roots(editing.Class, 0, 50)
			d.Undo()
		}
	})
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			d.Search("class 777", 20)
		}
	})
	b.Run("form", func(b *testing.B) {
		for b.Loop() {
			_, _ = d.Form(e("C77"))
		}
	})
	b.Run("near", func(b *testing.B) {
		for b.Loop() {
			d.Near(60, e("C77"))
		}
	})
	b.Run("ontology", func(b *testing.B) {
		for b.Loop() {
			_, _ = d.Do(editing.Edit{Do: editing.DoCreate, Text: "new", Under: e("C77")}, "", time.Time{})
			d.Ontology()
			d.Undo()
		}
	})
}
