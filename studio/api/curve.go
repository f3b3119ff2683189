package api

import (
	"net/http"

	"orbweaver/crawl"
)

// A Chart is what a chart of the pages shows.
type Chart struct {
	X      Axis     `json:"x"`
	Y      Axis     `json:"y"`
	Series []Series `json:"series"`
}

// An Axis of a chart.
type Axis struct {
	Label  string    `json:"label"`
	Values []float64 `json:"values,omitempty"`
}

// A Series of a chart has a value for each of the X axis.
type Series struct {
	Label  string    `json:"label"`
	Values []float64 `json:"values"`
}

// curvePoints is the number of points of a curve.
const curvePoints = 120

func (a *API) curve(w http.ResponseWriter, r *http.Request) error {
	return found(a, w, r, func(c *crawl.Crawl) (Chart, error) {
		points, err := c.Curve(r.Context(), curvePoints)
		if err != nil {
			return Chart{}, err
		}
		chart := Chart{X: Axis{Label: "requests"}, Y: Axis{Label: "pages"}, Series: []Series{{Label: "pages"}, {Label: "accepted"}}}
		for _, p := range points {
			chart.X.Values = append(chart.X.Values, float64(p.Requests))
			chart.Series[0].Values = append(chart.Series[0].Values, float64(p.Pages))
			chart.Series[1].Values = append(chart.Series[1].Values, float64(p.Accepted))
		}
		return chart, nil
	})
}
