package item

import "math"

// A gramKey is the numbers of two or three words in their order; 0 for no third.
type gramKey [3]uint32

// A phrase is what is known of a pair or triple of words.
type phrase struct {
	key   gramKey
	count uint32 // how often it was met
	items uint32 // in how many items
	last  uint32 // the item that had it last, counted from 1
	term  uint32 // its number as a term, 0 while it is none
}

// collocates reports whether a pair or triple of words is a collocation as of now: it was met often enough, in items
// enough, and its parts attract each other. A triple has two ways to fall in two parts; both must hold.
func (s *State) collocates(p *phrase) bool {
	if int(p.count) < s.opts.MinCount || int(p.items) < s.opts.MinItems {
		return false
	}
	a, b, c := p.key[0], p.key[1], p.key[2]
	if c == 0 {
		return s.attract(p.count, s.occurrences(a), s.occurrences(b))
	}
	return s.attract(p.count, s.pair(a, b), s.occurrences(c)) && s.attract(p.count, s.occurrences(a), s.pair(b, c))
}

func (s *State) occurrences(id uint32) uint32 {
	s.steps++
	if u := s.find(id); u != nil {
		return u.count
	}
	return 0
}

func (s *State) pair(a, b uint32) uint32 {
	s.steps++
	if at, ok := s.gramAt[gramKey{a, b}]; ok {
		return s.phrases[at].count
	}
	return 0
}

// attract judges two parts, met a and b times, and both times together.
func (s *State) attract(both, a, b uint32) bool {
	a, b = max(a, both), max(b, both) // a part may have been forgotten once
	n := max(float64(s.tokens), float64(a)+float64(b)-float64(both))
	return npmi(float64(both), float64(a), float64(b), n) >= s.opts.MinNPMI &&
		logLikelihood(float64(both), float64(a), float64(b), n) >= s.opts.MinLLR
}

// npmi is the normalised pointwise mutual information of two words (Bouma 2009) that were met a and b times among
// n, and k times together: 1 where neither is met without the other, 0 where chance explains it, -1 where never.
func npmi(k, a, b, n float64) float64 {
	if k >= n {
		return 1
	}
	return math.Log(k*n/(a*b)) / math.Log(n/k)
}

// logLikelihood is the log-likelihood ratio -2 ln λ of two words (Dunning 1993), 0 where they attract each other no
// more than chance would have it.
func logLikelihood(k, a, b, n float64) float64 {
	if k*n <= a*b {
		return 0
	}
	table := plogp(k) + plogp(a-k) + plogp(b-k) + plogp(n-a-b+k)
	sides := plogp(a) + plogp(n-a) + plogp(b) + plogp(n-b)
	return max(0, 2*(table-sides+plogp(n)))
}

// plogp is x ln x, 0 for nothing.
func plogp(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return x * math.Log(x)
}
