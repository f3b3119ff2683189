package api

import (
	"encoding/json"
	"math"
	"net/http"
	"slices"

	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// A Comparison is crawls side by side, and charts of their curves over the same requests.
type Comparison struct {
	Crawls   []workspace.Compared `json:"crawls"`
	Accepted Overlay              `json:"accepted"`
	Harvest  Overlay              `json:"harvest"`
}

// An Overlay is a chart with a series for each of several crawls, which ends where its crawl does.
type Overlay struct {
	X      Axis   `json:"x"`
	Y      Axis   `json:"y"`
	Series []Line `json:"series"`
}

// A Line of an Overlay.
type Line struct {
	Label  string `json:"label"`
	Values sparse `json:"values"`
}

// sparse are numbers of which some are not there: NaN, in JSON null.
type sparse []float64

// MarshalJSON writes the numbers.
func (s sparse) MarshalJSON() ([]byte, error) {
	all := make([]*float64, len(s))
	for i := range s {
		if !math.IsNaN(s[i]) {
			all[i] = &s[i]
		}
	}
	return json.Marshal(all)
}

func (a *API) compare(w http.ResponseWriter, r *http.Request) error {
	crawls, err := a.ws.Compare(r.Context(), r.URL.Query()["crawl"])
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, overlaid(crawls))
}

// overlaid draws the curves of crawls over all requests at which one of them has a point.
func overlaid(crawls []workspace.Compared) Comparison {
	requests := []float64{}
	for _, c := range crawls {
		for _, p := range c.Points {
			requests = append(requests, float64(p.Requests))
		}
	}
	slices.Sort(requests)
	x := Axis{Label: "requests", Values: slices.Compact(requests)}
	all := Comparison{
		Crawls: crawls, Accepted: Overlay{X: x, Y: Axis{Label: "accepted pages"}, Series: []Line{}},
		Harvest: Overlay{X: x, Y: Axis{Label: "harvest"}, Series: []Line{}},
	}
	for _, c := range crawls {
		accepted, harvest := Line{Label: c.ID}, Line{Label: c.ID}
		for _, n := range x.Values {
			a, p := between(c.Points, n)
			accepted.Values = append(accepted.Values, a)
			harvest.Values = append(harvest.Values, a/p) // NaN before the first page
		}
		all.Accepted.Series, all.Harvest.Series = append(all.Accepted.Series, accepted), append(all.Harvest.Series, harvest)
	}
	return all
}

// between returns the accepted pages and the pages of a curve after so many requests, NaN behind its end.
func between(points []crawl.Point, requests float64) (accepted, pages float64) {
	i := slices.IndexFunc(points, func(p crawl.Point) bool { return float64(p.Requests) >= requests })
	if i < 0 {
		return math.NaN(), math.NaN()
	}
	to := points[i]
	from := points[max(i-1, 0)]
	part := 1.0
	if to.Requests > from.Requests {
		part = (requests - float64(from.Requests)) / float64(to.Requests-from.Requests)
	}
	on := func(a, b int64) float64 { return float64(a) + part*float64(b-a) }
	return on(from.Accepted, to.Accepted), on(from.Pages, to.Pages)
}
