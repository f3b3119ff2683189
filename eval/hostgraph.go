package eval

import (
	"cmp"

	"orbweaver/internal/order"
)

const (
	graphHosts = 2000    // hosts, in order of first occurrence, whose links are counted
	graphEdges = 100_000 // pairs of hosts that are counted
	wideNodes  = 500     // hosts a wide picture shows
	wideEdges  = 800
)

// graphTally counts the pages of one host that were reached by a link on pages of another. The zero value is
// empty.
type graphTally struct {
	edges map[hostPair]int
	late  int // pages reached between hosts beyond graphHosts or pairs beyond graphEdges
}

type hostPair struct{ from, to uint16 }

// reached counts a page of a host at its first line: the link that led to it does not change.
func (g *graphTally) reached(hosts map[string]uint32, parent string, to uint32) {
	if parent == "" {
		return
	}
	from, ok := hosts[hostOf(parent)]
	switch {
	case ok && from == to && to != lateHost:
		return
	case !ok || from >= graphHosts || to >= graphHosts:
		g.late++
		return
	}
	pair := hostPair{uint16(from), uint16(to)}
	if _, ok := g.edges[pair]; !ok && len(g.edges) >= graphEdges {
		g.late++
		return
	}
	if g.edges == nil {
		g.edges = map[hostPair]int{}
	}
	g.edges[pair]++
}

// A graph is the part of the host graph to be drawn: the largest hosts, largest first, and the links between
// them, most pages first.
type graph struct {
	nodes []node
	edges []edge
	drawn []edge // the edges that are drawn
	other int    // hosts not shown
	cut   int    // edges not shown
}

type node struct {
	name            string
	pages, accepted int
}

// An edge connects nodes, given by index.
type edge struct{ from, to, pages int }

// hostGraph returns the graph of at most n hosts and m edges.
func (t *tally) hostGraph(n, m int) graph {
	var ids []int
	met := 0
	for id, c := range t.counts {
		if c.pages == 0 {
			continue
		}
		met++
		if id < graphHosts {
			ids = append(ids, id)
		}
	}
	order.By(ids, func(a, b int) int { // equals in the order met
		return cmp.Or(cmp.Compare(t.counts[b].pages, t.counts[a].pages), cmp.Compare(t.counts[b].accepted, t.counts[a].accepted), cmp.Compare(a, b))
	})
	ids = ids[:min(n, len(ids))]
	g := graph{other: met - len(ids)}
	place := map[uint16]int{}
	for i, id := range ids {
		place[uint16(id)] = i
		g.nodes = append(g.nodes, node{t.names[id], t.counts[id].pages, t.counts[id].accepted})
	}
	for pair, pages := range t.graph.edges { // sorted below by a total order
		from, known := place[pair.from]
		to, too := place[pair.to]
		if known && too {
			g.edges = append(g.edges, edge{from, to, pages})
		}
	}
	order.By(g.edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(b.pages, a.pages), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	g.trim(m)
	return g
}

// trim keeps m edges for drawing: first the heaviest edge to each node, so that none looks isolated, then the
// heaviest others.
func (g *graph) trim(m int) {
	g.drawn = g.edges
	if len(g.edges) <= m {
		return
	}
	led := make([]bool, len(g.nodes))
	var first, others []edge
	for _, e := range g.edges {
		if led[e.to] {
			others = append(others, e)
			continue
		}
		led[e.to] = true
		first = append(first, e)
	}
	g.drawn = append(first, others...)[:m]
	order.Stably(g.drawn, func(a, b edge) int { return cmp.Compare(b.pages, a.pages) })
	g.cut = len(g.edges) - m
}
