package item

import (
	"cmp"
	"math"

	"orbweaver/internal/order"
	"orbweaver/text"
)

// A resolver maps the words of a draft to terms, by the State before it learns from the draft.
type resolver struct {
	s     *State
	d     *Draft
	l     *language // nil: an unknown language
	learn bool      // number new words

	changes   int64    // of the State when words were looked up
	ids       []uint32 // per word of the draft; 0: no term
	fixed     []string // corrections, parallel to ids; nil if none
	words     []wordTimes
	grams     []gramTimes
	unknown   []unknown
	corrected []Correction
}

// wordTimes is a word of an item; at is the word of the draft that displays it.
type wordTimes struct {
	id        uint32
	unit      int32 // its place in State.units
	times, at int32
}

// gramTimes is a pair or triple of an item; at is the gram of the draft that displays it.
type gramTimes struct {
	key       gramKey
	times, at int32
	phrase    int32 // its place in State.phrases, from 1; -1: it has none; 0: not looked up
}

// unknown is a word of a draft, by its place, that the State has no number for, and its stem.
type unknown struct {
	at   int
	stem string
}

// resolve fills words and grams, both sorted, equal ones merged: pairs before triples.
func (r *resolver) resolve() {
	r.ids = make([]uint32, len(r.d.words))
	for i := range r.d.words {
		if unit := r.word(i); unit >= 0 {
			r.add(i, unit)
		}
	}
	r.words = merged(r.words)
	r.grams = r.gramsFrom(0)
}

// holds reports whether what Weigh looked up is what Take would find, but for words that it numbers.
func (r *resolver) holds(s *State, d *Draft, l *language) bool {
	return r != nil && r.s == s && r.changes == s.changes && r.l == l && len(d.words) > 0 && &r.d.words[0] == &d.words[0]
}

// goOn numbers the unknown words, as learning does, and completes words and grams.
func (r *resolver) goOn() {
	r.learn = true
	known, first := len(r.words), r.s.next
	for _, w := range r.unknown {
		at, met := r.s.at[w.stem]
		if !met {
			at = r.s.meet(w.stem)
		}
		if at >= 0 {
			r.add(w.at, at)
		}
	}
	r.unknown = nil
	r.words = append(r.words[:known], merged(r.words[known:])...) // new numbers are the highest
	r.grams = joinGrams(r.grams, r.gramsFrom(first))
}

// add adds a word of the draft.
func (r *resolver) add(i int, unit int32) {
	r.ids[i] = r.s.units[unit].id
	r.words = append(r.words, wordTimes{r.ids[i], unit, r.d.words[i].count, int32(i)})
}

// merged sorts words by number and merges equal ones.
func merged(words []wordTimes) []wordTimes {
	order.By(words, func(a, b wordTimes) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(b.times, a.times), cmp.Compare(a.at, b.at))
	})
	merged := words[:0]
	for _, t := range words {
		if last := len(merged) - 1; last >= 0 && merged[last].id == t.id {
			merged[last].times += t.times
		} else {
			merged = append(merged, t)
		}
	}
	return merged
}

// gramsFrom returns the pairs and triples with a word of a number from least on.
func (r *resolver) gramsFrom(least uint32) (grams []gramTimes) {
	for i := range r.d.grams {
		if key, ok := r.key(&r.d.grams[i]); ok && max(key[0], key[1], key[2]) >= least {
			grams = append(grams, gramTimes{key: key, times: r.d.grams[i].count, at: int32(i)})
		}
	}
	order.By(grams, func(a, b gramTimes) int {
		return cmp.Or(compareKeys(a.key, b.key), cmp.Compare(b.times, a.times), cmp.Compare(a.at, b.at))
	})
	merged := grams[:0]
	for _, g := range grams {
		if last := len(merged) - 1; last >= 0 && merged[last].key == g.key {
			merged[last].times += g.times
		} else {
			merged = append(merged, g)
		}
	}
	return merged
}

// compareKeys is the order of grams: pairs before triples.
func compareKeys(a, b gramKey) int {
	if three := cmp.Compare(min(a[2], 1), min(b[2], 1)); three != 0 {
		return three
	}
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
}

// joinGrams joins two lists that have no key in common.
func joinGrams(a, b []gramTimes) []gramTimes {
	all := make([]gramTimes, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if compareKeys(a[0].key, b[0].key) < 0 {
			all, a = append(all, a[0]), a[1:]
		} else {
			all, b = append(all, b[0]), b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// key returns the key of a gram from its words' numbers; false if one is no term.
func (r *resolver) key(g *gram) (k gramKey, ok bool) {
	for i, at := range g.words {
		if at < 0 {
			break
		}
		if k[i] = r.ids[at]; k[i] == 0 {
			return k, false
		}
	}
	return k, true
}

// word returns the place of a draft's word in State.units, -1 when it is no term.
func (r *resolver) word(i int) int32 {
	w := &r.d.words[i]
	if w.stop || r.frequent(w.form) {
		return -1
	}
	stem, ok := r.correct(i)
	if !ok {
		return -1
	}
	if r.english() {
		stem = r.s.opts.Thesaurus.fold(stem)
	}
	if stem == "" {
		return -1
	}
	r.s.steps++
	if at, ok := r.s.at[stem]; ok {
		return at
	}
	if !r.learn {
		r.unknown = append(r.unknown, unknown{i, stem})
		return -1
	}
	return r.s.meet(stem)
}

func (r *resolver) english() bool { return r.d.lang == "en" }

// leastItems is the number of items of a language from which on its frequent words are known.
const leastItems = 20

// frequent reports whether a word is in so many items that it is a stop word, in a language without a list of them.
func (r *resolver) frequent(form string) bool {
	if r.l == nil || r.english() || r.l.items < leastItems {
		return false
	}
	r.s.steps++
	return float64(r.l.words.Count([]byte(form))) > r.s.opts.FrequentIn*float64(r.l.items)
}

// maxSlips is the maximum number of times that an item contains a spelling error: repeated spellings are intended.
const maxSlips = 2

// correct returns the stem of a draft's word or of its correction; false if that is a stop word. Words of an unknown
// language are not corrected.
func (r *resolver) correct(i int) (stem string, ok bool) {
	w := &r.d.words[i]
	if r.l == nil || r.d.lang == "" || r.s.opts.AsWritten || w.odd > 0 || w.ordinary == 0 || w.count > maxSlips {
		return w.stem, true
	}
	r.s.steps++
	to, changed := r.l.words.Correct([]byte(w.form))
	if !changed {
		return w.stem, true
	}
	r.corrected = append(r.corrected, Correction{w.form, to})
	if r.fixed == nil {
		r.fixed = make([]string, len(r.d.words))
	}
	r.fixed[i] = to
	return r.s.stemOf(to, r.d.lang)
}

// surface returns the displayed form of a draft's word.
func (r *resolver) surface(at int32) string {
	if r.fixed != nil && r.fixed[at] != "" {
		return r.fixed[at]
	}
	return shorten(r.d.words[at].surface)
}

// stemOf returns the stem of a word; false when it is a stop word.
func (s *State) stemOf(word, lang string) (string, bool) {
	if text.StopWord(lang, []byte(word)) {
		return "", false
	}
	stemmer := s.stemmers.Get(lang)
	defer s.stemmers.Put(lang, stemmer)
	return stemmer.Stem([]byte(word)), true
}

// meet numbers a new word, and returns its place; -1 when there are no more numbers.
func (s *State) meet(stem string) int32 {
	if s.next == math.MaxUint32 {
		return -1
	}
	at := int32(len(s.units))
	s.at[stem] = at
	s.units = append(s.units, unit{id: s.next, stem: stem})
	s.next++
	s.words++
	return at
}
