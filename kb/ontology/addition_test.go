package ontology

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/realdata"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax/ntriples"
)

// short formats statements as N-Triples without namespaces.
func short(quads []rdf.Quad) string {
	var b []byte
	for _, q := range quads {
		b = ntriples.AppendTriple(b, rdf.Triple{S: q.S, P: q.P, O: q.O})
	}
	return strings.NewReplacer("<http://example.org/", "<", "<"+nsRDF, "<", "<"+nsRDFS, "<", "<"+nsOWL, "<",
		"<"+nsSKOS, "<skos:", " .\n", "; ").Replace(string(b))
}

func TestAddition(t *testing.T) {
	const (
		owl = `ex:Vehicle a owl:Class ; rdfs:label "vehicle"@en, "Fahrzeug"@de . ex:Plane rdfs:subClassOf ex:Vehicle . ex:Pilot a owl:Class .
			ex:flies rdfs:domain ex:Pilot ; rdfs:range ex:Plane . ex:Ehrig a ex:Pilot . ex:Glider2 rdfs:comment "taken"; rdfs:label "glider two" . `
		mixed = owl + `ex:Vehicle skos:altLabel "craft" . ` // as Addition knows it: SKOS' words for a class of OWL
		skos  = `ex:Plane skos:prefLabel "plane"@en ; skos:altLabel "aeroplane"@en . ex:Jet skos:broader ex:Plane .`
		any   = "http://example.org/"
	)
	for _, tc := range []struct{ name, doc, as, words, entity, ranged, want string }{
		{"an entry", owl, "entry", " motor\n car ", "Vehicle", "", `<Vehicle> <label> "motor car"@en; `},
		{"an entry in SKOS' words", mixed, "entry", "car", "Vehicle", "", `<Vehicle> <skos:altLabel> "car"@en; `},
		{"an entry of a concept", skos, "entry", "airliner", "Plane", "", `<Plane> <skos:altLabel> "airliner"@en; `},
		{"an entry of what is known by its name alone", owl, "entry", "jet", "Plane", "", `<Plane> <label> "Plane"; <Plane> <label> "jet"; `},
		{"the same of a concept", skos, "entry", "fighter", "Jet", "", `<Jet> <skos:prefLabel> "Jet"; <Jet> <skos:altLabel> "fighter"; `},
		{"an entry of a property", owl, "entry", "steers", "flies", "", `<flies> <label> "flies"; <flies> <label> "steers"; `},
		{"a class", owl, "subclass", "motor car", "Vehicle", "", `<MotorCar> <type> <Class>; <MotorCar> <subClassOf> <Vehicle>; <MotorCar> <label> "motor car"@en; `},
		{"a concept", skos, "subclass", "sea-plane", "Plane", "", `<SeaPlane> <type> <skos:Concept>; <SeaPlane> <skos:broader> <Plane>; <SeaPlane> <skos:prefLabel> "sea-plane"@en; `},
		{"a class whose name is taken, twice", owl + "ex:Glider a owl:Class .", "subclass", "glider", "Vehicle", "", `<Glider3> <type> <Class>; <Glider3> <subClassOf> <Vehicle>; <Glider3> <label> "glider"@en; `},
		{"an instance", owl, "instance", "Otto Lilienthal", "Pilot", "", `<OttoLilienthal> <type> <Pilot>; <OttoLilienthal> <label> "Otto Lilienthal"; `},
		{"a property", owl, "property", "IS driven by", "Vehicle", "Pilot", `<isDrivenBy> <type> <ObjectProperty>; <isDrivenBy> <domain> <Vehicle>; <isDrivenBy> <range> <Pilot>; <isDrivenBy> <label> "IS driven by"@en; `},
		{"letters of any script", owl, "subclass", "été 3d", "Vehicle", "", `<Été3d> <type> <Class>; <Été3d> <subClassOf> <Vehicle>; <Été3d> <label> "été 3d"@en; `},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.ranged != "" {
				tc.ranged = any + tc.ranged
			}
			o := build(t, tc.doc)
			got, err := Addition(o, tc.as, tc.words, "", any+tc.entity, tc.ranged)
			if err != nil || short(got) != tc.want {
				t.Fatalf("got  %s %v\nwant %s", short(got), err, tc.want)
			}
			for _, e := range o.EntriesOf(find(t, o, tc.entity)) { // nothing is lost
				with := o.With(got)
				if !slices.ContainsFunc(with.EntriesOf(find(t, with, tc.entity)), func(w Entry) bool { return w.Text == e.Text && w.Lang == e.Lang }) {
					t.Errorf("%q is an entry no more", e.Text)
				}
			}
		})
	}
}

func TestNoAddition(t *testing.T) {
	o := build(t, fig3)
	const any = "http://example.org/"
	for _, tc := range []struct {
		name, as, words, entity, ranged string
		want                            error
		message                         string
	}{
		{"an unknown entity", "entry", "jet", "Airplan", "", ErrUnknownEntity, "http://example.org/Airplan is not in the ontology (nearest: http://example.org/Airplane, "},
		{"an unknown range", "property", "jet", "Airplane", "Pilo", ErrUnknownEntity, "nearest: http://example.org/Pilot, "},
		{"below an instance", "subclass", "jet", "MARC_EHRIG", "", ErrWrongKind, "is no class but an instance"},
		{"an instance of a property", "instance", "jet", "flies", "", ErrWrongKind, "is no class but a property"},
		{"from a property", "property", "jet", "flies", "Pilot", ErrWrongKind, "is no class but a property"},
		{"to an instance", "property", "jet", "Pilot", "MARC_EHRIG", ErrWrongKind, "is no class but an instance"},
		{"nothing", "entry", " \n", "Pilot", "", ErrNoAddition, "cannot be an entry"},
		{"no letter", "entry", "--", "Pilot", "", ErrNoAddition, "cannot be an entry"},
		{"a control character", "entry", "a\x00b", "Pilot", "", ErrNoAddition, "cannot be an entry"},
		{"no text", "entry", "a\xff", "Pilot", "", ErrNoAddition, "cannot be an entry"},
		{"too much", "entry", strings.Repeat("a", maxWords+1), "Pilot", "", ErrNoAddition, "cannot be an entry"},
		{"below it already", "broader", "", "Airplane", "Vehicle", ErrNoAddition, "is below http://example.org/Vehicle already"},
		{"above itself", "broader", "", "Vehicle", "Airplane", ErrWrongKind, "would be above itself"},
		{"below a property", "broader", "", "Airplane", "flies", ErrWrongKind, "is no class but a property"},
		{"what is there", "entry", "AIRPLANE", "Airplane", "", ErrNoAddition, "names http://example.org/Airplane already"},
		{"something else", "friend", "jet", "Airplane", "", ErrUnknownRole, "none of entry, subclass, instance, property and broader"},
	} {
		if tc.ranged != "" {
			tc.ranged = any + tc.ranged
		}
		got, err := Addition(o, tc.as, tc.words, "", any+tc.entity, tc.ranged)
		if !errors.Is(err, tc.want) || got != nil || !strings.Contains(err.Error(), tc.message) {
			t.Errorf("%s: %v, %v", tc.name, got, err)
		}
	}
}

// The names used by decisions.
func TestAdditionsAreDecisions(t *testing.T) {
	got := []string{asEntry, asSubclass, asInstance, asProperty, asBroader}
	if want := []string{orbweaver.AsEntry, orbweaver.AsSubclass, orbweaver.AsInstance, orbweaver.AsProperty, orbweaver.AsBroader}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// alike reports how two ontologies differ, ignoring their source.
func alike(a, b *Ontology) bool {
	same := slices.Equal(a.entities, b.entities) && slices.Equal(a.concepts, b.concepts) && a.alternatives == b.alternatives &&
		slices.EqualFunc(a.entries, b.entries, func(x, y Entry) bool {
			return x.Text == y.Text && x.Lang == y.Lang && slices.Equal(x.Entities, y.Entities)
		})
	for i := range a.entities {
		same = same && slices.Equal(a.taxonomy.of(int32(i)), b.taxonomy.of(int32(i))) && slices.Equal(a.schema.of(int32(i)), b.schema.of(int32(i))) &&
			slices.Equal(a.users.of(int32(i)), b.users.of(int32(i))) && slices.Equal(a.links.of(int32(i)), b.links.of(int32(i))) && slices.Equal(a.parents.of(int32(i)), b.parents.of(int32(i)))
	}
	return same
}

// TestWith: additions count as if they had been in the documents, in any order and number; the receiver is
// unchanged.
func TestWith(t *testing.T) {
	const one, two = `ex:Glider rdfs:subClassOf ex:Airplane ; rdfs:label "glider"@en . ex:Vehicle rdfs:subClassOf [ owl:unionOf (ex:A ex:B) ] .`,
		`ex:Vehicle skos:altLabel "craft" . ex:A owl:equivalentClass [ owl:onProperty ex:p ; owl:someValuesFrom ex:C ] . ex:MARC_EHRIG ex:p ex:A340 .`
	quads := func(doc string) (all []rdf.Quad) {
		for triple, err := range triples(doc) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, rdf.Quad{S: triple.S, P: triple.P, O: triple.O})
		}
		return all
	}
	o, same := build(t, fig3), build(t, fig3)
	whole, some := build(t, fig3, one, two), build(t, fig3, one)
	first := o.With(quads(one))
	for name, got := range map[string]*Ontology{
		"one by one": first.With(quads(two)), "the other way round": o.With(quads(two)).With(quads(one)),
	} {
		if !alike(got, whole) {
			t.Errorf("%s: another ontology", name)
		}
	}
	named := quads(`ex:Glider rdfs:subClassOf ex:Airplane ; rdfs:label "glider"@en . ex:B rdfs:subClassOf ex:A .`)
	if again := o.With(named); !alike(again.With(named), again) {
		t.Error("what is added again changes something")
	}
	if !alike(o, same) || !alike(first, some) || alike(o, first) {
		t.Error("what was added to is changed")
	}
}

// TestClose compares Close with Distances.
func TestClose(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	predicates := []string{"rdfs:subClassOf", "a", "rdfs:domain", "rdfs:range", "ex:p", "ex:q", "skos:related", "ex:e3", "ex:e5"}
	close, far := 0, 0
	compare := func(name string, o *Ontology, a int) {
		for b, d := range o.Distances(a) {
			want := d >= 0 && d <= 2
			if got := o.Close(a, b); got != want || got != o.Close(b, a) {
				t.Fatalf("%s: %s and %s are %d apart, close: %v, the other way %v", name, o.entities[a].IRI, o.entities[b].IRI, d, got, o.Close(b, a))
			}
			if want {
				close++
			} else {
				far++
			}
		}
	}
	for range 300 {
		var doc strings.Builder
		for range 3 + rng.IntN(20) {
			doc.WriteString("ex:e" + string(rune('0'+rng.IntN(10))) + " " + predicates[rng.IntN(len(predicates))] + " ex:e" + string(rune('0'+rng.IntN(10))) + " .\n")
		}
		o := build(t, doc.String())
		for a := range o.Len() {
			compare(doc.String(), o, a)
		}
	}
	if close < 1000 || far < 1000 {
		t.Errorf("nothing to compare: %d close, %d far", close, far)
	}
	o, err := Load(filepath.Join(realdata.File(t, "ontologies"), "mo-2013.n3.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		compare("mo", o, rng.IntN(o.Len()))
	}
}

func BenchmarkClose(b *testing.B) {
	o, err := Load(filepath.Join(realdata.File(b, "ontologies"), "dbpedia-3.9.owl.gz"))
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for b.Loop() {
		o.Close(rng.IntN(o.Len()), rng.IntN(o.Len()))
	}
}
