package krs

import (
	"math"
	"slices"
)

// sizes are those of corpus and background.
type sizes struct{ documents, background int64 }

// weigh is how much a noun counts in coverage, and how much of that is the topic's, where n documents of
// the corpus and b of the background have it.
//
// The weight is its IDF over both: what every page has says nothing of any. The share is the probability
// that a page is of the topic, by the noun alone, were pages of the topic as frequent as others:
// p/(p + q), p being how frequent the noun is in the corpus and q in the background, where one document
// more is taken to have it, which nobody can rule out. It is 0 for a noun that the corpus lacks, and 1 for
// one that it has where there is no background.
func (z sizes) weigh(n, b int64) (weight, share float64) {
	weight = math.Log2(float64(z.documents+z.background+1) / float64(n+b+1))
	switch {
	case n == 0:
		return weight, 0
	case z.background == 0:
		return weight, 1
	}
	p := float64(n) / float64(z.documents+1)
	q := float64(b+1) / float64(z.background+1)
	return weight, p / (p + q)
}

// often is how much a noun counts for being mentioned so many times: every time half as much again is not
// as much again.
func often(times int32) float64 {
	if times == 1 {
		return 1
	}
	return 1 + math.Log(float64(times))
}

// covering is coverage on its way.
type covering struct{ covered, all float64 }

func (c *covering) add(weight, share, often float64) {
	c.covered += weight * share * often
	c.all += weight * often
}

// coverage is the topic's share of the weight, shrunk towards 0 (pseudo-count 1): a page of two nouns is weak
// evidence.
func (c covering) coverage(unknown float64) float64 {
	if c.covered == 0 {
		return 0
	}
	return c.covered / (c.all + unknown)
}

// A Verdict is what a Snapshot says of a page.
type Verdict struct {
	Nouns  int // distinct ones
	Linked int // of those
	Known  int // of those, how many the corpus has

	// Mean is μ_doc, the mean IDF of the linked nouns that the corpus has, each once; without one it is 0 and
	// Known too.
	Mean    float64
	InRange bool // equation 4: μ_C − σ ≤ μ_doc ≤ μ_C + σ

	// Coverage is the share, 0 to 1, of the page's nouns that are the topic's, by weight.
	Coverage float64

	// Likeness is what a page is accepted by, at most 1: the cosine of its nouns to those of the corpus, on
	// average, less that to those of the background, nouns counting by how rare they are there. It is below 0
	// where the background is nearer. Without a background it is Coverage. Covered says that it is what pages
	// of the topic have: no less than Calibration.Threshold, and more than 0.
	Likeness float64
	Covered  bool
	Judged   []Judged // by mention
}

// Judged is what one noun of a page counts.
type Judged struct {
	IDF     float64 // equation 1; -1: the corpus lacks it
	Share   float64 // how much of it is the topic's
	Part    float64 // its part of all weight
	Covers  float64 // its part of Coverage: they add up to it
	Adds    float64 // its part of Likeness, below 0 where it speaks against: they add up to it
	Linked  bool
	Telling bool // it is more often met in the corpus than in the background
}

// Judge judges a page by its nouns.
func (s *Snapshot) Judge(mentions []Mention) Verdict {
	v := Verdict{Nouns: len(mentions), Judged: make([]Judged, len(mentions))}
	var c covering
	var sum, square float64
	for i := range mentions {
		m, j := &mentions[i], &v.Judged[i]
		weight, rarity, pull := s.unknown, s.stranger, 0.0
		at, known := s.index[m.Key]
		*j = Judged{IDF: -1, Linked: m.Linked()}
		if known {
			weight, rarity, pull, j.Share = s.weight[at], s.rarity[at], s.pull[at], s.share[at]
			if s.n[at] > 0 {
				j.IDF, j.Telling = s.idf[at], j.Share > 0.5
			}
		}
		if j.Linked {
			v.Linked++
			if j.IDF >= 0 {
				v.Known++
				sum += j.IDF
			}
		}
		if j.Linked || !s.opts.Linked {
			times := often(int32(min(m.Times, math.MaxInt32)))
			square += rarity * times * rarity * times
			j.Adds = rarity * times * pull
			j.Part = weight * times
			c.covered += j.Part * j.Share
			c.all += j.Part
		}
	}
	if v.Known > 0 {
		v.Mean = sum / float64(v.Known)
		v.InRange = s.mean-s.deviation <= v.Mean && v.Mean <= s.mean+s.deviation
	}
	v.Coverage = c.coverage(s.unknown)
	v.share(c.all+s.unknown, math.Sqrt(square), s.background > 0)
	v.Covered = v.Likeness > 0 && v.Likeness >= s.calibration.Threshold
	return v
}

// share has the parts of nouns add up, given the weight of all and the length of the page's vector.
func (v *Verdict) share(all, length float64, background bool) {
	for i := range v.Judged {
		j := &v.Judged[i]
		j.Part /= all
		j.Covers = j.Part * j.Share
		switch {
		case !background:
			j.Adds = j.Covers
		case length > 0:
			j.Adds /= length
		}
		v.Likeness += j.Adds
	}
	if !background {
		v.Likeness = v.Coverage
	}
}

// A Calibration says what likeness pages of the topic have, by the documents themselves: each is judged as
// if it had not been there, and so is each of the background.
type Calibration struct {
	// Threshold is the least likeness of a page of the topic: with a background, that which seven of ten documents of
	// the corpus have, without one, nine of ten. The background does not set it: it is an unlabelled sample with a
	// few documents of the topic or none. It only estimates the false positives.
	Threshold float64 `json:"threshold"`
	Tenth     float64 `json:"tenth"`     // the tenth percentile of the corpus
	Recall    float64 `json:"recall"`    // share of the corpus at or above the threshold
	Precision float64 `json:"precision"` // share of the corpus in what of corpus and background is; 1 without a background
}

// leastLikeness is what a threshold is by a background that is as near to the corpus as its own documents
// are: some likeness there has to be.
const leastLikeness = 0.01

// Calibration returns how likeness is judged.
func (s *Snapshot) Calibration() Calibration { return s.calibration }

func (s *Snapshot) calibrate(near, far centroid) Calibration {
	if len(s.corpus) == 0 {
		return Calibration{}
	}
	var in, out []float64
	var c Calibration
	if s.background == 0 {
		in = s.leaveOneOut()
		c.Tenth = percentile(in, 10)
		c.Threshold = c.Tenth
	} else {
		in, out = s.without(near, far), s.withoutOther(near, far)
		c.Tenth = percentile(in, 10)
		c.Threshold = max(leastLikeness, percentile(in, 30))
	}
	right, wrong := atLeast(in, c.Threshold), atLeast(out, c.Threshold)
	c.Recall = float64(right) / float64(len(in))
	c.Precision = float64(right) / float64(max(right+wrong, 1))
	return c
}

// percentile is the score, of some from the highest down, that so many of a hundred fall below at most.
func percentile(scores []float64, p int) float64 { return scores[len(scores)-1-len(scores)*p/100] }

// leaveOneOut is the coverage of documents that are left out of what they are judged by, highest first,
// where there is no background.
func (s *Snapshot) leaveOneOut() []float64 {
	of := sizes{documents: s.documents - 1}
	scores := make([]float64, len(s.corpus))
	unknown, _ := of.weigh(0, 0)
	for i, t := range s.corpus {
		var c covering
		for _, m := range t {
			if s.opts.Linked && !s.keys[m.at].Linked() {
				continue
			}
			weight, share := of.weigh(int64(s.n[m.at])-1, 0)
			c.add(weight, share, often(m.times))
		}
		scores[i] = c.coverage(unknown)
	}
	return descending(scores)
}

// atLeast is how many scores, highest first, are no less than one.
func atLeast(scores []float64, least float64) int {
	n, _ := slices.BinarySearchFunc(scores, least, func(score, least float64) int {
		if score >= least {
			return -1
		}
		return 1
	})
	return n
}
