package synth

import (
	"math"
	"sort"
)

// A zipf assigns page ranges to hosts: host h has one page plus a share of the rest, proportional to the
// integral of r^-s over h+1 ≤ r < h+2.
type zipf struct {
	pages int64
	hosts int
	s     float64
	whole float64 // the integral over all hosts
}

func newZipf(pages int64, hosts int, s float64) zipf {
	z := zipf{pages: pages, hosts: hosts, s: s}
	z.whole = z.below(float64(hosts))
	return z
}

// below returns the integral over the hosts below h.
func (z zipf) below(h float64) float64 {
	if z.s == 1 {
		return math.Log(h + 1)
	}
	return (math.Pow(h+1, 1-z.s) - 1) / (1 - z.s)
}

// at is the inverse of below.
func (z zipf) at(x float64) float64 {
	if z.s == 1 {
		return math.Exp(x) - 1
	}
	return math.Pow(x*(1-z.s)+1, 1/(1-z.s)) - 1
}

// density is the derivative of below.
func (z zipf) density(h float64) float64 {
	if z.s == 1 {
		return 1 / (h + 1)
	}
	return math.Pow(h+1, -z.s)
}

// start returns the first page of a host; for the index after the last host, the number of pages.
func (z zipf) start(h int) int64 {
	if h >= z.hosts {
		return z.pages
	}
	return int64(h) + int64(float64(z.pages-int64(z.hosts))/z.whole*z.below(float64(h)))
}

// host returns the host of a page. Newton's method comes within a host or two; if many hosts have nearly
// equal sizes and the exponent is too large for it, host falls back to a search.
func (z zipf) host(page int64) int {
	each, last := float64(z.pages-int64(z.hosts))/z.whole, float64(z.hosts-1)
	x := min(z.at(float64(page)/float64(z.pages)*z.whole), last)
	for range 2 {
		x -= (x + each*z.below(x) - float64(page)) / (1 + each*z.density(x))
		x = min(max(x, 0), last)
	}
	h := int(x)
	for range 4 {
		switch {
		case z.start(h) > page:
			h--
		case z.start(h+1) <= page:
			h++
		default:
			return h
		}
	}
	return sort.Search(z.hosts, func(h int) bool { return z.start(h+1) > page })
}
