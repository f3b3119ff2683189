package spell

// Correct returns the correction of an ordinary word; false: there is none. The caller decides with Ordinary whether
// a word is ordinary, since that depends on its context.
func (d *Dictionary) Correct(word []byte) (string, bool) {
	var own uint32
	if at, ok := d.at[string(word)]; ok {
		e := &d.words[at]
		if e.taught || e.count >= d.opts.Known {
			return "", false
		}
		own = e.count
	}
	if len(word) < d.opts.MinLetters || len(word) > maxWord {
		return "", false
	}
	s := search{d: d, least: uint64(max(own, 1)) * uint64(d.opts.Ratio)}
	for _, r := range string(word) {
		if s.asked.n == maxLetters {
			return "", false
		}
		s.asked.r[s.asked.n] = r
		s.asked.n++
	}
	if s.asked.n < d.opts.MinLetters {
		return "", false
	}
	s.least <<= max(0, sparse-s.asked.n)
	s.run()
	if !s.sure() {
		return "", false
	}
	return d.words[s.best].word, true
}

// A search finds the frequent words near a given one.
type search struct {
	d      *Dictionary
	asked  letters
	least  uint64 // least count of a candidate
	best   int32
	near   int    // distance of the best, 0 if none
	count  uint32 // of the best
	second uint32 // count of the runner-up at the same distance
}

// run finds the best candidate. Several deletes may lead to the same word: it does not compete with itself.
func (s *search) run() {
	furthest := 1
	if s.asked.n >= s.d.opts.MinLettersTwo {
		furthest = maxDistance
	}
	var h remains
	for _, hash := range h.of(s.asked.prefix()) {
		for at := s.d.index.heads[hash]; at != 0; at = s.d.index.links[at-1].next {
			if word := s.d.index.links[at-1].word; s.near == 0 || word != s.best {
				s.weigh(word, furthest)
			}
		}
	}
}

// weigh considers a candidate.
func (s *search) weigh(at int32, furthest int) {
	e := &s.d.words[at]
	if uint64(e.ordinary) < s.least {
		return
	}
	var l letters
	if !l.read(e.word) || l.r[0] != s.asked.r[0] {
		return
	}
	far := distance(s.asked.word(), l.word())
	if far == 1 && s.asked.n < s.d.opts.MinLettersOther && replaced(s.asked.word(), l.word()) {
		return
	}
	switch {
	case far == 0 || far > furthest || s.near != 0 && far > s.near:
	case s.near == 0 || far < s.near:
		s.best, s.near, s.count, s.second = at, far, e.ordinary, 0
	case e.ordinary > s.count || e.ordinary == s.count && at < s.best:
		s.best, s.count, s.second = at, e.ordinary, max(s.second, s.count)
	default:
		s.second = max(s.second, e.ordinary)
	}
}

// sure reports whether there is one best candidate, and the queried word is no form of it.
func (s *search) sure() bool {
	if s.near == 0 || uint64(s.second)*dominance > uint64(s.count) {
		return false
	}
	var l letters
	l.read(s.d.words[s.best].word)
	return !inflected(s.asked.word(), l.word())
}

// replaced reports whether two words at distance 1 differ by a substitution.
func replaced(a, b []rune) bool {
	if len(a) != len(b) {
		return false
	}
	different := 0
	for i := range a {
		if a[i] != b[i] {
			different++
		}
	}
	return different == 1
}
