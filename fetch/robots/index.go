package robots

import (
	"cmp"
	"slices"
	"strings"

	"orbweaver/internal/order"
)

// An index finds the rules whose literal, the part before the first asterisk, is a prefix of the path. Literals
// are sorted, and each refers to the longest other literal that is its prefix. So all literals that are
// prefixes of a path are reachable from the last one that does not sort after the path: every string between a
// literal and a path with that prefix has the same prefix.
type index struct {
	rules []rule // by literal, then by precedence
	nodes []node // one per literal, sorted
	wild  bool   // some have wildcards
}

// A node is a literal and its rules.
type node struct {
	from, to int32 // in rules
	up       int32 // node of the longest literal that is a proper prefix; -1: none
}

// newIndex sorts rules; it keeps the slice. Of equal rules the first stays.
func newIndex(rules []rule) index {
	order.Stably(rules, compare)
	rules = slices.CompactFunc(rules, func(a, b rule) bool { return compare(a, b) == 0 })
	x := index{rules: slices.Clip(rules)}
	up := int32(-1)
	for i := range x.rules {
		r := &x.rules[i]
		x.wild = x.wild || int(r.literal) < len(r.pattern)
		last := len(x.nodes) - 1
		if last >= 0 && x.literal(last) == r.head() {
			x.nodes[last].to++
			continue
		}
		for up = int32(last); up >= 0 && !strings.HasPrefix(r.head(), x.literal(int(up))); {
			up = x.nodes[up].up
		}
		x.nodes = append(x.nodes, node{from: int32(i), to: int32(i) + 1, up: up})
	}
	return x
}

// compare orders rules in an index; 0 means equal.
func compare(a, b rule) int {
	if c := cmp.Compare(a.head(), b.head()); c != 0 {
		return c
	}
	switch {
	case a.beats(&b):
		return -1
	case b.beats(&a):
		return 1
	case a.ends != b.ends && a.ends:
		return -1
	case a.ends != b.ends:
		return 1
	}
	return cmp.Compare(a.pattern, b.pattern)
}

// head is the rule's literal.
func (r *rule) head() string { return r.pattern[:r.literal] }

// literal is that of a node.
func (x *index) literal(n int) string { return x.rules[x.nodes[n].from].head() }

// maxWork bounds the cost of one decision: bytes of the path, times the wildcard rules that are tried. It
// permits a thousand such rules for a path of a kilobyte, and takes about 2 ms at worst.
const maxWork = 1 << 20

// decide returns the deciding rule for a normalized path, or best, which may be nil, if none here beats it. It
// gives up above maxWork.
func (x *index) decide(path string, best *rule) (decided *rule, ok bool) {
	n := x.before(path)
	if n < 0 {
		return best, true
	}
	work := 0
	shared := int32(common(x.literal(n), path))
	var letters uint64
	if x.wild {
		letters = lettersOf(path)
	}
	for at := int32(n); at >= 0; at = x.nodes[at].up {
		rules := x.rules[x.nodes[at].from:x.nodes[at].to]
		if rules[0].literal > shared {
			continue
		}
		for i := range rules {
			r := &rules[i]
			if !r.beats(best) {
				break
			}
			if r.letters&^letters != 0 {
				continue
			}
			if r.letters != 0 {
				if work += len(path); work > maxWork {
					return nil, false
				}
			}
			if r.matches(path) {
				best = r
				break
			}
		}
	}
	return best, true
}

// before is the last node whose literal does not sort after the path; -1: none.
func (x *index) before(path string) int {
	low, high := 0, len(x.nodes)
	for low < high {
		if middle := (low + high) / 2; x.literal(middle) <= path {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low - 1
}

// common is the length of the common prefix of two strings.
func common(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
