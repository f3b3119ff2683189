package eval

import "fmt"

// A LeftPoint is what was known of the end of a crawl at a number of requests: the pages accepted until then, by the threshold foreseen for the
// end, and how many there would be in all, with an interval that has the truth in nine of ten cases.
type LeftPoint struct {
	Requests, Accepted int64
	Mean, Low, High    float64 // pages accepted in the end
}

// LeftFacts are the estimates of a crawl, in the order of requests, and a sentence on the last of them.
type LeftFacts struct {
	Points []LeftPoint
	Text   string
}

// chart draws the estimates; nil if there are fewer than two.
func (l LeftFacts) chart() (*crawlChart, error) {
	if len(l.Points) < 2 {
		return nil, nil
	}
	accepted, mean, low, high := series{style: 1}, series{style: 2}, series{style: 3}, series{style: 3}
	for _, p := range l.Points {
		x := float64(p.Requests)
		accepted.x, accepted.y = append(accepted.x, x), append(accepted.y, float64(p.Accepted))
		mean.x, mean.y = append(mean.x, x), append(mean.y, p.Mean)
		low.x, low.y = append(low.x, x), append(low.y, p.Low)
		high.x, high.y = append(high.x, x), append(high.y, p.High)
	}
	f := figure{label: "pages", counts: true, xmax: accepted.x[len(accepted.x)-1]}
	drawn, err := drawChart("What is left to accept", l.Text+" "+leftWords, f, []namedSeries{
		{accepted, "accepted until then"}, {mean, "in the end, as estimated then"}, {low, "nine of ten cases: at least"}, {high, "at most"},
	})
	if err != nil {
		return nil, fmt.Errorf("what is left: %w", err)
	}
	return &drawn, nil
}

// leftWords says what the chart shows.
const leftWords = "At each number of requests: how many pages had been accepted, and how many would be when all that waits now has been requested, estimated from how acceptances became rarer. Accepted by the threshold that was foreseen then for the end of the crawl."
