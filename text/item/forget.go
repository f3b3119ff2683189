package item

import (
	"cmp"
	"slices"
)

// makeRoom drops entries before an item is added, so that all its words fit.
func (s *State) makeRoom(d *Draft) {
	words, grams := s.words+len(d.words) > s.opts.MaxWords, len(s.phrases)+len(d.grams) > s.opts.MaxGrams
	if !words && !grams {
		return
	}
	s.changes++
	gone := map[uint32]bool{} // words by number
	if words {
		for _, at := range s.rarestWords() {
			gone[s.units[at].id] = true
		}
	}
	rare := make([]bool, len(s.phrases))
	if grams {
		for _, at := range s.rarestPhrases() {
			rare[at] = true
		}
	}
	s.forgetPhrases(rare, gone)
	s.forgetUnits(gone)
	s.steps += int64(len(rare) + len(s.units))
}

// rarestWords returns a quarter of the words: lowest document frequency first, then least recently seen.
func (s *State) rarestWords() []int32 {
	var order []int32
	for at := range s.units {
		if s.units[at].stem != "" {
			order = append(order, int32(at))
		}
	}
	slices.SortStableFunc(order, func(i, k int32) int {
		a, b := &s.units[i], &s.units[k]
		return cmp.Or(cmp.Compare(a.items, b.items), cmp.Compare(a.last, b.last))
	})
	return order[:len(order)/4]
}

// rarestPhrases returns a quarter of the pairs and triples: lowest count first, then least recently seen.
func (s *State) rarestPhrases() []int32 {
	order := make([]int32, len(s.phrases))
	for at := range order {
		order[at] = int32(at)
	}
	slices.SortStableFunc(order, func(i, k int32) int {
		a, b := &s.phrases[i], &s.phrases[k]
		return cmp.Or(cmp.Compare(a.count, b.count), cmp.Compare(a.last, b.last))
	})
	return order[:len(order)/4]
}

// forgetPhrases drops the rare ones and those with a dropped word, with their terms.
func (s *State) forgetPhrases(rare []bool, gone map[uint32]bool) {
	kept := make([]phrase, 0, len(s.phrases))
	for at, p := range s.phrases {
		if rare[at] || gone[p.key[0]] || gone[p.key[1]] || gone[p.key[2]] {
			if p.term != 0 {
				gone[p.term] = true
			}
			continue
		}
		kept = append(kept, p)
	}
	s.phrases = kept
	s.indexPhrases()
}

func (s *State) indexPhrases() {
	s.gramAt = make(map[gramKey]int32, len(s.phrases))
	for at := range s.phrases {
		s.gramAt[s.phrases[at].key] = int32(at)
	}
}

// forgetUnits drops the marked ones. The others stay sorted by number.
func (s *State) forgetUnits(gone map[uint32]bool) {
	kept := make([]unit, 0, len(s.units))
	for _, u := range s.units {
		if !gone[u.id] {
			kept = append(kept, u)
		}
	}
	s.units = kept
	s.indexUnits()
}

func (s *State) indexUnits() {
	s.at, s.words = make(map[string]int32, len(s.units)), 0
	for at := range s.units {
		if stem := s.units[at].stem; stem != "" {
			s.at[stem] = int32(at)
			s.words++
		}
	}
}
