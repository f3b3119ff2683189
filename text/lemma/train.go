package lemma

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"orbweaver/text/tag"
)

// A Trainer learns lemmas from a treebank: those that neither the irregular forms nor the rules give.
// The same words in the same order give the same model. It is for one goroutine.
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

// NewTrainer returns a Trainer that has seen nothing yet. The dictionary may be nil.
func NewTrainer(dictionary *tag.Dictionary) *Trainer {
	return &Trainer{dictionary: dictionary, counts: map[occurrence]int{}}
}

// Add takes in a word of a treebank. Words without a lemma ("") or a tag teach nothing.
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

// Train puts what is needed of all that into the model.
func (t *Trainer) Train(m *tag.Model) {
	l := New()
	if t.dictionary != nil {
		l.addDictionary(t.dictionary)
	}
	seen := slices.SortedFunc(maps.Keys(t.counts), func(a, b occurrence) int {
		return cmp.Or(cmp.Compare(a.form, b.form), cmp.Compare(a.tag, b.tag),
			cmp.Compare(t.counts[b], t.counts[a]), cmp.Compare(a.lemma, b.lemma))
	})
	seen = slices.CompactFunc(seen, func(a, b occurrence) bool { // the most frequent stays
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

// section returns all that the lemmatizer knows as a section of a model.
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

// appendString appends a string of at most maxWord bytes: how many bytes it has in common with
// another at its start, how many more there are, and those.
func appendString(b []byte, other, s string) []byte {
	n := 0
	for n < len(other) && n < len(s) && other[n] == s[n] {
		n++
	}
	return append(append(b, byte(n), byte(len(s)-n)), s[n:]...)
}
