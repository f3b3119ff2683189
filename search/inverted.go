package search

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"orbweaver/text"
)

// An inverted is the in-memory index of new documents, by term. Reusing it keeps its dictionary.
type inverted struct {
	first   uint64 // number of the first document
	records []record
	used    []*list // with a document
	size    int     // of these, estimated, in bytes
	limits  limits

	lists map[string]*list           // by term
	words map[string]map[string]word // by language and word
	known int                        // size of both, estimated, in bytes

	scanner text.Scanner
	scratch []byte
	touched []*list // with the current document
	spans   [][]span
	large   bool // it will become a segment: spans are not kept
}

// A record is the stored data of a document besides its terms.
type record struct {
	id      uint64
	norm    float32 // Euclidean length of its vector of terms, see Similar
	lengths lengths // by field
}

// A word refers to the lists of a word of a language.
type word struct{ stem, form *list } // form is nil if the word is its own stem

// A span is the part of a list that belongs to one document.
type span struct {
	list                       *list
	docsAt, docsEnd, atAt, end int32
}

// A numbered is a text with the number of its field.
type numbered struct {
	Text
	field uint8
}

func newInverted(first uint64, l limits) *inverted {
	v := &inverted{limits: l}
	v.forget()
	v.first = first
	return v
}

// reset removes all documents; the next one gets this number.
func (v *inverted) reset(first uint64) {
	for _, l := range v.used {
		*l = list{term: l.term, written: l.written, docs: l.docs[:0], at: l.at[:0]}
	}
	if v.known+v.size > v.limits.segmentBytes {
		v.forget()
	}
	v.first, v.size, v.large = first, 0, false
	v.records, v.used, v.spans = v.records[:0], v.used[:0], v.spans[:0]
}

// forget clears the dictionary.
func (v *inverted) forget() {
	v.lists, v.words, v.known = map[string]*list{}, map[string]map[string]word{}, 0
}

// next is the number of the next document.
func (v *inverted) next() uint64 { return v.first + uint64(len(v.records)) }

// full reports whether a segment is due.
func (v *inverted) full() bool {
	return len(v.records) >= v.limits.segmentDocs || v.size >= v.limits.segmentBytes
}

// put adds a document, whose texts are ordered by field.
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
		v.spans = v.spans[:0]
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
		if l.times > 0 && !l.written {
			w := weight(l.times)
			sum += w * w
		}
	}
	return float32(math.Sqrt(sum))
}

// weight is the weight of a term frequency in the vector of a document.
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
func (v *inverted) list(term []byte) *list {
	l := v.lists[string(term)]
	if l == nil {
		l = &list{term: string(term)}
		v.lists[l.term] = l
		v.known += 200 + len(term)
	}
	return l
}

// begin starts a document in a list.
func (v *inverted) begin(l *list, number uint64) {
	if l.count == 0 {
		v.used = append(v.used, l)
		v.size += 100
	}
	l.begin(number)
}

// sorted returns the lists with a document, by term.
func (v *inverted) sorted() []*list {
	type headed struct {
		head uint64 // the first bytes of the term, which decide most comparisons
		list *list
	}
	all := make([]headed, len(v.used))
	for i, l := range v.used {
		var head [8]byte
		copy(head[:], l.term)
		all[i] = headed{binary.BigEndian.Uint64(head[:]), l}
	}
	slices.SortFunc(all, func(a, b headed) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return strings.Compare(a.list.term, b.list.term)
	})
	for i, h := range all {
		v.used[i] = h.list
	}
	return v.used
}

// reading is the state of reading a document.
type reading struct {
	*inverted
	number       uint64
	field        uint8
	place        uint32
	words, forms int // limits left for it
	stemmers     *text.Stemmers
}

// text reads a text, and returns its number of words.
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
		r.written()
		n++
		r.place++
		r.words--
	}
	r.size += 3 * int(n)
	return n
}

// learn adds a new word to the dictionary.
func (r *reading) learn(words map[string]word, stemmer *text.Stemmer, form []byte) word {
	term := append(r.scratch[:0], stemLetter)
	if term = stemmer.Append(term, form); len(term) == 1 {
		term = append(term, form...)
	}
	w := word{stem: r.list(term)}
	if string(term[1:]) != string(form) {
		term = append(append(term[:0], formLetter), form...)
		w.form = r.list(term)
	}
	r.scratch = term
	words[string(form)] = w
	r.known += 100 + len(form)
	return w
}

// stemOf is a word's stem, or the word if the stem is empty.
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

// written also indexes a word as written if its capitals are significant: AIDS is found by its stem, and as
// AIDS. No stem has a capital.
func (r *reading) written() {
	word, ok := r.scanner.AsWritten()
	if !ok || len(word) > maxWritten {
		return
	}
	r.scratch = append(append(r.scratch[:0], stemLetter), word...)
	if r.lists[string(r.scratch)] == nil {
		if r.forms == 0 {
			return
		}
		r.forms--
	}
	l := r.list(r.scratch)
	l.written = true
	r.touch(l)
	l.add(r.field, r.place, false, true)
}

// maxWritten is the maximal length in bytes of a word indexed as written.
const maxWritten = 64

func (r *reading) touch(l *list) {
	if l.last != r.number {
		r.begin(l, r.number)
		r.touched = append(r.touched, l)
	}
}
