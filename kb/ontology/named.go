package ontology

import (
	"slices"
	"strings"
)

// Named returns the entities that go by a name, ascending: those whose local name it is or, where there are
// none, those that it labels; then the same with case, spaces, hyphens and underscores left aside. An IRI is the name of
// its entity alone.
func (o *Ontology) Named(name string) []int {
	if i, ok := o.Find(name); ok {
		return []int{i}
	}
	name = strings.TrimSpace(name)
	if found := o.called(func(s string) bool { return s == name }); len(found) > 0 || name == "" {
		return found
	}
	wanted := plain(name)
	return o.called(func(s string) bool { return slices.Equal(plain(s), wanted) })
}

// called returns the entities whose local name is one of some, or else those that have a label of them.
func (o *Ontology) called(is func(string) bool) (found []int) {
	for i, e := range o.entities {
		if is(LocalName(e.IRI)) {
			found = append(found, i)
		}
	}
	if found != nil {
		return found
	}
	for _, entry := range o.entries {
		if is(entry.Text) {
			for _, i := range entry.Entities {
				found = append(found, int(i))
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
