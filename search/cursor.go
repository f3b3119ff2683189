package search

import (
	"cmp"
	"math"
	"slices"
)

// Limits of prefix expansion.
const (
	maxExpansion = 256     // words that are their own stems, and as many others
	maxExpanded  = 1 << 20 // documents with these words
)

// A cursor iterates over documents in order of their numbers, deleted ones included.
type cursor interface {
	// seek moves to the first document with at least this number, possibly the current one, and returns its
	// number, or none if there is none or the read failed.
	seek(to uint64) uint64
	// found is the term frequency in each field with an occurrence, ascending.
	found() []entry
}

// A placed is a cursor with positions.
type placed interface {
	cursor
	placesIn(field uint8) []uint32
}

// word returns a cursor for a word, and its inverse document frequency. Of several stems, that of the most
// frequent one counts.
func (v *visit) word(stems []string) (placed, float64) {
	all := make([]*postings, len(stems))
	most := uint64(0)
	for i, s := range stems {
		all[i] = v.postings(string(stemLetter) + s)
		most = max(most, all[i].frequency())
	}
	if len(all) == 1 {
		return all[0], v.idf(most)
	}
	return &union{all: all}, v.idf(most)
}

// idf is the weight of a term with a document frequency.
func (v *visit) idf(docs uint64) float64 {
	n, df := float64(v.totals.docs), float64(docs)
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

// A union is the union of several postings.
type union struct {
	all     []*postings
	at      uint64
	entries []entry
	places  []uint32
}

func (u *union) seek(to uint64) uint64 {
	if u.at >= to {
		return u.at
	}
	u.at = none
	for _, p := range u.all {
		u.at = min(u.at, p.seek(to))
	}
	return u.at
}

func (u *union) found() []entry {
	u.entries = u.entries[:0]
	for _, p := range u.all {
		if p.at == u.at {
			u.entries = append(u.entries, p.entries...)
		}
	}
	u.entries = joined(u.entries)
	return u.entries
}

// joined merges the entries of a field.
func joined(entries []entry) []entry {
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.field, b.field) })
	n := 0
	for _, e := range entries {
		if n > 0 && entries[n-1].field == e.field {
			entries[n-1].times += e.times
			continue
		}
		entries[n] = e
		n++
	}
	return entries[:n]
}

func (u *union) placesIn(field uint8) []uint32 {
	u.places = u.places[:0]
	for _, p := range u.all {
		if p.at == u.at {
			u.places = append(u.places, p.placesIn(field)...)
		}
	}
	slices.Sort(u.places)
	return u.places
}

// A phrase iterates over documents in which words follow each other.
type phrase struct {
	words   []placed
	at      uint64
	entries []entry
	places  [][]uint32 // buffer
}

func (p *phrase) seek(to uint64) uint64 {
	for p.at < to {
		if p.at = together(p.words, to); p.at == none {
			break
		}
		if p.count(); len(p.entries) == 0 {
			to = p.at + 1
		}
	}
	return p.at
}

// together returns the first document from a number on that is in all cursors.
func together[C cursor](all []C, to uint64) uint64 {
	for i := 0; i < len(all); i++ {
		if n := all[i].seek(to); n == none {
			return none
		} else if n > to {
			to, i = n, -1
		}
	}
	return to
}

// count counts the phrase in each field of the document.
func (p *phrase) count() {
	p.entries = p.entries[:0]
	for _, e := range p.words[0].found() {
		p.places = p.places[:0]
		for _, w := range p.words {
			p.places = append(p.places, w.placesIn(e.field))
		}
		if e.times = follow(p.places); e.times > 0 {
			p.entries = append(p.entries, e)
		}
	}
}

// follow counts the positions of each list that directly follow one of the list before.
func follow(places [][]uint32) (n uint32) {
starts:
	for _, start := range places[0] {
		for i, next := range places[1:] {
			if _, ok := slices.BinarySearch(next, start+uint32(i)+1); !ok {
				continue starts
			}
		}
		n++
	}
	return n
}

func (p *phrase) found() []entry { return p.entries }

// A prefixed iterates over the documents with a word that starts with a prefix, each counted once per field.
type prefixed struct {
	docs    []held // remaining documents
	entries []entry
}

// A held is a document, and a bit for each field with a match.
type held struct {
	number uint64
	fields uint32
}

// startsWith returns a cursor for all words with a prefix, and its inverse document frequency.
func (v *visit) startsWith(prefix string) (cursor, float64) {
	var docs []held
	for _, letter := range [...]byte{stemLetter, formLetter} {
		for _, term := range v.expand(letter, prefix) {
			docs = v.hold(docs, term)
		}
	}
	slices.SortFunc(docs, func(a, b held) int { return cmp.Compare(a.number, b.number) })
	n := 0
	for _, d := range docs {
		if n > 0 && docs[n-1].number == d.number {
			docs[n-1].fields |= d.fields
			continue
		}
		docs[n] = d
		n++
	}
	return &prefixed{docs: docs[:n]}, v.idf(uint64(n))
}

// hold appends the live documents that have a term as a word.
func (v *visit) hold(docs []held, term string) []held {
	p := v.postings(term)
	for n := p.seek(1); n != none; n = p.seek(n + 1) {
		d := held{number: n}
		for _, e := range p.entries {
			if e.exact {
				d.fields |= 1 << e.field
			}
		}
		if d.fields == 0 || v.dead.has(n) {
			continue
		}
		if len(docs) == maxExpanded {
			v.cut = true
			break
		}
		docs = append(docs, d)
	}
	if p.iter != nil {
		v.release()
	}
	return docs
}

func (p *prefixed) seek(to uint64) uint64 {
	if len(p.docs) > 0 && p.docs[0].number >= to {
		return p.docs[0].number
	}
	at, _ := slices.BinarySearchFunc(p.docs, to, func(d held, to uint64) int { return cmp.Compare(d.number, to) })
	if p.docs = p.docs[at:]; len(p.docs) == 0 {
		return none
	}
	return p.docs[0].number
}

func (p *prefixed) found() []entry {
	p.entries = p.entries[:0]
	for f := range uint8(maxFields) {
		if p.docs[0].fields>>f&1 != 0 {
			p.entries = append(p.entries, entry{field: f, times: 1})
		}
	}
	return p.entries
}
