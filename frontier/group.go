package frontier

import "slices"

// leastSweep is the least number of departures that triggers a sweep of groups.
const leastSweep = 1024

// groups index the waiting requests by their keys. A group lists its requests; a request does not list its
// keys. A request that no longer waits therefore stays listed until its group is cleaned: when the group is
// read, when it has doubled, or when as many requests have left as wait. A request that returns earlier
// stores its keys in again and is listed by no group, since its keys may differ.
type groups struct {
	byKey map[string]*group
	again map[uint32][]*group
}

// A group is the requests under a key.
type group struct {
	members vector[uint32]
	clean   int // members after the last cleaning
}

// of returns the group of a key and creates it if necessary.
func (g *groups) of(key string) *group {
	m, ok := g.byKey[key]
	if !ok {
		m = &group{}
		g.byKey[key] = m
	}
	return m
}

// list adds a new waiting request to the groups of its keys.
func (g *groups) list(x *index, id uint32, keys []string) {
	if len(keys) == 0 {
		return
	}
	if x.left(id) {
		own := make([]*group, 0, len(keys))
		for _, k := range keys {
			own = append(own, g.of(k))
		}
		if g.again[id] = own; len(g.again) > x.n/32+leastSweep {
			g.sweep(x)
		}
		return
	}
	for i, k := range keys {
		if !slices.Contains(keys[:i], k) {
			g.of(k).add(x, id)
		}
	}
}

// add adds a request that is not listed.
func (m *group) add(x *index, id uint32) {
	if n := m.members.len(); n >= 2*m.clean+leastCap {
		m.wash(x)
	}
	m.members.push(id)
}

// wash removes members that no longer wait, or are no longer listed.
func (m *group) wash(x *index) {
	kept := 0
	for i := range m.members.len() {
		if id := *m.members.at(i); x.steady(id) {
			*m.members.at(kept) = id
			kept++
		}
	}
	m.members.truncate(kept)
	m.clean = kept
}

// waiting returns the waiting requests of a key, in no order.
func (g *groups) waiting(x *index, key string) []uint64 {
	m, ok := g.byKey[key]
	if !ok {
		return nil
	}
	m.wash(x)
	var ids []uint64
	for i := range m.members.len() {
		ids = append(ids, uint64(*m.members.at(i)))
	}
	for id, own := range g.again { // in no order
		if slices.Contains(own, m) {
			ids = append(ids, uint64(id))
		}
	}
	return ids
}

// leave records that a request no longer waits.
func (g *groups) leave(x *index, id uint32) {
	delete(g.again, id)
	if x.gone > x.n/4+leastSweep {
		g.sweep(x)
	}
}

// sweep cleans all groups and lists requests that returned. Its cost is linear in the listed requests and is
// amortized over as many departures.
func (g *groups) sweep(x *index) {
	for _, m := range g.byKey { // each by itself: in any order
		m.wash(x)
	}
	x.forgive()
	for id, own := range g.again {
		for i, m := range own {
			if !slices.Contains(own[:i], m) {
				m.members.push(id)
			}
		}
	}
	clear(g.again)
	for key, m := range g.byKey {
		if m.clean = m.members.len(); m.clean == 0 {
			delete(g.byKey, key)
		}
	}
}
