package lemma

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"orbweaver/text/tag"
)

// A Trainer learns from a treebank the lemmas that neither the irregular forms nor the rules give. The same
// words in the same order give the same model. It is not safe for concurrent use.
type Trainer struct {
	dictionary *tag.Dictionary
	counts     map[occurrence]int
}

// An occurrence is a form with its tag and lemma, in lower case.
type occurrence struct {
	form  string
	tag   tag.Tag
	lemma string
}

// NewTrainer returns an empty Trainer. The dictionary may be nil.
func NewTrainer(dictionary *tag.Dictionary) *Trainer {
	return &Trainer{dictionary: dictionary, counts: map[occurrence]int{}}
}

// Add adds a word of a treebank. It ignores words without a lemma ("") or a tag.
func (t *Trainer) Add(form string, of tag.Tag, lemma string) {
	if lemma == "" || of == tag.Unknown || len(form) > maxWord || len(lemma) > maxWord {
		return
	}
	lower, _ := fold(nil, form)
	base, _ := fold(nil, lemma)
	if len(lower) <= maxWord && len(base) <= maxWord {
		t.counts[occurrence{string(lower), of, string(base)}]++
	}
}

// Train adds the learned lemmas to the model.
func (t *Trainer) Train(m *tag.Model) {
	l := New()
	if t.dictionary != nil {
		l.addDictionary(t.dictionary)
	}
	seen := slices.SortedFunc(maps.Keys(t.counts), func(a, b occurrence) int {
		return cmp.Or(cmp.Compare(a.form, b.form), cmp.Compare(a.tag, b.tag),
			cmp.Compare(t.counts[b], t.counts[a]), cmp.Compare(a.lemma, b.lemma))
	})
	seen = slices.CompactFunc(seen, func(a, b occurrence) bool { // the most frequent is kept
		return a.form == b.form && a.tag == b.tag
	})
	for _, o := range seen {
		l.word(o.lemma).classes |= o.tag.Class()
	}
	for _, o := range seen {
		if l.Lemma(o.form, o.tag) != o.lemma {
			l.word(o.form).set(o.tag, o.lemma)
		}
	}
	m.Put(lemmaSection, l.section())
}

// section encodes the lemmatizer as a section of a model.
func (l *Lemmatizer) section() []byte {
	b := binary.AppendUvarint(nil, uint64(len(l.words)))
	last := ""
	for _, form := range slices.Sorted(maps.Keys(l.words)) {
		w := l.words[form]
		b = appendString(b, last, form)
		last = form
		cases := slices.DeleteFunc(slices.Clone(w.cases), func(r reading) bool { return r.tags == 0 })
		b = append(b, byte(w.classes), byte(len(cases)))
		for _, r := range cases {
			b = binary.AppendUvarint(b, r.tags)
			b = appendString(b, form, r.lemma)
		}
	}
	return b
}

// appendString appends a prefix-compressed string of at most maxWord bytes: the length of the prefix in common
// with another, the number of further bytes, and those.
func appendString(b []byte, other, s string) []byte {
	n := 0
	for n < len(other) && n < len(s) && other[n] == s[n] {
		n++
	}
	return append(append(b, byte(n), byte(len(s)-n)), s[n:]...)
}
