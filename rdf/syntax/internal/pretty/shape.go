package pretty

import "orbweaver/rdf"

const (
	rdfNS    = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	rdfType  = rdfNS + "type"
	rdfFirst = rdfNS + "first"
	rdfRest  = rdfNS + "rest"
	rdfNil   = rdfNS + "nil"
)

// deepest is how many nodes are written within each other: half as many as a reader takes by default.
const deepest = 128

// none stands for no quad or node.
const none = int32(-1)

// An answer is one that may be open yet.
type answer uint8

const (
	unknown answer = iota
	pending        // it depends on itself
	yes
	no
)

// A node is what statements say of a blank node.
type node struct {
	uses   int   // as an object
	use    int32 // the last quad that does
	first  int32 // of the quads it is the subject of
	last   int32
	count  int      // of these
	graph  rdf.Term // that it is in
	fixed  bool     // it names a graph, is in several, or within a triple term: its label is needed
	runs   int      // of quads, when those of nested nodes are left out
	list   answer   // whether it and what follows is a list, each cell used once
	nested answer   // whether it is written where it is used
	depth  int      // of a nested one, from 1
}

// A shape says which blank nodes of some quads, that no others speak of, are written without a label.
type shape struct {
	quads  []rdf.Quad
	next   []int32 // the next quad with the same blank subject
	nodes  []node
	labels map[string]int32
	climb  []int32
}

// shapeOf looks at all quads.
func shapeOf(quads []rdf.Quad) *shape {
	s := &shape{quads: quads, next: make([]int32, len(quads)), labels: map[string]int32{}}
	for i := range quads {
		s.add(int32(i))
	}
	for i := range s.nodes {
		s.follow(int32(i))
	}
	for i := range s.nodes {
		for !s.place(int32(i)) {
		}
	}
	s.countRuns()
	return s
}

// add takes a quad into account.
func (s *shape) add(i int32) {
	q := &s.quads[i]
	s.next[i] = none
	if q.S.Kind == rdf.Blank {
		n := s.node(q.S.Value, q.G)
		if n.count++; n.first == none {
			n.first = i
		} else {
			s.next[n.last] = i
		}
		n.last = i
	}
	if q.O.Kind == rdf.Blank {
		n := s.node(q.O.Value, q.G)
		n.uses++
		n.use = i
	}
	if q.G.Kind == rdf.Blank {
		s.node(q.G.Value, q.G).fixed = true
	}
	if q.O.Kind == rdf.TripleTerm {
		q.O.Each(func(t rdf.Term) {
			if t.Kind == rdf.Blank {
				s.node(t.Value, q.G).fixed = true
			}
		})
	}
}

// node returns a blank node, seen in a graph.
func (s *shape) node(label string, graph rdf.Term) *node {
	i, known := s.labels[label]
	if !known {
		i = int32(len(s.nodes))
		s.labels[label] = i
		s.nodes = append(s.nodes, node{use: none, first: none, last: none, graph: graph})
	}
	n := &s.nodes[i]
	n.fixed = n.fixed || n.graph != graph
	return n
}

// once reports whether a node could be written where it is used.
func (n *node) once() bool { return n.uses == 1 && !n.fixed }

// cell returns what a node holds and what comes behind it, if it is one of a list and nothing else.
func (s *shape) cell(n *node) (item, rest *rdf.Term, ok bool) {
	if !n.once() || n.count != 2 {
		return nil, nil, false
	}
	a, b := &s.quads[n.first], &s.quads[n.last]
	if a.P.Value == rdfRest {
		a, b = b, a
	}
	return &a.O, &b.O, a.P.Value == rdfFirst && b.P.Value == rdfRest
}

// follow finds out for a node, and all behind it, whether they are a list.
func (s *shape) follow(i int32) {
	s.climb = s.climb[:0]
	result := no
	for {
		n := &s.nodes[i]
		if n.list != unknown {
			if n.list == yes {
				result = yes
			}
			break
		}
		n.list = pending
		s.climb = append(s.climb, i)
		_, rest, ok := s.cell(n)
		if ok && rest.Kind == rdf.IRI && rest.Value == rdfNil {
			result = yes
		}
		if !ok || rest.Kind != rdf.Blank {
			break
		}
		i = s.labels[rest.Value]
	}
	for _, i := range s.climb {
		s.nodes[i].list = result
	}
}

// place finds out for a node, and those it is within, whether they are nested. Where they go round in
// a circle one of them is written by its label; the answer is then to be asked for again.
func (s *shape) place(i int32) (done bool) {
	s.climb = s.climb[:0]
	depth := 0
	for i != none {
		n := &s.nodes[i]
		if n.nested == pending {
			s.breakCircle(i)
			return false
		}
		if n.nested == unknown && !n.once() {
			n.nested = no
		}
		if n.nested != unknown {
			depth = n.depth
			break
		}
		n.nested = pending
		s.climb = append(s.climb, i)
		i = s.user(n)
	}
	for k := len(s.climb) - 1; k >= 0; k-- {
		n := &s.nodes[s.climb[k]]
		if !s.continues(n) {
			depth++
		}
		if n.nested, n.depth = yes, depth; depth > deepest {
			n.nested, n.depth, depth = no, 0, 0
		}
	}
	return true
}

// user returns the blank node that uses a node, none when it is an IRI that does.
func (s *shape) user(n *node) int32 {
	if subject := &s.quads[n.use].S; subject.Kind == rdf.Blank {
		return s.labels[subject.Value]
	}
	return none
}

// continues reports whether a node is a cell of a list, but not its first.
func (s *shape) continues(n *node) bool {
	if n.list != yes || s.quads[n.use].P.Value != rdfRest {
		return false
	}
	user := s.user(n)
	return user != none && s.nodes[user].list == yes
}

// breakCircle gives a label to a node of a circle; of a list to its first cell.
func (s *shape) breakCircle(i int32) {
	for _, k := range s.climb {
		s.nodes[k].nested = unknown
	}
	for s.continues(&s.nodes[i]) {
		i = s.user(&s.nodes[i])
	}
	s.nodes[i].nested = no
}

// countRuns counts the sentences that each node would be the subject of.
func (s *shape) countRuns() {
	var before *rdf.Quad
	for i := range s.quads {
		q := &s.quads[i]
		n := s.of(&q.S)
		if n != nil && n.nested == yes {
			continue
		}
		if n != nil && (before == nil || before.S != q.S || before.G != q.G) {
			n.runs++
		}
		before = q
	}
}

// of returns the blank node that a term is, nil when it is none or when there is no shape.
func (s *shape) of(t *rdf.Term) *node {
	if s == nil || t.Kind != rdf.Blank {
		return nil
	}
	return &s.nodes[s.labels[t.Value]]
}

// isNested reports whether a term is a node that is written where it is used.
func (s *shape) isNested(t *rdf.Term) bool {
	n := s.of(t)
	return n != nil && n.nested == yes
}

// isNameless reports whether a term is a node that nothing refers to and one sentence describes.
func (s *shape) isNameless(t *rdf.Term) bool {
	n := s.of(t)
	return n != nil && n.uses == 0 && !n.fixed && n.runs == 1
}
