package krs

import (
	"cmp"
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

// coverage is the share of the weight that is the topic's, drawn towards 0 as by one noun more that
// nothing has: of a page of two nouns little is known.
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

	// Coverage is the share, 0 to 1, of the page's nouns that are the topic's, by weight. Covered says that it
	// is what pages of the topic have: no less than Calibration.Threshold, and more than 0.
	Coverage float64
	Covered  bool
	Judged   []Judged // by mention
}

// Judged is what one noun of a page counts.
type Judged struct {
	IDF     float64 // equation 1; -1: the corpus lacks it
	Share   float64 // how much of it is the topic's
	Part    float64 // its part of all weight
	Covers  float64 // its part of Coverage: they add up to it
	Linked  bool
	Telling bool // it is more often met in the corpus than in the background
}

// Judge judges a page by its nouns.
func (s *Snapshot) Judge(mentions []Mention) Verdict {
	v := Verdict{Nouns: len(mentions), Judged: make([]Judged, len(mentions))}
	var c covering
	var sum float64
	for i := range mentions {
		m, j := &mentions[i], &v.Judged[i]
		weight := s.unknown
		at, known := s.index[m.Key]
		*j = Judged{IDF: -1, Linked: m.Linked()}
		if known {
			weight, j.Share = s.weight[at], s.share[at]
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
			j.Part = weight * often(int32(min(m.Times, math.MaxInt32)))
			c.covered += j.Part * j.Share
			c.all += j.Part
		}
	}
	if v.Known > 0 {
		v.Mean = sum / float64(v.Known)
		v.InRange = s.mean-s.deviation <= v.Mean && v.Mean <= s.mean+s.deviation
	}
	v.Coverage = c.coverage(s.unknown)
	v.Covered = v.Coverage > 0 && v.Coverage >= s.calibration.Threshold
	for i := range v.Judged {
		j := &v.Judged[i]
		j.Part /= c.all + s.unknown
		j.Covers = j.Part * j.Share
	}
	return v
}

// A Calibration says what coverage pages of the topic have, by the documents themselves: each is judged as
// if it had not been there, and so is each of the background.
type Calibration struct {
	// Threshold is the least coverage of a page of the topic. With a background it is the one of highest F½
	// over corpus and background, which holds precision twice as dear as recall: what is accepted should
	// be right before it is all. It never is below the tenth percentile of the corpus, which is all there is to
	// go by where there is no background.
	Threshold float64 `json:"threshold"`
	Tenth     float64 `json:"tenth"`     // that percentile
	Recall    float64 `json:"recall"`    // share of the corpus at or above the threshold
	Precision float64 `json:"precision"` // share of the corpus in what of corpus and background is; 1 without a background
}

// Calibration returns how coverage is judged.
func (s *Snapshot) Calibration() Calibration { return s.calibration }

func (s *Snapshot) calibrate() Calibration {
	in := s.leaveOneOut(s.corpus, sizes{s.documents - 1, s.background}, 1, 0)
	out := s.leaveOneOut(s.others, sizes{s.documents, s.background - 1}, 0, 1)
	if len(in) == 0 {
		return Calibration{}
	}
	c := Calibration{Tenth: in[len(in)-1-len(in)/10]}
	c.Threshold = max(c.Tenth, best(in, out))
	right, wrong := atLeast(in, c.Threshold), atLeast(out, c.Threshold)
	c.Recall = float64(right) / float64(len(in))
	c.Precision = float64(right) / float64(right+wrong)
	return c
}

// leaveOneOut is the coverage of texts that are left out of what they are judged by, highest first.
func (s *Snapshot) leaveOneOut(texts []text, of sizes, n, b int64) []float64 {
	scores := make([]float64, len(texts))
	unknown, _ := of.weigh(0, 0)
	for i, t := range texts {
		var c covering
		for _, m := range t {
			if s.opts.Linked && !s.keys[m.at].Linked() {
				continue
			}
			weight, share := of.weigh(int64(s.n[m.at])-n, int64(s.b[m.at])-b)
			c.add(weight, share, often(m.times))
		}
		scores[i] = c.coverage(unknown)
	}
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	return scores
}

// best is the coverage at which F½ is highest, 0 without a background: of equal ones the highest.
func best(in, out []float64) (threshold float64) {
	if len(out) == 0 {
		return 0
	}
	highest, wrong := 0.0, 0
	for i, score := range in {
		if i+1 < len(in) && in[i+1] == score {
			continue
		}
		for wrong < len(out) && out[wrong] >= score {
			wrong++
		}
		right := float64(i + 1)
		if f := 1.25 * right / (0.25*float64(len(in)) + right + float64(wrong)); f > highest {
			highest, threshold = f, score
		}
	}
	return threshold
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
