package eval

import (
	"fmt"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
)

// Triples returns the answer to CONSTRUCT or DESCRIBE, each triple once.
func (r *Result) Triples() iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		b := &builder{r: r, yield: yield, seen: rowTable{x: r.x, width: 3, key: all(3)}}
		if r.Form == algebra.DescribeForm {
			b.describe()
		} else {
			b.construct()
		}
		if err := r.Close(); err != nil && !b.ended {
			yield(rdf.Triple{}, err)
		}
	}
}

// A builder yields triples.
type builder struct {
	r     *Result
	yield func(rdf.Triple, error) bool
	seen  rowTable
	ended bool // the consumer stopped
}

// add yields a triple unless it is a duplicate; false if the consumer stopped.
func (b *builder) add(s, p, o quads.ID) bool {
	x := b.r.x
	row := [...]quads.ID{s, p, o}
	if !b.seen.put(row[:]) {
		return true
	}
	if limit := x.opts.MaxRows; limit > 0 && int64(b.seen.rows) > limit {
		x.fail(fmt.Errorf("%w: more than %d", ErrRows, limit))
	}
	t := rdf.Triple{S: x.term(s), P: x.term(p), O: x.term(o)}
	if x.err == nil && !b.yield(t, nil) {
		b.ended = true
	}
	return x.err == nil && !b.ended
}

// solve calls each for every solution.
func (b *builder) solve(each func() bool) {
	b.r.root.open()
	for b.r.x.err == nil && b.r.root.next() {
		if !each() {
			b.r.root.stop()
			return
		}
	}
}

func (b *builder) construct() {
	t := template{x: b.r.x}
	for _, triple := range b.r.query.Template {
		t.add(algebra.Quad{Triple: triple, G: algebra.Node{Slot: algebra.NoSlot}})
	}
	b.solve(func() bool {
		for q := range t.quads() {
			if !b.add(q.S, q.P, q.O) {
				return false
			}
		}
		return true
	})
}

// A template instantiates quads from solutions.
type template struct {
	x      *execution
	quad   [][4]term
	blank  [][4]string          // labels of blank nodes, fresh for each solution
	quoted [][4]*algebra.Triple // triple terms to be made for each solution
}

func (t *template) add(q algebra.Quad) {
	var terms [4]term
	var labels [4]string
	var quoted [4]*algebra.Triple
	for i, n := range [...]algebra.Node{q.S, q.P, q.O, q.G} {
		switch {
		case n.Triple != nil:
			quoted[i] = n.Triple
		case n.Term.Kind == rdf.Blank:
			labels[i] = "template:" + n.Term.Value
		case n.IsDefault():
			terms[i] = term{algebra.NoSlot, quads.Default}
		default:
			terms[i] = t.x.node(n)
		}
	}
	t.quad, t.blank, t.quoted = append(t.quad, terms), append(t.blank, labels), append(t.quoted, quoted)
}

// quads returns the valid quads of the solution in the registers.
func (t *template) quads() iter.Seq[quads.Quad] {
	return func(yield func(quads.Quad) bool) {
		fresh := map[string]quads.ID{}
		for i, terms := range t.quad {
			var ids [4]quads.ID
			for j, n := range terms {
				label := t.blank[i][j]
				switch {
				case t.quoted[i][j] != nil:
					ids[j] = t.x.id(t.term(t.quoted[i][j], fresh))
				case label == "":
					ids[j] = n.value(t.x)
				default:
					ids[j] = t.node(label, fresh)
				}
			}
			def := terms[3].slot == algebra.NoSlot && terms[3].id == quads.Default && t.blank[i][3] == ""
			if t.valid(ids, def) && !yield(quads.Quad{S: ids[0], P: ids[1], O: ids[2], G: ids[3]}) {
				return
			}
		}
	}
}

// node returns the blank node that a label is in the current solution.
func (t *template) node(label string, fresh map[string]quads.ID) quads.ID {
	if fresh[label] == 0 {
		fresh[label] = t.x.own(rdf.NewBlank(t.x.newLabel()))
	}
	return fresh[label]
}

// term returns the triple term of the solution in the registers; none if a part has no value, or cannot stand where it is.
func (t *template) term(parts *algebra.Triple, fresh map[string]quads.ID) rdf.Term {
	var made rdf.Triple
	for i, into := range [...]*rdf.Term{&made.S, &made.P, &made.O} {
		switch n := [...]algebra.Node{parts.S, parts.P, parts.O}[i]; {
		case n.Triple != nil:
			*into = t.term(n.Triple, fresh)
		case n.Term.Kind == rdf.Blank:
			*into = t.x.term(t.node("template:"+n.Term.Value, fresh))
		case n.IsVar():
			*into = t.x.term(t.x.reg[n.Slot])
		default:
			*into = n.Term
		}
	}
	if !made.IsValid() || made.O.Depth() >= rdf.MaxTripleDepth {
		return rdf.Term{}
	}
	return rdf.NewTripleTerm(made)
}

// valid reports whether IDs form an RDF quad.
func (t *template) valid(ids [4]quads.ID, def bool) bool {
	node := func(id quads.ID) bool { kind := t.x.term(id).Kind; return kind == rdf.IRI || kind == rdf.Blank }
	return ids[0] != 0 && ids[1] != 0 && ids[2] != 0 && (def || ids[3] != 0) &&
		node(ids[0]) && t.x.term(ids[1]).Kind == rdf.IRI && (ids[3] == 0 || node(ids[3]))
}

// describe yields the concise bounded descriptions of the requested resources: their triples in any graph of
// the dataset, and recursively those of blank nodes that are objects.
func (b *builder) describe() {
	x := b.r.x
	d := describer{b: b, done: rowTable{x: x, width: 1, key: all(1)}}
	anySlot := false
	for _, n := range b.r.query.Describe {
		if n.IsVar() {
			anySlot = true
		} else if !d.resource(x.id(n.Term)) {
			return
		}
	}
	if !anySlot {
		return
	}
	b.solve(func() bool {
		for _, n := range b.r.query.Describe {
			if n.IsVar() && !d.resource(x.reg[n.Slot]) {
				return false
			}
		}
		return true
	})
}

type describer struct {
	b      *builder
	done   rowTable
	source source
}

// resource describes a resource, once.
func (d *describer) resource(id quads.ID) bool {
	x := d.b.r.x
	queue := []quads.ID{id}
	for len(queue) > 0 && x.err == nil {
		id := queue[0]
		queue = queue[1:]
		row := [1]quads.ID{id}
		if _, found := d.done.look(row[:]); found || id == 0 || x.term(id).Kind == rdf.Literal {
			continue
		}
		d.done.add(row[:])
		ok := d.quads(id, func(q quads.Quad) bool {
			if q.O.Kind() == quads.KindBlank {
				queue = append(queue, q.O)
				x.keep(8)
			}
			return d.b.add(q.S, q.P, q.O)
		})
		if !ok {
			return false
		}
	}
	return x.err == nil
}

// quads calls each for the quads of a subject.
func (d *describer) quads(id quads.ID, each func(quads.Quad) bool) bool {
	x := d.b.r.x
	d.source.x = x
	for _, where := range [...]place{{slot: algebra.NoSlot, whole: true}, {slot: algebra.NoSlot, id: quads.Named}} {
		d.source.seek(quads.Pattern{S: id, P: quads.Any, O: quads.Any}, where)
		for d.source.next() {
			if !each(d.source.quad) {
				return false
			}
		}
	}
	return true
}
