package quads

// fan is the maximum number of keys of a leaf, and of children of an inner node.
const fan = 128

// A tree is a sorted set of keys, a persistent B+ tree. After freeze, a copy of it is a snapshot: later
// changes copy nodes first.
type tree struct {
	root *node
	age  uint64 // older nodes are immutable
	size int64
}

// A leaf node has keys. An inner node has children and, for each, a lower bound of its keys.
type node struct {
	age  uint64
	keys []key
	kids []*node // nil: a leaf
}

// freeze makes the existing copies of the tree snapshots.
func (t *tree) freeze() { t.age++ }

// own returns the node, or a mutable copy of it.
func (t *tree) own(n *node) *node {
	if n.age == t.age {
		return n
	}
	c := &node{age: t.age, keys: append(make([]key, 0, fan), n.keys...)}
	if n.kids != nil {
		c.kids = append(make([]*node, 0, fan), n.kids...)
	}
	return c
}

// lowest returns the index of the first key not below k.
func (n *node) lowest(k *key) int {
	low, high := 0, len(n.keys)
	for low < high {
		if middle := (low + high) / 2; n.keys[middle].compare(k) < 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// kid returns the index of the child that may contain k.
func (n *node) kid(k *key) int {
	i := n.lowest(k)
	if i == len(n.keys) || n.keys[i] != *k {
		i--
	}
	return max(i, 0)
}

// insert adds a key and reports whether it is new.
func (t *tree) insert(k key) bool {
	if t.root == nil {
		t.root = &node{age: t.age}
	}
	root, right, added := t.insertInto(t.root, k)
	t.root = root
	if right != nil {
		t.root = &node{age: t.age, keys: []key{root.keys[0], right.keys[0]}, kids: []*node{root, right}}
	}
	if added {
		t.size++
	}
	return added
}

// insertInto returns the node that replaces n, and its new right sibling if n was split.
func (t *tree) insertInto(n *node, k key) (left, right *node, added bool) {
	if n.kids == nil {
		i := n.lowest(&k)
		if i < len(n.keys) && n.keys[i] == k {
			return n, nil, false
		}
		n = t.own(n)
		n.keys = append(n.keys, key{})
		copy(n.keys[i+1:], n.keys[i:])
		n.keys[i] = k
		return n, t.split(n), true
	}
	i := n.kid(&k)
	kid, extra, added := t.insertInto(n.kids[i], k)
	if !added {
		return n, nil, false
	}
	n = t.own(n)
	n.kids[i] = kid
	if k.compare(&n.keys[i]) < 0 {
		n.keys[i] = k
	}
	if extra != nil {
		n.keys = append(n.keys, key{})
		copy(n.keys[i+2:], n.keys[i+1:])
		n.keys[i+1] = extra.keys[0]
		n.kids = append(n.kids, nil)
		copy(n.kids[i+2:], n.kids[i+1:])
		n.kids[i+1] = extra
	}
	return n, t.split(n), true
}

// split moves the upper half of a node that is too large to a new node.
func (t *tree) split(n *node) *node {
	if len(n.keys) < fan {
		return nil
	}
	half := len(n.keys) / 2
	right := &node{age: t.age, keys: append(make([]key, 0, fan), n.keys[half:]...)}
	n.keys = n.keys[:half]
	if n.kids != nil {
		right.kids = append(make([]*node, 0, fan), n.kids[half:]...)
		clear(n.kids[half:])
		n.kids = n.kids[:half]
	}
	return right
}

// remove removes a key, and reports whether it existed. Empty nodes are removed; others are not merged, since
// removals are mostly few, or complete.
func (t *tree) remove(k key) bool {
	if t.root == nil {
		return false
	}
	root, removed := t.removeFrom(t.root, k)
	for root != nil && len(root.kids) == 1 {
		root = root.kids[0]
	}
	t.root = root
	if removed {
		t.size--
	}
	return removed
}

func (t *tree) removeFrom(n *node, k key) (left *node, removed bool) {
	var i int
	var kid *node
	if n.kids == nil {
		if i = n.lowest(&k); i == len(n.keys) || n.keys[i] != k {
			return n, false
		}
	} else {
		i = n.kid(&k)
		if kid, removed = t.removeFrom(n.kids[i], k); !removed {
			return n, false
		}
	}
	n = t.own(n)
	if kid != nil {
		n.kids[i] = kid
		return n, true
	}
	if len(n.keys) == 1 {
		return nil, true
	}
	n.keys = append(n.keys[:i], n.keys[i+1:]...)
	if n.kids != nil {
		n.kids = append(n.kids[:i], n.kids[i+1:]...)
	}
	return n, true
}

// build makes a tree with full leaves from sorted, distinct keys.
func build(keys []key, age uint64) tree {
	t := tree{age: age, size: int64(len(keys))}
	const full = fan - 1
	var level []*node
	for len(keys) > 0 {
		n := min(full, len(keys))
		level = append(level, &node{age: age, keys: keys[:n:n]})
		keys = keys[n:]
	}
	for len(level) > 1 {
		var above []*node
		for len(level) > 0 {
			n := min(full, len(level))
			parent := &node{age: age, kids: level[:n:n]}
			for _, kid := range parent.kids {
				parent.keys = append(parent.keys, kid.keys[0])
			}
			above, level = append(above, parent), level[n:]
		}
		level = above
	}
	if len(level) == 1 {
		t.root = level[0]
	}
	return t
}

// A treeScan is a scan of an immutable tree.
type treeScan struct {
	root  *node
	path  [12]step // a tree of that height would have 2^72 keys
	depth int      // of the leaf; -1: at the end
}

// A step is a node and an index in it.
type step struct {
	n *node
	i int
}

func (s *treeScan) seek(from, k *key) bool {
	s.depth = -1
	for n := s.root; n != nil; {
		s.depth++
		if n.kids == nil {
			s.path[s.depth] = step{n, n.lowest(from)}
			return s.settle(k)
		}
		i := n.kid(from)
		s.path[s.depth] = step{n, i}
		n = n.kids[i]
	}
	return false
}

func (s *treeScan) next(k *key) bool {
	if s.depth < 0 {
		return false
	}
	s.path[s.depth].i++
	return s.settle(k)
}

// settle sets k to the key at the current index or, after the last key of a leaf, to the first of the next
// leaf.
func (s *treeScan) settle(k *key) bool {
	at := &s.path[s.depth]
	if at.i < len(at.n.keys) {
		*k = at.n.keys[at.i]
		return true
	}
	d := s.depth - 1
	for d >= 0 && s.path[d].i+1 >= len(s.path[d].n.kids) {
		d--
	}
	if d < 0 {
		s.depth = -1
		return false
	}
	s.path[d].i++
	for ; d < s.depth; d++ {
		s.path[d+1] = step{s.path[d].n.kids[s.path[d].i], 0}
	}
	*k = s.path[s.depth].n.keys[0]
	return true
}

func (s *treeScan) err() error { return nil }

func (s *treeScan) close() error { return nil }
