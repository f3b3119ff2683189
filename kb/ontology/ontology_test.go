package ontology

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

const prefixes = `
@prefix ex: <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix schema: <http://schema.org/> .
@prefix ontolex: <http://www.w3.org/ns/lemon/ontolex#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
`

// fig3 is the paper's Fig. 3.
const fig3 = `
ex:Vehicle a owl:Class ; rdfs:label "Vehicle"@en .
ex:Airplane rdfs:subClassOf ex:Vehicle ; rdfs:label "Airplane" ; skos:altLabel "Aeroplane", "Plane" .
ex:CommercialAirplane rdfs:subClassOf ex:Airplane . ex:MilitaryAirplane rdfs:subClassOf ex:Airplane .
ex:A340 rdfs:subClassOf ex:CommercialAirplane .
ex:Passenger a owl:Class ; rdfs:subClassOf ex:Person . ex:Pilot a owl:Class ; rdfs:subClassOf ex:Person .
ex:Person a owl:Class . ex:Company a owl:Class .
ex:transports rdfs:domain ex:Airplane ; rdfs:range ex:Passenger .
ex:flies rdfs:domain ex:Pilot ; rdfs:range ex:Airplane .
ex:ownedBy rdfs:domain ex:Airplane ; rdfs:range ex:Company .
ex:MARC_EHRIG a ex:Person .
`

func triples(doc string) iter.Seq2[rdf.Triple, error] {
	return turtle.Read(strings.NewReader(prefixes+doc), syntax.Options{Name: "test.ttl"})
}

func build(tb testing.TB, docs ...string) *Ontology {
	tb.Helper()
	var seqs []iter.Seq2[rdf.Triple, error]
	for _, d := range docs {
		seqs = append(seqs, triples(d))
	}
	o, err := Build(seqs...)
	if err != nil {
		tb.Fatal(err)
	}
	return o
}

func find(tb testing.TB, o *Ontology, name string) int {
	tb.Helper()
	i, ok := o.Find("http://example.org/" + name)
	if !ok {
		tb.Fatalf("no entity %s", name)
	}
	return i
}

func names(o *Ontology, members []Member) string {
	var out []string
	for _, m := range members {
		out = append(out, fmt.Sprintf("%s/%d/%g", LocalName(o.Entity(m.Entity).IRI), m.Distance, m.Weight))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestRelevanceSetsOfFig3(t *testing.T) {
	o := build(t, fig3)
	target := find(t, o, "Airplane")
	const taxonomic = "Airplane/0/1 CommercialAirplane/1/1 MilitaryAirplane/1/1 Vehicle/1/1"
	for _, tc := range []struct {
		set  Set
		want string
	}{
		{Single, "Airplane/0/1"},
		{Taxonomic, taxonomic},
		{Relational, "Airplane/0/1 CommercialAirplane/1/1 Company/2/1 MilitaryAirplane/1/1 Passenger/2/1 Pilot/2/1 Vehicle/1/1 flies/1/1 ownedBy/1/1 transports/1/1"},
		{Total, "A340/2/0.25 Airplane/0/1 CommercialAirplane/1/0.5 Company/2/0.25 MARC_EHRIG/4/0.0625 MilitaryAirplane/1/0.5 Passenger/2/0.25 Person/3/0.125 Pilot/2/0.25 Vehicle/1/0.5 flies/1/0.5 ownedBy/1/0.5 transports/1/0.5"},
	} {
		if got := names(o, o.Relevance(target, tc.set, Discount{Base: 0.5})); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.set, got, tc.want)
		}
	}
}

func TestDiscounts(t *testing.T) {
	for _, tc := range []struct {
		d    Discount
		want [4]float64
	}{
		{Discount{Exponential, 0.5}, [4]float64{1, 0.5, 0.25, 0.125}},
		{Discount{Linear, 0.5}, [4]float64{1, 0.75, 0.5, 0.25}},
		{Discount{Logarithmic, 0.5}, [4]float64{1, 0.5, 1 / (1 + 1.584962500721156), 1. / 3}},
	} {
		for d, want := range tc.want {
			if got := tc.d.Weight(d, 3); got != want {
				t.Errorf("decay %d at %d: got %v, want %v", tc.d.Decay, d, got, want)
			}
			if d > 0 && tc.d.Weight(d, 3) >= tc.d.Weight(d-1, 3) {
				t.Errorf("decay %d does not fall at %d", tc.d.Decay, d)
			}
		}
	}
}

func TestDistances(t *testing.T) {
	for _, tc := range []struct {
		name, doc, from, to string
		want                int
	}{
		{"to itself", `ex:A a owl:Class .`, "A", "A", 0},
		{"apart", `ex:A a owl:Class . ex:B a owl:Class .`, "A", "B", -1},
		{"subproperty", `ex:p rdfs:subPropertyOf ex:q .`, "q", "p", 1},
		{"concepts", `ex:A skos:broader ex:B . ex:B skos:narrower ex:C .`, "A", "C", 2},
		{"top concepts say nothing", `ex:A a skos:Concept ; skos:topConceptOf ex:B . ex:B a skos:Concept .`, "A", "B", -1},
		{"related concepts", `ex:A a skos:Concept ; skos:related ex:B . ex:B a skos:Concept .`, "B", "A", 2},
		{"equal classes", `ex:A owl:equivalentClass ex:B .`, "A", "B", 1},
		{"equal to an instance", `ex:a a ex:A ; owl:sameAs ex:b .`, "b", "A", 2},
		{"owl:Thing joins nothing", `ex:A rdfs:subClassOf owl:Thing . ex:B rdfs:subClassOf owl:Thing .`, "A", "B", -1},
		{"datatypes are none", `ex:p rdfs:range ex:T ; rdfs:domain ex:A . ex:q rdfs:range ex:T . ex:T a rdfs:Datatype .`, "A", "q", -1},
		{"schema.org", `ex:p schema:domainIncludes ex:A ; schema:rangeIncludes ex:B .`, "A", "B", 2},
		{"domain in a union", `ex:p rdfs:domain [ owl:unionOf (ex:A ex:B) ] ; rdfs:range ex:C .`, "C", "B", 2},
		{"a restriction relates", `ex:A rdfs:subClassOf [ owl:onProperty ex:p ; owl:someValuesFrom ex:B ] .`, "A", "B", 2},
		{"its property is a step away", `ex:A rdfs:subClassOf [ owl:onProperty ex:p ; owl:allValuesFrom ex:B ] .`, "B", "p", 1},
		{"defined as intersection", `ex:A owl:equivalentClass [ owl:intersectionOf (ex:B [ owl:onProperty ex:p ; owl:someValuesFrom ex:C ]) ] .`, "A", "B", 1},
		{"and its restriction", `ex:A owl:equivalentClass [ owl:intersectionOf (ex:B [ owl:onProperty ex:p ; owl:someValuesFrom ex:C ]) ] .`, "C", "A", 2},
		{"defined as union", `ex:A owl:equivalentClass [ owl:unionOf (ex:B ex:C) ] .`, "B", "C", 2},
		{"a class without a name", `ex:a a [ owl:intersectionOf (ex:A) ] .`, "a", "A", 1},
		{"statement", `ex:a a ex:A ; ex:p ex:b . ex:b a ex:B .`, "b", "a", 2},
		{"statement's property", `ex:a a ex:A ; ex:p ex:b . ex:b a ex:B .`, "p", "b", 1},
		{"others of the property stay away", `ex:a a ex:A ; ex:p ex:b . ex:b a ex:B . ex:c a ex:C ; ex:p ex:d . ex:d a ex:D .`, "a", "d", -1},
		{"unless the schema joins them", `ex:a a ex:A ; ex:p ex:b . ex:b a ex:B . ex:c a ex:C ; ex:p ex:d . ex:d a ex:D . ex:p rdfs:domain ex:A .`, "A", "d", 2},
		{"through a property to its superproperty", `ex:a a ex:A ; ex:p ex:b . ex:b a ex:B . ex:p rdfs:subPropertyOf ex:q .`, "a", "q", 2},
		{"and back", `ex:a a ex:A ; ex:p ex:b . ex:b a ex:B . ex:p rdfs:subPropertyOf ex:q .`, "q", "a", 2},
		{"a cycle", `ex:A rdfs:subClassOf ex:B . ex:B rdfs:subClassOf ex:C . ex:C rdfs:subClassOf ex:A, ex:C .`, "A", "C", 1},
		{"a list that loops", `ex:p rdfs:domain [ owl:unionOf _:l ] ; rdfs:range ex:C . _:l rdf:first ex:A ; rdf:rest _:l .`, "C", "A", 2},
		{"a class within itself", `ex:A rdfs:subClassOf _:x , ex:B . _:x owl:intersectionOf (_:x ex:C) .`, "A", "C", 1},
	} {
		o := build(t, tc.doc)
		if got := o.Distances(find(t, o, tc.from))[find(t, o, tc.to)]; got != tc.want {
			t.Errorf("%s: from %s to %s: got %d, want %d", tc.name, tc.from, tc.to, got, tc.want)
		}
	}
}

func TestBlankNodesOfTwoFilesDiffer(t *testing.T) {
	o := build(t, `ex:A rdfs:subClassOf _:x . _:x owl:unionOf (ex:B) .`, `ex:C rdfs:subClassOf _:x . _:x owl:unionOf (ex:D) .`)
	if d := o.Distances(find(t, o, "A"))[find(t, o, "D")]; d != -1 {
		t.Errorf("A and D are %d apart", d)
	}
}

// random returns a random ontology of n entities.
func random(rng *rand.Rand, n int) string {
	predicates := []string{"rdfs:subClassOf", "rdfs:domain", "rdfs:range", "a", "ex:e1", "rdfs:subPropertyOf", "ex:e2", "skos:related"}
	var b strings.Builder
	for range 2 * n {
		fmt.Fprintf(&b, "ex:e%d %s ex:e%d .\n", rng.IntN(n), predicates[rng.IntN(len(predicates))], rng.IntN(n))
	}
	return b.String()
}

func TestDistancesAreSymmetricAndSetsNested(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		doc := random(rng, 12)
		o := build(t, doc)
		for i := range o.Len() {
			from := o.Distances(i)
			for j := range o.Len() {
				if back := o.Distances(j)[i]; back != from[j] {
					t.Fatalf("%s to %s is %d, back %d, in\n%s", o.Entity(i).IRI, o.Entity(j).IRI, from[j], back, doc)
				}
			}
			before := map[int]bool{}
			for s := Single; s <= Total; s++ {
				now := map[int]bool{}
				for _, m := range o.Relevance(i, s, Discount{Base: 0.5}) {
					now[m.Entity] = true
				}
				for e := range before {
					if !now[e] {
						t.Fatalf("%s of %s lacks %s, in\n%s", s, o.Entity(i).IRI, o.Entity(e).IRI, doc)
					}
				}
				before = now
			}
		}
	}
}

func TestOrderOfStatementsDoesNotMatter(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(fig3), "\n")
	shown := func(o *Ontology) string { // without its source, which has an order
		seen := *o
		seen.source = nil
		return fmt.Sprintf("%+v", &seen)
	}
	want := shown(build(t, fig3))
	rng := rand.New(rand.NewPCG(7, 8))
	for range 10 {
		rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		if got := shown(build(t, strings.Join(lines, "\n"))); got != want {
			t.Fatalf("got %s\nwant %s", got, want)
		}
	}
}
