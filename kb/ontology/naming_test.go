package ontology

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestEntriesOf: the entries of each entity are those of the lexicon that name it, in the lexicon's order.
func TestEntriesOf(t *testing.T) {
	var b strings.Builder
	b.WriteString("@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n")
	for i := range 40 {
		fmt.Fprintf(&b, "<http://a.example/C%d> a owl:Class ; rdfs:label \"kind %d\", \"shared %d\"@en .\n", i, i, i%3)
	}
	b.WriteString("<http://a.example/LoneClass> a owl:Class .\n")
	o := build(t, b.String())
	for i := range o.Len() {
		var want []string
		for _, e := range o.Entries() {
			if slices.Contains(e.Entities, int32(i)) {
				want = append(want, e.Text+"@"+e.Lang)
			}
		}
		var got []string
		for _, e := range o.EntriesOf(i) {
			got = append(got, e.Text+"@"+e.Lang)
		}
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", o.Entity(i).IRI, got, want)
		}
	}
}
