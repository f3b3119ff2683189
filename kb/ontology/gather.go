package ontology

import (
	"slices"
	"strings"

	"orbweaver/rdf"
)

// A gatherer classifies the triples of all documents.
type gatherer struct {
	document   int
	names      *index
	marks      []mark      // by node; those behind its end have none
	marking    []statement // statements that cause marks and are in no other list: see remark
	types      []pair
	subs       []pair // narrower, broader; classes and concepts
	subProps   []pair
	equals     []pair
	domains    []pair
	ranges     []pair
	statements []statement
	parts      map[node][]part
	labels     []label
	ontolex    []statement
	written    []label // by form
}

type pair struct{ s, o node }

// A statement relates two nodes; without a property, none, it is a relation without a name.
type statement struct{ s, p, o node }

// A part is a statement about an anonymous class or a list, without its subject.
type part struct{ predicate, object node }

// A label gives words to a node; lower ranks are better names.
type label struct {
	text, lang string
	node       node
	rank       uint8
}

func newGatherer() *gatherer { return &gatherer{names: newIndex(), parts: map[node][]part{}} }

// node returns the node of a term of the current document, which has a mark from now on.
func (g *gatherer) node(t rdf.Term) node {
	i := g.names.of(nameOf(t, g.document))
	for int(i) >= len(g.marks) {
		g.marks = with(g.marks, markOfName(g.names.list[len(g.marks)]))
	}
	return i
}

// name returns the name of a node.
func (g *gatherer) name(n node) string { return g.names.list[n] }

func (g *gatherer) blank(n node) bool { return blank(g.names.list[n]) }

// add adds a triple of the current document.
func (g *gatherer) add(t rdf.Triple) {
	if t.O.Kind == rdf.TripleTerm { // says what a node stands for, and names no entity
		return
	}
	s, p := g.node(t.S), g.node(t.P)
	role := g.names.roles[p]
	if t.O.Kind == rdf.Literal {
		g.addWords(role, s, t)
		return
	}
	o := g.node(t.O)
	switch role {
	case roleType:
		g.addType(s, p, o)
	case roleSubClass:
		g.conceive(p, s, o)
		g.subs = with(g.subs, pair{s, o})
	case roleNarrower:
		g.conceive(p, s, o)
		g.subs = with(g.subs, pair{o, s})
	case roleSubProp:
		g.subProps = with(g.subProps, pair{s, o})
	case roleEqual:
		g.marking = with(g.marking, statement{s, p, o})
		g.markBy(statement{s, p, o})
		g.equals = with(g.equals, pair{s, o})
	case roleDomain:
		g.domains = with(g.domains, pair{s, o})
	case roleRange:
		g.ranges = with(g.ranges, pair{s, o})
	case roleExpression:
		g.parts[s] = append(g.parts[s], part{p, o})
	case roleOntolex:
		g.ontolex = with(g.ontolex, statement{s, p, o})
	case roleRelated:
		g.statements = with(g.statements, statement{s, none, o})
	case roleStatement:
		g.statements = with(g.statements, statement{s, p, o})
	}
}

// conceive marks both ends of a hierarchical relation of SKOS as concepts.
func (g *gatherer) conceive(predicate, s, o node) {
	if strings.HasPrefix(g.name(predicate), nsSKOS) {
		g.marking = with(g.marking, statement{s, predicate, o})
		g.markBy(statement{s, predicate, o})
	}
}

// markBy marks the nodes of a statement by its predicate.
func (g *gatherer) markBy(s statement) {
	switch g.names.roles[s.p] {
	case roleType:
		g.marks[s.s] |= markOf(g.name(s.o)) | mentioned
	case roleEqual:
		m := equalMark(g.name(s.p)) | mentioned
		g.marks[s.s] |= m
		g.marks[s.o] |= m
	default:
		g.marks[s.s] |= isConcept | mentioned
		g.marks[s.o] |= isConcept | mentioned
	}
}

// alternatives reports whether words are given by skos:altLabel or skos:prefLabel.
func (g *gatherer) alternatives() bool {
	alt, pref := labelRank(nsSKOS+"altLabel"), labelRank(nsSKOS+"prefLabel")
	return slices.ContainsFunc(g.labels, func(l label) bool { return int(l.rank) == alt || int(l.rank) == pref })
}

func (g *gatherer) addType(s, rdfType, class node) {
	m := markOf(g.name(class))
	g.marks[s] |= m | mentioned
	if m == 0 && !vocabulary(g.name(class)) {
		g.types = with(g.types, pair{s, class})
	} else {
		g.marking = with(g.marking, statement{s, rdfType, class})
	}
}

// addWords adds a triple whose object is a literal.
func (g *gatherer) addWords(role role, s node, t rdf.Triple) {
	text := spaced(t.O.Value)
	switch {
	case text == "":
	case role == roleLabel:
		g.labels = with(g.labels, label{text, t.O.Lang, s, uint8(labelRank(t.P.Value))})
	case t.P.Value == nsOntolex+"writtenRep":
		g.written = with(g.written, label{text, t.O.Lang, s, writtenRank})
	}
}

// spell converts Ontolex chains (entity, sense, lexical entry, form, words) to labels.
func (g *gatherer) spell() {
	entities, entries, forms := map[node][]node{}, map[node][]node{}, map[node][]label{}
	for _, w := range g.written {
		forms[w.node] = append(forms[w.node], w)
	}
	for _, s := range g.ontolex { // sense or entry to entity, in either direction
		switch strings.TrimPrefix(g.name(s.p), nsOntolex) {
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
		switch strings.TrimPrefix(g.name(s.p), nsOntolex) {
		case "canonicalForm", "otherForm", "lexicalForm":
			for _, w := range forms[s.o] {
				g.call(entities[s.s], w)
				for _, sense := range entries[s.s] {
					g.call(entities[sense], w)
				}
			}
		}
	}
}

// call gives words to entities.
func (g *gatherer) call(entities []node, w label) {
	for _, e := range entities {
		g.labels = with(g.labels, label{w.text, w.lang, e, w.rank})
	}
}

// mentions reports whether the documents have a statement about a node, whether or not it is an entity.
func (g *gatherer) mentions(name string) bool {
	i, ok := g.names.find(name)
	if !ok {
		return false
	}
	_, described := g.parts[i]
	return g.marks[i]&mentioned != 0 || described || slices.ContainsFunc(g.labels, func(l label) bool { return l.node == i })
}

// spaced returns text with single spaces between its words.
func spaced(text string) string {
	for i := range len(text) {
		if c := text[i]; c > 0x7f || c < ' ' || c == ' ' && (i == 0 || i+1 == len(text) || text[i+1] == ' ') {
			return strings.Join(strings.Fields(text), " ")
		}
	}
	return text
}
