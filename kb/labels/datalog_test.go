package labels

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"codeberg.org/TauCeti/mangle-go/analysis"
	"codeberg.org/TauCeti/mangle-go/ast"
	"codeberg.org/TauCeti/mangle-go/engine"
	"codeberg.org/TauCeti/mangle-go/factstore"
	"codeberg.org/TauCeti/mangle-go/parse"

	"orbweaver/rdf"
)

// A graph is quads by subject and property.
type graph map[rdf.Term]map[string][]rdf.Term

func graphOf(sources ...iter.Seq[rdf.Quad]) graph {
	g := graph{}
	for _, source := range sources {
		for q := range source {
			if g[q.S] == nil {
				g[q.S] = map[string][]rdf.Term{}
			}
			g[q.S][q.P.Value] = append(g[q.S][q.P.Value], q.O)
		}
	}
	return g
}

func (g graph) one(s rdf.Term, property string) rdf.Term {
	if all := g[s][property]; len(all) == 1 {
		return all[0]
	}
	panic(fmt.Sprintf("%v has %d values of %s", s, len(g[s][property]), property))
}

func (g graph) is(s rdf.Term, class string) bool {
	return slices.Contains(g[s][rdfNS+"type"], rdf.NewIRI(class))
}

func (g graph) list(head rdf.Term) (all []rdf.Term) {
	for head.Value != rdfNS+"nil" {
		all = append(all, g.one(head, rdfNS+"first"))
		head = g.one(head, rdfNS+"rest")
	}
	return all
}

// program translates a graph in RDFS, OWL and SWRL, as far as models use these, to Datalog. It knows nothing
// about labels.
func (g graph) program() string {
	var b strings.Builder
	b.WriteString("label(\"none\").\nbroader(\"none\", \"none\").\n") // a predicate without facts is an error
	for s, properties := range g {
		for property, objects := range properties {
			for _, o := range objects {
				switch {
				case property == rdfNS+"type" && !strings.HasPrefix(o.Value, swrl) && !strings.HasPrefix(o.Value, owl):
					fmt.Fprintf(&b, "%s(%q).\n", predicate(o.Value), s.Value)
				case property == rdfs+"subClassOf":
					fmt.Fprintf(&b, "%s(X) :- %s(X).\n", predicate(o.Value), predicate(s.Value))
				case property == HasTerm || property == skos+"broader":
					fmt.Fprintf(&b, "%s(%q, %q).\n", predicate(property), s.Value, o.Value)
				}
			}
		}
		if g.is(s, swrl+"Imp") {
			g.rule(&b, s)
		}
	}
	return b.String()
}

func predicate(iri string) string {
	local := iri[strings.LastIndexByte(iri, '#')+1:]
	return strings.ToLower(local[:1]) + local[1:]
}

func (g graph) rule(b *strings.Builder, rule rdf.Term) {
	var body []string
	for _, atom := range g.list(g.one(rule, swrl+"body")) {
		body = append(body, g.atom(b, atom))
	}
	head := g.list(g.one(rule, swrl+"head"))
	fmt.Fprintf(b, "%s :- %s.\n", g.atom(b, head[0]), strings.Join(body, ", "))
}

func (g graph) argument(t rdf.Term) string {
	if g.is(t, swrl+"Variable") {
		return "V" + t.Value[strings.LastIndexByte(t.Value, ':')+1:]
	}
	return fmt.Sprintf("%q", t.Value)
}

// atom returns an atom; the facts it depends on are written first.
func (g graph) atom(b *strings.Builder, atom rdf.Term) string {
	first := g.argument(g.one(atom, swrl+"argument1"))
	if g.is(atom, swrl+"IndividualPropertyAtom") {
		property := g.one(atom, swrl+"propertyPredicate").Value
		return fmt.Sprintf("%s(%s, %s)", predicate(property), first, g.argument(g.one(atom, swrl+"argument2")))
	}
	class := g.one(atom, swrl+"classPredicate")
	if class.Kind == rdf.IRI {
		return fmt.Sprintf("%s(%s)", predicate(class.Value), first)
	}
	id := class.Value
	for _, t := range g.list(g.one(g.one(class, owl+"onClass"), owl+"oneOf")) {
		fmt.Fprintf(b, "member_%s(%q).\n", id, t.Value)
	}
	fmt.Fprintf(b, "counted_%s(X, N) :- %s(X, T), member_%s(T) |> do fn:group_by(X), let N = fn:count().\n",
		id, predicate(g.one(class, owl+"onProperty").Value), id)
	return fmt.Sprintf("counted_%s(%s, N), %s <= N", id, first, g.one(class, owl+"minQualifiedCardinality").Value)
}

// infer runs a program and returns the pairs of a predicate.
func infer(t *testing.T, program, predicate string) (pairs [][2]string) {
	t.Helper()
	unit, err := parse.Unit(strings.NewReader(program))
	if err != nil {
		t.Fatalf("%v in\n%s", err, program)
	}
	checked, err := analysis.AnalyzeOneUnit(unit, nil)
	if err != nil {
		t.Fatalf("%v in\n%s", err, program)
	}
	store := factstore.NewSimpleInMemoryStore()
	if err := engine.EvalProgram(checked, store); err != nil {
		t.Fatal(err)
	}
	err = store.GetFacts(ast.NewQuery(ast.PredicateSym{Symbol: predicate, Arity: 2}), func(a ast.Atom) error {
		var pair [2]string
		for i, arg := range a.Args {
			if pair[i], err = arg.(ast.Constant).StringValue(); err != nil {
				return err
			}
		}
		pairs = append(pairs, pair)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

// TestDatalogInfersTheSame: a model and items in RDF contain all that classification needs: a Datalog engine
// that reads nothing else infers the labels that Classify returns.
func TestDatalogInfersTheSame(t *testing.T) {
	labels, byBeta := 0, 0
	for name, p := range regimes() {
		for seed := range uint64(4) {
			m, s := newModel(t, p), newStream(seed, 14, p.Terms)
			for range 20 + 30*seed {
				m.Learn(itemOf(s.next()))
			}
			sources := []iter.Seq[rdf.Quad]{m.Quads()}
			var want [][2]string
			for i := range 30 {
				it, iri := itemOf(s.next()), fmt.Sprintf("http://items.example/%02d", i)
				sources = append(sources, m.ItemQuads(iri, it, false))
				for _, h := range m.Classify(it) {
					want = append(want, [2]string{iri, TermIRI(h.Label)})
					if labels++; h.By == ByBeta {
						byBeta++
					}
				}
			}
			got := infer(t, graphOf(sources...).program(), predicate(IsClassified))
			order := func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }
			slices.SortFunc(got, order)
			slices.SortFunc(want, order)
			if !slices.Equal(got, want) {
				t.Fatalf("%s, seed %d:\n%v\nDatalog:\n%v", name, seed, want, got)
			}
		}
	}
	if t.Log(labels, "labels,", byBeta, "by Beta sets"); byBeta == 0 {
		t.Error("no label by a Beta set")
	}
}
