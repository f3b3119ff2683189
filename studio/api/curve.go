package api

import (
	"cmp"
	"fmt"
	"net/http"

	"orbweaver"
	"orbweaver/crawl"
)

// A Chart is what a chart of the pages shows.
type Chart struct {
	X      Axis     `json:"x"`
	Y      Axis     `json:"y"`
	Series []Series `json:"series"`
	Marks  []Mark   `json:"marks,omitempty"`
	Bands  []Band   `json:"bands,omitempty"`
}

// A Band is the area between two series, by their places in Chart.Series.
type Band struct {
	Low  int `json:"low"`
	High int `json:"high"`
}

// A Mark is a line across a chart.
type Mark struct {
	X     float64 `json:"x"`
	Label string  `json:"label"`
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
		decisions, err := c.Decisions(r.Context())
		chart.Marks = marksOf(decisions)
		return chart, err
	})
}

// mostMarks is the number of marks of a chart: the latest.
const mostMarks = 50

// marksOf marks decisions in a curve: those about suggestions each, those about pages after the same outcome together.
func marksOf(decisions []orbweaver.Decision) (marks []Mark) {
	verdicts := 0
	for i, d := range decisions {
		if d.Page != "" {
			verdicts++
			if i+1 < len(decisions) && decisions[i+1].Page != "" && decisions[i+1].After == d.After {
				continue
			}
		}
		marks = append(marks, Mark{float64(d.After), markOf(d, verdicts)})
		verdicts = 0
	}
	return marks[max(0, len(marks)-mostMarks):]
}

// markOf says what was decided, for a mark.
func markOf(d orbweaver.Decision, verdicts int) string {
	what := cmp.Or(d.Text, d.ID)
	switch {
	case d.Page != "":
		return fmt.Sprintf("%d verdicts", verdicts)
	case d.ID == "":
		return "statements removed"
	case d.Withdrawn:
		return "undone: " + what
	case d.Later:
		return "later: " + what
	case d.Accepted:
		return "accepted: " + what
	}
	return "rejected: " + what
}
