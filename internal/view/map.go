package view

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"orbweaver/internal/console"
	"orbweaver/internal/inspect"
	"orbweaver/internal/order"
)

// shownLinks is the number of nodes that Map names of those that a node links to.
const shownLinks = 5

// Map prints the nodes of a graph, each with those that it links to.
func Map(w io.Writer, m inspect.Map) {
	if len(m.Nodes) == 0 {
		console.Say(w, "No pages yet.")
		return
	}
	to := map[string][]inspect.MapEdge{}
	for _, e := range m.Edges {
		to[e.From] = append(to[e.From], e)
	}
	for _, n := range m.Nodes {
		console.Say(w, "%s", console.Visible(nodeText(n), maxCell))
		if links := linksText(to[n.ID]); links != "" {
			console.Say(w, "    %s", console.Visible(links, maxCell))
		}
	}
	if len(m.Nodes) < m.Total {
		console.Say(w, "%d of %d: --limit shows more", len(m.Nodes), m.Total)
	}
}

func nodeText(n inspect.MapNode) string {
	switch {
	case n.Pages > 0:
		return n.ID + "  " + strconv.FormatInt(n.Pages, 10) + " pages, " + strconv.FormatInt(n.Accepted, 10) + " accepted"
	case !n.Known:
		return n.ID + "  not fetched"
	}
	text := n.ID + "  " + strconv.FormatFloat(n.Score, 'f', 3, 64)
	if n.Accepted > 0 {
		text += " accepted"
	}
	if n.Title != "" {
		text += "  “" + n.Title + "”"
	}
	return text
}

// linksText names the targets of the most links.
func linksText(edges []inspect.MapEdge) string {
	edges = slices.Clone(edges)
	order.Stably(edges, func(a, b inspect.MapEdge) int { return cmp.Compare(b.Links, a.Links) })
	var names []string
	for _, e := range edges[:min(len(edges), shownLinks)] {
		names = append(names, e.To)
	}
	if more := len(edges) - shownLinks; more > 0 {
		names = append(names, "and "+strconv.Itoa(more)+" more")
	}
	if len(names) == 0 {
		return ""
	}
	return "links to " + strings.Join(names, ", ")
}

// Dot prints a graph in the language of Graphviz.
func Dot(w io.Writer, m inspect.Map) {
	console.Say(w, "digraph crawl {")
	for _, n := range m.Nodes {
		console.Say(w, "  %s [label=%s];", dotQuoted(n.ID), dotQuoted(cmp.Or(n.Title, n.ID)))
	}
	for _, e := range m.Edges {
		console.Say(w, "  %s -> %s [weight=%d];", dotQuoted(e.From), dotQuoted(e.To), e.Links)
	}
	console.Say(w, "}")
}

// dotQuoted returns a string of the language.
func dotQuoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(console.Visible(s, maxCell)) + `"`
}
