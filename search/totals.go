package search

import (
	"encoding/binary"
	"slices"

	"orbweaver/internal/database/kv"
	"orbweaver/text"
)

// format is the version of keys and values.
const format = 1

// totals are counted over all documents.
type totals struct {
	next         uint64 // number of the next document
	docs         uint64
	dead         uint64 // numbers marked deleted
	waiting      uint64 // documents not yet in a segment, the last ones, deleted ones included
	waitingBytes uint64
	langs        []string // languages of all documents ever put, as langOf has them
	fields       []field
}

type field struct {
	name  string
	docs  uint64
	words uint64
}

// langOf returns the representative of all languages with the same stemmer: "" for English and unknown ones,
// unstemmed for those without a stemmer.
func langOf(tag string) string {
	lang := text.Primary(tag)
	switch {
	case lang == "en":
		return ""
	case !text.Stemmable(lang):
		return unstemmed
	}
	return lang
}

const unstemmed = "zxx"

// totals reads the totals.
func (s *Store) totals(r kv.Reader) (t totals, err error) {
	t.next = 1
	_, err = get(r, s.key(totalLetter), t.read)
	return t, err
}

func (t *totals) append(b []byte) []byte {
	b = append(b, format)
	for _, n := range [...]uint64{t.next, t.docs, t.dead, t.waiting, t.waitingBytes, uint64(len(t.langs))} {
		b = binary.AppendUvarint(b, n)
	}
	for _, l := range t.langs {
		b = appendString(b, l)
	}
	for _, f := range t.fields {
		b = appendString(b, f.name)
		b = binary.AppendUvarint(binary.AppendUvarint(b, f.docs), f.words)
	}
	return b
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// read decodes the output of append; false: it is invalid.
func (t *totals) read(b []byte) bool {
	if len(b) == 0 || b[0] != format {
		return false
	}
	f := fields{b: b[1:]}
	*t = totals{next: f.number(), docs: f.number(), dead: f.number(), waiting: f.number(), waitingBytes: f.number()}
	for n := f.number(); n > 0 && !f.bad; n-- {
		t.langs = append(t.langs, f.string())
	}
	for len(f.b) > 0 && len(t.fields) < maxFields {
		t.fields = append(t.fields, field{f.string(), f.number(), f.number()})
	}
	return !f.bad && len(f.b) == 0 && t.next > t.waiting
}

// fieldOf returns the number of a field, -1 if there is none.
func (t *totals) fieldOf(name string) int {
	return slices.IndexFunc(t.fields, func(f field) bool { return f.name == name })
}

// count adds or removes a document.
func (t *totals) count(l lengths, came bool) {
	by := uint64(1)
	if !came {
		by = ^uint64(0) // subtract one
	}
	t.docs += by
	for i, words := range l {
		if words > 0 {
			t.fields[i].docs += by
			t.fields[i].words += by * uint64(words)
		}
	}
}

// Stats are statistics of an index.
type Stats struct {
	Documents int
	Dead      int // numbers of replaced or deleted documents, which still use space: see Compact
	Fields    []FieldStats
	Langs     []string // primary language tags of all documents ever put, "" for English and unknown ones, "zxx" for unstemmed ones
}

// FieldStats are the statistics of a field.
type FieldStats struct {
	Name      string
	Documents int   // with a word in it
	Words     int64 // of all of them
}

// Stats returns exact statistics.
func (r Reader) Stats() (Stats, error) {
	t, err := r.store.totals(r.reader)
	s := Stats{Documents: int(t.docs), Dead: int(t.dead), Langs: t.langs}
	for _, f := range t.fields {
		s.Fields = append(s.Fields, FieldStats{f.name, int(f.docs), int64(f.words)})
	}
	return s, err
}

// lengths are a document's numbers of words, by field.
type lengths []uint32

func (l lengths) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(l)))
	for _, n := range l {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

// lengths decodes the lengths of at most n fields.
func (f *fields) lengths(most int) lengths {
	n := f.number()
	if n > uint64(most) {
		f.bad = true
		return nil
	}
	l := make(lengths, n)
	for i := range l {
		words := f.number()
		if words > maxWords {
			f.bad = true
		}
		l[i] = uint32(words)
	}
	return l
}
