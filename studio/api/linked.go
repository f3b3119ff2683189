package api

import (
	"net/http"

	"orbweaver/crawl"
)

// part is the part of a list that a request asks for.
func (q *query) part() crawl.ListPart {
	return crawl.ListPart{Name: q.text("name"), Skip: q.number("skip", 0, 0, 1<<30), Limit: q.number("limit", usualRows, 1, mostRows)}
}

func (a *API) links(w http.ResponseWriter, r *http.Request) error {
	return found(a, w, r, func(c *crawl.Crawl) (map[string]any, error) {
		d, err := c.LinkedData(r.Context(), crawl.LinkedQuery{})
		return map[string]any{"outcomes": d.Outcomes, "links": d.Links, "triples": d.Triples}, err
	})
}

func (a *API) linkHosts(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	part := q.part()
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (map[string]any, error) {
		d, err := c.LinkedData(r.Context(), crawl.LinkedQuery{Hosts: part})
		return map[string]any{"outcomes": d.Outcomes, "hosts": d.Hosts, "total": d.HostsTotal}, err
	})
}

func (a *API) endpoints(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	part := q.part()
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (map[string]any, error) {
		d, err := c.LinkedData(r.Context(), crawl.LinkedQuery{Endpoints: part})
		return map[string]any{"endpoints": d.Endpoints, "total": d.EndpointsTotal}, err
	})
}
