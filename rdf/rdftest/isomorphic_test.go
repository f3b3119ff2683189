package rdftest

import (
	"fmt"
	"testing"

	"orbweaver/rdf"
)

// cycle returns nodes in circles of the given lengths.
func cycle(name string, lengths ...int) (out []rdf.Triple) {
	for c, length := range lengths {
		node := func(i int) rdf.Term { return rdf.NewBlank(fmt.Sprintf("%s%d.%d", name, c, i%length)) }
		for i := range length {
			out = append(out, rdf.Triple{S: node(i), P: rdf.NewIRI("u:p"), O: node(i + 1)})
		}
	}
	return out
}

func TestIsomorphic(t *testing.T) {
	one := rdf.Triple{S: rdf.NewBlank("a"), P: rdf.NewIRI("u:p"), O: rdf.NewString("1")}
	two := rdf.Triple{S: rdf.NewBlank("b"), P: rdf.NewIRI("u:p"), O: rdf.NewString("2")}
	same := rdf.Triple{S: rdf.NewBlank("a"), P: rdf.NewIRI("u:p"), O: rdf.NewString("2")}
	for _, tc := range []struct {
		name string
		a, b []rdf.Triple
		want bool
	}{
		{"nothing", nil, nil, true},
		{"repetitions", []rdf.Triple{one, one}, []rdf.Triple{one}, true},
		{"another order", []rdf.Triple{one, two}, []rdf.Triple{two, one}, true},
		{"two nodes are not one", []rdf.Triple{one, two}, []rdf.Triple{one, same}, false},
		{"another literal", []rdf.Triple{one}, []rdf.Triple{same}, false},
		{"circles under other names", cycle("x", 6), cycle("y", 6), true},
		{"circles that no colour tells apart", cycle("x", 6), cycle("y", 3, 3), false},
		{"alike and several", cycle("x", 3, 3, 4), cycle("y", 4, 3, 3), true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Isomorphic(tc.a, tc.b); got != tc.want {
				t.Errorf("Isomorphic = %v", got)
			}
		})
	}
}

// A blank node of one graph is the same in all graphs of its dataset, and as a graph's name.
func TestIsomorphicQuads(t *testing.T) {
	a, b, p := rdf.NewBlank("a"), rdf.NewBlank("b"), rdf.NewIRI("u:p")
	for _, tc := range []struct {
		name string
		x, y []rdf.Quad
		want bool
	}{
		{"other labels", []rdf.Quad{{S: a, P: p, O: b, G: b}}, []rdf.Quad{{S: b, P: p, O: a, G: a}}, true},
		{"another graph", []rdf.Quad{{S: a, P: p, O: b, G: p}}, []rdf.Quad{{S: a, P: p, O: b}}, false},
		{"named by the subject, not the object", []rdf.Quad{{S: a, P: p, O: b, G: b}}, []rdf.Quad{{S: a, P: p, O: b, G: a}}, false},
		{"shared, not apart", []rdf.Quad{{S: a, P: p, O: p, G: p}, {S: a, P: p, O: p}}, []rdf.Quad{{S: a, P: p, O: p, G: p}, {S: b, P: p, O: p}}, false},
		{"loops told apart by their graph's name", []rdf.Quad{{S: a, P: p, O: a, G: b}, {S: b, P: p, O: b}}, []rdf.Quad{{S: b, P: p, O: b, G: a}, {S: a, P: p, O: a}}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := IsomorphicQuads(tc.x, tc.y); got != tc.want {
				t.Errorf("IsomorphicQuads = %v", got)
			}
		})
	}
}
