package nautilod

import (
	"errors"
	"fmt"
	"slices"
)

// ErrSize is returned for an expression whose automaton would be too large.
var ErrSize = errors.New("too large")

// An Automaton accepts the walks of an expression. It is a Glushkov automaton: a state is a position in the
// expression, that of the last step, test or action, and there are no empty transitions. State 0 is the
// start. An Automaton is immutable.
type Automaton struct {
	labels []Path // by state: *Step, *Test or *Action; nil for the start
	next   [][]int
	final  []bool
}

// Compile returns the automaton of an expression. The error wraps ErrSize if it would have more than
// MaxStates states in addition to the start.
func (q *Query) Compile() (*Automaton, error) {
	path := q.Path
	if r, ok := path.(*Repeat); ok && q.Command {
		path = &Repeat{Path: r.Path, Min: 1, Max: r.Max}
	}
	b := &building{a: &Automaton{labels: []Path{nil}}, follow: []set{{}}}
	f := b.fragment(path)
	if b.full {
		return nil, fmt.Errorf("%w: with its ranges written out it has more than %d predicates, tests and actions", ErrSize, MaxStates)
	}
	b.connect([]int{0}, f.first)
	b.a.final = make([]bool, len(b.a.labels))
	b.a.final[0] = f.empty
	for _, s := range f.last {
		b.a.final[s] = true
	}
	for _, follow := range b.follow {
		b.a.next = append(b.a.next, follow.members())
	}
	return b.a, nil
}

// Len returns the number of states.
func (a *Automaton) Len() int { return len(a.labels) }

// Next returns the successors of a state, in ascending order; callers must not modify it.
func (a *Automaton) Next(state int) []int { return a.next[state] }

// Label returns the label of a state's incoming transitions: a *Step, a *Test or an *Action; nil for state 0.
func (a *Automaton) Label(state int) Path { return a.labels[state] }

// Final reports whether a walk may end in a state.
func (a *Automaton) Final(state int) bool { return a.final[state] }

// A set is a set of states.
type set [MaxStates/64 + 1]uint64

func (s *set) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s *set) members() (all []int) {
	for i := range MaxStates + 1 {
		if s[i/64]&(1<<(i%64)) != 0 {
			all = append(all, i)
		}
	}
	return all
}

// A fragment is a part of an automaton: its first and last states, and whether it matches the empty walk.
type fragment struct {
	first, last []int
	empty       bool
}

// A building is an automaton under construction.
type building struct {
	a      *Automaton
	follow []set // by state
	full   bool  // the limit of states is exceeded
}

// fragment adds the states of a path.
func (b *building) fragment(path Path) fragment {
	switch path := path.(type) {
	case *Sequence:
		all := fragment{empty: true}
		for _, part := range path.Parts {
			all = b.concat(all, b.fragment(part))
		}
		return all
	case *Alternative:
		var all fragment
		for _, part := range path.Parts {
			f := b.fragment(part)
			all.first, all.last = append(all.first, f.first...), append(all.last, f.last...)
			all.empty = all.empty || f.empty
		}
		return all
	case *Repeat:
		return b.repeat(path)
	}
	return b.state(path)
}

// state adds a state.
func (b *building) state(label Path) fragment {
	n := len(b.a.labels)
	if n > MaxStates {
		b.full = true
	}
	if b.full {
		return fragment{}
	}
	b.a.labels = append(b.a.labels, label)
	b.follow = append(b.follow, set{})
	return fragment{first: []int{n}, last: []int{n}}
}

// repeat expands a repetition. Optional repetitions are nested to the right, p(p(p)?)?, since in p?p?p? every
// state would lead to every later one.
func (b *building) repeat(r *Repeat) fragment {
	behind := fragment{empty: true}
	if r.Max == Any {
		behind = b.fragment(r.Path)
		b.connect(behind.last, behind.first)
		behind.empty = behind.empty || r.Min == 0
	}
	for range r.Max - r.Min {
		if r.Max == Any || b.full {
			break
		}
		behind = b.concat(b.fragment(r.Path), behind)
		behind.empty = true
	}
	before := r.Min
	if r.Max == Any {
		before = max(0, r.Min-1)
	}
	for range before {
		if b.full {
			break
		}
		behind = b.concat(b.fragment(r.Path), behind)
	}
	return behind
}

// concat concatenates two fragments.
func (b *building) concat(x, y fragment) fragment {
	b.connect(x.last, y.first)
	z := fragment{first: x.first, last: y.last, empty: x.empty && y.empty}
	if x.empty {
		z.first = slices.Concat(x.first, y.first)
	}
	if y.empty {
		z.last = slices.Concat(x.last, y.last)
	}
	return z
}

// connect adds transitions.
func (b *building) connect(from, to []int) {
	for _, s := range from {
		for _, t := range to {
			b.follow[s].add(t)
		}
	}
}
