package crawl_test

import (
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
)

// TestMap: the graph of hosts has the pages that the list has, its edges are links of pages, and around a page are the pages that
// link to it and its links.
func TestMap(t *testing.T) {
	c := planes(t, filepath.Join(t.TempDir(), "planes"), 200)
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	pages, accepted := map[string]int64{}, map[string]int64{}
	best := crawl.Page{}
	for p, err := range c.AllPages(t.Context(), crawl.PageQuery{}) {
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(p.URL)
		if err != nil {
			t.Fatal(err)
		}
		pages[u.Hostname()]++
		if p.Accepted {
			accepted[u.Hostname()]++
		}
		if p.Score > best.Score {
			best = p
		}
	}
	m, err := c.Map(t.Context(), crawl.MapQuery{})
	if err != nil || len(m.Nodes) != len(pages) || m.Total != len(pages) {
		t.Fatalf("%d hosts of %d, want %d: %v", len(m.Nodes), m.Total, len(pages), err)
	}
	for _, n := range m.Nodes {
		if n.Pages != pages[n.ID] || n.Accepted != accepted[n.ID] {
			t.Errorf("%s: %d pages, %d accepted, want %d and %d", n.ID, n.Pages, n.Accepted, pages[n.ID], accepted[n.ID])
		}
	}
	if len(m.Edges) < len(m.Nodes) {
		t.Errorf("%d links between %d hosts", len(m.Edges), len(m.Nodes))
	}
	if few, err := c.Map(t.Context(), crawl.MapQuery{Limit: 3}); err != nil || len(few.Nodes) != 3 || few.Total != m.Total || few.Nodes[0] != m.Nodes[0] {
		t.Errorf("three hosts: %+v, %v", few, err)
	}

	near, err := c.Map(t.Context(), crawl.MapQuery{Around: best.URL, Limit: 1000})
	if err != nil || near.Nodes[0].ID != best.URL || near.Nodes[0].Title != best.Title || near.Nodes[0].Accepted != 1 {
		t.Fatalf("around %s: %+v, %v", best.URL, near, err)
	}
	x, err := c.Explain(t.Context(), best.URL)
	if err != nil {
		t.Fatal(err)
	}
	parent := x.Chain[len(x.Chain)-2].URL
	if !slices.Contains(near.Edges, crawl.MapEdge{From: parent, To: best.URL, Links: 1}) {
		t.Errorf("no link from %s, by which the page was found", parent)
	}
	ids := map[string]bool{}
	for _, n := range near.Nodes {
		ids[n.ID] = true
	}
	for _, e := range near.Edges {
		if !ids[e.From] || !ids[e.To] || e.From == e.To {
			t.Errorf("%+v leads out of the graph", e)
		}
	}
	if _, err := c.Map(t.Context(), crawl.MapQuery{Around: "http://nowhere.example/"}); !errors.Is(err, orbweaver.ErrUnknown) {
		t.Errorf("around a page that was not fetched: %v", err)
	}
}
