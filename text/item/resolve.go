package item

import (
	"cmp"
	"math"
	"slices"

	"orbweaver/text"
)

// A resolver maps the words of a draft to terms, by the State before it learns from the draft.
type resolver struct {
	s     *State
	d     *Draft
	l     *language // nil: an unknown language
	learn bool      // number new words

	ids       []uint32 // per word of the draft; 0: no term
	fixed     []string // corrections, parallel to ids; nil if none
	words     []wordTimes
	grams     []gramTimes
	unknown   int
	corrected []Correction
}

// wordTimes is a word of an item; at is the word of the draft that displays it.
type wordTimes struct {
	id        uint32
	times, at int32
}

// gramTimes is a pair or triple of an item; at is the gram of the draft that displays it.
type gramTimes struct {
	key       gramKey
	times, at int32
}

// resolve fills words and grams, both sorted, equal ones merged: pairs before triples.
func (r *resolver) resolve() {
	r.ids = make([]uint32, len(r.d.words))
	for i := range r.d.words {
		if id := r.word(i); id != 0 {
			r.ids[i] = id
			r.words = append(r.words, wordTimes{id, r.d.words[i].count, int32(i)})
		}
	}
	slices.SortFunc(r.words, func(a, b wordTimes) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(b.times, a.times), cmp.Compare(a.at, b.at))
	})
	merged := r.words[:0]
	for _, t := range r.words {
		if last := len(merged) - 1; last >= 0 && merged[last].id == t.id {
			merged[last].times += t.times
		} else {
			merged = append(merged, t)
		}
	}
	r.words = merged
	r.resolveGrams()
}

func (r *resolver) resolveGrams() {
	for i := range r.d.grams {
		if key, ok := r.key(&r.d.grams[i]); ok {
			r.grams = append(r.grams, gramTimes{key, r.d.grams[i].count, int32(i)})
		}
	}
	slices.SortFunc(r.grams, func(a, b gramTimes) int {
		if three := cmp.Compare(min(a.key[2], 1), min(b.key[2], 1)); three != 0 {
			return three
		}
		return cmp.Or(cmp.Compare(a.key[0], b.key[0]), cmp.Compare(a.key[1], b.key[1]), cmp.Compare(a.key[2], b.key[2]),
			cmp.Compare(b.times, a.times), cmp.Compare(a.at, b.at))
	})
	merged := r.grams[:0]
	for _, g := range r.grams {
		if last := len(merged) - 1; last >= 0 && merged[last].key == g.key {
			merged[last].times += g.times
		} else {
			merged = append(merged, g)
		}
	}
	r.grams = merged
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

// word returns the number of a draft's word, 0 when it is no term.
func (r *resolver) word(i int) uint32 {
	w := &r.d.words[i]
	if w.stop || r.frequent(w.form) {
		return 0
	}
	stem, ok := r.correct(i)
	if !ok {
		return 0
	}
	if r.english() {
		stem = r.s.opts.Thesaurus.fold(stem)
	}
	if stem == "" {
		return 0
	}
	r.s.steps++
	if at, ok := r.s.at[stem]; ok {
		return r.s.units[at].id
	}
	if !r.learn {
		r.unknown++
		return 0
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

// meet numbers a new word.
func (s *State) meet(stem string) uint32 {
	if s.next == math.MaxUint32 {
		return 0
	}
	id := s.next
	s.next++
	s.at[stem] = int32(len(s.units))
	s.units = append(s.units, unit{id: id, stem: stem})
	s.words++
	return id
}
