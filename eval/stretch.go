package eval

import "math"

// CosineThresholds are the cosines to an item above which pages are counted: 0.1, above which are dozens of a
// small encyclopedia, and 0.25, which is the paper's own bound.
func CosineThresholds() [2]float64 { return [2]float64{0.1, 0.25} }

// A StretchFigure is what is measured of a stretch of requests: see Stretch.
type StretchFigure int

// The figures of a stretch, in the order of the report.
const (
	HarvestRate StretchFigure = iota // relevant pages ÷ pages fetched
	CosItem                          // mean cosine to the item of the pages, the item itself left out
	AboveFirst                       // pages whose cosine is above the first of CosineThresholds, by pages
	AboveSecond                      // and above the second
	stretchFigures
)

// Name is that of the figure in files.
func (f StretchFigure) Name() string {
	switch f {
	case HarvestRate:
		return "harvest_rate"
	case CosItem:
		return "cos_item"
	}
	return "cos_above_" + decimal(CosineThresholds()[f-AboveFirst])
}

// Title is that of the figure for people.
func (f StretchFigure) Title() string {
	switch f {
	case HarvestRate:
		return "Harvest rate"
	case CosItem:
		return "Cosine to the item"
	}
	return "Cosine above " + decimal(CosineThresholds()[f-AboveFirst])
}

// A Stretch is what the crawls of a run brought in some requests one after the other, on average over the
// repetitions. Repetitions without a page there have none of the figures, and are left out of their means.
type Stretch struct {
	From, To int // of the first request, from 1, and of the last
	Pages    Estimate
	Figures  [stretchFigures]Estimate
}

// A Difference is by how much a run is above another in the same requests for the same items. The interval is that
// of paired differences: what makes items differ from each other is not in it.
type Difference struct {
	Estimate
	Better, Worse int // for how many items it is above and below the other; equal for the rest
}

// A sample is what the repetitions of a run brought in a stretch, in their order; NaN where one had no page.
type sample struct {
	pages   []float64
	figures [stretchFigures][]float64
}

// sample measures the run's crawls in the requests from one number to another, both included.
func (r *Run) sample(from, to int) sample {
	var s sample
	for _, curve := range r.Curves {
		pages, values := curve.within(from, to)
		s.pages = append(s.pages, float64(pages))
		for f, v := range values {
			s.figures[f] = append(s.figures[f], v)
		}
	}
	return s
}

// within measures one crawl in a stretch.
func (c *Curve) within(from, to int) (pages int, values [stretchFigures]float64) {
	var counts [stretchFigures]int // of pages, by the figure they count for
	compared, sum := 0, 0.0
	for i := from - 1; i < min(to, len(c.cosines)); i++ {
		pages += int(c.steps[i] & stepPage)
		counts[HarvestRate] += int(c.steps[i] & stepRelevant / stepRelevant)
		counts[AboveFirst] += int(c.steps[i] & stepAboveFirst / stepAboveFirst)
		counts[AboveSecond] += int(c.steps[i] & stepAboveSecond / stepAboveSecond)
		if c.cosines[i] != noCosine {
			compared++
			sum += float64(c.cosines[i])
		}
	}
	for f := range values {
		values[f] = float64(counts[f]) / float64(pages) // NaN without a page
	}
	values[CosItem] = sum / float64(compared)
	return pages, values
}

// stretch is the mean of a sample.
func (s *sample) stretch(from, to int) Stretch {
	m := Stretch{From: from, To: to, Pages: EstimateOf(s.pages)}
	for f, values := range s.figures {
		m.Figures[f] = EstimateOf(known(values))
	}
	return m
}

// known leaves out what is NaN.
func known(values []float64) []float64 {
	kept := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// minus compares a figure with that of another sample, item by item; items that one of them lacks are left out.
func (s *sample) minus(other *sample, f StretchFigure) Difference {
	var d Difference
	var differences []float64
	for i, v := range s.figures[f] {
		difference := v - other.figures[f][i]
		if math.IsNaN(difference) {
			continue
		}
		differences = append(differences, difference)
		switch difference = rounded(difference); { // the order of pages moves the last digits of a mean
		case difference > 0:
			d.Better++
		case difference < 0:
			d.Worse++
		}
	}
	d.Estimate = EstimateOf(differences)
	return d
}
