package krs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/realdata"
	"orbweaver/kb/krs"
	"orbweaver/text/link"
)

// TestTypeOfClass has classes of the usual vocabularies.
func TestTypeOfClass(t *testing.T) {
	for class, want := range map[string]string{
		"http://xmlns.com/foaf/0.1/Person": "PER", "http://xmlns.com/foaf/0.1/Group": "ORG", "http://schema.org/Place": "LOC",
		"http://dbpedia.org/ontology/MilitaryPerson": "PER", "http://dbpedia.org/ontology/Organisation": "ORG", "http://dbpedia.org/ontology/PersonFunction": "",
		"http://www.wikidata.org/entity/Q5": "PER", "http://www.wikidata.org/entity/Q515": "LOC", "http://www.wikidata.org/entity/Q783794": "ORG", "http://www.wikidata.org/entity/Q2": "",
		"http://www.geonames.org/ontology#Feature": "LOC", "http://www.w3.org/2003/01/geo/wgs84_pos#SpatialThing": "",
		"http://www.cidoc-crm.org/cidoc-crm/E21_Person": "PER", "http://www.cidoc-crm.org/cidoc-crm/E53_Place": "LOC",
		"http://www.w3.org/ns/prov#Organization": "ORG", "http://www.w3.org/2006/vcard/ns#Individual": "PER", "http://dbpedia.org/class/yago/City108524735": "LOC",
		"urn:x": "", "": "", "http://e.test/capital_city": "LOC", "http://e.test/Film": "",
	} {
		if got := typeOfClass(class); got != want {
			t.Errorf("%s: %q, not %q", class, got, want)
		}
	}
}

// TestClasses: the nearest class above decides, an organization is no place, and cycles end.
func TestClasses(t *testing.T) {
	c := newClasses()
	for _, pair := range [][2]string{
		{"e:Painter", "e:Artist"}, {"e:Artist", "e:Person"}, {"e:Hospital", "e:Building"}, {"e:Building", "e:Place"}, {"e:Hospital", "e:Organization"},
		{"e:Round", "e:About"}, {"e:About", "e:Round"}, {"e:Round", "e:Round"},
	} {
		c.within(pair[0], pair[1])
	}
	for _, pair := range [][2]string{
		{"klee", "e:Painter"}, {"charite", "e:Hospital"}, {"tower", "e:Building"}, {"film", "e:Film"}, {"circle", "e:Round"},
		{"oxford", "e:City"}, {"oxford", "e:University"}, {"hugo", "e:Film"}, {"hugo", "e:Painter"},
	} {
		c.is(pair[0], pair[1])
	}
	types := c.types()
	for entity, want := range map[string]string{
		"klee": "PER", "charite": "ORG", "tower": "LOC", "film": "MISC", "circle": "MISC", "oxford": "ORG", "hugo": "PER", "nobody": "",
	} {
		if types[entity] != want {
			t.Errorf("%s: %q, not %q", entity, types[entity], want)
		}
	}
}

// TestClassesOfDBpedia: chains of DBpedia's ontology lead to Person, Organisation and Place, or to none of these; the name
// of a class by itself says it of a part of them.
func TestClassesOfDBpedia(t *testing.T) {
	file := filepath.Join(realdata.Folder(t, "ontologies"), "ontologies", "dbpedia-3.9.owl.gz")
	g := &labelling{Jobs: &Jobs{}, builder: link.Builder{Stop: isStopWord}, tell: func(int64) {}, classes: newClasses()}
	if err := g.file(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	const dbo = "http://dbpedia.org/ontology/"
	var truth func(class string, depth int) string
	truth = func(class string, depth int) string {
		switch class {
		case dbo + "Person":
			return person
		case dbo + "Organisation":
			return organization
		case dbo + "Place":
			return location
		}
		kind := ""
		for _, above := range g.classes.supers[class] {
			if depth < 20 {
				kind = stronger(kind, truth(above, depth+1))
			}
		}
		return kind
	}
	all, typed, right, named, rightByName := 0, 0, 0, 0, 0
	for class := range g.classes.supers {
		if !strings.HasPrefix(class, dbo) {
			continue
		}
		want := truth(class, 0)
		if all++; want != "" {
			typed++
		}
		if g.classes.above(class) == want {
			right++
		} else {
			t.Logf("%s: %q, not %q", class, g.classes.above(class), want)
		}
		if name := typeOfClass(class); name != "" {
			if named++; name == want {
				rightByName++
			}
		}
	}
	t.Logf("%d classes, %d of them of a type: %d right; by the name alone %d have a type, %d the right one", all, typed, right, named, rightByName)
	if all < 500 || right < all*97/100 {
		t.Errorf("%d of %d classes are right", right, all)
	}
}

const iob = `-DOCSTART- -X- O O

Paul NNP I-NP I-PER
Klee NNP I-NP I-PER
met VBD O O
Bauhaus NNP I-NP B-ORG
Dessau NNP I-NP B-LOC

Klee NNP I-NP S-PERSON
of IN O B-MISC
Paul NNP O B-ORG
`

// TestNames learns from annotated text: Paul is as often of one type as of another.
func TestNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "train.iob")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(iob)
	names, err := learnNames(path)
	if err != nil {
		t.Fatal(err)
	}
	nouns := []krs.Noun{
		{Words: "Klee", Type: "MISC"}, {Words: "Paul", Type: "MISC"}, {Words: "Lily Klee", Type: "MISC"}, {Words: "Dessau", Type: "ORG"},
		{Words: "klee"}, {Words: "May", Type: "DATE"}, {Words: "Bauhaus", Type: "MISC", IRI: "e:film"},
	}
	named(nouns, names, map[string]string{"e:film": "MISC"})
	for i, want := range []string{"PER", "MISC", "PER", "LOC", "", "DATE", "MISC"} {
		if nouns[i].Type != want {
			t.Errorf("%s: %q, not %q", nouns[i].Words, nouns[i].Type, want)
		}
	}
	kept := filepath.Join(t.TempDir(), "names")
	if err := writeNames(kept, names); err != nil {
		t.Fatal(err)
	}
	if again, err := readNames(kept); err != nil || len(again) != len(names) || again["paul klee"] != "PER" {
		t.Errorf("%v, %v", again, err)
	}
	for _, wrong := range []string{"", "word\n", "word X-PER\n", "a O\nb O\n"} {
		write(wrong)
		if _, err := learnNames(path); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}
