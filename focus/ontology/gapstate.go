package ontology

import (
	kb "orbweaver/kb/ontology"
)

// The encoded state of gaps: the page counts; the hosts; the words; the pairs. Entities and URLs are numbered
// by first occurrence, from 0; a new number is followed by its IRI or URL.
//
// The first version of the encoding, which snapshots do not name, has neither masses nor hosts. Its counts
// are loaded; contrasts then start with the pages that follow.

// gapForm is the version that is written.
const gapForm = 1

// A gapWriter encodes the state.
type gapWriter struct {
	stateWriter
	o         *kb.Ontology
	entities  []int32 // by entity: its number plus 1
	named     int32   // number of entities that have one
	addresses map[string]int64
}

// gaps encodes the gap statistics of an ontology's entities.
func (w *stateWriter) gaps(g *gaps, o *kb.Ontology) {
	out := gapWriter{stateWriter: *w, o: o, entities: make([]int32, o.Len()), addresses: map[string]int64{}}
	out.number(g.near)
	out.number(g.far)
	out.masses(g.pages, g.texts, g.nearby)
	out.number(int64(len(g.hosts)))
	for _, h := range g.hosts {
		out.text(h.name)
		out.number(h.pages)
	}
	out.sketch(g.words)
	for i := range g.wordsOf {
		out.key(g.words.slots[i].key)
		out.counts(&g.words.slots[i])
		out.word(&g.wordsOf[i])
	}
	out.sketch(g.pairs)
	for i := range g.pairsOf {
		out.entity(g.pairsOf[i].a)
		out.entity(g.pairsOf[i].b)
		out.counts(&g.pairs.slots[i])
		out.tally(&g.pairsOf[i].text)
		out.examples(&g.pairsOf[i].examples)
	}
	*w = out.stateWriter
}

func (w *gapWriter) masses(all ...mass) {
	for _, m := range all {
		w.number(m.on)
		w.number(m.off)
	}
}

func (w *gapWriter) tally(t *tally) { w.masses(t.met, t.before) }

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
	w.tally(&g.text)
	w.tally(&g.named)
	w.number(int64(g.titles))
	w.number(g.titled)
	if w.number(int64(g.at.host + 1)); g.at.host >= 0 {
		w.number(g.at.votes)
		w.number(g.at.met)
		w.number(g.at.since)
	}
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

// examples encodes the number of URLs, and the URLs.
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

// A gapReader decodes the state.
type gapReader struct {
	*stateReader
	o         *kb.Ontology
	form      int
	entities  []int32 // by number
	addresses []string
}

// gaps decodes the state, in version form, for an ontology; it is valid if end returns no error.
func (r *stateReader) gaps(o *kb.Ontology, form int) *gaps {
	in := gapReader{stateReader: r, o: o, form: form}
	g := newGaps()
	g.near, g.far = in.number(), in.number()
	if form > 0 {
		g.pages, g.texts, g.nearby = in.mass(), in.mass(), in.mass()
		in.hosts(g)
	}
	for n := in.sketch(g.words); n > 0 && !in.bad; n-- {
		key := in.key()
		in.add(g.words, key)
		g.wordsOf = append(g.wordsOf, in.word(g))
	}
	for n := in.sketch(g.pairs); n > 0 && !in.bad; n-- {
		p := pair{in.entity(), in.entity()}
		in.expect(p.a < p.b)
		in.add(g.pairs, p.key())
		text := in.tally(g.nearby)
		g.pairsOf = append(g.pairsOf, pairGap{p, in.examples(), text})
	}
	return g
}

func (r *gapReader) mass() mass {
	m := mass{r.number(), r.number()}
	r.expect(m.on <= maxMass && m.off <= maxMass)
	return m
}

// tally decodes a tally of a part of the pages with mass all.
func (r *gapReader) tally(all mass) (t tally) {
	if r.form == 0 {
		return t
	}
	t.met, t.before = r.mass(), r.mass()
	since := all.less(t.before)
	r.expect(t.met.on <= since.on && t.met.off <= since.off)
	return t
}

// hosts decodes the hosts.
func (r *gapReader) hosts(g *gaps) {
	n := r.length()
	r.expect(n <= maxHosts)
	for ; n > 0 && !r.bad; n-- {
		h := hostPages{r.text(), r.number()}
		_, again := g.hostAt[h.name]
		if r.expect(!again && len(h.name) <= maxHost); !r.bad {
			g.hostAt[h.name] = int32(len(g.hosts))
			g.hosts = append(g.hosts, h)
		}
	}
}

// abode decodes the host of a word.
func (r *gapReader) abode(g *gaps) abode {
	at := abode{host: -1}
	if r.form == 0 {
		return at
	}
	if at.host = r.small() - 1; at.host < 0 {
		return at
	}
	at.votes, at.met, at.since = r.number(), r.number(), r.number()
	r.expect(int(at.host) < len(g.hosts))
	return at
}

// sketch decodes a sketch without its slots, and returns their number.
func (r *gapReader) sketch(s *sketch) int {
	n := r.length()
	hand, floor := r.number(), r.number()
	if r.expect(n <= s.most && hand <= int64(n)); r.bad {
		return 0
	}
	s.hand, s.floor = int(hand), floor
	return n
}

// add decodes the counts of a key into the next slot of a sketch.
func (r *gapReader) add(s *sketch, key uint64) {
	next := slot{key, r.number(), r.number()}
	if r.expect(next.support() > 0 && s.find(key) < 0); !r.bad {
		s.add(next)
	}
}

func (r *gapReader) word(all *gaps) (g wordGap) {
	for i := range g.nearest {
		n := &g.nearest[i]
		if n.count = r.small(); n.count == 0 {
			break
		}
		n.entity = r.entity()
	}
	r.expect(g.nearest[0].count > 0)
	g.far = r.small()
	g.text, g.named = r.tally(all.texts), r.tally(all.pages)
	if r.form > 0 {
		g.titles, g.titled = r.small(), r.number()
	}
	g.at = r.abode(all)
	if g.form = r.text(); g.form != "" {
		g.votes = r.small()
		of := r.examples()
		g.examples = &of
	}
	r.expect(len(g.form) <= maxForm)
	return g
}

// entity decodes the number of an entity, and its IRI if it is new.
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

// address decodes the number of a URL, and the URL if it is new.
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
