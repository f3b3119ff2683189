package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"orbweaver/internal/order"
)

// portal is the number of datasets of one catalogue from which on a shared value counts as the publisher's: a
// portal's homepage, a dump of a common vocabulary.
const portal = 3

// Merge merges descriptions of the same dataset and returns the datasets in the order of their names. Two
// descriptions are of the same dataset if
//
//   - one names the other, by owl:sameAs or by an identifier of the Data Hub, the LOD cloud or CKAN;
//   - they share an endpoint and its default graphs, so that all answers are equal;
//   - they share a homepage or a dump that fewer than three datasets of one catalogue have, and do not each
//     have an endpoint that the other lacks.
//
// Two that request different default graphs from endpoints are never merged; where a catalogue identifies
// them, the second result reports the conflict. The order of the arguments does not matter. The best name is
// kept, one from a hand-written list before others, then the shortest; the others become Aliases. Different
// datasets of the same name get the suffixes "-2" and so on.
func Merge(datasets ...Dataset) (merged []Dataset, conflicts []error) {
	m := &merging{all: slices.Clone(datasets)}
	order.Stably(m.all, compare)
	m.group, m.members, m.asked = make([]int, len(m.all)), make([][]int, len(m.all)), make([]asked, len(m.all))
	for i, d := range m.all {
		m.group[i], m.members[i], m.asked[i] = i, []int{i}, askedOf(d)
	}
	m.join(identifiers, true)
	m.join(endpointKeys, false)
	m.join(m.shared(func(d Dataset) []string { return []string{d.Homepage} }), false)
	m.join(m.shared(dumpKeys), false)
	for i, members := range m.members {
		if m.group[i] == i {
			merged = append(merged, m.union(members))
		}
	}
	nameApart(merged)
	return merged, m.conflicts
}

// A merging is a partition of the datasets into sets that grow. Each set is identified by its least member,
// so that equal sets have equal names however they were formed.
type merging struct {
	all       []Dataset
	group     []int   // by dataset: its set
	members   [][]int // by set; nil: merged into another
	asked     []asked // by set
	conflicts []error
}

// asked is the endpoints of a set, all with the same default graphs.
type asked struct {
	endpoints map[string]bool
	graphs    string
}

func askedOf(d Dataset) asked {
	a := asked{graphs: graphsOf(d), endpoints: make(map[string]bool, len(d.Endpoints))}
	for _, e := range d.Endpoints {
		a.endpoints[sameEndpoint(e)] = true
	}
	return a
}

// compare defines the order in which datasets are examined: total up to irrelevant differences.
func compare(a, b Dataset) int {
	byHand := func(d Dataset) int {
		if d.ByHand {
			return 0
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(byHand(a), byHand(b)),
		cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name),
		slices.Compare(a.Sources, b.Sources), cmp.Compare(a.Title, b.Title), slices.Compare(a.Endpoints, b.Endpoints),
		slices.Compare(a.Graphs, b.Graphs), slices.Compare(a.Same, b.Same), cmp.Compare(a.Homepage, b.Homepage),
		slices.CompareFunc(a.Dumps, b.Dumps, func(x, y Dump) int { return cmp.Or(cmp.Compare(x.URL, y.URL), cmp.Compare(x.MediaType, y.MediaType)) }),
		slices.Compare(a.Void, b.Void), cmp.Compare(a.Triples, b.Triples), cmp.Compare(a.Description, b.Description),
		cmp.Compare(len(a.Properties), len(b.Properties)), cmp.Compare(len(a.Classes), len(b.Classes)), a.Modified.Compare(b.Modified),
	)
}

// identifiers returns the public names of a dataset.
func identifiers(d Dataset) (keys []string) {
	for _, name := range append([]string{d.Homepage}, d.Same...) {
		if id := dataHub(name); id != "" {
			keys = append(keys, id)
		} else if name != d.Homepage {
			keys = append(keys, sameScheme(name))
		}
	}
	return keys
}

// dataHub returns "datahub:NAME" for the present and former addresses of a Data Hub dataset, and for those in
// the LOD cloud, which adopted the names; empty for others.
func dataHub(address string) string {
	rest := sameScheme(address)
	for _, host := range [...]string{"lod-cloud.net", "thedatahub.org", "datahub.io", "old.datahub.io", "ckan.net", "www.ckan.net"} {
		for _, folder := range [...]string{"/dataset/", "/package/"} {
			if name, found := strings.CutPrefix(rest, "http://"+host+folder); found {
				name, _, _ = strings.Cut(strings.ToLower(strings.TrimSuffix(name, "/")), "/")
				return "datahub:" + name
			}
		}
	}
	return ""
}

// sameScheme returns an address with http instead of https.
func sameScheme(address string) string {
	if rest, secure := strings.CutPrefix(address, "https:"); secure {
		return "http:" + rest
	}
	return address
}

// endpointKeys returns a dataset's endpoints with their default graphs.
func endpointKeys(d Dataset) (keys []string) {
	for _, e := range d.Endpoints {
		keys = append(keys, sameEndpoint(e)+" "+graphsOf(d))
	}
	return keys
}

// sameEndpoint returns an endpoint's normalized address.
func sameEndpoint(address string) string { return strings.TrimSuffix(sameScheme(address), "/") }

func graphsOf(d Dataset) string { return strings.Join(slices.Sorted(slices.Values(d.Graphs)), " ") }

func dumpKeys(d Dataset) (keys []string) {
	for _, dump := range d.Dumps {
		keys = append(keys, dump.URL)
	}
	return keys
}

// shared removes the keys that several datasets of one catalogue have.
func (m *merging) shared(keys func(Dataset) []string) func(Dataset) []string {
	type use struct{ source, key string }
	uses, common := map[use]int{}, map[string]bool{}
	for _, d := range m.all {
		own := slices.Compact(slices.Sorted(slices.Values(keys(d))))
		for _, key := range own {
			for _, source := range d.Sources {
				if uses[use{source, key}]++; uses[use{source, key}] >= portal {
					common[key] = true
				}
			}
		}
	}
	return func(d Dataset) []string {
		return slices.DeleteFunc(slices.Clone(keys(d)), func(key string) bool { return key == "" || common[key] })
	}
}

// join unites the sets that have a key in common. A set that conflicts with the first set of a key is
// compared with the next.
func (m *merging) join(keys func(Dataset) []string, stated bool) {
	holders := map[string][]int{}
	for i, d := range m.all {
		for _, key := range keys(d) {
			holders[key] = append(holders[key], i)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(holders)) {
		m.joinAll(key, holders[key], stated)
	}
}

// maxApart bounds the sets of one key that stay separate: further ones are not examined.
const maxApart = 50

func (m *merging) joinAll(key string, holders []int, stated bool) {
	var apart []int // datasets, each of a different set
	for _, i := range holders {
		joined := false
		for _, other := range apart {
			if joined = m.group[i] == m.group[other] || m.unite(i, other, stated); joined {
				break
			}
		}
		if joined || len(apart) >= maxApart {
			continue
		}
		if stated && len(apart) > 0 {
			m.conflicts = append(m.conflicts, fmt.Errorf("%s and %s: called the same (%s), but they ask endpoints for different default graphs: they stay two",
				m.all[apart[0]].Name, m.all[i].Name, clipped(key, 200)))
		}
		apart = append(apart, i)
	}
}

// unite merges two sets, unless they conflict.
func (m *merging) unite(i, j int, stated bool) bool {
	into, from := min(m.group[i], m.group[j]), max(m.group[i], m.group[j])
	a, b := m.asked[into], m.asked[from]
	if len(a.endpoints) > 0 && len(b.endpoints) > 0 {
		if a.graphs != b.graphs || !stated && !meet(a.endpoints, b.endpoints) {
			return false
		}
	}
	if len(a.endpoints) == 0 {
		m.asked[into] = b
	} else {
		maps.Copy(a.endpoints, b.endpoints)
	}
	for _, member := range m.members[from] {
		m.group[member] = into
	}
	m.members[into] = append(m.members[into], m.members[from]...)
	m.members[from] = nil
	return true
}

// meet reports whether two sets intersect.
func meet(a, b map[string]bool) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for key := range a {
		if b[key] {
			return true
		}
	}
	return false
}

// union merges several datasets. Single-valued fields come from the first that has one.
func (m *merging) union(members []int) Dataset {
	slices.Sort(members)
	d := m.all[members[0]]
	if len(members) == 1 {
		d.Complete = complete(d)
		return d
	}
	d = cloned(d)
	for _, i := range members[1:] {
		join(&d, m.all[i])
	}
	d.Aliases = sorted(slices.DeleteFunc(d.Aliases, func(a string) bool { return a == d.Name || a == "" }))
	d.Same, d.Keywords, d.Sources, d.Links = sorted(d.Same), sorted(d.Keywords), sorted(d.Sources), sorted(d.Links)
	for _, list := range []*[]string{&d.Graphs, &d.Void, &d.Examples, &d.Vocabulary, &d.Spaces, &d.SPARQL} {
		*list = once(*list, func(s string) string { return s })
	}
	d.Endpoints = once(d.Endpoints, sameEndpoint)
	d.Dumps = once(d.Dumps, func(x Dump) string { return x.URL })
	d.Complete = complete(d)
	return d
}

// cloned returns a copy of a dataset whose lists may be appended to.
func cloned(d Dataset) Dataset {
	for _, list := range []*[]string{
		&d.Aliases, &d.Same, &d.Endpoints, &d.Graphs, &d.Void, &d.Examples, &d.Vocabulary, &d.Spaces, &d.Keywords, &d.Links, &d.SPARQL, &d.Sources,
	} {
		*list = slices.Clone(*list)
	}
	d.Dumps = slices.Clone(d.Dumps)
	return d
}

// once removes all but the first element of each key, preserving the order.
func once[T any](list []T, key func(T) string) []T {
	seen := make(map[string]bool, len(list))
	return slices.DeleteFunc(list, func(x T) bool {
		known := seen[key(x)]
		seen[key(x)] = true
		return known
	})
}

func sorted(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// join merges another description into a dataset. Graphs belong to endpoints: those of a description without
// endpoints are replaced by those of one with endpoints.
func join(d *Dataset, other Dataset) {
	d.Aliases = append(append(d.Aliases, other.Name), other.Aliases...)
	if other.Title != d.Title && d.Title != "" {
		d.Aliases = append(d.Aliases, other.Title)
	}
	d.Title, d.Description = cmp.Or(d.Title, other.Title), cmp.Or(d.Description, other.Description)
	d.Homepage = cmp.Or(d.Homepage, other.Homepage)
	switch own, its := len(d.Endpoints) > 0, len(other.Endpoints) > 0; {
	case its && !own:
		d.Graphs = slices.Clone(other.Graphs)
	case its == own:
		d.Graphs = append(d.Graphs, other.Graphs...)
	}
	d.Endpoints, d.Dumps = append(d.Endpoints, other.Endpoints...), append(d.Dumps, other.Dumps...)
	d.Void, d.Examples = append(d.Void, other.Void...), append(d.Examples, other.Examples...)
	d.Vocabulary, d.Spaces = append(d.Vocabulary, other.Vocabulary...), append(d.Spaces, other.Spaces...)
	d.SPARQL, d.Keywords, d.Links = append(d.SPARQL, other.SPARQL...), append(d.Keywords, other.Keywords...), append(d.Links, other.Links...)
	d.Domain = cmp.Or(d.Domain, other.Domain)
	d.Same, d.Sources = append(d.Same, other.Same...), append(d.Sources, other.Sources...)
	d.ByHand = d.ByHand || other.ByHand
	if other.Modified.After(d.Modified) {
		d.Modified = other.Modified
	}
	joinStatistics(d, other)
}

// joinStatistics takes the statistics from one description, since they belong together: a complete one has
// precedence, then one with more partitions.
func joinStatistics(d *Dataset, other Dataset) {
	better := len(other.Properties)+len(other.Classes) > len(d.Properties)+len(d.Classes)
	if d.Complete != other.Complete {
		better = other.Complete
	}
	if better {
		d.Triples, other.Triples = other.Triples, d.Triples
		d.Entities, other.Entities = other.Entities, d.Entities
		d.Classes, d.Properties, d.Complete = other.Classes, other.Properties, other.Complete
	}
	d.Triples, d.Entities = cmp.Or(d.Triples, other.Triples), cmp.Or(d.Entities, other.Entities)
}

// nameApart sorts datasets by name and makes equal names distinct.
func nameApart(datasets []Dataset) {
	taken := map[string]bool{}
	for _, d := range datasets {
		taken[d.Name] = true
	}
	used := map[string]int{}
	for i := range datasets {
		d := &datasets[i]
		n := used[d.Name]
		used[d.Name]++
		if n == 0 {
			continue
		}
		base := d.Name
		for n++; ; n++ {
			if d.Name = base + "-" + strconv.Itoa(n); !taken[d.Name] {
				break
			}
		}
		taken[d.Name] = true
		used[base] = n
	}
	order.By(datasets, func(a, b Dataset) int { return cmp.Compare(a.Name, b.Name) })
}
