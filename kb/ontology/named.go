package ontology

import (
	"slices"
	"strings"
)

// Named returns the entities with a name, ascending: those with that local name or, if there are none, those
// with that label; then the same ignoring case, spaces, hyphens and underscores. An IRI names its entity
// alone.
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

// called returns the entities whose local name satisfies is, or else those with a label that does.
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
