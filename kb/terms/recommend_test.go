package terms

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"orbweaver/rdf"
)

const below = "http://www.w3.org/2000/01/rdf-schema#subClassOf"

// The given terms are a:X and b:Y. a:X leads to c:Z. Dataset one has 7 instances of c:Z, two has 63 of b:Y,
// three none.
func example() ([]Term, []Dataset) {
	path := Path{{From: "http://a/X", Property: below, Inverse: true, To: "http://c#Z", Dataset: "one"}}
	all := []Term{{IRI: "http://a/X"}, {IRI: "http://b/Y"}, {IRI: "http://c#Z", Stage: 1, Found: true, Paths: []Path{path}}}
	datasets := []Dataset{
		{Name: "one", Terms: []string{"http://c#Z"}, Instances: []Count{{Class: "http://c#Z", N: 7, How: Counted}, {Class: "http://a/X", N: 0}}},
		{Name: "two", Instances: []Count{{Class: "http://b/Y", N: 63, How: Declared, AtLeast: true}}},
		{Name: "three", Terms: []string{"http://a/X"}},
		{Name: "four", Reason: "connect"},
	}
	return all, datasets
}

// The formula, by hand: ln 8 / ln 64 is ½.
func TestRecommend(t *testing.T) {
	all, datasets := example()
	r := Recommend(all, datasets, nil)
	for _, tc := range []struct {
		list []Ranked
		want []struct {
			name  string
			score float64
		}
	}{
		{r.Vocabularies, []struct {
			name  string
			score float64
		}{{"http://b/", .25 + .125 + .25}, {"http://c#", .25 + .125 + .125}, {"http://a/", .25}}},
		{r.Datasets, []struct {
			name  string
			score float64
		}{{"two", .25 + 1./12 + .25}, {"one", .25 + 1./12 + .125}, {"three", 0}}},
	} {
		if len(tc.list) != len(tc.want) {
			t.Fatalf("%+v", tc.list)
		}
		for i, w := range tc.want {
			if one := tc.list[i]; one.Name != w.name || math.Abs(one.Score-w.score) > 1e-12 {
				t.Errorf("%d: %s %v, want %s %v", i, one.Name, one.Score, w.name, w.score)
			}
		}
	}
	if got := r.Datasets[0].Reasons; !reflect.DeepEqual(got, []string{"at least 63 instances of http://b/Y, by its own description"}) {
		t.Errorf("%q", got)
	}
	if p := r.Vocabularies[1].Path; len(p) != 1 || p[0].To != "http://c#Z" {
		t.Errorf("path %+v", p)
	}
}

// With a Use, terms are weighted by their use.
func TestUse(t *testing.T) {
	typed := func(yield func(rdf.Quad, error) bool) {
		a := rdf.NewIRI(rdfType)
		for _, o := range []string{"http://a/X", "http://a/X", "http://a/X", "http://b/Y", "http://www.w3.org/2002/07/owl#Class"} {
			if !yield(rdf.Quad{S: rdf.NewIRI("http://s/"), P: a, O: rdf.NewIRI(o)}, nil) {
				return
			}
		}
		yield(rdf.Quad{}, errors.New("broken"))
	}
	use, err := UseOf(typed)
	if err == nil || !reflect.DeepEqual(use, Use{"http://a/X": 3, "http://b/Y": 1}) {
		t.Fatalf("%v, %v", use, err)
	}
	if most := use.Most(1); !reflect.DeepEqual(most, []string{"http://a/X"}) {
		t.Errorf("%v", most)
	}
	all, datasets := example()
	r := Recommend(all, datasets, use)
	if r.Datasets[0].Name != "one" || math.Abs(r.Datasets[0].Score-(.375+1./12+.125)) > 1e-12 {
		t.Errorf("%+v", r.Datasets[0])
	}
}

func TestNamespace(t *testing.T) {
	for iri, want := range map[string]string{
		"http://a/b#C": "http://a/b#", "http://a/b/C": "http://a/b/", "urn:x:C": "urn:x:",
	} {
		if got := Namespace(iri); got != want {
			t.Errorf("%s: %s", iri, got)
		}
	}
}

// A dataset with false counts does not distort scores.
func TestMadeUp(t *testing.T) {
	all, datasets := example()
	for i := range 2 {
		datasets[i].Instances = append(datasets[i].Instances, Count{Class: "http://a/X", N: math.MaxInt64}, Count{Class: "http://c#Z", N: math.MaxInt64})
	}
	r := Recommend(all, datasets, nil)
	for _, one := range append(r.Vocabularies, r.Datasets...) {
		if !(one.Score >= 0 && one.Score <= 1) || one.Instances < 0 {
			t.Errorf("%s: %v, %d instances", one.Name, one.Score, one.Instances)
		}
	}
}
