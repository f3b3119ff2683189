package edit_test

import (
	"fmt"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax/turtle/edit"
)

// BenchmarkApply: a change of one label, in files of 5 000 classes and of 150 000 labels.
func BenchmarkApply(b *testing.B) {
	for _, n := range []int{5000, 50_000} {
		var text strings.Builder
		text.WriteString("@prefix e: <http://e.org/> .\n@prefix r: <" + rdfs + "> .\n")
		for i := range n {
			fmt.Fprintf(&text, "e:C%d a e:Class ;\n    r:label \"class %d\"@en, \"Klasse %d\"@de, \"classe %d\"@fr ;\n    r:subClassOf e:C%d .\n", i, i, i, i, i/10)
		}
		s := rdf.Triple{S: rdf.NewIRI("http://e.org/C77"), P: rdf.NewIRI(rdfs + "label"), O: rdf.NewLang("class 77", "en")}
		now := s
		now.O = rdf.NewLang("class seventy-seven", "en")
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := edit.Apply("o.ttl", []byte(text.String()), edit.Change{Remove: []rdf.Triple{s}, Add: []rdf.Triple{now}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
