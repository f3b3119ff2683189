package tag

import (
	"encoding/binary"
	"maps"
	"slices"
)

const (
	rare     = 50  // a tag with less than one in this many occurrences of a word is not in its set
	certain  = 20  // least occurrences of a word with a single tag,
	doubtful = 200 // with less than one exception in this many

	maxSets = 1 << 15 // of tags; a treebank has hundreds
)

// A census collects a lexicon: the tags of each word in the treebank, and its entry in the dictionary.
type census struct {
	words map[uint64]*tally // by keys of words in lower case
	sets  map[tagSet]uint16 // by number
	stems stemmer
}

// A tally counts a word by tag.
type tally struct {
	counts [tags]uint32
	kinds  kinds
}

// A tagSet is the frequent tags of a word, as bits, and the most frequent one.
type tagSet struct {
	tags  uint64
	usual Tag
}

func newCensus(d *Dictionary) census {
	c := census{words: map[uint64]*tally{}, sets: map[tagSet]uint16{}}
	classes := map[uint64]Classes{} // what a Tagger will know of base forms
	if d != nil {
		for form, of := range d.Words {
			if k, ok := wordKey(form); ok {
				classes[k] |= of
			}
		}
	}
	c.stems.known = func(form []byte) Classes { return classes[hash(form)>>(64-keyBits)] }
	if d == nil {
		return c
	}
	for form := range d.Words {
		c.know(form, 0)
	}
	for _, odd := range d.Irregular {
		c.know(odd.Form, oddKinds(odd.Class))
	}
	return c
}

// wordKey returns the key of a form in lower case; false: it is too long, or invalid.
func wordKey(form string) (uint64, bool) {
	var s speller
	var w word
	s.read(&w, form)
	return w.lower >> (64 - keyBits), string(s.lower[:s.n]) == form
}

// know adds a word of the dictionary.
func (c *census) know(form string, k kinds) {
	key, ok := wordKey(form)
	if !ok {
		return
	}
	c.tally(key, []byte(form)).kinds |= k
}

// tally returns the tally of a word, a new one for a new word.
func (c *census) tally(key uint64, form []byte) *tally {
	t := c.words[key]
	if t == nil {
		t = &tally{kinds: kinds(c.stems.known(form)) | c.stems.inflected(form)}
		c.words[key] = t
	}
	return t
}

// oddKinds returns the kinds of an irregular form.
func oddKinds(c Classes) (k kinds) {
	if c&Noun != 0 {
		k |= oddNoun
	}
	if c&Verb != 0 {
		k |= oddVerb
	}
	if c&(Adjective|Adverb) != 0 {
		k |= oddAdjective
	}
	return k
}

// add counts a word and its tag.
func (c *census) add(w *word, form []byte, tag Tag) {
	t := c.tally(w.lower>>(64-keyBits), form)
	if tag != Unknown {
		t.counts[tag]++
	}
}

// without returns the entry of a word with one occurrence of a tag removed. Its single tag is kept: learning it
// again would be useless.
func (c *census) without(w *word, tag Tag) entry {
	t := *c.words[w.lower>>(64-keyBits)]
	only := t.only()
	if tag != Unknown {
		t.counts[tag]--
	}
	return entry{seen: c.set(&t), kinds: t.kinds, only: only}
}

// usual returns the most frequent tag of the word, its count, and the word's count.
func (t *tally) usual() (usual Tag, most, total uint32) {
	for tag, n := range t.counts {
		total += n
		if n > most {
			usual, most = Tag(tag), n
		}
	}
	return usual, most, total
}

func (t *tally) only() Tag {
	usual, most, total := t.usual()
	if total >= certain && (total-most)*doubtful <= total {
		return usual
	}
	return Unknown
}

// set returns the number of the word's set of tags.
func (c *census) set(t *tally) uint16 {
	usual, _, total := t.usual()
	if total == 0 {
		return seenNothing
	}
	set := tagSet{usual: usual}
	for tag, n := range t.counts {
		if n > 0 && n*rare >= total {
			set.tags |= 1 << tag
		}
	}
	number, ok := c.sets[set]
	if !ok {
		if len(c.sets) == maxSets {
			return seenNothing
		}
		number = seenSets + uint16(len(c.sets))
		c.sets[set] = number
	}
	return number
}

// section encodes the lexicon as a section of a model.
func (c *census) section() []byte {
	b := binary.AppendUvarint(nil, uint64(len(c.words)))
	last := uint64(0)
	for _, key := range slices.Sorted(maps.Keys(c.words)) {
		t := c.words[key]
		b = appendWord(b, key-last, entry{seen: c.set(t), kinds: t.kinds, only: t.only()})
		last = key
	}
	return b
}
