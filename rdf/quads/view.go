package quads

import (
	"fmt"

	"orbweaver/rdf"
)

// A source is the implementation of a Reader.
type source interface {
	scan(table) scan
	lookup() terms
	content(ID) (string, bool, error)
	predicate(side, ID) (Predicate, error)
	graph(ID) (int64, error)
	total(side) (int64, error)
	namer() *namer
}

// Terms are those of a source, for one goroutine, and fastest for IDs in ascending order.
type terms interface {
	content(ID) (string, bool, error)
	close() error
}

// A view is a Reader over a source.
type view struct{ source source }

// Cursor implements Reader.
func (v view) Cursor() Cursor {
	c := &cursor{source: v.source, current: -1}
	if s, ok := v.source.(*stored); ok {
		c.column.stored, c.column.era = s, s.era
	}
	return c
}

// NextGraph implements Reader.
func (v view) NextGraph(after ID) (ID, bool, error) {
	s := v.source.scan(namedGSPO)
	from, k := key{after + 1}, key{}
	ok := s.seek(&from, &k)
	return k[0], ok, s.close()
}

// Lookup implements Reader.
func (v view) Lookup(t rdf.Term) (ID, bool, error) {
	return lookUp(v.source.namer(), t, v.source.content)
}

// Term implements Reader.
func (v view) Term(id ID) (rdf.Term, error) { return decode(id, v.source.content) }

// decode returns the term of an ID; a dictionary has its content, if any.
func decode(id ID, content func(ID) (string, bool, error)) (rdf.Term, error) {
	if id == Default {
		return rdf.Term{}, nil
	}
	if t, ok := id.Inline(); ok {
		return t, nil
	}
	if id.named() {
		content, ok, err := content(id)
		if err != nil {
			return rdf.Term{}, err
		}
		if ok {
			return termOf(id, content)
		}
	}
	return rdf.Term{}, fmt.Errorf("ID %#x: %w", uint64(id), ErrUnknown)
}

// Predicate implements Reader.
func (v view) Predicate(p, graph ID) (all Predicate, err error) {
	for s := range sides {
		if graph == Default && s == sideNamed || graph != Default && graph != Any && s == sideDefault {
			continue
		}
		one, err := v.source.predicate(s, p)
		if err != nil {
			return all, err
		}
		all.Quads += one.Quads
		all.Subjects += one.Subjects
		all.Objects += one.Objects
	}
	return all, nil
}
