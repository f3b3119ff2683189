package baseline

import (
	"context"
	"strconv"

	"orbweaver"
)

type random struct {
	seed  uint64
	links links
}

// NewRandom returns the focus that ranks at random: a URL's score is a hash of the URL and the seed, uniform
// over 0 ≤ s < 1 and the same in every crawl. It accepts every page.
func NewRandom(seed uint64) orbweaver.Focus { return &random{seed: seed} }

func (r *random) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	j := r.drawn(p.URL)
	j.Accepted = true
	return j, nil
}

func (r *random) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	return r.links.each(p, func(l *orbweaver.Link) orbweaver.Judgement { return r.drawn(l.To) }), nil
}

func (r *random) drawn(url string) orbweaver.Judgement {
	return because(chance(r.seed, url), RuleRandom, "seed "+strconv.FormatUint(r.seed, 10))
}

// chance hashes a string to 0 ≤ x < 1: FNV-1a followed by the finalizer of SplitMix64, since FNV alone keeps
// strings with a common prefix close together.
func chance(seed uint64, s string) float64 {
	h := uint64(14695981039346656037) ^ seed*0x9e3779b97f4a7c15
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return float64((h^h>>31)>>11) / (1 << 53)
}
