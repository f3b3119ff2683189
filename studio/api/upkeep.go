package api

import (
	"net/http"

	"orbweaver/crawl"
)

func (a *API) logins(w http.ResponseWriter, r *http.Request) error {
	return found(a, w, r, func(c *crawl.Crawl) (map[string]any, error) {
		list, err := c.Logins(r.Context())
		return map[string]any{"logins": list}, err
	})
}

// A stopping is when a crawl ends, with the chart of what is left.
type stopping struct {
	crawl.Stopping
	Chart Chart `json:"chart"`
}

func (a *API) stopping(w http.ResponseWriter, r *http.Request) error {
	return found(a, w, r, func(c *crawl.Crawl) (stopping, error) {
		s, err := c.Stopping(r.Context())
		return stopping{s, chartOf(s)}, err
	})
}

// chartOf draws at each number of requests how many pages had been accepted, and how many there would be in the end.
func chartOf(s crawl.Stopping) Chart {
	c := Chart{X: Axis{Label: "requests"}, Y: Axis{Label: "accepted pages"}, Bands: []Band{{Low: 2, High: 0}},
		Series: []Series{{Label: "at most, in nine of ten cases"}, {Label: "in the end, as estimated then"}, {Label: "at least"}, {Label: "accepted until then"}}}
	for _, e := range s.History {
		c.X.Values = append(c.X.Values, float64(e.Requests))
		found := float64(e.Accepted)
		for i, y := range [...]float64{found + e.Left.High, found + e.Left.Mean, found + e.Left.Low, found} {
			c.Series[i].Values = append(c.Series[i].Values, y)
		}
	}
	return c
}
