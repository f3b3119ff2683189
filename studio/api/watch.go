package api

import (
	"bytes"
	"net/http"

	"orbweaver/crawl"
)

func (a *API) visits(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	most := q.number("limit", usualRows, 1, mostRows)
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (crawl.Visits, error) { return c.Visits(r.Context(), most) })
}

func (a *API) changes(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	most := q.number("limit", usualRows, 1, mostRows)
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (map[string]any, error) {
		list, err := c.Changed(most)
		if list == nil {
			list = []crawl.PageChange{}
		}
		return map[string]any{"changes": list}, err
	})
}

func (a *API) changeFeed(w http.ResponseWriter, r *http.Request) error {
	var feed bytes.Buffer
	if err := a.use(r, func(c *crawl.Crawl) error { return c.WriteChanges(&feed, r.PathValue("crawl")) }); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/atom+xml; charset=utf-8")
	_, err := w.Write(feed.Bytes())
	return err
}
