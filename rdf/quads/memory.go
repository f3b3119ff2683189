package quads

import (
	"fmt"
	"iter"
	"slices"
	"sync"

	"orbweaver/rdf"
)

// A Memory is a store in memory: about 100 to 150 bytes per quad and 100 a term. Its methods may be called by any
// goroutine.
type Memory struct {
	mu     sync.RWMutex
	trees  [tables]tree
	stats  [sides]map[ID]*stat
	graphs map[ID]int64
	terms  dictionary
	naming *namer
}

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{
		stats:  [sides]map[ID]*stat{{}, {}},
		graphs: map[ID]int64{},
		naming: newNamer(),
	}
}

// Snapshot returns the current state of the store, at no cost. It need not be closed. Count and Predicate
// return values as of their call.
func (m *Memory) Snapshot() Reader {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &memorySnapshot{Memory: m}
	for i := range m.trees {
		m.trees[i].freeze()
		s.roots[i] = m.trees[i].root
	}
	return view{s}
}

// Add adds a quad and reports whether it is new. scope names the document of its blank nodes. The empty scope
// is the store itself, in which a label returned by the store denotes its node.
func (m *Memory) Add(q rdf.Quad, scope string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	ids, err := m.intern(q, scope)
	if err != nil {
		return false, err
	}
	return m.insert(ids), nil
}

func (m *Memory) insert(q Quad) bool {
	first, last := sideOf(q.G).tables()
	for t := first; t <= last; t++ {
		if !m.trees[t].insert(t.order().key(q)) {
			return false
		}
	}
	m.count(q)
	return true
}

func (m *Memory) count(q Quad) {
	stats := m.stats[sideOf(q.G)]
	if stats[q.P] == nil {
		stats[q.P] = &stat{}
	}
	stats[q.P].add(q)
	if q.G != Default {
		m.graphs[q.G]++
	}
}

// Load adds many quads at once, faster than one by one, and returns the number of new ones. After an error
// the store is unchanged, except for unused terms.
func (m *Memory) Load(quads iter.Seq2[rdf.Quad, error], scope string) (added int64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []Quad
	for q, err := range quads {
		if err != nil {
			return 0, err
		}
		ids, err := m.intern(q, scope)
		if err != nil {
			return 0, err
		}
		all = append(all, ids)
	}
	if int64(len(all)) < m.trees[defaultSPO].size+m.trees[namedSPO].size {
		for _, q := range all {
			if m.insert(q) {
				added++
			}
		}
		return added, nil
	}
	return m.rebuild(all), nil
}

// rebuild sorts old and new quads into new trees.
func (m *Memory) rebuild(all []Quad) (added int64) {
	for s := range sides {
		first, last := s.tables()
		for t := first; t <= last; t++ {
			old := &m.trees[t]
			keys := make([]key, 0, old.size)
			scan := treeScan{root: old.root}
			var k key
			for ok := scan.seek(&key{}, &k); ok; ok = scan.next(&k) {
				keys = append(keys, k)
			}
			for _, q := range all {
				if sideOf(q.G) != s {
					continue
				}
				if k = t.order().key(q); t > first || !has(old.root, &k) {
					keys = append(keys, k)
				}
			}
			was := int(old.size)
			if t == first {
				slices.SortFunc(keys[was:], func(a, b key) int { return a.compare(&b) })
				fresh := slices.Compact(keys[was:])
				for i := range fresh {
					m.count(t.order().quad(&fresh[i]))
				}
				added += int64(len(fresh))
				keys = keys[:was+len(fresh)]
			}
			slices.SortFunc(keys, func(a, b key) int { return a.compare(&b) })
			m.trees[t] = build(slices.Compact(keys), old.age)
		}
	}
	return added
}

func has(root *node, k *key) bool {
	scan := treeScan{root: root}
	var at key
	return scan.seek(k, &at) && at == *k
}

// Remove removes a quad and reports whether it was present.
func (m *Memory) Remove(q rdf.Quad, scope string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.naming.scope = scope
	ids, ok, err := lookUpQuad(m.naming, q, m.content)
	return ok && m.remove(ids), err
}

// RemoveIDs is Remove for a quad of a Reader of this store. The error is always nil, for symmetry with
// Writer.
func (m *Memory) RemoveIDs(q Quad) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.remove(q), nil
}

func (m *Memory) remove(q Quad) bool {
	first, last := sideOf(q.G).tables()
	for t := first; t <= last; t++ {
		if !m.trees[t].remove(t.order().key(q)) {
			return false
		}
	}
	stats := m.stats[sideOf(q.G)]
	if stats[q.P].remove(); stats[q.P].quads == 0 {
		delete(stats, q.P)
	}
	if q.G != Default {
		if m.graphs[q.G]--; m.graphs[q.G] == 0 {
			delete(m.graphs, q.G)
		}
	}
	return true
}

// Drop removes all quads of a graph, the default one if it is zero, and returns their number.
func (m *Memory) Drop(graph rdf.Term) (removed int64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.naming.scope = ""
	g, ok, err := lookUp(m.naming, graph, m.content)
	if err != nil || !ok {
		return 0, err
	}
	t := defaultSPO
	if g != Default {
		t = namedGSPO
	}
	m.trees[t].freeze()
	p := part{table: t, scan: &treeScan{root: m.trees[t].root}, want: key{g}}
	if g != Default {
		p.n = 1
	}
	for p.advance() {
		m.remove(t.order().quad(&p.at))
		removed++
	}
	return removed, nil
}

// intern returns the IDs of a quad's terms, and assigns new ones.
func (m *Memory) intern(q rdf.Quad, scope string) (ids Quad, err error) {
	m.naming.scope = scope
	return internQuad(q, m.internTerm)
}

// internTerm returns the ID of a term, a new one if there is none.
func (m *Memory) internTerm(t rdf.Term) (ID, error) {
	if t.Kind == rdf.TripleTerm {
		var err error
		if t, err = relabelled(t, always(m.internTerm)); err != nil {
			return 0, err
		}
	}
	id, ok, err := lookUpRelabelled(m.naming, t, m.content)
	if !ok && err == nil {
		m.terms.put(id, string(m.naming.content))
	}
	return id, err
}

// always is an intern that finds every term.
func always(intern func(rdf.Term) (ID, error)) func(rdf.Term) (ID, bool, error) {
	return func(t rdf.Term) (ID, bool, error) {
		id, err := intern(t)
		return id, true, err
	}
}

// internQuad converts the terms of a quad to IDs.
func internQuad(q rdf.Quad, intern func(rdf.Term) (ID, error)) (ids Quad, err error) {
	for i, t := range [...]rdf.Term{q.S, q.P, q.O, q.G} {
		if i < 3 && t.Kind == rdf.None {
			return ids, fmt.Errorf("quad %v: %w", q, ErrTerm)
		}
		id, err := intern(t)
		if err != nil {
			return ids, err
		}
		switch i {
		case 0:
			ids.S = id
		case 1:
			ids.P = id
		case 2:
			ids.O = id
		default:
			ids.G = id
		}
	}
	return ids, nil
}

// lookUpQuad returns the IDs of a quad's terms; false if no quad has one of them.
func lookUpQuad(n *namer, q rdf.Quad, content func(ID) (string, bool, error)) (ids Quad, ok bool, err error) {
	ok = true
	ids, err = internQuad(q, func(t rdf.Term) (ID, error) {
		id, found, err := lookUp(n, t, content)
		ok = ok && found
		return id, err
	})
	return ids, ok, err
}

// A memorySnapshot is a source: immutable trees, and a growing set of terms.
type memorySnapshot struct {
	*Memory
	roots [tables]*node
}

func (m *Memory) content(id ID) (string, bool, error) {
	content, ok := m.terms.get(id)
	return content, ok, nil
}

func (s *memorySnapshot) lookup() terms { return s }

func (s *memorySnapshot) close() error { return nil }

func (s *memorySnapshot) scan(t table) scan { return &treeScan{root: s.roots[t]} }

func (s *memorySnapshot) namer() *namer { return &namer{mask: s.naming.mask} }

func (s *memorySnapshot) predicate(of side, p ID) (Predicate, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if st := s.stats[of][p]; st != nil {
		return st.predicate(), nil
	}
	return Predicate{}, nil
}

func (s *memorySnapshot) graph(g ID) (int64, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.graphs[g], nil
}

func (s *memorySnapshot) total(of side) (int64, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	first, _ := of.tables()
	return s.trees[first].size, nil
}
