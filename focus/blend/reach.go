package blend

import (
	"cmp"
	"encoding/binary"
	"math"

	"orbweaver"
	"orbweaver/internal/order"
)

const (
	bins     = 16  // of scores, half a unit of log odds each
	own      = 0.2 // weight of the score itself, after many links
	few      = 20  // links after which what they were worth has half of its final weight
	furthest = 50  // links of a page that count for what it is worth
)

// A reach estimates what it is worth to a part to follow a link, 0 to 1, by the part's score of the link: the payoff of the
// pages that links of such scores led to, rising with the score. Two links of the same payoff are worth the same, of
// whatever parts: one that leads to an accepted page, or to a page with many such links.
type reach struct {
	of    [bins]mean
	curve [bins]float64 // from of
	all   mean
	known bool // curve and all are up to date
}

// A mean is a sum with its number of terms.
type mean struct{ n, sum float64 }

// binOf returns the bin of a score.
func binOf(score float64) int {
	return min(bins-1, max(0, int(bins/2+2*logit(score))))
}

// add counts what a link of a score was worth.
func (r *reach) add(score, payoff float64) {
	b := &r.of[binOf(score)]
	*b = mean{b.n + 1, b.sum + payoff}
	r.known = false
}

// merge adds what links were worth elsewhere.
func (r *reach) merge(other *reach) {
	for i, m := range other.of {
		r.of[i] = mean{r.of[i].n + m.n, r.of[i].sum + m.sum}
	}
	r.known = false
}

// worth returns the estimate for a score; the score itself before any evidence.
func (r *reach) worth(score float64) float64 {
	if !r.known {
		r.fit()
	}
	w := r.all.n / (r.all.n + few) * (1 - own)
	return w*r.curve[binOf(score)] + (1-w)*score
}

// fit computes the curve: the isotonic regression of payoffs on scores by pooling adjacent violators (Ayer et al. 1955),
// each bin with half a link of the mean payoff.
func (r *reach) fit() {
	r.all = mean{}
	for _, b := range r.of {
		r.all = mean{r.all.n + b.n, r.all.sum + b.sum}
	}
	base := (r.all.sum + 0.5) / (r.all.n + 2)
	type block struct {
		mean
		bins int
	}
	var blocks []block
	for _, b := range r.of {
		blocks = append(blocks, block{mean{b.n + 0.5, b.sum + 0.5*base}, 1})
		for k := len(blocks) - 1; k > 0 && blocks[k-1].sum*blocks[k].n >= blocks[k].sum*blocks[k-1].n; k-- {
			l, h := blocks[k-1], blocks[k]
			blocks = append(blocks[:k-1], block{mean{l.n + h.n, l.sum + h.sum}, l.bins + h.bins})
		}
	}
	at := 0
	for _, b := range blocks {
		for range b.bins {
			r.curve[at] = b.sum / b.n
			at++
		}
	}
	r.known = true
}

// payoff is what a page was worth to a part: the largest share of accepted pages among the first requests of the way
// through it, which are the page itself and then its links, the best first, each as accepted as its chance. It sorts the
// chances.
func payoff(accepted bool, chances []float64) float64 {
	order.By(chances, func(a, b float64) int { return cmp.Compare(b, a) })
	sum := 0.0
	if accepted {
		sum = 1
	}
	best := sum
	for i, c := range chances[:min(len(chances), furthest)] {
		sum += c
		best = max(best, sum/float64(i+2))
	}
	return best
}

// reachSize is the number of bytes of an encoded reach.
const reachSize = bins * 16

// append encodes the sums: of each bin the number and the sum.
func (r *reach) append(b []byte) []byte {
	for _, m := range r.of {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.n))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.sum))
	}
	return b
}

// readReach decodes what append encoded; b holds nothing else. The error is orbweaver.ErrDamaged.
func readReach(b []byte) (r reach, err error) {
	if len(b) != reachSize {
		return r, orbweaver.ErrDamaged
	}
	for i := range r.of {
		m := mean{math.Float64frombits(binary.LittleEndian.Uint64(b[16*i:])), math.Float64frombits(binary.LittleEndian.Uint64(b[16*i+8:]))}
		if !(m.n >= 0 && m.n < 1e15 && m.sum >= 0 && m.sum <= m.n+1) {
			return r, orbweaver.ErrDamaged
		}
		r.of[i] = m
	}
	return r, nil
}
