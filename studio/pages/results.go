package pages

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/order"
)

const (
	pageSize    = 50 // rows of a list
	shownLabels = 12 // of a facet
)

// resultsView is a part of the results of a crawl.
type resultsView struct {
	Frame
	Words, Min, Host, Class, Sort string
	Type, Lang, Entity, Text      string
	Label                         string // of a crawl with a label model: what a search finds is labelled
	Accepted, Table               bool
	Repeats                       bool    // pages that repeat another are listed, too
	Folding                       string  // path of the list with them, or without
	Lowest                        float64 // the lowest score, Min as a number
	Narrowed                      bool    // a value of a facet is chosen
	Sorts                         []string
	Facets                        []facetGroup
	Counted                       string // what the facets are of
	Views                         []Tab  // as a list, as a table
	Rows                          []Row
	Found                         []Hit
	Total                         string
	Next                          string // path of the next part; empty: none
	Exports                       []Tab
	Selected                      url.Values      // the filters, as an export takes them
	Rules                         []crawl.RuleSet // rule sets that ship with the program
	Named                         bool            // the pages of the list name entities
	linked                        bool            // the workspace has the ontology of the crawl
}

// A facetGroup has the most frequent values of a kind, each a link to the list with this value or, if the list is by it, without.
type facetGroup struct {
	Name   string
	Values []facetLink
}

// A facetLink is a value of a facet.
type facetLink struct {
	Value, Path string
	Pages       int64
	Chosen      bool
}

// A Hit is a page that a search by words found.
type Hit struct {
	Row
	Marked []Segment // its snippet
	Labels []string  // the strongest
}

// results lists the pages of a crawl, or those that a search finds.
func (h *Handler) results(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	v := resultsView{
		Frame: h.frame(r, "Results of "+r.PathValue("crawl")), Words: q.Get("words"), Min: q.Get("min"), Host: q.Get("host"), Class: q.Get("class"),
		Type: q.Get("type"), Lang: q.Get("lang"), Entity: q.Get("entity"), Text: q.Get("text"), Label: q.Get("label"),
		Sort: cmp.Or(q.Get("sort"), "score"), Accepted: q.Get("accepted") != "", Table: q.Get("view") == "table", Repeats: q.Get("repeats") != "", Sorts: crawl.PageSorts(),
	}
	lowest, err := strconv.ParseFloat(cmp.Or(v.Min, "0"), 64)
	if err != nil {
		return fmt.Errorf("lowest score %q: write a number from 0 to 1 (%w)", cut(v.Min, 50), orbweaver.ErrInput)
	}
	h.Workspace.Want(r.PathValue("crawl"))
	v.Lowest, v.Min, v.linked = lowest, cmp.Or(v.Min, "0"), h.linked(r.PathValue("crawl"))
	err = h.use(r, func(ctx context.Context, c *crawl.Crawl) error {
		if v.Searches() {
			return v.search(ctx, c, q)
		}
		selected := crawl.PageQuery{
			Accepted: v.Accepted, Host: v.Host, Class: v.Class, MinScore: lowest, Sort: v.Sort, After: q.Get("after"), Limit: pageSize,
			Type: v.Type, Lang: v.Lang, Entity: v.Entity, Text: v.Text, Distinct: !v.Repeats,
		}
		if err := v.list(ctx, c, selected, q); err != nil {
			return err
		}
		return v.facets(ctx, c, selected, q)
	})
	if err != nil {
		return err
	}
	q.Del("after")
	v.views(q)
	q.Set("score", v.Min)
	if !v.Repeats {
		q.Set("distinct", "true")
	}
	for _, key := range []string{"min", "view", "sort", "words", "label", "repeats"} {
		q.Del(key)
	}
	if v.Accepted {
		q.Set("accepted", "true")
	}
	v.Selected, v.Rules = maps.Clone(q), crawl.RuleSets()
	for _, format := range []string{"csv", "jsonl", "urls", "warc", "chunks", "nquads", "trig"} {
		q.Set("format", format)
		v.Exports = append(v.Exports, Tab{Path: v.API() + "/export?" + q.Encode(), Label: format})
	}
	return h.show(w, http.StatusOK, "results", v)
}

func (v *resultsView) list(ctx context.Context, c *crawl.Crawl, q crawl.PageQuery, form url.Values) error {
	list, err := c.Pages(ctx, q)
	if err != nil {
		return err
	}
	v.Rows = rowsOf(v.Crawl, list.Pages)
	for i, p := range list.Pages {
		v.Rows[i].Entities = entitiesOf(v.Crawl, v.linked, p.Reasons)
		v.Named = v.Named || len(v.Rows[i].Entities) > 0
	}
	switch {
	case q.Reads():
		v.Total = "Pages that match, of those looked at so far."
	case q.After == "":
		v.Total = count(list.Total) + " pages match."
	}
	if list.Next != "" {
		next := without(form)
		next.Set("after", list.Next)
		v.Next = v.Here + "?" + next.Encode()
	}
	return nil
}

// facets sets what the pages of the list have in common.
func (v *resultsView) facets(ctx context.Context, c *crawl.Crawl, q crawl.PageQuery, form url.Values) error {
	f, err := c.Facets(ctx, q)
	if err != nil {
		return err
	}
	v.Counted = "Of the first " + count(int64(f.Of)) + " pages of the list."
	for _, g := range []struct {
		name, key, chosen string
		values            []crawl.Facet
	}{
		{"Host", "host", v.Host, f.Hosts}, {"Class", "class", v.Class, f.Classes}, {"Entity", "entity", v.Entity, f.Entities},
		{"Language", "lang", v.Lang, f.Langs}, {"Type", "type", v.Type, f.Types},
	} {
		group := facetGroup{Name: g.name}
		for _, value := range g.values {
			chosen := value.Value == g.chosen
			v.Narrowed = v.Narrowed || chosen
			to := without(form, "after", g.key)
			if !chosen {
				to.Set(g.key, value.Value)
			}
			group.Values = append(group.Values, facetLink{value.Value, v.Here + "?" + to.Encode(), int64(value.Pages), chosen})
		}
		if len(group.Values) > 1 || g.chosen != "" {
			v.Facets = append(v.Facets, group)
		}
	}
	return nil
}

// views sets the ways to show the list.
func (v *resultsView) views(form url.Values) {
	list, table, folding := without(form, "view"), without(form, "view"), without(form, "repeats")
	table.Set("view", "table")
	if !v.Repeats {
		folding.Set("repeats", "on")
	}
	v.Folding = v.Here + "?" + folding.Encode()
	v.Views = []Tab{{v.Here + "?" + list.Encode(), "Cards", !v.Table}, {v.Here + "?" + table.Encode(), "Table", v.Table}}
}

// without is a form without some keys.
func without(form url.Values, keys ...string) url.Values {
	rest := maps.Clone(form)
	for _, key := range keys {
		delete(rest, key)
	}
	return rest
}

// Searches reports whether the list is what a search found.
func (v resultsView) Searches() bool { return v.Words != "" || v.Label != "" }

func (v *resultsView) search(ctx context.Context, c *crawl.Crawl, form url.Values) error {
	found, err := c.Search(ctx, crawl.SearchQuery{Words: v.Words, Label: v.Label, Top: pageSize, Rank: crawl.Ranks()[0], Partial: true})
	if err != nil {
		return err
	}
	v.Total = count(found.Total) + " pages match, the best first."
	if left := found.Unindexed; left > 0 {
		v.Total = fmt.Sprintf("%s pages match so far, the best first: the words of %s of %s fetched addresses are indexed. The rest follows in the background: search again in a moment.",
			count(found.Total), count(found.Of-left), count(found.Of))
	}
	for _, hit := range found.Hits {
		row := Row{URL: hit.URL, Path: pagePath(v.Crawl, hit.URL), Title: cmp.Or(hit.Title, hit.URL), Host: hostOf(hit.URL), Score: hit.Score}
		var spans []orbweaver.Span
		for _, m := range hit.Snippet.Marks {
			spans = append(spans, orbweaver.Span{Field: orbweaver.InText, Start: m[0], End: m[1], Rule: "search", Name: "a word of the search"})
		}
		v.Found = append(v.Found, Hit{row, segments(hit.Snippet.Text, orbweaver.InText, spans), hit.Labels})
	}
	v.labels(form)
	return nil
}

// labels sets the facet of the labels that the pages found have.
func (v *resultsView) labels(form url.Values) {
	pages := map[string]int64{}
	for _, h := range v.Found {
		for _, label := range h.Labels {
			pages[label]++
		}
	}
	if v.Label != "" {
		pages[v.Label] = max(pages[v.Label], int64(len(v.Found)))
	}
	group := facetGroup{Name: "Label"}
	for label, n := range pages {
		chosen := label == v.Label
		v.Narrowed = v.Narrowed || chosen
		to := without(form, "after", "label")
		if !chosen {
			to.Set("label", label)
		}
		group.Values = append(group.Values, facetLink{label, v.Here + "?" + to.Encode(), n, chosen})
	}
	if len(group.Values) == 0 {
		return
	}
	order.By(group.Values, func(a, b facetLink) int { return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Value, b.Value)) })
	group.Values = group.Values[:min(len(group.Values), shownLabels)]
	v.Facets, v.Counted = []facetGroup{group}, "Of the pages shown."
}
