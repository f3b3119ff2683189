package eval

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// Terms of solutions are decoded many at once, in the order of their IDs, which is that of the dictionary. The first solutions do not wait
// for many others.
const (
	firstSolutions = 16
	maxDecoded     = 1 << 15 // terms at once
)

// Rows returns the solutions of SELECT, by column; the zero term is unbound. A row is valid until the next.
func (r *Result) Rows() iter.Seq2[[]rdf.Term, error] {
	return func(yield func([]rdf.Term, error) bool) {
		x, b := r.x, &answer{x: r.x, width: len(r.query.Columns), yield: yield}
		most := firstSolutions
		r.root.open()
		for n := int64(1); r.root.next(); n++ {
			if x.opts.MaxRows > 0 && n > x.opts.MaxRows {
				x.fail(fmt.Errorf("%w: more than %d", ErrRows, x.opts.MaxRows))
			}
			if x.err != nil {
				break
			}
			for _, c := range r.query.Columns {
				b.ids = append(b.ids, x.reg[c.Slot])
			}
			if b.rows++; b.rows < most {
				continue
			}
			if !b.flush() {
				r.root.stop()
				r.Close()
				return
			}
			most = max(firstSolutions, min(2*most, maxDecoded/max(1, b.width)))
		}
		failed := x.err
		x.err = nil // for what came before
		if !b.flush() && x.err == nil {
			r.Close()
			return
		}
		if failed != nil {
			x.err = failed
		}
		if err := r.Close(); err != nil {
			yield(nil, err)
		}
	}
}

// An answer is solutions on their way to the caller.
type answer struct {
	x     *execution
	width int
	yield func([]rdf.Term, error) bool
	rows  int
	ids   []quads.ID
	order []placed
	terms []rdf.Term
}

// A placed is an ID with its index among those of an answer.
type placed struct {
	id quads.ID
	at int32
}

// flush decodes the solutions and passes them on; false: the caller wants no more, or there was an error.
func (a *answer) flush() bool {
	a.order = a.order[:0]
	for i, id := range a.ids {
		a.order = append(a.order, placed{id, int32(i)})
	}
	if a.rows > 1 {
		slices.SortFunc(a.order, func(a, b placed) int { return cmp.Compare(a.id, b.id) })
	}
	a.terms = slices.Grow(a.terms[:0], len(a.ids))[:len(a.ids)]
	for i, p := range a.order {
		if i > 0 && a.order[i-1].id == p.id {
			a.terms[p.at] = a.terms[a.order[i-1].at]
		} else {
			a.terms[p.at] = a.x.term(p.id)
		}
	}
	for i := range a.rows {
		if a.x.err != nil || !a.yield(a.terms[i*a.width:(i+1)*a.width:(i+1)*a.width], nil) {
			return false
		}
	}
	a.rows, a.ids = 0, a.ids[:0]
	return true
}
