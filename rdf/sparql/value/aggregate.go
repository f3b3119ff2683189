package value

import (
	"strings"

	"orbweaver/rdf"
)

// An Aggregate aggregates the values of a group, one after the other (section 18.5.1). COUNT, MIN, MAX and
// SAMPLE ignore solutions for which the expression has no value; the others then have no result.
type Aggregate interface {
	// Add adds the value or error of the expression for one solution.
	Add(v Value, err error)
	// Result returns the aggregate so far. MIN, MAX and SAMPLE have no result for an empty group.
	Result() (Value, error)
}

// NewAggregate returns an aggregate by its name: COUNT, SUM, MIN, MAX, AVG, SAMPLE or GROUP_CONCAT; nil for
// another. A distinct one adds equal terms once. For COUNT(*), pass any bound value for each solution; it
// cannot be distinct. SAMPLE returns the first value.
func NewAggregate(_ *Env, name string, distinct bool, separator string) Aggregate {
	var a Aggregate
	switch name {
	case "COUNT":
		a = &count{}
	case "SUM":
		a = &sum{total: Integer(0)}
	case "AVG":
		a = &average{sum: sum{total: Integer(0)}}
	case "MIN":
		return &extreme{sign: -1} // duplicates do not matter
	case "MAX":
		return &extreme{sign: 1}
	case "SAMPLE":
		return &extreme{}
	case "GROUP_CONCAT":
		a = &groupConcat{separator: separator}
	default:
		return nil
	}
	if distinct {
		return &unique{a, map[rdf.Term]struct{}{}}
	}
	return a
}

// unique passes each distinct term on once.
type unique struct {
	Aggregate
	seen map[rdf.Term]struct{}
}

// Add passes new terms and all errors on.
func (u *unique) Add(v Value, err error) {
	if err == nil {
		t := v.Term()
		if _, seen := u.seen[t]; seen {
			return
		}
		u.seen[t] = struct{}{}
	}
	u.Aggregate.Add(v, err)
}

type count struct{ n int64 }

func (c *count) Add(v Value, err error) {
	if err == nil && v.Bound() {
		c.n++
	}
}

func (c *count) Result() (Value, error) { return Integer(c.n), nil }

type sum struct {
	total Value
	err   error // the first one
	n     int64
}

func (s *sum) Add(v Value, err error) {
	if s.err != nil {
		return
	}
	if s.err = err; err == nil {
		s.n++
		s.total, s.err = arithmetic("+", s.total, v)
	}
}

func (s *sum) Result() (Value, error) { return s.total, s.err }

type average struct{ sum }

func (a *average) Result() (Value, error) {
	if a.n == 0 || a.err != nil {
		return a.sum.Result()
	}
	return arithmetic("/", a.total, Integer(a.n))
}

// extreme is the least or greatest value in the order of ORDER BY, or any.
type extreme struct {
	best Value
	sign int
}

func (e *extreme) Add(v Value, err error) {
	if err == nil && v.Bound() && (!e.best.Bound() || e.sign*Order(v, e.best) > 0) {
		e.best = v
	}
}

func (e *extreme) Result() (Value, error) {
	if !e.best.Bound() {
		return Value{}, ErrType
	}
	return e.best, nil
}

type groupConcat struct {
	separator string
	text      strings.Builder
	started   bool
	err       error // the first one
}

func (g *groupConcat) Add(v Value, err error) {
	if g.err != nil {
		return
	}
	if err == nil && !v.Bound() {
		err = ErrType
	}
	var s Value
	if err == nil {
		s, err = str(v)
	}
	if err == nil && g.text.Len()+len(g.separator)+len(s.value) > MaxString {
		err = errSize
	}
	if g.err = err; err != nil {
		g.text.Reset()
		return
	}
	if g.started {
		g.text.WriteString(g.separator)
	}
	g.started = true
	g.text.WriteString(s.value)
}

func (g *groupConcat) Result() (Value, error) { return String(g.text.String()), g.err }
