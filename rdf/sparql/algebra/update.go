package algebra

import (
	"fmt"

	"orbweaver/rdf"
	"orbweaver/rdf/sparql/syntax"
)

// TranslateUpdate translates an update. The error says that an operation has too many variables; it
// wraps syntax.ErrSize.
func TranslateUpdate(u *syntax.Update) (*Update, error) {
	out := &Update{Prefixes: u.Prefixes}
	for i, op := range u.Operations {
		translated, err := operation(op)
		if err != nil {
			return nil, fmt.Errorf("operation %d: %w", i+1, err)
		}
		out.Operations = append(out.Operations, translated)
	}
	return out, nil
}

// operation translates one operation; operations without patterns are unchanged.
func operation(op syntax.Operation) (Operation, error) {
	switch op := op.(type) {
	case *syntax.InsertData:
		return &InsertData{op.Pos, data(op.Quads)}, nil
	case *syntax.DeleteData:
		return &DeleteData{op.Pos, data(op.Quads)}, nil
	case *syntax.DeleteWhere:
		t := newTranslator("")
		m := &Modify{Pos: op.Pos, Delete: t.quads(op.Quads, "")}
		m.Pattern = t.quadPattern(op.Quads)
		m.Vars = t.vars
		return m, t.err
	case *syntax.Modify:
		t := newTranslator(op.Base)
		m := &Modify{Pos: op.Pos, Base: op.Base, With: op.With, Dataset: op.Using, Pattern: t.whole(op.Where)}
		m.Delete, m.Insert = t.quads(op.Delete, op.With), t.quads(op.Insert, op.With)
		m.Vars = t.vars
		return m, t.err
	}
	return op, nil
}

// data returns quads without variables.
func data(quads []syntax.Quad) []rdf.Quad {
	out := make([]rdf.Quad, len(quads))
	for i, q := range quads {
		out[i] = rdf.Quad{S: ground(q.S), P: ground(q.P), O: ground(q.O), G: ground(q.G)}
	}
	return out
}

// ground returns a node without variables as a term.
func ground(n syntax.Node) rdf.Term {
	if n.Triple == nil {
		return n.Term
	}
	return rdf.NewTripleTerm(rdf.Triple{S: ground(n.Triple.S), P: ground(n.Triple.P), O: ground(n.Triple.O)})
}

// quads translates a template; with is the default graph of WITH.
func (t *translator) quads(quads []syntax.Quad, with string) (out []Quad) {
	for _, q := range quads {
		graph := Node{Slot: NoSlot}
		switch {
		case !q.G.IsZero():
			graph = t.node(q.G)
		case with != "":
			graph = Node{Term: rdf.NewIRI(with)}
		}
		out = append(out, Quad{Triple{t.node(q.S), t.node(q.P), t.node(q.O)}, graph})
	}
	return out
}

// quadPattern translates quads as the pattern of DELETE WHERE.
func (t *translator) quadPattern(quads []syntax.Quad) Op {
	op := Op(&BGP{})
	for len(quads) > 0 {
		graph := quads[0].G
		var triples []syntax.Triple
		for len(quads) > 0 && quads[0].G == graph {
			triples, quads = append(triples, quads[0].Triple), quads[1:]
		}
		if pattern := t.triples(triples); graph.IsZero() {
			op = join(op, pattern)
		} else {
			op = join(op, &Graph{t.node(graph), pattern})
		}
	}
	return op
}
