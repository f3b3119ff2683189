package api

import (
	"net/http"

	"orbweaver/crawl"
)

// teaching answers with what verdicts changed.
func (a *API) teaching(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	n := q.number("pages", 5000, 1, 5000)
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (crawl.Teaching, error) {
		return c.Taught(r.Context(), crawl.TeachQuery{Pages: n})
	})
}

// given lists verdicts that hold.
func (a *API) given(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	g := crawl.GivenQuery{After: int64(q.number("after", 0, 0, 1<<31-1)), Limit: q.number("limit", 50, 1, mostRows)}
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (crawl.GivenList, error) { return c.Given(r.Context(), g) })
}
