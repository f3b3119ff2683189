package eval

import (
	"cmp"
	"slices"
)

const (
	termNodes = 500 // terms a wide picture shows
	termEdges = 1000
	pairEdges = 4 // statements it shows between two terms
)

// A termNet is a graph of terms to be drawn: given terms first, then those with most instances, then
// intermediate nodes that are no terms.
type termNet struct {
	nodes     []netNode
	edges     []statement
	other     int            // terms not shown
	cut       int            // statements not shown
	most      int64          // instances of a term
	groups    []string       // with a colour of their own, in colour order
	kinds     []string       // properties with a style of their own, in style order
	grey      bool           // some node is of another group
	unstyled  bool           // some statement is of another property
	onTheWay  bool           // some node is no term
	groupSize map[string]int // terms found, by group
}

type netNode struct {
	term  *FoundTerm // nil: on the way
	iri   string
	place int // index in Findings.Nodes
}

// A statement connects subject and object, given by index. Several datasets may state it.
type statement struct {
	from, to int
	property string
	datasets []string
	turn     int // its number among those between the same two terms, of
	of       int // so many
}

// net returns the graph of at most n terms and m statements. It omits terms of the latest stages first, and of
// these those with the fewest instances, so that the predecessors of a term are kept.
func (f *Findings) net(n, m int) *termNet {
	order := make([]int, len(f.Nodes))
	for i := range order {
		order[i] = i
	}
	stage := func(i int) int { // terms given stand before all
		if f.Nodes[i].Given {
			return 0
		}
		return max(1, f.Nodes[i].Stage)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(stage(a), stage(b)), cmp.Compare(f.Nodes[b].Instances, f.Nodes[a].Instances))
	})
	order = order[:min(n, len(order))]
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(min(1, stage(a)), min(1, stage(b))), cmp.Compare(f.Nodes[b].Instances, f.Nodes[a].Instances))
	})
	g := &termNet{other: len(f.Nodes) - len(order), groupSize: map[string]int{}}
	for _, i := range order {
		t := &f.Nodes[i]
		g.nodes = append(g.nodes, netNode{t, t.IRI, i})
		g.most = max(g.most, t.Instances)
		if !t.Given && t.Group != "" {
			g.groupSize[t.Group]++
		}
	}
	g.join(f, n, m)
	g.groups = frequent(g.groupSize, termGroups)
	g.grey = slices.ContainsFunc(g.nodes, func(n netNode) bool {
		return n.term != nil && !n.term.Given && !slices.Contains(g.groups, n.term.Group)
	})
	return g
}

// join adds statements and the intermediate nodes, as far as limits permit.
func (g *termNet) join(f *Findings, n, m int) {
	places := map[string]int{}
	for i := range g.nodes {
		if _, known := places[g.nodes[i].iri]; !known {
			places[g.nodes[i].iri] = i
		}
	}
	left := map[string]bool{} // omitted terms
	for i := range f.Nodes {
		if _, shown := places[f.Nodes[i].IRI]; !shown {
			left[f.Nodes[i].IRI] = true
		}
	}
	place := func(iri string) (int, bool) {
		at, known := places[iri]
		if !known && !left[iri] && len(g.nodes) < n {
			at, known = len(g.nodes), true
			places[iri] = at
			g.nodes = append(g.nodes, netNode{nil, iri, -1})
			g.onTheWay = true
		}
		return at, known
	}
	known := map[statementKey]int{}
	for _, e := range f.Edges {
		from, ok := place(e.From)
		to, too := place(e.To)
		if !ok || !too || from == to {
			g.cut++
			continue
		}
		if e.Inverse {
			from, to = to, from
		}
		key := statementKey{from, to, e.Property}
		at, again := known[key]
		if !again {
			at = len(g.edges)
			known[key] = at
			g.edges = append(g.edges, statement{from: from, to: to, property: e.Property})
		}
		if s := &g.edges[at]; !slices.Contains(s.datasets, e.Dataset) && len(s.datasets) < mostReasons {
			s.datasets = append(s.datasets, e.Dataset)
		}
	}
	g.arrange(m)
}

type statementKey struct {
	from, to int
	property string
}

// arrange sorts statements, omits those over the limit, and numbers those of one pair of terms.
func (g *termNet) arrange(m int) {
	slices.SortFunc(g.edges, func(a, b statement) int {
		return cmp.Or(cmp.Compare(min(a.from, a.to), min(b.from, b.to)), cmp.Compare(max(a.from, a.to), max(b.from, b.to)),
			cmp.Compare(a.property, b.property), cmp.Compare(a.from, b.from))
	})
	var kept []statement
	of := map[[2]int]int{}
	for _, s := range g.edges {
		pair := s.pair()
		if of[pair] == pairEdges || len(kept) == m {
			g.cut++
			continue
		}
		s.turn = of[pair]
		of[pair]++
		kept = append(kept, s)
	}
	counts := map[string]int{}
	for i := range kept {
		kept[i].of = of[kept[i].pair()]
		counts[kept[i].property]++
	}
	g.edges, g.kinds = kept, frequent(counts, edgeKinds)
	g.unstyled = len(counts) > len(g.kinds)
}

func (s *statement) pair() [2]int { return [2]int{min(s.from, s.to), max(s.from, s.to)} }

// layoutEdges are the edges for the layout: one per pair.
func (g *termNet) layoutEdges() (edges []edge) {
	for i := range g.edges {
		if s := &g.edges[i]; s.turn == 0 {
			edges = append(edges, edge{s.from, s.to, 1})
		}
	}
	return edges
}
