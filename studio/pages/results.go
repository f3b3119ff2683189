package pages

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"orbweaver"
	"orbweaver/crawl"
)

const pageSize = 50 // rows of a list

// resultsView is a part of the results of a crawl.
type resultsView struct {
	Frame
	Words, Min, Host, Class, Sort string
	Accepted                      bool
	Sorts                         []string
	Rows                          []Row
	Found                         []Hit
	Total                         string
	Next                          string // path of the next part; empty: none
	Exports                       []Tab
}

// A Hit is a page that a search by words found.
type Hit struct {
	Row
	Marked []Segment // its snippet
}

// results lists the pages of a crawl, or those that a search finds.
func (h *Handler) results(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	v := resultsView{
		Frame: h.frame(r, "Results of "+r.PathValue("crawl")), Words: q.Get("words"), Min: q.Get("min"), Host: q.Get("host"), Class: q.Get("class"),
		Sort: cmp.Or(q.Get("sort"), "score"), Accepted: q.Get("accepted") != "", Sorts: crawl.PageSorts(),
	}
	lowest, err := strconv.ParseFloat(cmp.Or(v.Min, "0"), 64)
	if err != nil {
		return fmt.Errorf("lowest score %q: write a number from 0 to 1 (%w)", cut(v.Min, 50), orbweaver.ErrInput)
	}
	err = h.use(r, func(ctx context.Context, c *crawl.Crawl) error {
		if v.Words != "" {
			return v.search(ctx, c)
		}
		return v.list(ctx, c, crawl.PageQuery{
			Accepted: v.Accepted, Host: v.Host, Class: v.Class, MinScore: lowest, Sort: v.Sort, After: q.Get("after"), Limit: pageSize,
		}, q)
	})
	if err != nil {
		return err
	}
	q.Del("after")
	for _, format := range []string{"csv", "jsonl", "urls", "warc", "nquads", "trig"} {
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
	if q.After == "" {
		v.Total = count(list.Total) + " pages match."
	}
	if list.Next != "" {
		next := url.Values{"after": {list.Next}}
		for key, values := range form {
			if key != "after" {
				next[key] = values
			}
		}
		v.Next = v.Here + "?" + next.Encode()
	}
	return nil
}

func (v *resultsView) search(ctx context.Context, c *crawl.Crawl) error {
	found, err := c.Search(ctx, crawl.SearchQuery{Words: v.Words, Top: pageSize, Rank: crawl.Ranks()[0]})
	if err != nil {
		return err
	}
	v.Total = count(found.Total) + " pages match, the best first."
	for _, hit := range found.Hits {
		row := Row{URL: hit.URL, Path: pagePath(v.Crawl, hit.URL), Title: cmp.Or(hit.Title, hit.URL), Host: hostOf(hit.URL), Score: hit.Score}
		var spans []orbweaver.Span
		for _, m := range hit.Snippet.Marks {
			spans = append(spans, orbweaver.Span{Field: orbweaver.InText, Start: m[0], End: m[1], Rule: "search", Name: "a word of the search"})
		}
		v.Found = append(v.Found, Hit{row, segments(hit.Snippet.Text, orbweaver.InText, spans)})
	}
	return nil
}
