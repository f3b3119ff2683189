package krs

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"iter"
	"math"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver/internal/database/kv"
)

// Options configure a Snapshot.
type Options struct {
	// Linked restricts coverage to linked nouns, as the paper's rule does. Otherwise all nouns count: a
	// linker knows only some of a page's nouns.
	Linked bool
}

// A Snapshot is a KRS compiled for judging, at one moment. It is immutable and safe for concurrent use. It
// takes about 170 bytes of memory per noun, and 8 per document and noun.
type Snapshot struct {
	topic  string
	opts   Options
	count  counts
	sums   sums
	digest string

	documents, background int64
	folded                bool          // abbreviations are in lower case
	index                 map[Key]int32 // position in the following slices
	keys                  []Key
	n, b                  []int32   // documents with the noun
	idf                   []float64 // equation 1; 0 if no document has it
	weight, share         []float64 // see weigh
	unknown               float64   // weight of an unseen noun
	rarity, pull          []float64 // see likeness
	stranger              float64   // rarity of an unseen noun
	corpus, others        []bag     // documents of the corpus and of the background
	told                  [2]int    // of these, the last, which the calibration leaves out: see Told

	names       [][2]string // of documents of the store's corpus, the first of corpus: IRI and title
	alone       []float64   // likeness of each document of corpus, left out itself
	apart       []float64   // likeness of each document of others, left out itself, in descending order
	ranges      [3]moment   // by Count
	calibration Calibration
}

// bag is a document by positions of nouns.
type bag []term

type term struct{ at, times int32 }

// Snapshot compiles the current KRS. The error wraps ErrEmpty if it has no document.
func (s *Store) Snapshot(opts Options) (*Snapshot, error) {
	snapshot := s.db.NewSnapshot()
	defer snapshot.Close()
	c, err := read(snapshot, opts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.dir, err)
	}
	c.compile()
	return c, nil
}

// read reads the tables.
func read(r kv.Reader, opts Options) (*Snapshot, error) {
	value, _, err := get(r, []byte{tableState})
	var st state
	if err == nil {
		err = json.Unmarshal(value, &st)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	case st.Documents == 0:
		return nil, ErrEmpty
	}
	s := &Snapshot{
		topic: st.Topic, opts: opts, count: st.Count, sums: st.Sums,
		documents: st.Documents, background: st.Background, folded: !st.AsWritten, index: map[Key]int32{},
	}
	digest := sha256.New()
	at, err := s.readNouns(r, digest, st.Next)
	if err != nil {
		return nil, err
	}
	if s.corpus, s.names, err = readTexts(r, tableDocument, at, digest); err != nil {
		return nil, err
	}
	if s.others, _, err = readTexts(r, tableBackground, at, digest); err != nil {
		return nil, err
	}
	fmt.Fprintf(digest, "%s %d %d %v", st.Topic, st.Documents, st.Background, opts)
	s.digest = hex.EncodeToString(digest.Sum(nil)[:16])
	return s, nil
}

// maxNumber bounds allocations for a damaged state.
const maxNumber = 1 << 30

// readNouns reads the nouns, and returns their positions by number, -1 for unused numbers; next is the first
// number not assigned.
func (s *Snapshot) readNouns(r kv.Reader, digest hash.Hash, next uint64) ([]int32, error) {
	if next > maxNumber {
		return nil, fmt.Errorf("%d nouns: %w", next, ErrDamaged)
	}
	at := slices.Repeat([]int32{-1}, int(next))
	for kv, err := range rows(r, tableNoun) {
		if err != nil {
			return nil, err
		}
		k, err := readKey(kv[0])
		if err != nil {
			return nil, fmt.Errorf("noun: %w: %w", ErrDamaged, err)
		}
		e, err := readEntry(kv[1])
		if err != nil || e.n > math.MaxInt32 || e.b > math.MaxInt32 || e.number >= next {
			return nil, fmt.Errorf("noun %q: %w", k.Lemma, ErrDamaged)
		}
		digest.Write(kv[0])
		digest.Write(binary.AppendVarint(binary.AppendVarint(nil, e.n), e.b))
		at[e.number] = s.meet(k)
		s.n[len(s.n)-1], s.b[len(s.b)-1] = int32(e.n), int32(e.b)
	}
	return at, nil
}

// meet returns the position of a noun, adding it if necessary.
func (s *Snapshot) meet(k Key) int32 {
	at, ok := s.index[k]
	if !ok {
		at = int32(len(s.keys))
		s.index[k] = at
		s.keys, s.n, s.b = append(s.keys, k), append(s.n, 0), append(s.b, 0)
	}
	return at
}

// readTexts reads the documents of a table, with IRI and title.
func readTexts(r kv.Reader, table byte, at []int32, digest hash.Hash) (texts []bag, names [][2]string, err error) {
	for kv, err := range rows(r, table) {
		if err != nil {
			return nil, nil, err
		}
		title, nouns, err := readDocument(kv[1])
		if err != nil {
			return nil, nil, fmt.Errorf("document %s: %w: %w", kv[0], ErrDamaged, err)
		}
		digest.Write(kv[0])
		t := make(bag, 0, len(nouns))
		for _, c := range nouns {
			if c.number >= uint64(len(at)) || at[c.number] < 0 {
				return nil, nil, fmt.Errorf("document %s: noun %d: %w", kv[0], c.number, ErrDamaged)
			}
			t = append(t, term{at[c.number], int32(min(c.times, math.MaxInt32))})
		}
		texts, names = append(texts, t), append(names, [2]string{string(kv[0]), title})
	}
	return texts, names, nil
}

// rows iterates over a table: its keys, without the table's letter, and values.
func rows(r kv.Reader, table byte) iter.Seq2[[2][]byte, error] {
	return func(yield func([2][]byte, error) bool) {
		it, err := r.NewIter(&pebble.IterOptions{LowerBound: []byte{table}, UpperBound: []byte{table + 1}})
		if err != nil {
			yield([2][]byte{}, err)
			return
		}
		for ok := it.First(); ok; ok = it.Next() {
			if !yield([2][]byte{it.Key()[1:], it.Value()}, nil) {
				_ = it.Close()
				return
			}
		}
		if err := it.Close(); err != nil {
			yield([2][]byte{}, err)
		}
	}
}

// With returns a snapshot with additional documents in corpus and background: those learned in a crawl. The
// digest remains that of the KRS.
func (s *Snapshot) With(corpus, background [][]Mention) *Snapshot {
	c := *s
	c.index = make(map[Key]int32, len(s.index))
	for i, k := range s.keys {
		c.index[k] = int32(i)
	}
	c.keys = s.keys[:len(s.keys):len(s.keys)]
	c.n, c.b = append([]int32(nil), s.n...), append([]int32(nil), s.b...)
	c.corpus, c.others = s.corpus[:len(s.corpus):len(s.corpus)], s.others[:len(s.others):len(s.others)]
	c.sums = s.sums.clone()
	for _, mentions := range corpus {
		t := c.text(mentions)
		for i, at := range t {
			k := mentions[i].Key
			if k.Linked() {
				c.sums = c.sums.move(int64(c.n[at.at]), int64(c.n[at.at])+1, 1)
			}
			c.n[at.at]++
			c.count.count(k.Linked(), int64(at.times), 1)
		}
		c.corpus = append(c.corpus, t)
	}
	for _, mentions := range background {
		t := c.text(mentions)
		for _, at := range t {
			c.b[at.at]++
		}
		c.others = append(c.others, t)
	}
	c.documents += int64(len(corpus))
	c.background += int64(len(background))
	c.compile()
	return &c
}

// Told is With for pages on which a person gave a verdict: they count as documents, and the calibration leaves them out. A person is asked
// about pages of which the crawl is least sure, so that they are the least typical: among the documents they would lower the threshold.
func (s *Snapshot) Told(corpus, background [][]Mention) *Snapshot {
	c := *s
	c.told = [2]int{c.told[0] + len(corpus), c.told[1] + len(background)}
	return c.With(corpus, background)
}

func (s *Snapshot) text(mentions []Mention) bag {
	t := make(bag, len(mentions))
	for i, m := range mentions {
		t[i] = term{s.meet(m.Key), int32(min(m.Times, math.MaxInt32))}
	}
	return t
}

// compile computes everything derived from the counts.
func (s *Snapshot) compile() {
	s.idf = make([]float64, len(s.keys))
	s.weight, s.share = make([]float64, len(s.keys)), make([]float64, len(s.keys))
	of := sizes{s.documents, s.background}
	for i, n := range s.n {
		if n > 0 {
			s.idf[i] = idf(s.documents, int64(n))
		}
		s.weight[i], s.share[i] = of.weigh(int64(n), int64(s.b[i]))
	}
	s.unknown, _ = of.weigh(0, 0)
	s.ranges = s.moments()
	near, far := s.likeness()
	s.calibration = s.calibrate(near, far)
}

// Topic returns the topic of the KRS.
func (s *Snapshot) Topic() string { return s.topic }

// Digest identifies a KRS by a hash of everything that judgements depend on.
func (s *Snapshot) Digest() string { return s.digest }

// Documents returns N.
func (s *Snapshot) Documents() int64 { return s.documents }

// Background returns the number of documents in the background.
func (s *Snapshot) Background() int64 { return s.background }

// Moments returns μ_C and σ, the mean and the standard deviation of IDF over the linked nouns of the corpus
// (equations 2 and 3; equation 2 prints a sum, and Table 8 has means). σ divides by the number of values: by
// the number of documents, N of equation 1, it would exceed those of Table 8 several times.
func (s *Snapshot) Moments(c Count) (mean, deviation float64) {
	return s.ranges[c].mean, s.ranges[c].deviation
}

// IDF returns the IDF of a noun (equation 1), in bits; false if no document has it.
func (s *Snapshot) IDF(k Key) (float64, bool) {
	at, ok := s.index[k]
	if !ok || s.n[at] == 0 {
		return 0, false
	}
	return s.idf[at], true
}

// Nouns returns the nouns of corpus and background with their indicativeness of the topic, 0 to 1: the score
// of a page of that noun alone, where one half is the acceptance threshold. Without a background it is 0 for
// a noun of a single document, and approaches 1 for a noun of many.
func (s *Snapshot) Nouns() iter.Seq2[Key, float64] {
	return func(yield func(Key, float64) bool) {
		for i, k := range s.keys {
			if !yield(k, s.telling(int32(i))) {
				return
			}
		}
	}
}

// telling returns the noun's likeness as a share of likeness plus threshold. Without a background it is twice
// the share minus 1, since a share of one half is uninformative, shrunk towards 0 (pseudo-count 1: one
// document off topic).
func (s *Snapshot) telling(at int32) float64 {
	if s.background > 0 {
		if s.pull[at] <= 0 {
			return 0
		}
		return s.pull[at] / (s.pull[at] + s.calibration.Threshold)
	}
	n := float64(s.n[at])
	return max(0, 2*s.share[at]-1) * n / (n + 1)
}
