package urlwords

import "math"

// The bins of scales, and the worth of URLs before any was requested. The constants were chosen on topics of an
// encyclopaedia.
const (
	linkBins  = 20  // of scores, 0..1
	signBins  = 17  // of signs, from signLow·signStep upwards
	signLow   = -4  // first bin, in steps
	signStep  = 0.5 // log-odds
	unchosen  = 3   // log-odds by which a URL without signs is below the mean of the crawl's pages
	signSlope = 2   // log-odds of worth by one of signs
	pseudo    = 3   // pages with which the worth before any page counts, for each bin
)

// A scale is the mean worth of pages by a quantity in bins, made monotone.
type scale struct{ n, worth []float64 }

func newScale(bins int) scale { return scale{make([]float64, bins), make([]float64, bins)} }

func linkBin(score float64) int { return min(max(int(score*linkBins), 0), linkBins-1) }

func signBin(sign float64) int {
	return min(max(int(math.Round(sign/signStep))-signLow, 0), signBins-1)
}

func (s scale) add(bin int, worth float64) {
	s.n[bin]++
	s.worth[bin] += worth
}

// addAll adds another scale.
func (s scale) addAll(more scale) {
	for i := range s.n {
		s.n[i] += more.n[i]
		s.worth[i] += more.worth[i]
	}
}

// sums returns the worth of all pages and the sum of their scores, of a scale of scores.
func (s scale) sums() (worth, scores float64) {
	for i := range s.n {
		worth, scores = worth+s.worth[i], scores+s.n[i]*(float64(i)+0.5)/float64(len(s.n))
	}
	return worth, scores
}

// fit returns the mean worth by bin, ascending: isotonic regression by pooling adjacent violators (Ayer et al. 1955),
// each bin with pseudo pages of the worth that prior gives.
func (s scale) fit(prior func(bin int) float64) []float64 {
	type block struct {
		n, sum float64
		bins   int
	}
	var blocks []block
	for i := range s.n {
		b := block{s.n[i] + pseudo, s.worth[i] + pseudo*prior(i), 1}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if last.sum/last.n <= b.sum/b.n {
				break
			}
			b = block{last.n + b.n, last.sum + b.sum, last.bins + b.bins}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	fit := make([]float64, 0, len(s.n))
	for _, b := range blocks {
		for range b.bins {
			fit = append(fit, b.sum/b.n)
		}
	}
	return fit
}

// at returns the worth at a position in the bins of a fit, between the centres of two.
func at(fit []float64, position float64) float64 {
	position = min(max(position, 0), float64(len(fit)-1))
	i := int(position)
	if i == len(fit)-1 {
		return fit[i]
	}
	part := position - float64(i)
	return fit[i]*(1-part) + fit[i+1]*part
}

// inverse returns the score, 0..1, at which a fit of scores reaches a worth.
func inverse(fit []float64, worth float64) float64 {
	bins := float64(len(fit))
	if worth <= fit[0] {
		return max(worth, 0) / max(fit[0], 1e-9) * 0.5 / bins
	}
	for i := 1; i < len(fit); i++ {
		if worth <= fit[i] {
			return (float64(i) - 0.5 + (worth-fit[i-1])/(fit[i]-fit[i-1])) / bins
		}
	}
	return (bins - 0.5) / bins
}
