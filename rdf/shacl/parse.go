package shacl

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strconv"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

const (
	rdfFirst = "http://www.w3.org/1999/02/22-rdf-syntax-ns#first"
	rdfRest  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest"
	rdfNil   = "http://www.w3.org/1999/02/22-rdf-syntax-ns#nil"
	xsdBool  = rdf.XSDBoolean
)

// Limits of a shapes graph.
const (
	maxShapeTriples = 1 << 20
	maxList         = 1 << 16
	maxMistakes     = 10
)

// Shapes are the shapes of a shapes graph. They do not change, and may be used by any number of goroutines.
type Shapes struct {
	targeted []*shape // in the order of their nodes
	all      int
}

// Count returns the number of shapes, and of those with targets.
func (s *Shapes) Count() (all, targeted int) { return s.all, len(s.targeted) }

// shape is a node shape or, with a path, a property shape.
type shape struct {
	node        rdf.Term
	path        *path
	deactivated bool
	severity    string
	messages    []rdf.Term
	constraints []constraint
	targets     []target
}

// target selects nodes to validate.
type target struct {
	kind string // local name of its property
	term rdf.Term
}

// constraint is a constraint of one component.
type constraint struct {
	component string // local name without "ConstraintComponent"
	check     func(*check) error
}

// source is a shapes graph by subject and predicate.
type source struct {
	of    map[rdf.Term]map[string][]rdf.Term
	order []rdf.Term
}

func (s *source) has(node rdf.Term, predicate string) bool { return len(s.of[node][predicate]) > 0 }

// list returns the members of a list.
func (s *source) list(node rdf.Term) ([]rdf.Term, error) {
	var out []rdf.Term
	for node != rdf.NewIRI(rdfNil) {
		first, rest := s.of[node][rdfFirst], s.of[node][rdfRest]
		switch {
		case len(first) != 1 || len(rest) != 1:
			return nil, fmt.Errorf("%s is no list: it has %d values of rdf:first and %d of rdf:rest", termText(node), len(first), len(rest))
		case len(out) >= maxList:
			return nil, fmt.Errorf("a list of more than %d members, or one that runs in a circle", maxList)
		}
		out = append(out, first[0])
		node = rest[0]
	}
	return out, nil
}

// parser makes shapes of a shapes graph.
type parser struct {
	source   source
	shapes   map[rdf.Term]*shape
	owners   map[rdf.Term][]rdf.Term // by property shape: the shapes that have it
	mistakes []string
	more     int
}

// Parse parses a shapes graph. The error wraps ErrShapes and names each ill-formed shape, the first ten of them; an error of the
// sequence is returned as it is. Statements that do not concern shapes are ignored.
func Parse(triples iter.Seq2[rdf.Triple, error]) (*Shapes, error) {
	p := &parser{source: source{of: map[rdf.Term]map[string][]rdf.Term{}}, shapes: map[rdf.Term]*shape{}, owners: map[rdf.Term][]rdf.Term{}}
	n := 0
	for t, err := range triples {
		if err != nil {
			return nil, err
		}
		if n++; n > maxShapeTriples {
			return nil, fmt.Errorf("%w: more than %d statements", ErrShapes, maxShapeTriples)
		}
		p.add(t)
	}
	order := p.source.order
	sort.Slice(order, func(i, j int) bool { // not slices.SortFunc: of so large an element it is a copy of 14 kB
		return cmp.Or(cmp.Compare(order[i].Kind, order[j].Kind), strings.Compare(order[i].Value, order[j].Value)) < 0
	})
	s := &Shapes{}
	for _, node := range order {
		if !p.isShape(node) {
			continue
		}
		if shape := p.shapeOf(node); len(shape.targets) > 0 {
			s.targeted = append(s.targeted, shape)
		}
	}
	s.all = len(p.shapes)
	if len(p.mistakes) > 0 {
		text := strings.Join(p.mistakes, "; ")
		if p.more > 0 {
			text += fmt.Sprintf("; and %d more", p.more)
		}
		return nil, fmt.Errorf("%w: %s", ErrShapes, text)
	}
	return s, nil
}

// add adds a statement to the source.
func (p *parser) add(t rdf.Triple) {
	o := quads.Canonical(t.O)
	of := p.source.of[t.S]
	if of == nil {
		of = map[string][]rdf.Term{}
		p.source.of[t.S] = of
		p.source.order = append(p.source.order, t.S)
	}
	if known := of[t.P.Value]; len(known) > 64 || !slices.Contains(known, o) { // a repetition of many changes nothing but time
		of[t.P.Value] = append(known, o)
	}
	if t.P.Value == NS+"property" {
		p.owners[o] = append(p.owners[o], t.S)
	}
}

// mistake records what is ill-formed about a node.
func (p *parser) mistake(node rdf.Term, format string, args ...any) {
	if len(p.mistakes) >= maxMistakes {
		p.more++
		return
	}
	p.mistakes = append(p.mistakes, termText(node)+": "+fmt.Sprintf(format, args...))
}

// targetKinds are the properties that give a shape targets.
func targetKinds() []string {
	return []string{"targetNode", "targetClass", "targetSubjectsOf", "targetObjectsOf"}
}

// isShape reports whether a node is to be parsed: it has the type of a shape, or a target.
func (p *parser) isShape(node rdf.Term) bool {
	if p.isA(node, rdf.NewIRI(NS+"NodeShape")) || p.isA(node, rdf.NewIRI(NS+"PropertyShape")) {
		return true
	}
	for _, kind := range targetKinds() {
		if p.source.has(node, NS+kind) {
			return true
		}
	}
	return false
}

// isA reports whether a node has a class, or one that the shapes graph states to be narrower.
func (p *parser) isA(node, class rdf.Term) bool {
	open, known := slices.Clone(p.source.of[node][rdfType.Value]), map[rdf.Term]bool{}
	for len(open) > 0 {
		t := open[len(open)-1]
		open = open[:len(open)-1]
		if t == class {
			return true
		}
		if !known[t] {
			known[t] = true
			open = append(open, p.source.of[t][subClassOf.Value]...)
		}
	}
	return false
}

// shapeOf returns the shape of a node.
func (p *parser) shapeOf(node rdf.Term) *shape {
	if s := p.shapes[node]; s != nil {
		return s
	}
	s := &shape{node: node, severity: Violation}
	p.shapes[node] = s
	if node.Kind == rdf.Literal {
		p.mistake(node, "a literal is no shape")
		return s
	}
	p.head(s)
	p.targetsOf(s)
	of := p.source.of[node]
	for _, c := range components() {
		values := of[NS+c.parameter]
		if len(values) == 0 {
			continue
		}
		switch {
		case c.single && len(values) > 1:
			p.mistake(node, "%d values of sh:%s, one is allowed", len(values), c.parameter)
		case c.onlyProperty && s.path == nil:
			p.mistake(node, "sh:%s is for shapes with sh:path", c.parameter)
		default:
			if err := c.parse(p, s, values); err != nil {
				p.mistake(node, "sh:%s: %v", c.parameter, err)
			}
		}
	}
	return s
}

// head parses path, severity, messages and whether a shape is deactivated.
func (p *parser) head(s *shape) {
	of := p.source.of[s.node]
	paths := of[NS+"path"]
	switch {
	case len(paths) > 1:
		p.mistake(s.node, "%d values of sh:path, one is allowed", len(paths))
	case len(paths) == 1:
		var err error
		if s.path, err = p.pathOf(paths[0], 0); err != nil {
			p.mistake(s.node, "%v", err)
		}
	case p.isA(s.node, rdf.NewIRI(NS+"PropertyShape")), len(p.owners[s.node]) > 0:
		p.mistake(s.node, "a property shape without sh:path")
	}
	if v := of[NS+"severity"]; len(v) > 0 {
		if len(v) > 1 || v[0].Kind != rdf.IRI {
			p.mistake(s.node, "sh:severity is one IRI")
		}
		s.severity = v[0].Value
	}
	if v := of[NS+"deactivated"]; len(v) > 0 {
		var err error
		if s.deactivated, err = boolean(v); err != nil {
			p.mistake(s.node, "sh:deactivated: %v", err)
		}
	}
	for _, m := range of[NS+"message"] {
		if m.Datatype != rdf.XSDString && m.Datatype != rdf.LangString {
			p.mistake(s.node, "sh:message is a string, not %s", termText(m))
		}
		s.messages = append(s.messages, m)
	}
	for _, parameter := range []string{"sparql", "js", "rule", "target"} {
		if s.node.Kind != rdf.None && len(of[NS+parameter]) > 0 {
			p.mistake(s.node, "sh:%s is not of SHACL Core", parameter)
		}
	}
}

// targetsOf parses the targets of a shape. A shape that is a class is the target of its instances.
func (p *parser) targetsOf(s *shape) {
	for _, kind := range targetKinds() {
		for _, t := range p.source.of[s.node][NS+kind] {
			if kind != "targetNode" && t.Kind != rdf.IRI || t.Kind == rdf.Blank {
				p.mistake(s.node, "sh:%s is an IRI, not %s", kind, termText(t))
				continue
			}
			s.targets = append(s.targets, target{kind, t})
		}
	}
	if s.node.Kind == rdf.IRI && p.isA(s.node, rdfsClass) && (p.isA(s.node, rdf.NewIRI(NS+"NodeShape")) || p.isA(s.node, rdf.NewIRI(NS+"PropertyShape"))) {
		s.targets = append(s.targets, target{"targetClass", s.node})
	}
}

// boolean returns the one value of a parameter.
func boolean(values []rdf.Term) (bool, error) {
	if len(values) == 1 && values[0].Datatype == xsdBool {
		switch values[0].Value {
		case "true", "1":
			return true, nil
		case "false", "0":
			return false, nil
		}
	}
	return false, fmt.Errorf("it is true or false, not %s", termText(values[0]))
}

// count returns the one value of a parameter that counts.
func count(values []rdf.Term) (int64, error) {
	n, err := strconv.ParseInt(values[0].Value, 10, 64)
	if values[0].Datatype != rdf.XSDInteger || err != nil || n < 0 {
		return 0, fmt.Errorf("it is a non-negative integer, not %s", termText(values[0]))
	}
	return n, nil
}
