package item

import "math"

// A gramKey is the numbers of two or three words in their order; 0 for no third.
type gramKey [3]uint32

// A phrase holds the counts of a pair or triple of words.
type phrase struct {
	key   gramKey
	count uint32 // number of occurrences
	items uint32 // number of items
	last  uint32 // last item that contained it, from 1
	term  uint32 // its number as a term, 0 for none
}

// collocates reports whether a pair or triple of words is currently a collocation: frequent enough, in enough items,
// and its parts associated. A triple has two binary splits; both must pass.
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

// attract tests the association of two parts that occur a and b times, and both times together.
func (s *State) attract(both, a, b uint32) bool {
	a, b = max(a, both), max(b, both) // a part may have been dropped once
	n := max(float64(s.tokens), float64(a)+float64(b)-float64(both))
	return npmi(float64(both), float64(a), float64(b), n) >= s.opts.MinNPMI &&
		logLikelihood(float64(both), float64(a), float64(b), n) >= s.opts.MinLLR
}

// npmi is the normalised pointwise mutual information of two words (Bouma 2009) that occur a and b times among n, and
// k times together: 1 where neither occurs without the other, 0 where chance explains it, -1 where never.
func npmi(k, a, b, n float64) float64 {
	if k >= n {
		return 1
	}
	return math.Log(k*n/(a*b)) / math.Log(n/k)
}

// logLikelihood is the log-likelihood ratio -2 ln λ of two words (Dunning 1993), 0 if they co-occur no more than by
// chance.
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
