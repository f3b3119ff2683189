package inspect

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"orbweaver"
	"orbweaver/internal/judge"
	"orbweaver/internal/order"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// A MapQuery selects a part of the graph of a crawl.
type MapQuery struct {
	Around string `json:"around,omitempty"` // URL of a page: the pages that link to it and those it links to; empty: the graph of hosts
	Limit  int    `json:"limit,omitempty"`  // most nodes; 0: 100, at most 5000
}

// A Map is a graph of hosts, or of pages.
type Map struct {
	Nodes []MapNode `json:"nodes"` // hosts by decreasing number of pages; of pages the one asked for first, then by decreasing score
	Edges []MapEdge `json:"edges"`
	Total int       `json:"total"` // nodes that there are
}

// A MapNode is a host with pages, or a page.
type MapNode struct {
	ID       string  `json:"id"` // host without scheme and port, or URL
	Title    string  `json:"title,omitempty"`
	Pages    int64   `json:"pages,omitempty"`    // of a host
	Accepted int64   `json:"accepted,omitempty"` // of a host; of a page 1 or 0
	Score    float64 `json:"score,omitempty"`    // of a page
	Known    bool    `json:"known"`              // the page was fetched
}

// A MapEdge says that links lead from one node to another. Of hosts, the links are those of the best pages that were looked at.
type MapEdge struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Links int64  `json:"links"`
}

// Bounds of a map.
const (
	usualNodes  = 100
	mostNodes   = 5000
	mapRows     = 20_000 // rows of the listing between two steps of a running crawl
	mapLinks    = 4000   // pages whose links make the edges between hosts
	mapSlice    = 200    // pages whose links are read between two steps
	mapInlinks  = 2000   // pages that link to one
	mapOutlinks = 5000   // links of a page
)

// Map returns a part of the graph of the crawl. The error wraps ErrUnknown if the page was not fetched.
func (h *Handle) Map(ctx context.Context, q MapQuery) (m Map, err error) {
	if q.Around != "" {
		if q.Around, err = judge.AddressOf(q.Around); err != nil {
			return m, err
		}
	}
	if m, err = mapCall.ask(ctx, h, q); errors.Is(err, errNotBegun) {
		return Map{Nodes: []MapNode{}, Edges: []MapEdge{}}, nil
	}
	return m, err
}

var mapCall = call[MapQuery, Map]{name: "map", do: func(ctx context.Context, p *spot, q MapQuery) (Map, error) {
	q.Limit = min(cmp.Or(max(q.Limit, 0), usualNodes), mostNodes)
	if q.Around != "" {
		var m Map
		var failed error
		err := p.between(ctx, func() { m, failed = around(p.ledger, q) })
		return m, cmp.Or(err, failed)
	}
	return p.hosts(ctx, q)
}}

// hosts returns the graph of the hosts with the most pages.
func (p *spot) hosts(ctx context.Context, q MapQuery) (m Map, err error) {
	if err := p.bringUp(ctx); err != nil {
		return m, err
	}
	var scan ledger.HostScan
	for more := true; more && err == nil; {
		var failed error
		ended := p.between(ctx, func() { more, failed = p.ledger.CountHosts(&scan, mapRows) })
		err = cmp.Or(ended, failed, ctx.Err())
	}
	if err != nil {
		return m, err
	}
	all := slices.DeleteFunc(scan.Hosts, func(h ledger.HostPages) bool { return h.Pages == 0 })
	order.By(all, func(a, b ledger.HostPages) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Host, b.Host))
	})
	m = Map{Nodes: []MapNode{}, Total: len(all)}
	all = all[:min(len(all), q.Limit)]
	shown := map[string]bool{}
	for _, h := range all {
		m.Nodes = append(m.Nodes, MapNode{ID: h.Host, Pages: h.Pages, Accepted: h.Accepted, Known: true})
		shown[h.Host] = true
	}
	m.Edges, err = p.connections(ctx, all, shown)
	return m, err
}

// connections counts the links between hosts, in the best pages of each.
func (p *spot) connections(ctx context.Context, hosts []ledger.HostPages, shown map[string]bool) ([]MapEdge, error) {
	each := max(1, mapLinks/max(1, len(hosts)))
	counts := map[[2]string]int64{}
	for part := range slices.Chunk(hosts, max(1, mapSlice/each)) {
		if err := p.between(ctx, func() {
			for _, h := range part {
				p.ledger.Links(h, each, func(target string) {
					if to := weburl.Hostname(target); to != h.Host && shown[to] {
						counts[[2]string{h.Host, to}]++
					}
				})
			}
		}); err != nil {
			return nil, err
		}
	}
	return edgesOf(counts), nil
}

// edgesOf sorts edges by their ends.
func edgesOf(counts map[[2]string]int64) []MapEdge {
	edges := make([]MapEdge, 0, len(counts))
	for ends, n := range counts {
		edges = append(edges, MapEdge{ends[0], ends[1], n})
	}
	order.By(edges, func(a, b MapEdge) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	return edges
}

// around returns the pages that link to a page, and those that it links to, with the links among all of them.
func around(l *ledger.Ledger, q MapQuery) (Map, error) {
	centre, err := l.Outcome(q.Around)
	if err != nil {
		return Map{}, err
	}
	beside := neighbours(l, q.Around)
	m := Map{Nodes: append([]MapNode{nodeOf(centre)}, beside[:min(len(beside), q.Limit-1)]...), Total: 1 + len(beside)}
	shown := map[string]bool{}
	for _, n := range m.Nodes {
		shown[n.ID] = true
	}
	counts := map[[2]string]int64{}
	for _, n := range m.Nodes {
		if !n.Known {
			continue
		}
		for to := range l.Outlinks(n.ID) {
			if shown[to] && to != n.ID {
				counts[[2]string{n.ID, to}] = 1
			}
		}
	}
	m.Edges = edgesOf(counts)
	return m, nil
}

// neighbours returns the pages that link to a URL, and its links: those that were fetched first, the best first.
func neighbours(l *ledger.Ledger, url string) []MapNode {
	var all []MapNode
	seen := map[string]bool{url: true}
	add := func(to string) {
		if seen[to] {
			return
		}
		seen[to] = true
		node := MapNode{ID: to}
		if o, err := l.Outcome(to); err == nil {
			node = nodeOf(o)
		}
		all = append(all, node)
	}
	n := 0
	for from := range l.Inlinks(url) {
		if n++; n > mapInlinks {
			break
		}
		add(from)
	}
	n = 0
	for to := range l.Outlinks(url) {
		if n++; n > mapOutlinks {
			break
		}
		add(to)
	}
	order.Stably(all, func(a, b MapNode) int {
		known := func(n MapNode) int { return map[bool]int{true: 0, false: 1}[n.Known] }
		return cmp.Or(cmp.Compare(known(a), known(b)), cmp.Compare(b.Score, a.Score))
	})
	return all
}

// nodeOf returns the node of a page.
func nodeOf(o orbweaver.Outcome) MapNode {
	line := ledger.LineOf(o)
	n := MapNode{ID: line.URL, Title: line.Title, Score: line.Score, Known: true}
	if line.Accepted {
		n.Accepted = 1
	}
	return n
}
