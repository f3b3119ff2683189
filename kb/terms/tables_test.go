package terms

import (
	"fmt"
	"testing"
)

// TestTables: a led to b and, by another relation, to c; b led to d, which is not processed. Table 2: of a, 5 and 2
// instances in two datasets. Table 3: a took 1 s, b 2 s, c 4 s: 7 s for a with what it led to, 2 s for b.
func TestTables(t *testing.T) {
	const below, same = "http://www.w3.org/2000/01/rdf-schema#subClassOf", "http://www.w3.org/2002/07/owl#sameAs"
	step := func(from, property, to string) Step {
		return Step{From: from, Property: property, Inverse: property == below, To: to, Dataset: "one"}
	}
	ab, ac, bd := step("x:a", below, "x:b"), step("x:a", same, "x:c"), step("x:b", below, "x:d")
	all := []Term{
		{IRI: "x:a", Processed: true}, {IRI: "x:b", Stage: 1, Processed: true, Paths: []Path{{ab}}},
		{IRI: "x:c", Stage: 1, Processed: true, Paths: []Path{{ac}}}, {IRI: "x:d", Stage: 2, Paths: []Path{{ab, bd}}},
	}
	datasets := []Dataset{
		{Name: "one", Instances: []Count{{Class: "x:a", N: 2}, {Class: "x:b"}}}, {Name: "two", Instances: []Count{{Class: "x:a", N: 5, AtLeast: true}}},
	}
	spent := []Spent{{Term: "x:a", Seconds: 1}, {Term: "x:b", Seconds: 2}, {Term: "x:c", Seconds: 4}}
	want := []string{
		"x:a [{sameas [x:c]} {subclass [x:b]}] 7 true [{two 5} {one 2}] 1 7",
		"x:b [{subclass [x:d]}] 0 false [] 2 2",
		"x:c [] 0 false [] 4 4",
	}
	rows := Tables(all, datasets, spent)
	for i, r := range rows {
		got := fmt.Sprint(r.Term, " ", r.Related, " ", r.Instances, " ", r.AtLeast, " ", r.Datasets, " ", r.Spent.Seconds, " ", r.Seconds)
		if len(rows) != len(want) || got != want[i] {
			t.Errorf("%d rows; got %s", len(rows), got)
		}
	}
	if rows := Tables(all, datasets, nil); rows[0].Spent != nil || rows[0].Seconds != 0 {
		t.Errorf("not measured: %+v", rows[0])
	}
}
