package rdf_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
)

// TestTripleTerms: what a triple term is made of comes out again, and equal triples make equal terms.
func TestTripleTerms(t *testing.T) {
	quads := rdftest.Random(rand.New(rand.NewPCG(1, 2)), 500, false)
	quads = append(quads, rdf.Quad{
		S: rdf.NewBlank("1:"), P: rdf.NewIRI(""), O: rdf.Term{Kind: rdf.Literal, Value: "i1:a", Datatype: "http://t", Lang: "en"},
	})
	for _, q := range quads {
		in := rdf.Triple{S: q.S, P: q.P, O: q.O}
		term := rdf.NewTripleTerm(in)
		out, ok := term.Triple()
		if !ok || out != in || rdf.NewTripleTerm(out) != term {
			t.Fatalf("%#v came out as %#v", in, out)
		}
		if depth := term.Depth(); depth != 1+q.O.Depth() {
			t.Errorf("%#v has depth %d", in, depth)
		}
		if has := term.HasBlank(); has != (q.S.HasBlank() || q.O.HasBlank()) {
			t.Errorf("%#v has a blank node: %v", in, has)
		}
	}
}

// TestMap: terms are replaced at any depth, and a term in which nothing changes is itself.
func TestMap(t *testing.T) {
	inner := rdf.NewTripleTerm(rdf.Triple{S: rdf.NewBlank("a"), P: rdf.NewIRI("p"), O: rdf.NewString("a")})
	term := rdf.NewTripleTerm(rdf.Triple{S: rdf.NewIRI("s"), P: rdf.NewIRI("p"), O: inner})
	mapped := term.Map(func(t rdf.Term) rdf.Term {
		if t.Kind == rdf.Blank {
			t.Value = "b"
		}
		return t
	})
	var labels []string
	mapped.Each(func(t rdf.Term) {
		labels = append(labels, t.Value)
	})
	if got := strings.Join(labels, " "); got != "s p b p a" {
		t.Errorf("terms %s", got)
	}
	if term.Map(func(t rdf.Term) rdf.Term { return t }) != term {
		t.Error("it is another")
	}
	if cost := testing.AllocsPerRun(100, func() { term.Map(func(t rdf.Term) rdf.Term { return t }) }); cost > 0 {
		t.Errorf("%g allocations", cost)
	}
}

// TestIsValid: what may stand where, at any depth.
func TestIsValid(t *testing.T) {
	node, word := rdf.NewIRI("u:a"), rdf.NewString("a")
	good := rdf.Triple{S: rdf.NewBlank("b"), P: node, O: word}
	deep := rdf.NewTripleTerm(good)
	for range rdf.MaxTripleDepth - 1 {
		deep = rdf.NewTripleTerm(rdf.Triple{S: node, P: node, O: deep})
	}
	for _, tc := range []struct {
		name   string
		triple rdf.Triple
		want   bool
	}{
		{"a literal as object", good, true},
		{"a triple term as object", rdf.Triple{S: node, P: node, O: rdf.NewTripleTerm(good)}, true},
		{"as deep as may be", rdf.Triple{S: node, P: node, O: deep}, true},
		{"deeper", rdf.Triple{S: node, P: node, O: rdf.NewTripleTerm(rdf.Triple{S: node, P: node, O: deep})}, false},
		{"a triple term as subject", rdf.Triple{S: rdf.NewTripleTerm(good), P: node, O: node}, false},
		{"a literal as subject within", rdf.Triple{S: node, P: node, O: rdf.NewTripleTerm(rdf.Triple{S: word, P: node, O: node})}, false},
		{"a blank node as predicate", rdf.Triple{S: node, P: rdf.NewBlank("b"), O: node}, false},
		{"no object", rdf.Triple{S: node, P: node}, false},
		{"a damaged triple term", rdf.Triple{S: node, P: node, O: rdf.Term{Kind: rdf.TripleTerm, Value: "i3:a"}}, false},
	} {
		if got := tc.triple.IsValid(); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

// FuzzTriple: no value is read as a triple that is written otherwise, and none makes a reader fail.
func FuzzTriple(f *testing.F) {
	for _, s := range []string{"", "i1:ai1:bs1:c", "b1:ai1:bq12:i1:ai1:bs1:c", "i1:ai1:bl1:c2:en", "i1:ai1:bo1:c1:d2:en", "i99999999999999999999:", "i1:ai1:bt1:c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		term := rdf.Term{Kind: rdf.TripleTerm, Value: s}
		term.Depth()
		term.HasBlank()
		triple, ok := term.Triple()
		if !ok {
			return
		}
		again, ok := rdf.NewTripleTerm(triple).Triple()
		if !ok || again != triple {
			t.Fatalf("%q is %#v, and that %#v", s, triple, again)
		}
	})
}
