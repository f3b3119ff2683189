package nautilod

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/eval"
)

// A graph has, by predicate, edges between a few nodes; a test passes a set of nodes.
type graph struct {
	edges  map[string][][2]int
	passes map[string][]int
}

const nodes = 5

// step returns the nodes that a step leads to.
func (g graph) step(s *Step, from int) (to []int) {
	for predicate, edges := range g.edges {
		if s.Predicate != "" && s.Predicate != predicate {
			continue
		}
		for _, e := range edges {
			if e[0] == from && s.Direction != Inverse {
				to = append(to, e[1])
			}
			if e[1] == from && s.Direction != Forward {
				to = append(to, e[0])
			}
		}
	}
	return to
}

// reach is the paper's semantics, directly: the nodes that a path leads to from a set.
func (g graph) reach(path Path, from [nodes]bool) (to [nodes]bool) {
	switch path := path.(type) {
	case *Step:
		for n := range from {
			for _, m := range g.step(path, n) {
				to[m] = to[m] || from[n]
			}
		}
	case *Test:
		for _, n := range g.passes[path.Ask] {
			to[n] = from[n]
		}
	case *Sequence:
		to = from
		for _, part := range path.Parts {
			to = g.reach(part, to)
		}
	case *Alternative:
		for _, part := range path.Parts {
			to = union(to, g.reach(part, from))
		}
	case *Repeat:
		to = g.repeat(path, from)
	case *Action:
		to = from
	}
	return to
}

func (g graph) repeat(r *Repeat, from [nodes]bool) (to [nodes]bool) {
	for range r.Min {
		from = g.reach(r.Path, from)
	}
	to = from
	times := r.Max - r.Min
	if r.Max == Any {
		times = nodes
	}
	for range times {
		from = g.reach(r.Path, from)
		to = union(to, from)
	}
	return to
}

func union(a, b [nodes]bool) [nodes]bool {
	for i := range a {
		a[i] = a[i] || b[i]
	}
	return a
}

// walk runs the automaton.
func (g graph) walk(a *Automaton, start int) (to [nodes]bool) {
	met := map[[2]int]bool{}
	var visit func(node, state int)
	visit = func(node, state int) {
		if met[[2]int{node, state}] {
			return
		}
		met[[2]int{node, state}] = true
		to[node] = to[node] || a.Final(state)
		for _, next := range a.Next(state) {
			switch label := a.Label(next).(type) {
			case *Step:
				for _, m := range g.step(label, node) {
					visit(m, next)
				}
			case *Test:
				if slices.Contains(g.passes[label.Ask], node) {
					visit(node, next)
				}
			case *Action:
				visit(node, next)
			}
		}
	}
	visit(start, 0)
	return to
}

// randomPath returns a random path as the parser would build it.
func randomPath(r *rand.Rand, depth int) Path {
	kinds := 8
	if depth == 0 {
		kinds = 5
	}
	switch r.IntN(kinds) {
	case 0, 1:
		return &Step{Predicate: []string{"http://p/", "http://q/"}[r.IntN(2)], Direction: Direction(r.IntN(2))}
	case 2:
		return &Step{Direction: Direction(r.IntN(2))}
	case 3:
		return &Test{Ask: []string{"ASK WHERE { }", `ASK WHERE { FILTER ("]") }`}[r.IntN(2)]}
	case 4:
		return &Action{}
	case 5:
		return join(randomPath(r, depth-1), randomPath(r, depth-1))
	case 6:
		var parts []Path
		for range 2 {
			part := randomPath(r, depth-1)
			if inner, ok := part.(*Alternative); ok {
				parts = append(parts, inner.Parts...)
			} else {
				parts = append(parts, part)
			}
		}
		return &Alternative{Parts: parts}
	}
	least := r.IntN(3)
	return &Repeat{Path: randomPath(r, depth-1), Min: [...]int{0, 1, 0, least}[r.IntN(4)], Max: max(1, least+r.IntN(3))}
}

// TestAutomatonIsTheExpression: on random graphs an automaton reaches the nodes that the expression denotes,
// and any expression parses back from its printed form.
func TestAutomatonIsTheExpression(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	reached := 0
	for range 4000 {
		g := graph{edges: map[string][][2]int{}, passes: map[string][]int{"ASK WHERE { }": {0, 1, 3}, `ASK WHERE { FILTER ("]") }`: {2, 3}}}
		for range 6 {
			p := []string{"http://p/", "http://q/"}[r.IntN(2)]
			g.edges[p] = append(g.edges[p], [2]int{r.IntN(nodes), r.IntN(nodes)})
		}
		q := &Query{Path: randomPath(r, 4)}
		if rep, ok := q.Path.(*Repeat); ok && r.IntN(3) == 0 {
			rep.Min, rep.Max = r.IntN(2), Any
		}
		if r.IntN(2) == 0 {
			q.From = []string{"http://a/"}
		}
		a, err := q.Compile()
		if errors.Is(err, ErrSize) {
			continue
		}
		for start := range nodes {
			var from [nodes]bool
			from[start] = true
			want := g.reach(q.Path, from)
			if got := g.walk(a, start); got != want {
				t.Fatalf("%s from %d over %v reaches %v, not %v", q, start, g.edges, got, want)
			}
			if want != [nodes]bool{} && want != from {
				reached++
			}
		}
		again, err := Parse(q.String(), Options{})
		if err != nil || !reflect.DeepEqual(q, again) {
			t.Fatalf("%s is read back as %v, %v", q, again, err)
		}
	}
	if reached < 4000 {
		t.Errorf("only %d walks lead anywhere", reached)
	}
}

// TestCommand: in the form -p the lower bound excludes nothing.
func TestCommand(t *testing.T) {
	for text, states := range map[string]int{"-p _ <2-2>": 3, "-p _ <1-2>": 3, "-p _ <3-3>": 4, "-p _": 2} {
		a, err := parse(t, text, Options{}).Compile()
		if err != nil || a.Len() != states {
			t.Fatalf("%s: %d states, %v", text, a.Len(), err)
		}
		for s := range states {
			if a.Final(s) != (s > 0) {
				t.Errorf("%s: state %d final: %v", text, s, a.Final(s))
			}
		}
	}
}

func TestCompileIsBounded(t *testing.T) {
	for text, fine := range map[string]bool{
		strings.Repeat("_/", MaxStates-1) + "_": true, strings.Repeat("_/", MaxStates) + "_": false,
		"_<100-100><1-5>": true, "_<100-100><1-6>": false, "((((_<1-100>)<1-100>)<1-100>)<1-100>)<1-100>": false,
		strings.Repeat("(", 60) + strings.Repeat("_|", MaxStates-1) + "_" + strings.Repeat(")*", 60): true,
	} {
		a, err := parse(t, text, Options{}).Compile()
		if fine != (err == nil) || err != nil && !errors.Is(err, ErrSize) {
			t.Errorf("%.40s: %v", text, err)
		}
		if err == nil && a.Len() > MaxStates+1 {
			t.Errorf("%.40s: %d states", text, a.Len())
		}
	}
}

// TestHolds: a test sees the node's document, and the node as ?ctx in any position.
func TestHolds(t *testing.T) {
	m := quads.NewMemory()
	for _, q := range []rdf.Quad{
		{S: rdf.NewIRI("http://n/"), P: rdf.NewIRI("http://p/"), O: rdf.NewTyped("5", rdf.XSDInteger)},
		{S: rdf.NewIRI("http://other/"), P: rdf.NewIRI("http://q/"), O: rdf.NewString("?ctx <http://n/>")},
	} {
		if _, err := m.Add(q, ""); err != nil {
			t.Fatal(err)
		}
	}
	for test, want := range map[string]bool{
		"ASK {?ctx ?p ?o}": true, "ASK {$ctx <http://p/> 5}": true, "ASK {?ctx <http://q/> ?o}": false,
		"ASK {?ctxt <http://q/> ?o}": true, "ASK {?s ?p ?o {FILTER(?ctx = <http://n/>)}}": true,
		"ASK {{SELECT ?o {?ctx ?p ?o} LIMIT 1}}": true, `ASK {?s <http://q/> "?ctx <http://n/>"}`: true,
		"ASK {?s <http://p/> ?o FILTER(?o<6 && ?o > 4 && sameTerm(?s,?ctx))}": true,
		"ASK {?s ?p ?o FILTER NOT EXISTS {?ctx <http://p/> ?o}}":              true, "ASK {?o ?p ?ctx}": false,
	} {
		q := parse(t, "["+test+"]", Options{})
		got, err := q.Path.(*Test).Holds(t.Context(), m.Snapshot(), "http://n/", eval.Options{MaxSteps: 1000})
		if err != nil || got != want {
			t.Errorf("%s: %v, %v", test, got, err)
		}
	}
	for i := range 60 {
		if _, err := m.Add(rdf.Quad{S: rdf.NewIRI("http://n/"), P: rdf.NewIRI("http://r/"), O: rdf.NewTyped(strconv.Itoa(i), rdf.XSDInteger)}, ""); err != nil {
			t.Fatal(err)
		}
	}
	slow := parse(t, "[ASK {?a <http://r/> ?b . ?c <http://r/> ?d . ?e <http://r/> ?f FILTER(?b + ?d + ?f < 0)}]", Options{}).Path.(*Test)
	if _, err := slow.Holds(t.Context(), m.Snapshot(), "http://n/", eval.Options{MaxSteps: 1000}); !errors.Is(err, eval.ErrSteps) {
		t.Errorf("a test without end: %v", err)
	}
}
