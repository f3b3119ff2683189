package item

import "slices"

// A Place is an occurrence of a term in a document.
type Place struct {
	ID         uint32
	Title      bool // in the title; else in the text
	Start, End int  // byte offsets
}

// Places returns the occurrences of given terms in a draft, as Weigh finds them now: of words, then of collocations,
// those in the text first, each in order. It learns nothing.
func (s *State) Places(d Draft, ids []uint32) (places []Place) {
	if d.lack() != "" || len(ids) == 0 {
		return nil
	}
	r := resolver{s: s, d: &d, l: s.language(d.lang, false)}
	r.resolve()
	w := &reading{Draft: Draft{words: d.words, parts: d.parts}, at: make(map[string]int32, len(d.words)), gramAt: map[[3]int32]int32{}}
	for i := range d.words {
		w.at[d.words[i].form] = int32(i)
	}
	for part := range w.parts {
		w.walk(int8(part), func(g gram) {
			if id := s.termOf(&r, &g); id != 0 && slices.Contains(ids, id) {
				places = append(places, Place{id, part == 1, int(g.start), int(g.end)})
			}
		})
	}
	return places
}

// termOf returns the number of the term of a word or gram; 0: none.
func (s *State) termOf(r *resolver, g *gram) uint32 {
	key, ok := r.key(g)
	if ok && key[1] == 0 {
		return key[0]
	}
	if at, is := s.gramAt[key]; ok && is {
		return s.phrases[at].term
	}
	return 0
}

// walk repeats read on a part whose words are known and emits each word, pair and triple.
func (w *reading) walk(part int8, emit func(gram)) {
	src := w.parts[part]
	w.scanner.Reset(src)
	w.stop()
	end := 0
	for w.length < maxTokens && w.scanner.Next() {
		w.length++
		if !joined(src[end:w.scanner.Start()]) {
			w.stop()
		}
		end = w.scanner.End()
		at, known := w.at[string(w.scanner.Word())]
		if !known {
			w.stop()
			continue
		}
		if met := &w.words[at]; !met.stop {
			w.emit(at, int32(w.scanner.Start()), int32(bare(src, w.scanner.Start(), end, met.form)), emit)
		}
		w.extend(at, part, src)
	}
}

// emit emits a word, and the grams it forms with those before it.
func (w *reading) emit(at, start, end int32, emit func(gram)) {
	emit(gram{words: [3]int32{at, -1, -1}, start: start, end: end})
	if one := w.before[0]; one.word >= 0 {
		emit(gram{words: [3]int32{one.word, at, -1}, start: one.start, end: end})
		if two := w.before[1]; two.word >= 0 {
			emit(gram{words: [3]int32{two.word, one.word, at}, start: two.start, end: end})
		}
	}
}
