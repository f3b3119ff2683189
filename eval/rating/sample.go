// Package rating evaluates a crawl by human raters: it draws a stratified sample of its pages, writes sheets on
// which raters mark relevant pages, and computes the quality of the crawl and the agreement of the raters from
// their answers. It follows the evaluation of Hernandez, Marin-Castro and Morales-Sandoval, "A Semantic Focused
// Web Crawler Based on a Knowledge Representation Schema" (Applied Sciences 10, 3837; 2020): its equations 5,
// 7, 8 and 9, and the words of its Table 14.
//
// It uses only URLs and verdicts of pages, and does no file I/O. The same pages, seed and answers give the same
// sample and the same figures.
//
// This package is not part of the stable API.
package rating

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"orbweaver"
	"orbweaver/internal/order"
)

// MaxRows bounds the pages of a sample, far above what raters can judge.
const MaxRows = 10_000

// A Design determines the size of a sample.
type Design struct {
	Z     float64 `json:"z"`     // quantile of the desired confidence: 1.96 for 95 %; above 0, at most 10
	Error float64 `json:"error"` // permitted error of an estimated share; above 0, below 1
	Sigma float64 `json:"sigma"` // standard deviation of an answer: at most 0.5, that of a share of one half
}

// DefaultDesign is that of the paper.
func DefaultDesign() Design { return Design{Z: 1.96, Error: 0.05, Sigma: 0.5} }

// Check returns an error that wraps ErrInput for an invalid design.
func (d Design) Check() error {
	switch {
	case !(d.Z > 0 && d.Z <= 10):
		return fmt.Errorf("z %g: it is above 0 and at most 10 (%w)", d.Z, orbweaver.ErrInput)
	case !(d.Error > 0 && d.Error < 1):
		return fmt.Errorf("error %g: it is above 0 and below 1 (%w)", d.Error, orbweaver.ErrInput)
	case !(d.Sigma > 0 && d.Sigma <= 0.5):
		return fmt.Errorf("sigma %g: it is above 0 and at most 0.5 (%w)", d.Sigma, orbweaver.ErrInput)
	}
	return nil
}

// Size is the size of a sample of n pages by equation 7, before it is rounded: 0 to n.
func (d Design) Size(n int) float64 {
	if n <= 0 {
		return 0
	}
	a := d.Sigma * d.Sigma * d.Z * d.Z
	return float64(n) * a / (float64(n-1)*d.Error*d.Error + a)
}

// Sized is the design with the error by which a sample of n pages has so many as size says, at least 1; all n if size is larger.
func (d Design) Sized(size, n int) Design {
	if n > 1 {
		d.Error = max(d.Sigma*d.Z*math.Sqrt((float64(n)/float64(min(size, n))-1)/float64(n-1)), 1e-9)
	}
	return d
}

// Strata are the parts of a sample by equation 8, from the unrounded size: only that reproduces the paper's
// Table 9. A non-empty stratum has at least one page in the sample.
func (d Design) Strata(accepted, rejected int) (a, r int) {
	share := d.Size(accepted+rejected) / float64(max(accepted+rejected, 1))
	of := func(n int) int { return max(min(n, 1), int(math.Round(share*float64(n)))) }
	return of(accepted), of(rejected)
}

// A Population is the pages from which a sample is drawn, each URL once. It takes about 20 bytes per page.
type Population struct {
	seed  uint64
	pages map[uint64]bool // rank in the draw → accepted
}

// NewPopulation returns an empty population.
func NewPopulation(seed uint64) *Population {
	return &Population{seed, map[uint64]bool{}}
}

// Add adds a page. A page with several forms is accepted if one of them is.
func (p *Population) Add(url string, accepted bool) {
	key := p.place(url)
	p.pages[key] = p.pages[key] || accepted
}

// place is a page's rank in the draw: a function of the seed and its URL, independent of the order of the crawl
// and of other pages.
func (p *Population) place(url string) uint64 {
	sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, p.seed), url...))
	return binary.BigEndian.Uint64(sum[:])
}

// Count is how many pages there are of each kind.
func (p *Population) Count() (accepted, rejected int) {
	for _, yes := range p.pages {
		if yes {
			accepted++
		}
	}
	return accepted, len(p.pages) - accepted
}

// Draw draws a sample: the first of each kind by rank. The error wraps ErrInput if the design is invalid or
// requires more than MaxRows pages.
func (p *Population) Draw(d Design) (*Sample, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	s := &Sample{population: p, rows: map[uint64]int{}}
	s.Accepted, s.Rejected = d.Strata(p.Count())
	if n := s.Len(); n > MaxRows {
		return nil, fmt.Errorf("a sample of %d pages is more than anybody reads: at most %d, by a larger error (%w)", n, MaxRows, orbweaver.ErrInput)
	}
	places := slices.Sorted(maps.Keys(p.pages))
	left := map[bool]int{true: s.Accepted, false: s.Rejected}
	chosen := places[:0]
	for _, at := range places {
		if yes := p.pages[at]; left[yes] > 0 {
			left[yes]--
			chosen = append(chosen, at)
		}
	}
	s.arrange(chosen)
	return s, nil
}

// A Sample is drawn from a population. The order of its rows does not reveal verdicts.
type Sample struct {
	Accepted, Rejected int // pages of each kind

	population *Population
	name       string
	rows       map[uint64]int // rank in the draw → row
}

// arrange orders the chosen ranks by a hash: the order of the draw could reveal the kind. The sample's name is
// a hash of all.
func (s *Sample) arrange(chosen []uint64) {
	shuffle := map[uint64]uint64{}
	all := sha256.New()
	for _, at := range chosen {
		bytes := binary.BigEndian.AppendUint64(nil, at)
		all.Write(bytes) // never fails
		sum := sha256.Sum256(bytes)
		shuffle[at] = binary.BigEndian.Uint64(sum[:])
	}
	s.name = letters(binary.BigEndian.Uint64(all.Sum(nil)))
	order.By(chosen, func(a, b uint64) int { return cmp.Compare(shuffle[a], shuffle[b]) })
	for row, at := range chosen {
		s.rows[at] = row
	}
}

// letters writes a hash as six consonants, which spreadsheets do not convert to a number, a date or a month.
func letters(hash uint64) string {
	const consonants = "bcdfghjkmnpqrstvwxyz"
	var name [6]byte
	for i := range name {
		name[i] = consonants[hash%uint64(len(consonants))]
		hash /= uint64(len(consonants))
	}
	return string(name[:])
}

// Len is the number of rows.
func (s *Sample) Len() int { return s.Accepted + s.Rejected }

// Find returns the row of a page, from 0, and its verdict; ok is false if it is not in the sample.
func (s *Sample) Find(url string) (row int, accepted, ok bool) {
	at := s.population.place(url)
	row, ok = s.rows[at]
	return row, ok && s.population.pages[at], ok
}

// ID names a row by sample and number, so that rows of other samples' sheets do not match.
func (s *Sample) ID(row int) string { return fmt.Sprintf("%s-%03d", s.name, row+1) }
