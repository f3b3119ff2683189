package ontology

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"orbweaver"
	kb "orbweaver/kb/ontology"
)

// The state of gaps, as it stands in a snapshot behind the JSON: numbers as uvarints, keys in eight
// bytes, strings behind their length. First the entities and addresses that are spoken of, each once
// and then by number; then how many
// pages were counted; then the words; then the pairs.

// maxState bounds what is read of a state, in bytes.
const maxState = 64 << 20

// A gapWriter writes the state.
type gapWriter struct {
	b         []byte
	entities  []int32          // by entity: its number in iris, from 1
	iris      []int32          // entities
	addresses map[string]int32 // number in urls, from 1
	urls      []string
}

// write writes the state of what is counted of an ontology's entities. Snapshots are taken every few
// hundred pages: what they are written into is used again.
func (g *gaps) write(to io.Writer, o *kb.Ontology) error {
	w := gapWriter{b: g.scratch[:0], entities: make([]int32, o.Len()), addresses: map[string]int32{}}
	w.number(g.near)
	w.number(g.far)
	w.sketch(g.words)
	for i := range g.wordsOf {
		w.b = binary.LittleEndian.AppendUint64(w.b, g.words.slots[i].key)
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
	g.scratch = w.b
	if _, err := to.Write(w.names(o)); err != nil {
		return err
	}
	_, err := to.Write(w.b)
	return err
}

// names returns the entities and addresses that are spoken of.
func (w *gapWriter) names(o *kb.Ontology) (b []byte) {
	b = binary.AppendUvarint(b, uint64(len(w.iris)))
	for _, entity := range w.iris {
		b = appendText(b, o.Entity(int(entity)).IRI)
	}
	b = binary.AppendUvarint(b, uint64(len(w.urls)))
	for _, url := range w.urls {
		b = appendText(b, url)
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func (w *gapWriter) number(n int64) { w.b = binary.AppendUvarint(w.b, uint64(n)) }

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
	w.b = appendText(w.b, g.form)
	if g.form != "" {
		w.number(int64(g.votes))
		w.examples(g.examples)
	}
}

func (w *gapWriter) entity(e int32) {
	if w.entities[e] == 0 {
		w.iris = append(w.iris, e)
		w.entities[e] = int32(len(w.iris))
	}
	w.number(int64(w.entities[e] - 1))
}

// examples writes the numbers of addresses, and a zero behind fewer than all.
func (w *gapWriter) examples(of *[examples]string) {
	for _, address := range of {
		if address == "" {
			w.number(0)
			return
		}
		n := w.addresses[address]
		if n == 0 {
			w.urls = append(w.urls, address)
			n = int32(len(w.urls))
			w.addresses[address] = n
		}
		w.number(int64(n))
	}
}

// errState says that bytes are no state; nothing is known of where.
var errState = errors.New("not what was written")

// A gapReader reads the state. The first mistake makes bad true, and all numbers and strings empty.
type gapReader struct {
	b        []byte
	bad      bool
	entities []int32 // by number
	urls     []string
}

// readGaps reads a state of an ontology's entities. Errors wrap orbweaver.ErrDamaged, or
// orbweaver.ErrForeign where the ontology lacks an entity.
func readGaps(b []byte, o *kb.Ontology) (*gaps, error) {
	r := gapReader{b: b}
	for range r.length() {
		iri := r.text()
		i, ok := o.Find(iri)
		if !ok && !r.bad {
			return nil, fmt.Errorf("%s is not in the ontology: %w", iri, orbweaver.ErrForeign)
		}
		r.entities = append(r.entities, int32(i))
	}
	for range r.length() {
		r.urls = append(r.urls, r.text())
	}
	g := newGaps()
	g.near, g.far = r.number(), r.number()
	for range r.sketch(g.words) {
		key := r.key()
		r.add(g.words, key)
		g.wordsOf = append(g.wordsOf, r.word())
	}
	for range r.sketch(g.pairs) {
		p := pair{r.entity(), r.entity()}
		r.add(g.pairs, p.key())
		r.expect(p.a < p.b)
		g.pairsOf = append(g.pairsOf, pairGap{p, r.examples()})
	}
	if r.bad || len(r.b) > 0 {
		return nil, fmt.Errorf("what may be missing: %w: %w", orbweaver.ErrDamaged, errState)
	}
	return g, nil
}

func (r *gapReader) expect(ok bool) {
	if !ok {
		r.bad, r.b = true, nil
	}
}

func (r *gapReader) number() int64 {
	n, size := binary.Uvarint(r.b)
	r.expect(size > 0 && n < 1<<62)
	if r.bad {
		return 0
	}
	r.b = r.b[size:]
	return int64(n)
}

// small reads a number of pages.
func (r *gapReader) small() int32 {
	n := r.number()
	r.expect(n <= math.MaxInt32)
	return int32(n)
}

// length reads how many things follow, each of a byte at least.
func (r *gapReader) length() int {
	n := r.number()
	if r.expect(n <= int64(len(r.b))); r.bad {
		return 0
	}
	return int(n)
}

func (r *gapReader) text() string {
	n := r.length()
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *gapReader) key() uint64 {
	if r.expect(len(r.b) >= 8); r.bad {
		return 0
	}
	key := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return key
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

func (r *gapReader) entity() int32 {
	n := r.number()
	if r.expect(n < int64(len(r.entities))); r.bad {
		return 0
	}
	return r.entities[n]
}

func (r *gapReader) examples() (of [examples]string) {
	for i := range of {
		n := r.number()
		if r.expect(n <= int64(len(r.urls))); n == 0 || r.bad {
			break
		}
		of[i] = r.urls[n-1]
	}
	return of
}
