package api

import (
	"net/http"

	"orbweaver/crawl"
)

// maxWeb bounds the terms of a graph of recommendations.
const maxWeb = 300

func (a *API) recommendations(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	top := q.number("limit", usualRows, 1, mostRows)
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (map[string]any, error) {
		all, err := c.Recommendations()
		return map[string]any{
			"vocabularies": firstOf(all.Vocabularies, top), "datasets": firstOf(all.Datasets, top), "rows": firstOf(all.Rows, top), "terms": firstOf(all.Terms, top),
			"total": len(all.Terms),
		}, err
	})
}

// firstOf is the first part of a list, which is never null.
func firstOf[T any](all []T, n int) []T { return append([]T{}, all[:min(n, len(all))]...) }

func (a *API) recommendationGraph(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	most := q.number("limit", 100, 1, maxWeb)
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (any, error) {
		all, err := c.Recommendations()
		return all.Graph(most), err
	})
}
