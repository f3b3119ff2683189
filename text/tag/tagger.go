package tag

import (
	"fmt"
	"sync"
)

// The sections of a tagger in a model.
const (
	wordsSection   = "tag.words"
	weightsSection = "tag.weights"
)

// A Tagger tags the words of sentences. It is immutable and safe for concurrent use.
type Tagger struct {
	words   *table // index in entries, plus one, by key of the word in lower case
	entries []entry
	weights *table // index in cells, times 64, plus the number of weights, by key of the feature;
	// or index in crowds, times 64, plus crowded
	cells  []int32 // weight times 256, plus tag
	crowds []lanes // weights of features with many of them
	pool   sync.Pool
}

// A bench holds the buffers of one goroutine.
type bench struct {
	speller  speller
	stemmer  stemmer
	sentence sentence
	keys     []uint64
	selves   [1 << selfBits]sum
}

// selfBits is the logarithm of the number of cached self scores per bench.
const selfBits = 11

// A sum is a cached self score; empty if its key is zero.
type sum struct {
	standing uint64
	scores   lanes
}

// crowded replaces the number of weights of features stored as lanes.
const crowded = 63

// usual is the largest sentence, in words, whose bench is reused.
const usual = 4096

// NewTagger reads the tagger of a model. Errors wrap ErrModel.
func NewTagger(m *Model) (*Tagger, error) {
	t := &Tagger{}
	t.pool.New = func() any {
		b := &bench{keys: make([]uint64, 0, allKeys)}
		b.stemmer.known = t.known
		return b
	}
	for _, part := range []struct {
		name string
		read func(*Decoder) error
	}{{wordsSection, t.readWords}, {weightsSection, t.readWeights}} {
		data, ok := m.Section(part.name)
		if !ok {
			return nil, fmt.Errorf("%w: it has no section %s", ErrModel, part.name)
		}
		d := NewDecoder(data)
		err := part.read(d)
		if err == nil {
			err = d.End()
		}
		if err != nil {
			return nil, fmt.Errorf("section %s: %w", part.name, err)
		}
	}
	return t, nil
}

// Append appends the tags of the words of one sentence to tags. Every word gets one.
func (t *Tagger) Append(words []string, tags []Tag) []Tag {
	b := t.pool.Get().(*bench)
	own := b.sentence.reset(len(words))
	for i, form := range words {
		b.speller.read(&own[i], form)
		own[i].entry = t.look(&own[i], b)
	}
	b.sentence.survey()
	var t1, t2 Tag
	for i := range own {
		got := own[i].only
		if got == Unknown {
			scores := *t.self(b, i)
			b.keys = b.sentence.memory(i, t1, t2, b.sentence.around(i, b.keys[:0]))
			t.score(b.keys, &scores)
			got = scores.best()
		}
		tags = append(tags, got)
		t1, t2 = got, t1
	}
	if len(words) <= usual {
		t.pool.Put(b)
	}
	return tags
}

// look returns the lexicon entry of the word last read by the speller.
func (t *Tagger) look(w *word, b *bench) entry {
	if at := t.words.find(w.lower >> (64 - keyBits)); at > 0 {
		return t.entries[at-1]
	}
	return entry{kinds: b.stemmer.inflected(b.speller.lower[:b.speller.n])}
}

// known returns the classes of a word in lower case.
func (t *Tagger) known(form []byte) Classes {
	if at := t.words.find(hash(form) >> (64 - keyBits)); at > 0 {
		return Classes(t.entries[at-1].kinds)
	}
	return 0
}

// self returns the self score of word i. It is cached: few words make up most of a text, and most features
// are self features.
func (t *Tagger) self(b *bench, i int) *lanes {
	standing := b.sentence.standing(i)
	s := &b.selves[standing>>(64-selfBits)]
	if s.standing != standing {
		*s = sum{standing: standing}
		t.score(b.sentence.self(i, b.keys[:0]), &s.scores)
	}
	return &s.scores
}

// score adds the weights of features, and overwrites their keys.
func (t *Tagger) score(keys []uint64, to *lanes) {
	for i, key := range keys { // all lookups first, so that cache misses overlap
		keys[i] = uint64(t.weights.find(key))
	}
	for _, at := range keys {
		if at&crowded == crowded {
			to.addAll(&t.crowds[at>>6])
			continue
		}
		for _, cell := range t.cells[at>>6 : at>>6+at&63] {
			to.add(Tag(cell), cell>>8)
		}
	}
}
