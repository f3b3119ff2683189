package krs

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// Likenesses counts pages by their likeness, in bins of 0.0005 from -1 to 1; a likeness beyond counts at the end. The zero
// Likenesses is empty.
type Likenesses struct {
	counts [bins]int32
	pages  int64
}

const (
	bins      = 4000
	perUnit   = bins / 2 // bins of a likeness of 1
	mostPages = math.MaxInt32
)

// Add counts a page.
func (l *Likenesses) Add(likeness float64) {
	if l.pages < mostPages {
		l.counts[binOf(likeness)]++
		l.pages++
	}
}

// Merge adds the pages that more counts. More than can be counted wrap ErrDamaged, and change nothing.
func (l *Likenesses) Merge(more *Likenesses) error {
	if l.pages+more.pages > mostPages {
		return fmt.Errorf("likeness of %d pages and %d: %w", l.pages, more.pages, ErrDamaged)
	}
	l.pages += more.pages
	for i, n := range more.counts {
		l.counts[i] += n
	}
	return nil
}

// Pages returns the number of pages counted.
func (l *Likenesses) Pages() int64 { return l.pages }

// binOf returns the bin of a likeness; that of 0 for what is no number.
func binOf(likeness float64) int {
	if math.IsNaN(likeness) {
		likeness = 0
	}
	return int(min(bins-1, max(0, math.Floor((likeness+1)*perUnit+1e-9))))
}

// middle returns the likeness at the middle of a bin.
func middle(bin int) float64 { return (float64(bin)+0.5)/perUnit - 1 }

// Append appends the encoded counts to b: the number of filled bins, then of each the distance from the one before and the count.
func (l *Likenesses) Append(b []byte) []byte {
	filled := 0
	for _, n := range l.counts {
		filled += int(min(n, 1))
	}
	b, last := binary.AppendUvarint(b, uint64(filled)), 0
	for i, n := range l.counts {
		if n > 0 {
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(i-last)), uint64(n))
			last = i
		}
	}
	return b
}

// ReadLikenesses decodes what Append encoded; b holds nothing else. Invalid bytes wrap ErrDamaged.
func ReadLikenesses(b []byte) (*Likenesses, error) {
	l, damaged := &Likenesses{}, fmt.Errorf("likeness of pages: %w", ErrDamaged)
	next := func() uint64 {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			b = nil
			return math.MaxUint64
		}
		b = b[size:]
		return n
	}
	filled, at := next(), uint64(0)
	if filled > bins {
		return nil, damaged
	}
	for k := range filled {
		step, n := next(), next()
		if step >= bins || k > 0 && step == 0 || n == 0 || n > mostPages {
			return nil, damaged
		}
		if at += step; at >= bins {
			return nil, damaged
		}
		l.counts[at] = int32(n)
		l.pages += int64(n)
	}
	if len(b) > 0 || l.pages > mostPages {
		return nil, damaged
	}
	return l, nil
}

// A Boundary is the likeness from which pages of a crawl are accepted.
type Boundary struct {
	Likeness float64 `json:"likeness"`
	Pages    int64   `json:"pages"` // met, on which it rests beside the background
	Share    float64 `json:"share"` // of the pages met, and 100 of the background, that are about the topic, as estimated
}

const (
	surely = 0.95  // probability of the topic, at the boundary
	rest   = 100   // pages that the background counts as, however large
	few    = 50    // pages met after which the mixture has half of its weight
	rounds = 100   // of expectation-maximization at most
	narrow = 0.005 // least deviation
)

// Boundary returns the boundary between the topic and other pages, given the likeness of the pages met.
//
// The likeness of pages is a mixture of two normal distributions. That of the topic is known from the corpus, each document
// left out: its median, and the root mean square of what the lower half lacks to it; above the median a page counts as at the
// median. Mean and deviation of other pages, and the share of the topic, are estimated from the pages met and the background, which
// counts as 100 pages, by expectation-maximization (Dempster, Laird and Rubin 1977): the share is that of this crawl (Saerens,
// Latinne and Decaestecker 2002). The boundary is the lowest likeness, at most the median, from which on the topic is 95 % probable. It
// moves there from Calibration.Threshold, by n/(n+50) after n pages, and is at least 0.01. Without a background it is
// Calibration.Threshold.
func (s *Snapshot) Boundary(met *Likenesses) Boundary {
	b := Boundary{Likeness: s.calibration.Threshold, Pages: met.pages}
	if s.background == 0 || met.pages == 0 || len(s.alone) < 2 {
		return b
	}
	m := s.mixture(met)
	trust := float64(met.pages) / float64(met.pages+few)
	b.Share = m.share
	b.Likeness = max(leastLikeness, b.Likeness+trust*(m.boundary()-b.Likeness))
	return b
}

// A normal is a normal distribution.
type normal struct{ mean, deviation float64 }

// density returns the density, without the factor 1/√2π.
func (n normal) density(x float64) float64 {
	z := (x - n.mean) / n.deviation
	return math.Exp(-z*z/2) / n.deviation
}

// lowerHalf returns the normal distribution whose lower half is that of values: with their median, and the root mean square of the
// distances below it.
func lowerHalf(values []float64) normal {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	n := normal{mean: sorted[len(sorted)/2]}
	sum, count := 0.0, 0.0
	for _, x := range sorted {
		if x <= n.mean {
			sum, count = sum+(x-n.mean)*(x-n.mean), count+1
		}
	}
	n.deviation = max(narrow, math.Sqrt(sum/count))
	return n
}

// A mixture is the likeness of pages about the topic, a share of all, and of others.
type mixture struct {
	topic, others normal
	share         float64
}

// probability returns the probability of the topic.
func (m *mixture) probability(x float64) float64 {
	x = min(x, m.topic.mean)
	of, off := m.share*m.topic.density(x), (1-m.share)*m.others.density(x)
	if of == 0 {
		return 0
	}
	return of / (of + off)
}

// mixture estimates the mixture of the background, each document left out, and of the pages met.
func (s *Snapshot) mixture(met *Likenesses) *mixture {
	pages, all := make([]crowd, 0, 256), float64(met.pages)+rest
	for i, n := range met.counts {
		if n > 0 {
			pages = append(pages, crowd{middle(i), float64(n)})
		}
	}
	for _, x := range s.apart {
		pages = append(pages, crowd{x, rest / float64(len(s.apart))})
	}
	m := &mixture{topic: lowerHalf(s.alone), others: spread(s.apart), share: 0.1}
	for range rounds {
		of, sum, square := 0.0, 0.0, 0.0
		for _, p := range pages {
			topic := p.n * m.probability(p.likeness)
			of += topic
			sum += (p.n - topic) * p.likeness
			square += (p.n - topic) * p.likeness * p.likeness
		}
		before, off := m.share, max(1, all-of)
		m.share = min(of, all-1) / all
		m.others.mean = sum / off
		m.others.deviation = max(narrow, math.Sqrt(max(0, square/off-m.others.mean*m.others.mean)))
		if math.Abs(m.share-before) < 1e-6 {
			break
		}
	}
	return m
}

// crowd is a likeness, of a number of pages.
type crowd struct{ likeness, n float64 }

// spread returns mean and deviation of values.
func spread(values []float64) normal {
	sum, square, n := 0.0, 0.0, float64(len(values))
	for _, x := range values {
		sum, square = sum+x, square+x*x
	}
	mean := sum / n
	return normal{mean, max(narrow, math.Sqrt(max(0, square/n-mean*mean)))}
}

// boundary returns the lowest likeness, from the median of the topic downwards, at which the topic is as probable as it must be.
func (m *mixture) boundary() float64 {
	lowest := m.topic.mean
	for bin := binOf(lowest); bin >= 0; bin-- {
		x := float64(bin)/perUnit - 1
		if x <= m.others.mean || m.probability(x) < surely {
			break
		}
		lowest = x
	}
	return lowest
}
