package ontology

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/realdata"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/ntriples"
)

// TestRealOntologies: published ontologies have the classes they are known for.
func TestRealOntologies(t *testing.T) {
	folder := realdata.Folder(t, "ontologies")
	for _, tc := range []struct {
		file, class, above string
		classes            int // at least
	}{
		{"dbpedia-3.9.owl.gz", "http://dbpedia.org/ontology/MusicalWork", "http://dbpedia.org/ontology/Work", 500},
		{"schema-2014-02.n3.gz", "http://schema.org/MusicAlbum", "http://schema.org/MusicPlaylist", 500},
		{"mo-2013.n3.gz", "http://purl.org/ontology/mo/MusicArtist", "http://xmlns.com/foaf/0.1/Agent", 50},
		{"frbr-2009.n3", "http://purl.org/vocab/frbr/core#Work", "http://purl.org/vocab/frbr/core#Endeavour", 10},
	} {
		o, err := Load(filepath.Join(folder, "ontologies", tc.file))
		if err != nil {
			t.Errorf("%s: %v", tc.file, err)
			continue
		}
		classes, properties, instances := o.Counts()
		t.Logf("%s: %d classes, %d properties, %d instances, %d entries, %d findings",
			tc.file, classes, properties, instances, len(o.Entries()), len(o.Check()))
		below, ok := o.Find(tc.class)
		above, also := o.Find(tc.above)
		if !ok || !also || classes < tc.classes || o.Distances(below)[above] != 1 {
			t.Errorf("%s: %d classes; %s found: %v, %s found: %v", tc.file, classes, tc.class, ok, tc.above, also)
		}
	}
}

// FuzzBuild builds ontologies of arbitrary statements in the relevant vocabulary.
func FuzzBuild(f *testing.F) {
	vocabulary := []string{
		rdfType, nsRDFS + "subClassOf", nsRDFS + "subPropertyOf", nsRDFS + "domain", nsRDFS + "range", nsOWL + "unionOf",
		nsOWL + "intersectionOf", nsOWL + "onProperty", nsOWL + "someValuesFrom", nsRDF + "first", nsRDF + "rest",
		nsOWL + "equivalentClass", nsOWL + "sameAs", nsSKOS + "related", nsOWL + "Class", nsRDFS + "Datatype", "x:a", "x:b", "x:c",
		nsOntolex + "sense", nsOntolex + "reference", nsOntolex + "canonicalForm",
	}
	f.Add([]byte("\x10\x01\x11\x11\x01\x12"))
	f.Fuzz(func(t *testing.T, b []byte) {
		term := func(c byte) rdf.Term {
			if c >= 128 {
				return rdf.NewBlank(string('a' + rune(c%5)))
			}
			return rdf.NewIRI(vocabulary[int(c)%len(vocabulary)])
		}
		var all []rdf.Triple
		for ; len(b) >= 3 && len(all) < 200; b = b[3:] {
			all = append(all, rdf.Triple{S: term(b[0]), P: term(b[1] % 128), O: term(b[2])})
		}
		o, err := Build(func(yield func(rdf.Triple, error) bool) {
			for _, tr := range all {
				if !yield(tr, nil) {
					return
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range o.Len() {
			if j, ok := o.Find(o.Entity(i).IRI); !ok || i != j || len(o.EntriesOf(i)) == 0 {
				t.Fatalf("entity %d %+v is found at %d", i, o.Entity(i), j)
			}
			o.Relevance(i, Total, Discount{Base: 0.5})
		}
		o.Check()
	})
}

func TestErrorOfTheTriplesIsReturned(t *testing.T) {
	_, err := Build(ntriples.Read(strings.NewReader("<x:a> oops"), syntax.Options{Name: "a.nt"}))
	var wrong *syntax.Error
	if !errors.As(err, &wrong) || wrong.Name != "a.nt" || wrong.Line != 1 {
		t.Errorf("got %v", err)
	}
}
