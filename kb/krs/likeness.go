package krs

import (
	"cmp"
	"math"

	"orbweaver/internal/order"
)

// opposed is the weight of a page's likeness to the background relative to its likeness to the corpus. A page
// shares general nouns with both: at 1 the two would cancel out if equal, and from 1.5 on the general page is
// kept out. Above 2, pages similar to nothing, which score 0, precede those at the topic's borders.
const opposed = 1.75

// A centroid is the mean of texts, by noun; each text is a vector of length 1.
type centroid []float64

// rarity returns the weight of a noun in a vector if b documents of the background have it. The corpus does
// not count: what all its documents have in common is the topic.
func (z sizes) rarity(b int64) float64 { return math.Log(float64(z.background+2) / float64(b+1)) }

// likeness computes pull from the centroids of corpus and background (Rocchio 1971), and returns those.
func (s *Snapshot) likeness() (near, far centroid) {
	of := sizes{s.documents, s.background}
	s.rarity, s.stranger = make([]float64, len(s.keys)), of.rarity(0)
	for i, b := range s.b {
		s.rarity[i] = of.rarity(int64(b))
	}
	near, far = s.center(s.corpus), s.center(s.others)
	s.pull = make([]float64, len(s.keys))
	for i := range s.pull {
		s.pull[i] = near[i] - opposed*far[i]
	}
	return near, far
}

// center returns the mean of texts; empty without any.
func (s *Snapshot) center(texts []bag) centroid {
	c := make(centroid, len(s.keys))
	for _, t := range texts {
		each := 1 / (s.length(t) * float64(len(texts)))
		for _, m := range t {
			c[m.at] += s.counts(m) * each
		}
	}
	return c
}

// counts returns a noun's value in the vector of a text, before normalization.
func (s *Snapshot) counts(m term) float64 {
	if s.opts.Linked && !s.keys[m.at].Linked() {
		return 0
	}
	return s.rarity[m.at] * often(m.times)
}

// length returns the length of a text's vector; 1 if no noun counts.
func (s *Snapshot) length(t bag) float64 {
	sum := 0.0
	for _, m := range t {
		w := s.counts(m)
		sum += w * w
	}
	if sum == 0 {
		return 1
	}
	return math.Sqrt(sum)
}

// without returns the likeness of the corpus's documents, each left out. Nothing else depends on a single
// document of the corpus: a rebuild would give the same.
func (s *Snapshot) without(near, far centroid) []float64 {
	scores := make([]float64, len(s.corpus))
	all := float64(len(s.corpus))
	for i, t := range s.corpus {
		like, unlike, self := s.compare(t, near, far)
		if all > 1 {
			scores[i] = (like*all-self)/(all-1) - opposed*unlike
		}
	}
	return scores
}

// withoutOther returns the same of the background's documents, in descending order. A noun of the left-out document has its
// corrected rarity in that document's vector; in the other vectors it keeps the uncorrected one, which is
// slightly too low.
func (s *Snapshot) withoutOther(near, far centroid) []float64 {
	of := s.others[:len(s.others)-s.told[1]]
	scores := make([]float64, len(of))
	all := float64(len(s.others))
	rest := sizes{s.documents, s.background - 1}
	for i, t := range of {
		if all == 1 {
			break
		}
		full := s.length(t)
		var length, like, unlike, self float64
		for _, m := range t {
			before := s.counts(m)
			if before == 0 {
				continue
			}
			now := rest.rarity(int64(s.b[m.at])-1) * often(m.times)
			length += now * now
			like += now * near[m.at]
			unlike += now * far[m.at]
			self += now * before / full
		}
		if length > 0 {
			scores[i] = (like - opposed*(unlike*all-self)/(all-1)) / math.Sqrt(length)
		}
	}
	return descending(scores)
}

// compare returns a text's likeness to both centroids, and to itself: 1, or 0 for a text without nouns.
func (s *Snapshot) compare(t bag, near, far centroid) (like, unlike, self float64) {
	length := s.length(t)
	for _, m := range t {
		w := s.counts(m) / length
		like += w * near[m.at]
		unlike += w * far[m.at]
		self += w * w
	}
	return like, unlike, self
}

func descending(scores []float64) []float64 {
	order.By(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	return scores
}
