package ontology

import (
	kb "orbweaver/kb/ontology"
)

// The state of gaps: how many pages were counted; the words; the pairs. Entities and addresses are
// numbered as they are first spoken of, from 0; a number not used before is followed by what it is of.

// A gapWriter writes the state.
type gapWriter struct {
	stateWriter
	o         *kb.Ontology
	entities  []int32 // by entity: its number and 1
	named     int32   // entities that have one
	addresses map[string]int64
}

// gaps writes the state of what is counted of an ontology's entities.
func (out *stateWriter) gaps(g *gaps, o *kb.Ontology) {
	w := gapWriter{stateWriter: *out, o: o, entities: make([]int32, o.Len()), addresses: map[string]int64{}}
	w.number(g.near)
	w.number(g.far)
	w.sketch(g.words)
	for i := range g.wordsOf {
		w.key(g.words.slots[i].key)
		w.counts(&g.words.slots[i])
		w.word(&g.wordsOf[i])
	}
	w.sketch(g.pairs)
	for i := range g.pairsOf {
		w.entity(g.pairsOf[i].a)
		w.entity(g.pairsOf[i].b)
		w.counts(&g.pairs.slots[i])
		w.examples(&g.pairsOf[i].examples)
	}
	*out = w.stateWriter
}

func (w *gapWriter) sketch(s *sketch) {
	w.number(int64(len(s.slots)))
	w.number(int64(s.hand))
	w.number(s.floor)
}

func (w *gapWriter) counts(s *slot) {
	w.number(s.count)
	w.number(s.excess)
}

func (w *gapWriter) word(g *wordGap) {
	for _, n := range g.nearest {
		w.number(int64(n.count))
		if n.count == 0 {
			break
		}
		w.entity(n.entity)
	}
	w.number(int64(g.far))
	w.text(g.form)
	if g.form != "" {
		w.number(int64(g.votes))
		w.examples(g.examples)
	}
}

func (w *gapWriter) entity(e int32) {
	if n := w.entities[e]; n > 0 {
		w.number(int64(n - 1))
		return
	}
	w.number(int64(w.named))
	w.text(w.o.Entity(int(e)).IRI)
	w.named++
	w.entities[e] = w.named
}

// examples writes how many addresses there are, and them.
func (w *gapWriter) examples(of *[examples]string) {
	given := given(of)
	w.number(int64(len(given)))
	for _, address := range given {
		if n, known := w.addresses[address]; known {
			w.number(n)
			continue
		}
		n := int64(len(w.addresses))
		w.number(n)
		w.text(address)
		w.addresses[address] = n
	}
}

// A gapReader reads the state.
type gapReader struct {
	*stateReader
	o         *kb.Ontology
	entities  []int32 // by number
	addresses []string
}

// gaps reads a state of an ontology's entities; it is of use if end has nothing to say.
func (in *stateReader) gaps(o *kb.Ontology) *gaps {
	r := gapReader{stateReader: in, o: o}
	g := newGaps()
	g.near, g.far = r.number(), r.number()
	for n := r.sketch(g.words); n > 0 && !r.bad; n-- {
		key := r.key()
		r.add(g.words, key)
		g.wordsOf = append(g.wordsOf, r.word())
	}
	for n := r.sketch(g.pairs); n > 0 && !r.bad; n-- {
		p := pair{r.entity(), r.entity()}
		r.expect(p.a < p.b)
		r.add(g.pairs, p.key())
		g.pairsOf = append(g.pairsOf, pairGap{p, r.examples()})
	}
	return g
}

// sketch reads the state of a sketch but for its slots, and returns how many those are.
func (r *gapReader) sketch(s *sketch) int {
	n := r.length()
	hand, floor := r.number(), r.number()
	if r.expect(n <= s.most && hand <= int64(n)); r.bad {
		return 0
	}
	s.hand, s.floor = int(hand), floor
	return n
}

// add reads the counts of a key into the next slot of a sketch.
func (r *gapReader) add(s *sketch, key uint64) {
	next := slot{key, r.number(), r.number()}
	if r.expect(next.support() > 0 && s.find(key) < 0); !r.bad {
		s.add(next)
	}
}

func (r *gapReader) word() (g wordGap) {
	for i := range g.nearest {
		n := &g.nearest[i]
		if n.count = r.small(); n.count == 0 {
			break
		}
		n.entity = r.entity()
	}
	r.expect(g.nearest[0].count > 0)
	g.far = r.small()
	if g.form = r.text(); g.form != "" {
		g.votes = r.small()
		of := r.examples()
		g.examples = &of
	}
	r.expect(len(g.form) <= maxForm)
	return g
}

// entity reads the number of an entity, and its IRI if it is new.
func (r *gapReader) entity() int32 {
	n := r.number()
	if r.expect(n <= int64(len(r.entities))); r.bad {
		return 0
	}
	if n == int64(len(r.entities)) {
		iri := r.text()
		entity, ok := r.o.Find(iri)
		if !ok && !r.bad {
			r.foreign = iri
		}
		r.expect(ok)
		r.entities = append(r.entities, int32(entity))
	}
	return r.entities[n]
}

func (r *gapReader) examples() (of [examples]string) {
	n := r.number()
	r.expect(n <= examples)
	for i := 0; i < int(n) && !r.bad; i++ {
		of[i] = r.address()
	}
	return of
}

// address reads the number of an address, and it if it is new.
func (r *gapReader) address() string {
	n := r.number()
	if r.expect(n <= int64(len(r.addresses))); r.bad {
		return ""
	}
	if n == int64(len(r.addresses)) {
		address := r.text()
		r.expect(address != "" && len(address) <= maxExample)
		r.addresses = append(r.addresses, address)
	}
	return r.addresses[n]
}
