package canon

import (
	"maps"
	"slices"
	"strings"

	"orbweaver/rdf"
)

// A result is the outcome of nDegree: a hash, and the labels issued for it.
type result struct {
	hash  string
	names *issuer
}

// nDegree is Hash N-Degree Quads (section 4.8.3): the hash of everything connected to a node, at any distance.
func (c *canonizer) nDegree(node string, names *issuer, depth int) (result, error) {
	if depth > maxDepth {
		return result{}, ErrTooHard
	}
	related, err := c.related(node, names)
	if err != nil {
		return result{}, err
	}
	var data strings.Builder
	for _, h := range slices.Sorted(maps.Keys(related)) {
		data.WriteString(h)
		path, chosen, err := c.shortest(related[h], names, depth)
		if err != nil {
			return result{}, err
		}
		data.WriteString(path)
		names = chosen
	}
	return result{hash([]byte(data.String())), names}, nil
}

// related returns the nodes that share statements with a node, by their hashes. A node that shares several
// occurs as often.
func (c *canonizer) related(node string, names *issuer) (map[string][]string, error) {
	related := map[string][]string{}
	for _, q := range c.about[node] {
		if c.steps--; c.steps < 0 {
			return nil, ErrTooHard
		}
		for other, position := range blanks(q) {
			if other != node {
				h := c.relatedHash(other, q, names, position)
				related[h] = append(related[h], other)
			}
		}
	}
	return related, nil
}

// relatedHash is Hash Related Blank Node (section 4.7.3).
func (c *canonizer) relatedHash(node string, q rdf.Quad, names *issuer, position string) string {
	data := []byte(position)
	if position != "g" {
		data = append(append(append(data, '<'), q.P.Value...), '>')
	}
	switch {
	case c.issued.has(node):
		data = append(append(data, "_:"...), c.issued.label(node)...)
	case names.has(node):
		data = append(append(data, "_:"...), names.label(node)...)
	default:
		data = append(data, c.first[node]...)
	}
	return hash(data)
}

// shortest returns the least of the paths through indistinguishable nodes, in any order, and the labels issued
// along it.
func (c *canonizer) shortest(alike []string, names *issuer, depth int) (least string, chosen *issuer, err error) {
	permute(slices.Clone(alike), func(order []string) bool {
		var path string
		var given *issuer
		path, given, err = c.path(order, names, least, depth)
		if err != nil {
			return false
		}
		if given != nil && (chosen == nil || path < least) {
			least, chosen = path, given
		}
		return true
	})
	return least, chosen, err
}

// path returns the path through nodes in an order, and the names given along it; none when the path
// cannot become less than the least so far.
func (c *canonizer) path(order []string, names *issuer, least string, depth int) (string, *issuer, error) {
	if c.steps -= len(order) + len(names.order); c.steps < 0 {
		return "", nil, ErrTooHard
	}
	names = names.copy()
	var path strings.Builder
	longer := func() bool { return least != "" && path.Len() >= len(least) && path.String() > least }
	var open []string
	for _, node := range order {
		path.WriteString("_:")
		if c.issued.has(node) {
			path.WriteString(c.issued.label(node))
		} else {
			if !names.has(node) {
				open = append(open, node)
			}
			path.WriteString(names.issue(node))
		}
		if longer() {
			return "", nil, nil
		}
	}
	for _, node := range open {
		r, err := c.nDegree(node, names, depth+1)
		if err != nil {
			return "", nil, err
		}
		path.WriteString("_:" + names.issue(node) + "<" + r.hash + ">")
		names = r.names
		if longer() {
			return "", nil, nil
		}
	}
	return path.String(), names, nil
}

// permute calls visit with each order of items, until it returns false.
func permute(items []string, visit func([]string) bool) {
	var from func(i int) bool
	from = func(i int) bool {
		if i >= len(items)-1 {
			return visit(items)
		}
		for j := i; j < len(items); j++ {
			items[i], items[j] = items[j], items[i]
			ok := from(i + 1)
			items[i], items[j] = items[j], items[i]
			if !ok {
				return false
			}
		}
		return true
	}
	from(0)
}
