package assembly

import (
	"cmp"
	"fmt"
	"slices"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/discover"
	"orbweaver/internal/kind"
	"orbweaver/weburl"
)

// DiscoverOf returns what finds requests beside those of a focus; nil if a file names no source.
func DiscoverOf(c crawlfile.Discover, focus crawlfile.Focus) (engine.Discoverer, error) {
	o := discover.Options{
		Index: slices.Contains(c.By, "index"), Search: slices.Contains(c.By, "search"),
		Share: c.Part(), Queries: c.Queries, Engine: c.Engine, Terms: c.Terms,
	}
	if !o.Index && !o.Search && o.Engine == "" && c.Sparql.Endpoint == "" && len(c.Backlinks) == 0 {
		return nil, nil
	}
	if c.Sparql.Endpoint != "" {
		endpoint, err := weburl.Canonical(c.Sparql.Endpoint)
		if err != nil {
			return nil, fmt.Errorf("discover.sparql.endpoint: %w", err)
		}
		o.Sparql = discover.Sparql{Endpoint: endpoint, Query: cmp.Or(c.Sparql.Query, discover.UsualQuery)}
	}
	if len(c.Backlinks) > 0 {
		links, err := discover.ReadGraph(c.Backlinks)
		if err != nil {
			return nil, fmt.Errorf("discover.backlinks: %w", err)
		}
		o.Links = links
	}
	o.Names = func(r orbweaver.Reason) string {
		for _, f := range kind.Each(focus) {
			if named := kind.Of(f).Names(r); len(named.Names) > 0 {
				return named.Names[0]
			}
		}
		return ""
	}
	return discover.New(o), nil
}
