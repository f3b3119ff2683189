package ontology

import (
	"slices"
	"strconv"
	"strings"

	"orbweaver/rdf"
)

// A gatherer classifies the triples of all documents. Nodes are strings: an IRI unchanged, a blank node as
// "_:", the document's number, ":" and its label.
type gatherer struct {
	document   int
	marks      map[string]mark
	marking    []statement // statements that cause marks and are in no other list: see remark
	types      []pair
	subs       []pair // narrower, broader; classes and concepts
	subProps   []pair
	equals     []pair
	domains    []pair
	ranges     []pair
	statements []statement
	parts      map[string][]part
	labels     []label
	ontolex    []statement
	written    []label // by form
}

type pair struct{ s, o string }

// A statement relates two nodes; an empty property is not an entity.
type statement struct{ s, p, o string }

// A part is a statement about an anonymous class or a list, without its subject.
type part struct{ predicate, object string }

// A label gives words to a node; lower ranks are better names.
type label struct {
	node, text, lang string
	rank             int
}

func newGatherer() *gatherer {
	return &gatherer{marks: map[string]mark{}, parts: map[string][]part{}}
}

func (g *gatherer) node(t rdf.Term) string {
	if t.Kind == rdf.Blank {
		return "_:" + strconv.Itoa(g.document) + ":" + t.Value
	}
	return t.Value
}

func blank(node string) bool { return strings.HasPrefix(node, "_:") }

// add adds a triple of the current document.
func (g *gatherer) add(t rdf.Triple) {
	role := roleOf(t.P.Value)
	s := g.node(t.S)
	if t.O.Kind == rdf.Literal {
		g.addWords(role, s, t)
		return
	}
	o := g.node(t.O)
	switch role {
	case roleType:
		g.addType(s, o)
	case roleSubClass:
		g.conceive(t.P.Value, s, o)
		g.subs = append(g.subs, pair{s, o})
	case roleNarrower:
		g.conceive(t.P.Value, s, o)
		g.subs = append(g.subs, pair{o, s})
	case roleSubProp:
		g.subProps = append(g.subProps, pair{s, o})
	case roleEqual:
		g.marking = append(g.marking, statement{s, t.P.Value, o})
		g.markBy(statement{s, t.P.Value, o})
		g.equals = append(g.equals, pair{s, o})
	case roleDomain:
		g.domains = append(g.domains, pair{s, o})
	case roleRange:
		g.ranges = append(g.ranges, pair{s, o})
	case roleExpression:
		g.parts[s] = append(g.parts[s], part{t.P.Value, o})
	case roleOntolex:
		g.ontolex = append(g.ontolex, statement{s, t.P.Value, o})
	case roleRelated:
		g.statements = append(g.statements, statement{s, "", o})
	case roleStatement:
		g.statements = append(g.statements, statement{s, t.P.Value, o})
	}
}

// conceive marks both ends of a hierarchical relation of SKOS as concepts.
func (g *gatherer) conceive(predicate, s, o string) {
	if strings.HasPrefix(predicate, nsSKOS) {
		g.marking = append(g.marking, statement{s, predicate, o})
		g.markBy(statement{s, predicate, o})
	}
}

// markBy marks the nodes of a statement by its predicate.
func (g *gatherer) markBy(s statement) {
	switch roleOf(s.p) {
	case roleType:
		g.marks[s.s] |= markOf(s.o)
	case roleEqual:
		m := equalMark(s.p)
		g.marks[s.s] |= m
		g.marks[s.o] |= m
	default:
		g.marks[s.s] |= isConcept
		g.marks[s.o] |= isConcept
	}
}

// alternatives reports whether words are given by skos:altLabel or skos:prefLabel.
func (g *gatherer) alternatives() bool {
	return slices.ContainsFunc(g.labels, func(l label) bool {
		return l.rank == labelRank(nsSKOS+"altLabel") || l.rank == labelRank(nsSKOS+"prefLabel")
	})
}

func (g *gatherer) addType(s, class string) {
	m := markOf(class)
	g.marks[s] |= m
	if m == 0 && !vocabulary(class) {
		g.types = append(g.types, pair{s, class})
	} else {
		g.marking = append(g.marking, statement{s, rdfType, class})
	}
}

// addWords adds a triple whose object is a literal.
func (g *gatherer) addWords(role role, s string, t rdf.Triple) {
	text := strings.Join(strings.Fields(t.O.Value), " ")
	switch {
	case text == "":
	case role == roleLabel:
		g.labels = append(g.labels, label{s, text, t.O.Lang, labelRank(t.P.Value)})
	case t.P.Value == nsOntolex+"writtenRep":
		g.written = append(g.written, label{s, text, t.O.Lang, writtenRank})
	}
}

// spell converts Ontolex chains (entity, sense, lexical entry, form, words) to labels.
func (g *gatherer) spell() {
	entities, entries, forms := map[string][]string{}, map[string][]string{}, map[string][]label{}
	for _, w := range g.written {
		forms[w.node] = append(forms[w.node], w)
	}
	for _, s := range g.ontolex { // sense or entry to entity, in either direction
		switch strings.TrimPrefix(s.p, nsOntolex) {
		case "denotes", "evokes", "reference":
			entities[s.s] = append(entities[s.s], s.o)
		case "isDenotedBy", "isEvokedBy", "isReferenceOf":
			entities[s.o] = append(entities[s.o], s.s)
		case "sense":
			entries[s.s] = append(entries[s.s], s.o)
		case "isSenseOf":
			entries[s.o] = append(entries[s.o], s.s)
		}
	}
	for _, s := range g.ontolex { // lexical entry to form
		switch strings.TrimPrefix(s.p, nsOntolex) {
		case "canonicalForm", "otherForm", "lexicalForm":
			for _, w := range forms[s.o] {
				g.name(entities[s.s], w)
				for _, sense := range entries[s.s] {
					g.name(entities[sense], w)
				}
			}
		}
	}
}

func (g *gatherer) name(entities []string, w label) {
	for _, e := range entities {
		g.labels = append(g.labels, label{e, w.text, w.lang, w.rank})
	}
}

// mentions reports whether the documents have a statement about a node, whether or not it is an entity.
func (g *gatherer) mentions(node string) bool {
	_, marked := g.marks[node]
	_, described := g.parts[node]
	return marked || described || slices.ContainsFunc(g.labels, func(l label) bool { return l.node == node })
}
