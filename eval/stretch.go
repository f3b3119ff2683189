package eval

import "math"

// CosineThresholds are the cosines to an item above which pages are counted: 0.1, which dozens of pages of a
// small encyclopedia exceed, and 0.25, the paper's threshold.
func CosineThresholds() [2]float64 { return [2]float64{0.1, 0.25} }

// A StretchFigure is a figure of a stretch of requests: see Stretch.
type StretchFigure int

// The figures of a stretch, in the order of the report.
const (
	HarvestRate StretchFigure = iota // relevant pages ÷ pages fetched
	CosItem                          // mean cosine of the pages to the item, without the item itself
	AboveFirst                       // pages above the first of CosineThresholds ÷ pages
	AboveSecond                      // pages above the second ÷ pages
	stretchFigures
)

// Name is the figure's name in files.
func (f StretchFigure) Name() string {
	switch f {
	case HarvestRate:
		return "harvest_rate"
	case CosItem:
		return "cos_item"
	}
	return "cos_above_" + decimal(CosineThresholds()[f-AboveFirst])
}

// Title is the figure's name in reports.
func (f StretchFigure) Title() string {
	switch f {
	case HarvestRate:
		return "Harvest rate"
	case CosItem:
		return "Cosine to the item"
	}
	return "Cosine above " + decimal(CosineThresholds()[f-AboveFirst])
}

// A Stretch is the result of consecutive requests of a run, averaged over the repetitions. Repetitions without
// a page there are excluded from the means.
type Stretch struct {
	From, To int // first request, from 1, and last
	Pages    Estimate
	Figures  [stretchFigures]Estimate
}

// A Difference is the mean difference of two runs over the same requests and items. The interval is that of
// paired differences, which excludes the variance between items.
type Difference struct {
	Estimate
	Better, Worse int // number of items where the run is above and below the other; equal for the rest
}

// A sample is the values of a run's repetitions in a stretch, in order; NaN for one without a page.
type sample struct {
	pages   []float64
	figures [stretchFigures][]float64
}

// sample measures the run's crawls in requests from to to, both included.
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

// known drops NaN values.
func known(values []float64) []float64 {
	kept := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// minus compares a figure with that of another sample, item by item; items missing in one are left out.
func (s *sample) minus(other *sample, f StretchFigure) Difference {
	var d Difference
	var differences []float64
	for i, v := range s.figures[f] {
		difference := v - other.figures[f][i]
		if math.IsNaN(difference) {
			continue
		}
		differences = append(differences, difference)
		switch difference = rounded(difference); { // the order of pages changes the last digits of a mean
		case difference > 0:
			d.Better++
		case difference < 0:
			d.Worse++
		}
	}
	d.Estimate = EstimateOf(differences)
	return d
}
