package krs

import (
	"math"
	"slices"
)

// sizes are the sizes of corpus and background.
type sizes struct{ documents, background int64 }

// weigh returns the weight of a noun in coverage and the topic's share of it, for a noun in n documents of
// the corpus and b of the background.
//
// The weight is its IDF over both: a noun on every page carries no information. The share is the probability
// that a page is of the topic, given the noun alone and equal priors: p/(p + q), where p is the frequency of
// the noun in the corpus and q in the background, smoothed by one additional document that has it. It is 0
// for a noun that the corpus lacks, and 1 without a background.
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

// often returns the weight of a number of mentions: it grows less than proportionally.
func often(times int32) float64 {
	if times == 1 {
		return 1
	}
	return 1 + math.Log(float64(times))
}

// covering accumulates coverage.
type covering struct{ covered, all float64 }

func (c *covering) add(weight, share, often float64) {
	c.covered += weight * share * often
	c.all += weight * often
}

// coverage returns the topic's share of the weight, shrunk towards 0 (pseudo-count 1): a page of two nouns is
// weak evidence.
func (c covering) coverage(unknown float64) float64 {
	if c.covered == 0 {
		return 0
	}
	return c.covered / (c.all + unknown)
}

// A Verdict is the judgement of a page by a Snapshot, by our measure; the paper's is Measure.
type Verdict struct {
	Nouns int // distinct ones

	// Coverage is the share, 0 to 1, of the page's nouns that are the topic's, by weight.
	Coverage float64

	// Likeness is the quantity by which pages are accepted, at most 1: the mean cosine of the page's nouns to
	// the corpus minus that to the background, with nouns weighted by their rarity in the background. It is
	// negative if the background is nearer. Without a background it is Coverage. Covered reports that it is
	// typical of the topic: at least Calibration.Threshold, and above 0.
	Likeness float64
	Covered  bool
	Judged   []Judged // by position of the mention
}

// Judged is the contribution of a noun of a page.
type Judged struct {
	IDF     float64 // equation 1; -1 if the corpus lacks it
	Share   float64 // the topic's share of it
	Part    float64 // its part of the total weight
	Covers  float64 // its part of Coverage; the parts add up to it
	Adds    float64 // its part of Likeness, possibly negative; the parts add up to it
	Linked  bool
	Telling bool // it is more frequent in the corpus than in the background
}

// Judge judges a page by its nouns.
func (s *Snapshot) Judge(mentions []Mention) Verdict {
	v := Verdict{Nouns: len(mentions), Judged: make([]Judged, len(mentions))}
	var c covering
	square := 0.0
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
		if j.Linked || !s.opts.Linked {
			times := often(int32(min(m.Times, math.MaxInt32)))
			square += rarity * times * rarity * times
			j.Adds = rarity * times * pull
			j.Part = weight * times
			c.covered += j.Part * j.Share
			c.all += j.Part
		}
	}
	v.Coverage = c.coverage(s.unknown)
	v.share(c.all+s.unknown, math.Sqrt(square), s.background > 0)
	v.Covered = v.Likeness > 0 && v.Likeness >= s.calibration.Threshold
	return v
}

// share scales the parts of nouns to add up, given the total weight and the length of the page's vector.
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

// A Calibration is the likeness of pages of the topic, estimated from the documents by leave-one-out: each is
// judged as if it were not in the corpus or the background.
type Calibration struct {
	// Threshold is the lowest likeness of a page of the topic, before any page is met: with a background, seven of ten documents of
	// the corpus reach it, without one, nine of ten. The background does not determine it: it is an
	// unlabelled sample with few documents of the topic, or none. It serves to estimate false positives.
	// The pages of a crawl move it: see Snapshot.Boundary.
	Threshold float64 `json:"threshold"`
	Tenth     float64 `json:"tenth"`     // the tenth percentile of the corpus
	Recall    float64 `json:"recall"`    // share of the corpus at or above the threshold
	Precision float64 `json:"precision"` // share of the corpus among all documents at or above the threshold; 1 without a background
}

// leastLikeness is the threshold for a background that is as near to the corpus as its own documents:
// likeness must be positive.
const leastLikeness = 0.01

// Calibration returns the calibration of likeness.
func (s *Snapshot) Calibration() Calibration { return s.calibration }

func (s *Snapshot) calibrate(near, far centroid) Calibration {
	if len(s.corpus) == 0 {
		return Calibration{}
	}
	var in, out []float64
	var c Calibration
	if s.background == 0 {
		s.alone = s.leaveOneOut()[:len(s.corpus)-s.told[0]]
		in = descending(slices.Clone(s.alone))
		c.Tenth = percentile(in, 10)
		c.Threshold = c.Tenth
	} else {
		s.alone = s.without(near, far)[:len(s.corpus)-s.told[0]]
		in, out = descending(slices.Clone(s.alone)), s.withoutOther(near, far)
		s.apart = out
		c.Tenth = percentile(in, 10)
		c.Threshold = max(leastLikeness, percentile(in, 30))
	}
	right, wrong := atLeast(in, c.Threshold), atLeast(out, c.Threshold)
	c.Recall = float64(right) / float64(len(in))
	c.Precision = float64(right) / float64(max(right+wrong, 1))
	return c
}

// percentile returns the score, from a descending list, below which at most p percent fall.
func percentile(scores []float64, p int) float64 { return scores[len(scores)-1-len(scores)*p/100] }

// leaveOneOut returns the coverage of documents, each left out of the corpus it is judged by, for a KRS
// without a background.
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
	return scores
}

// atLeast returns the number of scores, in descending order, that are no less than least.
func atLeast(scores []float64, least float64) int {
	n, _ := slices.BinarySearchFunc(scores, least, func(score, least float64) int {
		if score >= least {
			return -1
		}
		return 1
	})
	return n
}
