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
			"vocabularies": firstOf(all.Vocabularies, top), "datasets": firstOf(all.Datasets, top), "datasetsBy": all.DatasetsBy,
			"byInstances": firstOf(all.ByInstances, top), "rows": firstOf(all.Rows, top), "terms": firstOf(all.Terms, top), "total": len(all.Terms),
		}, err
	})
}

// firstOf is the first part of a list, which is never null.
func firstOf[T any](all []T, n int) []T { return append([]T{}, all[:min(n, len(all))]...) }

// questions tells what a metadata crawl asks about classes, and what was answered.
func (a *API) questions(w http.ResponseWriter, r *http.Request) error {
	return found(a, w, r, func(c *crawl.Crawl) (crawl.Asking, error) { return c.Asks(r.Context()) })
}

// answerQuestions takes answers about classes; the crawl takes them up when it is started again.
func (a *API) answerQuestions(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Answers []crawl.ClassAnswer `json:"answers"`
	}
	if err := body(r, &in); err != nil {
		return err
	}
	return found(a, w, r, func(c *crawl.Crawl) (crawl.Asking, error) { return c.Answer(r.Context(), in.Answers...) })
}

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
