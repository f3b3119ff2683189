package toy

import "slices"

// LiveFile is a crawl file of a web in memory; %s: seeds, more keys.
const LiveFile = `seeds: [%s]
focus: {breadth_first: {}}
allow_private: true
sitemaps: all
%s
`

// Without returns the elements of a that b lacks.
func Without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}
