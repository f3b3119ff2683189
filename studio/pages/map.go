package pages

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/order"
)

// mapSizes are the numbers of nodes that a map may have; mapRows is the number of them in the table.
var mapSizes = []int{50, 100, 300, 1000, 5000}

const (
	usualMap = 100
	mapRows  = 300
)

// mapView is the graph of a crawl's hosts, or of the pages around one.
type mapView struct {
	Frame
	URL   string // of the page in the middle; empty: hosts
	Limit int
	Sizes []int
	Graph Graph
	Total int64
	Shown int
	Hosts []MapRow
	Pages []MapRow
}

// A Graph is what the script that draws the graph needs.
type Graph struct {
	Src, Kind, Around, List, Map string // Around is escaped, as it may be hostile; List and Map lack a host and a URL at their ends
}

// A MapRow is a node of the map in the table.
type MapRow struct {
	ID, Title, Path, Around string // Path leads to the pages of the host, or to the page; Around to the map around the page
	Pages, Accepted         int64
	Score                   float64
	Known                   bool
	From, To                []Neighbour // those that link to it, and those that it links to: of pages the one in the middle alone
}

// A Neighbour is a node at the other end of links.
type Neighbour struct {
	ID    string
	Links int64
}

// mapNeighbours is the number of neighbours of a host in the table.
const mapNeighbours = 3

// showMap shows the graph of a crawl.
func (h *Handler) showMap(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	v := mapView{Frame: h.frame(r, "Map of "+r.PathValue("crawl")), URL: q.Get("url"), Sizes: mapSizes}
	var err error
	if v.Limit, err = strconv.Atoi(cmp.Or(q.Get("limit"), strconv.Itoa(usualMap))); err != nil || v.Limit < 1 || v.Limit > slices.Max(mapSizes) {
		return fmt.Errorf("size of the map: write a number from 1 to %d (%w)", slices.Max(mapSizes), orbweaver.ErrInput)
	}
	var m crawl.Map
	err = h.use(r, func(ctx context.Context, c *crawl.Crawl) (err error) {
		m, err = c.Map(ctx, crawl.MapQuery{Around: v.URL, Limit: v.Limit})
		return err
	})
	if err != nil {
		return err
	}
	v.tell(m)
	return h.show(w, http.StatusOK, "map", v)
}

// tell sets what follows from the graph.
func (v *mapView) tell(m crawl.Map) {
	v.Total, v.Shown = int64(m.Total), len(m.Nodes)
	v.Graph = Graph{
		Src: v.API() + "/map?" + url.Values{"around": {v.URL}, "limit": {strconv.Itoa(v.Limit)}}.Encode(), Kind: "hosts",
		List: v.Base() + "/results?host=", Map: v.Base() + "/map?url=",
	}
	if v.URL != "" && len(m.Nodes) > 0 {
		v.Graph.Kind, v.Graph.Around = "pages", url.PathEscape(m.Nodes[0].ID)
	}
	from, to := neighbours(m.Edges)
	for _, n := range m.Nodes[:min(len(m.Nodes), mapRows)] {
		row := MapRow{ID: n.ID, Title: cmp.Or(n.Title, n.ID), Pages: n.Pages, Accepted: n.Accepted, Score: n.Score, Known: n.Known}
		if v.URL == "" {
			row.Path, row.From, row.To = v.Graph.List+url.QueryEscape(n.ID), few(from[n.ID]), few(to[n.ID])
			v.Hosts = append(v.Hosts, row)
			continue
		}
		middle := m.Nodes[0].ID
		only := func(all []Neighbour) []Neighbour {
			return slices.DeleteFunc(slices.Clone(all), func(o Neighbour) bool { return o.ID != middle })
		}
		row.Path, row.Around, row.From, row.To = pagePath(v.Crawl, n.ID), v.Graph.Map+url.QueryEscape(n.ID), only(from[n.ID]), only(to[n.ID])
		v.Pages = append(v.Pages, row)
	}
}

// neighbours are the nodes at the other ends of links, by node: from is where links to it come from.
func neighbours(edges []crawl.MapEdge) (from, to map[string][]Neighbour) {
	from, to = map[string][]Neighbour{}, map[string][]Neighbour{}
	for _, e := range edges {
		if e.From != e.To {
			from[e.To] = append(from[e.To], Neighbour{e.From, e.Links})
			to[e.From] = append(to[e.From], Neighbour{e.To, e.Links})
		}
	}
	return from, to
}

// few are the neighbours with the most links.
func few(all []Neighbour) []Neighbour {
	order.Stably(all, func(a, b Neighbour) int { return cmp.Compare(b.Links, a.Links) })
	return all[:min(len(all), mapNeighbours)]
}
