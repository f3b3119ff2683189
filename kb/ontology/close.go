package ontology

import "slices"

// Close reports whether two entities are at most two steps apart, by the steps of Distances, without
// examining other entities. It takes time linear in the smaller number of neighbours.
func (o *Ontology) Close(a, b int) bool {
	if a == b {
		return true
	}
	x, y := int32(a), int32(b)
	if o.degree(x) > o.degree(y) {
		x, y = y, x
	}
	if o.touch(x, y) || slices.ContainsFunc(o.links.of(x), func(l link) bool { return l.other == y }) {
		return true
	}
	for _, near := range [...][]int32{o.taxonomy.of(x), o.schema.of(x), o.users.of(x)} {
		if slices.ContainsFunc(near, func(m int32) bool { return o.touch(m, y) }) {
			return true
		}
	}
	// Through a property of its statements: no other statement of the property can follow.
	return slices.ContainsFunc(o.links.of(x), func(l link) bool {
		return l.property >= 0 && (o.joined(l.property, y) || contains(o.users.of(y), l.property))
	})
}

func (o *Ontology) degree(i int32) int {
	return len(o.taxonomy.of(i)) + len(o.schema.of(i)) + len(o.users.of(i)) + len(o.links.of(i))
}

// touch reports whether two entities are one step apart.
func (o *Ontology) touch(a, b int32) bool {
	return o.joined(a, b) || contains(o.users.of(a), b) || contains(o.users.of(b), a)
}

// joined reports whether an edge other than a statement connects two entities.
func (o *Ontology) joined(a, b int32) bool {
	return contains(o.taxonomy.of(a), b) || contains(o.schema.of(a), b)
}

func contains(of []int32, i int32) bool {
	_, ok := slices.BinarySearch(of, i)
	return ok
}
