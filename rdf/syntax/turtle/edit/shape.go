package edit

import (
	"bytes"
	"fmt"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// A shape is a content with its statements and where each is written.
type shape struct {
	document
	all     []rdf.Triple // in the order of the text, repeated ones too
	clauses []*clause    // sentences and property lists
	places  map[rdf.Triple][]place

	trailing int // directives behind the last clause
}

// A clause is a subject with predicates: a sentence, or a property list in brackets.
type clause struct {
	start, end int // from the subject or the bracket to behind the full stop or the bracket
	open       int // behind the subject or the bracket
	nested     bool
	subject    rdf.Term  // none if it has no predicates
	inner      []*clause // property lists of the subject
	preds      []pred
	directives int     // read before it
	top        *clause // the sentence that it is in
}

// A pred is a predicate with its objects.
type pred struct {
	start, end int // of the verb
	objects    []object
}

// An object of a predicate.
type object struct {
	start, end int
	triple     int       // number of its statement
	from, to   int       // numbers of the statements within it: of property lists and collections
	inner      []*clause // property lists within it
	gone       bool
	instead    string // its new text
}

// last is the offset behind the last object.
func (p pred) last() int { return p.objects[len(p.objects)-1].end }

// A place is where a statement is written.
type place struct {
	clause    *clause
	pred, obj int
}

// A frame is a clause, or a collection, that is being read.
type frame struct {
	clause *clause // nil: a collection
}

// A shaper makes a shape of events.
type shaper struct {
	s          *shape
	stack      []frame
	directives int
	reified    bool // the content has reified triples or annotations
}

// readShape reads a content with its structure. One with reified triples, annotations or blank nodes within triple terms is ErrUnsure:
// where their statements stand is not known.
func readShape(d document) (*shape, error) {
	s := &shape{document: d, places: map[rdf.Triple][]place{}}
	s.triples = map[rdf.Triple]bool{}
	m := shaper{s: s}
	opts := syntax.Options{Name: d.name, Base: d.base, MaxToken: max(len(d.content), syntax.DefaultMaxToken)}
	for t, err := range turtle.ReadShaped(bytes.NewReader(d.content), opts, &s.scope, m.see) {
		if err != nil {
			return nil, err
		}
		if m.reified || t.O.Kind == rdf.TripleTerm && t.O.HasBlank() {
			return nil, fmt.Errorf("%w: it has annotations, reified triples or blank nodes within triple terms", ErrUnsure)
		}
		s.all = append(s.all, t)
		s.triples[t] = true
	}
	if n := len(s.clauses); n > 0 {
		s.trailing = m.directives - s.clauses[n-1].directives
	}
	for _, c := range s.clauses {
		for i, p := range c.preds {
			for k, o := range p.objects {
				t := s.all[o.triple]
				c.subject = t.S
				s.places[t] = append(s.places[t], place{c, i, k})
			}
		}
	}
	return s, nil
}

// see takes an event.
func (m *shaper) see(e turtle.Event, at int) {
	if m.reified = m.reified || e == turtle.Reified; m.reified {
		return
	}
	switch e {
	case turtle.Directive:
		m.directives++
	case turtle.Statement:
		m.begin(&clause{start: at, directives: m.directives})
	case turtle.Open:
		if m.s.content[at] == '(' {
			m.stack = append(m.stack, frame{})
			return
		}
		m.begin(&clause{start: at, open: at + 1, nested: true, directives: m.directives})
	case turtle.Close:
		done := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if done.clause != nil {
			done.clause.end = at
			m.hang(done.clause)
		}
	case turtle.End:
		m.stack[0].clause.end = at
		m.stack = m.stack[:0]
	default:
		if c := m.stack[len(m.stack)-1].clause; c != nil {
			m.within(c, e, at)
		}
	}
}

func (m *shaper) begin(c *clause) {
	c.top = c
	if len(m.stack) > 0 {
		c.top = m.stack[0].clause
	}
	m.s.clauses = append(m.s.clauses, c)
	m.stack = append(m.stack, frame{clause: c})
}

// hang hangs a property list on the object or the subject that it is within.
func (m *shaper) hang(c *clause) {
	for i := len(m.stack) - 1; i >= 0; i-- {
		up := m.stack[i].clause
		if up == nil {
			continue
		}
		if n := len(up.preds); n > 0 {
			objects := up.preds[n-1].objects
			o := &objects[len(objects)-1]
			o.inner = append(o.inner, c)
		} else {
			up.inner = append(up.inner, c)
		}
		return
	}
}

// within takes an event within a clause.
func (m *shaper) within(c *clause, e turtle.Event, at int) {
	n := len(c.preds)
	switch e {
	case turtle.SubjectEnd:
		c.open = at
	case turtle.Verb:
		c.preds = append(c.preds, pred{start: at})
	case turtle.VerbEnd:
		c.preds[n-1].end = at
	case turtle.Object:
		c.preds[n-1].objects = append(c.preds[n-1].objects, object{start: at, from: len(m.s.all)})
	case turtle.ObjectEnd:
		objects := c.preds[n-1].objects
		o := &objects[len(objects)-1]
		o.end, o.to, o.triple = m.s.endOf(o.start, at), len(m.s.all), len(m.s.all)
	}
}

// endOf returns the end of an object behind which was looked for a language or a datatype.
func (s *shape) endOf(start, end int) int {
	quote := s.content[start]
	if quote != '"' && quote != '\'' {
		return end
	}
	quoted := start + quotedLen(s.content[start:end], quote)
	rest := s.content[quoted:end]
	for _, c := range comments(rest) {
		rest = bytes.Replace(rest, []byte(c), nil, 1)
	}
	if len(bytes.TrimSpace(rest)) == 0 {
		return quoted
	}
	return end
}

// comments returns the comments of a part of a content, without their line ends.
func comments(text []byte) (all []string) {
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '#':
			end := i + bytes.IndexAny(append(text[i:len(text):len(text)], '\n'), "\n\r")
			all = append(all, string(text[i:end]))
			i = end
		case '<':
			if end := bytes.IndexByte(text[i:], '>'); end > 0 {
				i += end
			}
			i++
		case '"', '\'':
			i += quotedLen(text[i:], c)
		case '\\':
			i += 2
		default:
			i++
		}
	}
	return all
}

// quotedLen is the length of the string that a text begins with.
func quotedLen(text []byte, quote byte) int {
	long := bytes.Repeat([]byte{quote}, 3)
	if bytes.HasPrefix(text, long) {
		for i := 3; i < len(text); i++ {
			if text[i] == '\\' {
				i++
			} else if bytes.HasPrefix(text[i:], long) {
				i += 3
				for i < len(text) && text[i] == quote { // quotes before the end belong to the string
					i++
				}
				return i
			}
		}
		return len(text)
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return len(text)
}
