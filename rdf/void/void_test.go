package void

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"orbweaver/rdf"
)

// triple returns a triple of short names; a quoted object is a string.
func triple(s, p, o string) rdf.Triple {
	object := rdf.NewIRI("http://e.test/" + o)
	if text, is := strings.CutPrefix(o, `"`); is {
		object = rdf.NewString(text)
	}
	if p == "a" {
		return rdf.Triple{S: rdf.NewIRI("http://e.test/" + s), P: rdf.NewIRI(rdfType), O: object}
	}
	return rdf.Triple{S: rdf.NewIRI("http://e.test/" + s), P: rdf.NewIRI("http://v.test/" + p), O: object}
}

// figures returns the numbers of a description by node and property, and its comments.
func figures(s *Statistics) (numbers map[string]string, words []string) {
	numbers = map[string]string{}
	for t := range s.Describe(rdf.NewBlank("it")) {
		if t.O.Datatype == rdf.XSDInteger {
			numbers[t.S.Value+" "+strings.TrimPrefix(t.P.Value, NS)] = t.O.Value
		} else {
			words = append(words, t.S.Value+" "+t.P.Value[strings.LastIndexAny(t.P.Value, "#/")+1:]+" "+t.O.Value)
		}
	}
	return numbers, words
}

func TestDescribe(t *testing.T) {
	s := New(Limits{})
	s.Document("a.test")
	for _, x := range []rdf.Triple{triple("x", "a", "C"), triple("x", "p", `"1`), triple("x", "p", "y"), triple("y", "a", "C")} {
		s.Add(x)
	}
	s.Document("b.test")
	s.Add(triple("x", "a", "C"))
	s.Add(triple("x", "q", `"y`))
	s.Document("a.test")
	s.Add(triple("z", "p", `"1`))
	numbers, words := figures(s)
	for name, want := range map[string]string{
		"it triples": "7", "it documents": "3", "it distinctSubjects": "3", "it distinctObjects": "4", "it properties": "3", "it classes": "1",
		"property1 triples": "3", "property2 triples": "3", "property3 triples": "1", "class1 entities": "2",
		"part1 triples": "5", "part1 documents": "2", "part1 properties": "2", "part1 classes": "1",
		"part2 triples": "2", "part2 documents": "1", "part2 properties": "2", "part2 classes": "1",
	} {
		if numbers[name] != want {
			t.Errorf("%s: %s, want %s", name, numbers[name], want)
		}
	}
	description := strings.Join(words, "\n")
	for _, want := range []string{
		"it type " + NS + "Dataset", "it vocabulary http://v.test/", "it vocabulary http://e.test/", "it vocabulary http://www.w3.org/1999/02/22-rdf-syntax-ns#",
		"property1 property http://v.test/p\nit propertyPartition property2\nproperty2 property " + rdfType, "class1 class http://e.test/C", "part2 title b.test",
	} {
		if !strings.Contains(description, want) {
			t.Errorf("%q is missing in\n%s", want, description)
		}
	}
	if strings.Contains(description, "estimate") || strings.Contains(description, "Only the first") {
		t.Error(description)
	}
}

// TestTerms: terms that differ in any part are distinct.
func TestTerms(t *testing.T) {
	terms := []rdf.Term{
		rdf.NewIRI("x"), rdf.NewBlank("x"), rdf.NewString("x"), rdf.NewLang("x", "en"), rdf.NewLang("x", "de"),
		rdf.NewDirLang("x", "de", rdf.LTR), rdf.NewDirLang("x", "de", rdf.RTL), rdf.NewTripleTerm(rdf.Triple{S: rdf.NewIRI("x"), P: rdf.NewIRI("x"), O: rdf.NewIRI("x")}),
		rdf.NewTyped("x", rdf.XSDInteger), rdf.NewString("x\x00" + rdf.XSDString), rdf.NewString(""), rdf.NewIRI(""),
	}
	hashes := map[uint64]bool{}
	for _, term := range terms {
		hashes[hash(&term)] = true
	}
	if len(hashes) != len(terms) {
		t.Errorf("%d hashes of %d terms", len(hashes), len(terms))
	}
}

// TestEstimates: beyond the limit figures are close to the truth and marked as estimates; small groups stay
// exact, and memory is bounded.
func TestEstimates(t *testing.T) {
	const subjects, limit = 200_000, 4000
	s := New(Limits{Terms: limit})
	s.Document("a.test")
	for i := range subjects {
		s.Add(triple(fmt.Sprint("s", i), "a", fmt.Sprint("C", i%2)))
		s.Add(triple(fmt.Sprint("s", i), "p", `"1`))
	}
	numbers, words := figures(s)
	for name, want := range map[string]float64{"it distinctSubjects": subjects, "class1 entities": subjects / 2, "class2 entities": subjects / 2} {
		var got float64
		if _, err := fmt.Sscan(numbers[name], &got); err != nil || math.Abs(got-want) > want/10 {
			t.Errorf("%s: %s, want some %g", name, numbers[name], want)
		}
	}
	if numbers["it distinctObjects"] != "3" || numbers["it properties"] != "2" || numbers["it classes"] != "2" {
		t.Error(numbers)
	}
	description := strings.Join(words, "\n")
	if !strings.Contains(description, "void:distinctSubjects is an estimate, with a standard error of") || strings.Contains(description, "void:distinctObjects is") || !strings.Contains(description, "partitions are estimates") {
		t.Error(description)
	}
	if n := len(s.subjects.kept); n > limit || n < limit/4 {
		t.Errorf("%d subjects are kept", n)
	}
}

// TestBounds: names, parts and lists stay within their limits; anything beyond still counts in the whole.
func TestBounds(t *testing.T) {
	s := New(Limits{Names: 10, Parts: 3, Told: 4})
	for i := range 50 {
		s.Document(fmt.Sprint(i, ".test"))
		s.Add(triple("x", fmt.Sprint("p", i), "o"))
		s.Add(triple("x", "a", fmt.Sprint("C", i)))
	}
	long := rdf.NewIRI("http://v.test/" + strings.Repeat("x", maxNameBytes))
	s.Add(rdf.Triple{S: long, P: long, O: long})
	numbers, words := figures(s)
	if numbers["it triples"] != "101" || numbers["it documents"] != "50" || numbers["it properties"] != "10" || numbers["it classes"] != "10" {
		t.Error(numbers)
	}
	if description := strings.Join(words, "\n"); strings.Contains(description, "part4") || strings.Contains(description, "property5") || strings.Contains(description, "class5") ||
		!strings.Contains(description, "part3") || !strings.Contains(description, "property4") || !strings.Contains(description, "Only the first 3 subsets are described.") || !strings.Contains(description, "void:classes are those that came first") {
		t.Error(description)
	}
	if s.parts[2].triples != 2 || len(s.properties.uses) != 10 {
		t.Error(s.parts, s.properties.uses)
	}
	for range s.Describe(rdf.NewBlank("it")) { // the consumer may stop
		break
	}
}

func BenchmarkAdd(b *testing.B) {
	triples := make([]rdf.Triple, 10_000)
	for i := range triples {
		triples[i] = triple(fmt.Sprint("subject/", i/8), fmt.Sprint("p", i%8), fmt.Sprint(`"value `, i))
	}
	s := New(Limits{})
	s.Document("a.test")
	b.ReportAllocs()
	for b.Loop() {
		for _, t := range triples {
			s.Add(t)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(triples)), "ns/triple")
}
