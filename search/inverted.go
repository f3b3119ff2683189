package search

import (
	"math"
	"slices"
	"strings"

	"orbweaver/text"
)

// An inverted is what is put, in memory, by term.
type inverted struct {
	first   uint64 // number of the first document
	records []record
	lists   map[string]*list // by term
	words   map[string]map[string]word
	size    int // estimated, in bytes
	limits  limits

	scanner text.Scanner
	touched []*list // that have the document which is read
	spans   [][]span
	large   bool // it will be a segment: spans are not kept
}

// A record is what is kept of a document beside its terms.
type record struct {
	id      uint64
	norm    float32 // Euclidean length of its vector of terms, see Similar
	lengths lengths // by field
}

// A word is what is known of a word of a language.
type word struct{ stem, form *list } // form is nil where the word is its own stem

// A span is what a list has of one document.
type span struct {
	list                       *list
	docsAt, docsEnd, atAt, end int32
}

// A numbered is a text whose field is a number.
type numbered struct {
	Text
	field uint8
}

func newInverted(first uint64, l limits) *inverted {
	return &inverted{first: first, limits: l, lists: map[string]*list{}, words: map[string]map[string]word{}}
}

// next is the number of the next document.
func (v *inverted) next() uint64 { return v.first + uint64(len(v.records)) }

// full reports whether a segment is to be made.
func (v *inverted) full() bool {
	return len(v.records) >= v.limits.segmentDocs || v.size >= v.limits.segmentBytes
}

// put takes a document in, whose texts are ordered by field.
func (v *inverted) put(id uint64, texts []numbered, stemmers *text.Stemmers) record {
	r := record{id: id}
	read := reading{inverted: v, number: v.next(), stemmers: stemmers, words: maxWords, forms: maxForms}
	v.touched = v.touched[:0]
	for i, t := range texts {
		if i == 0 || texts[i-1].field != t.field {
			read.place, read.field = 0, t.field
		}
		n := read.text(t.Lang, t.Text.Text)
		if n > 0 {
			if need := int(t.field) + 1 - len(r.lengths); need > 0 {
				r.lengths = append(r.lengths, make(lengths, need)...)
			}
			r.lengths[t.field] += n
		}
	}
	r.norm = v.end()
	v.records = append(v.records, r)
	v.size += 40
	v.large = v.large || len(v.records) >= v.limits.waitingDocs || v.size >= v.limits.waitingBytes
	if v.large {
		v.spans = nil
	} else {
		v.spans = append(v.spans, v.spansOf())
	}
	return r
}

// end ends the lists' entries of a document and returns its norm.
func (v *inverted) end() float32 {
	sum := 0.0
	for _, l := range v.touched {
		l.end()
		if l.times > 0 {
			w := weight(l.times)
			sum += w * w
		}
	}
	return float32(math.Sqrt(sum))
}

// weight is that of a term that occurs so often, in the vector of a document.
func weight(times uint32) float64 {
	if times == 1 {
		return 1
	}
	return 1 + math.Log(float64(times))
}

func (v *inverted) spansOf() []span {
	spans := make([]span, len(v.touched))
	for i, l := range v.touched {
		spans[i] = span{l, int32(l.docsAt), int32(len(l.docs)), int32(l.atAt), int32(len(l.at))}
	}
	return spans
}

// list returns a term's list.
func (v *inverted) list(letter byte, term string) *list {
	key := string(letter) + term
	l := v.lists[key]
	if l == nil {
		l = &list{term: key}
		v.lists[key] = l
		v.size += 200 + len(key)
	}
	return l
}

// sorted returns the lists by their terms.
func (v *inverted) sorted() []*list {
	all := make([]*list, 0, len(v.lists))
	for _, l := range v.lists {
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b *list) int { return strings.Compare(a.term, b.term) })
	return all
}

// reading is a document that is read.
type reading struct {
	*inverted
	number       uint64
	field        uint8
	place        uint32
	words, forms int // that it may still have
	stemmers     *text.Stemmers
}

// text reads a text, and returns how many words it has.
func (r *reading) text(lang, s string) (n uint32) {
	lang = langOf(lang)
	words := r.inverted.words[lang]
	if words == nil {
		words = map[string]word{}
		r.inverted.words[lang] = words
	}
	stemmer := r.stemmers.Get(lang)
	defer r.stemmers.Put(lang, stemmer)
	scanner := &r.scanner
	for scanner.Reset(s); r.words > 0 && scanner.Next(); {
		w, known := words[string(scanner.Word())]
		if !known {
			if r.forms == 0 {
				continue
			}
			r.forms--
			w = r.learn(words, stemmer, scanner.Word())
		}
		if r.place > 0 && (n == 0 || scanner.NewBlock()) {
			r.place++
		}
		r.occur(w)
		n++
		r.place++
		r.words--
	}
	r.size += 3 * int(n)
	return n
}

// learn takes a word in that was not met before.
func (r *reading) learn(words map[string]word, stemmer *text.Stemmer, form []byte) word {
	f := string(form)
	w := word{stem: r.list(stemLetter, stemOf(stemmer, form))}
	if w.stem.term[1:] != f {
		w.form = r.list(formLetter, f)
	}
	words[f] = w
	r.size += 100 + len(f)
	return w
}

// stemOf is a word's stem, or the word if that is empty.
func stemOf(stemmer *text.Stemmer, word []byte) string {
	if stem := stemmer.Append(nil, word); len(stem) > 0 {
		return string(stem)
	}
	return string(word)
}

func (r *reading) occur(w word) {
	r.touch(w.stem)
	w.stem.add(r.field, r.place, w.form == nil, true)
	if w.form != nil {
		r.touch(w.form)
		w.form.add(r.field, r.place, true, false)
	}
}

func (r *reading) touch(l *list) {
	if l.last != r.number {
		l.begin(r.number)
		r.touched = append(r.touched, l)
	}
}
