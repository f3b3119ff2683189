package edit

import (
	"cmp"
	"maps"
	"slices"

	"orbweaver/internal/order"
	"orbweaver/rdf"
)

const (
	rdfFirst = "http://www.w3.org/1999/02/22-rdf-syntax-ns#first"
	rdfRest  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest"
	rdfNil   = "http://www.w3.org/1999/02/22-rdf-syntax-ns#nil"
)

// uproot takes blank nodes without a label out of statements that go, where they keep statements of their own, or new ones refer to them: all
// that is said of them is written anew. So are collections of which a part goes. It returns the new statements with theirs.
func (e *editor) uproot(fresh []rdf.Triple) []rdf.Triple {
	names := map[string]string{}
	ordered := order.Collected(maps.Keys(e.remove), func(a, b rdf.Triple) int { return cmp.Compare(e.first(a), e.first(b)) })
	for _, t := range ordered {
		for _, at := range e.places[t] {
			if t.O.Kind == rdf.Blank && !e.labelled(t.O) {
				fresh = e.anew(at.object(), names, fresh)
			}
		}
	}
	for _, o := range e.parted(ordered) {
		if t := e.all[o.triple]; !e.remove[t] {
			e.remove[t] = true
			fresh = e.anew(o, names, append(fresh, t))
		}
	}
	for i := range fresh {
		for _, term := range []*rdf.Term{&fresh[i].S, &fresh[i].O} {
			if name, ok := names[term.Value]; ok && term.Kind == rdf.Blank {
				term.Value = name
			}
		}
	}
	return fresh
}

// anew makes new statements of those within an object, with other names for its blank nodes.
func (e *editor) anew(o *object, names map[string]string, fresh []rdf.Triple) []rdf.Triple {
	if head := e.all[o.triple].O; head.Kind == rdf.Blank {
		names[head.Value] = head.Value + "-uprooted"
	}
	for _, in := range e.all[o.from:o.to] {
		if in.S.Kind == rdf.Blank && !e.labelled(in.S) {
			names[in.S.Value] = in.S.Value + "-uprooted"
		}
		if !e.remove[in] {
			e.remove[in] = true
			fresh = append(fresh, in)
		}
	}
	return fresh
}

// parted returns the objects with the collections that lose some of the statements that go, and keep others.
func (e *editor) parted(gone []rdf.Triple) (all []*object) {
	lost := map[rdf.Triple]bool{} // parts of collections: they have no place of their own
	for _, t := range gone {
		if len(e.places[t]) == 0 {
			lost[t] = true
		}
	}
	if len(lost) == 0 {
		return nil
	}
	for _, c := range e.clauses {
		for i := range c.preds {
			for k := range c.preds[i].objects {
				o := &c.preds[i].objects[k]
				if e.content[o.start] == '(' && slices.ContainsFunc(e.all[o.from:o.to], func(t rdf.Triple) bool { return lost[t] }) {
					all = append(all, o)
				}
			}
		}
	}
	return all
}

func (p place) object() *object { return &p.clause.preds[p.pred].objects[p.obj] }

// first is the number of the first place of a statement; statements within collections have none.
func (e *editor) first(t rdf.Triple) int {
	if all := e.places[t]; len(all) > 0 {
		return all[0].object().triple
	}
	return -1
}

// collection writes a new blank node as a collection; ok is false if it is none.
func (e *editor) collection(w *writer, head rdf.Term) (text string, ok bool, err error) {
	var members, nodes []rdf.Term
	for node := head; node != rdf.NewIRI(rdfNil); {
		own := e.adds[node]
		if len(own) != 2 || e.uses[node] != 1 || slices.Contains(nodes, node) {
			return "", false, nil
		}
		if own[0].P.Value == rdfRest {
			own = []rdf.Triple{own[1], own[0]}
		}
		if own[0].P.Value != rdfFirst || own[1].P.Value != rdfRest {
			return "", false, nil
		}
		members, nodes, node = append(members, own[0].O), append(nodes, node), own[1].O
	}
	for _, node := range nodes {
		delete(e.adds, node)
	}
	for _, m := range members {
		one, err := e.text(w, m)
		if err != nil {
			return "", true, err
		}
		text += one + " "
	}
	return "( " + text + ")", true, nil
}
