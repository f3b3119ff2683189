//go:build e2e

package crawls_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver/crawl"
)

// TestSelections: the facets of a crawl are those of its list; a list by a facet has its pages, in parts as whole; and an export has the
// pages of the list.
func TestSelections(t *testing.T) {
	c := planes(t, filepath.Join(t.TempDir(), "planes"), 150)
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := 0
	for _, err := range c.AllPages(t.Context(), crawl.PageQuery{}) {
		if all++; err != nil {
			t.Fatal(err)
		}
	}
	f, err := c.Facets(t.Context(), crawl.PageQuery{})
	if err != nil || f.Of != all {
		t.Fatalf("facets of %d pages, want %d: %v", f.Of, all, err)
	}
	for name, of := range map[string]struct {
		values []crawl.Facet
		query  func(value string) crawl.PageQuery
	}{
		"hosts":    {f.Hosts, func(v string) crawl.PageQuery { return crawl.PageQuery{Host: v} }},
		"types":    {f.Types, func(v string) crawl.PageQuery { return crawl.PageQuery{Type: v} }},
		"langs":    {f.Langs, func(v string) crawl.PageQuery { return crawl.PageQuery{Lang: v} }},
		"entities": {f.Entities, func(v string) crawl.PageQuery { return crawl.PageQuery{Entity: v, Sort: "score"} }},
	} {
		if len(of.values) == 0 {
			t.Errorf("no %s", name)
		}
		for _, facet := range of.values {
			q := of.query(facet.Value)
			var whole, parts []string
			for p, err := range c.AllPages(t.Context(), q) {
				if err != nil {
					t.Fatal(err)
				}
				whole = append(whole, p.URL)
			}
			for q.Limit = 7; ; {
				list, err := c.Pages(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range list.Pages {
					parts = append(parts, p.URL)
				}
				if q.After = list.Next; q.After == "" {
					break
				}
			}
			if len(whole) != facet.Pages || !slices.Equal(whole, parts) {
				t.Errorf("%s %s: %d pages, in parts %d, want %d", name, facet.Value, len(whole), len(parts), facet.Pages)
			}
			var out bytes.Buffer
			selection := of.query(facet.Value)
			if err := c.Export(t.Context(), &out, crawl.ExportQuery{Format: "urls", Pages: &selection}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Fields(out.String()); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(whole))) {
				t.Errorf("%s %s: the export has %d URLs, want %d", name, facet.Value, len(got), len(whole))
			}
		}
	}
}
