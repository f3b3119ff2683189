package krs

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The tables of the database, by the first byte of a key.
const (
	tableState      = 's' // the one state record
	tableNoun       = 'n' // key of a noun → its number and counts
	tableNumber     = 'i' // number of a noun → its key
	tableDocument   = 'd' // IRI of a document → title, nouns by number
	tableBackground = 'b' // ID of a background document → nouns by number
	tableSection    = 'x' // name → the caller's own bytes
	tableRDF        = 'Q' // the quad store
)

// format is the version of the tables. It changes when an older KRS can no longer be read.
const format = 1

// state is the record that every batch rewrites.
type state struct {
	Format     int    `json:"format"`
	Topic      string `json:"topic"`
	Documents  int64  `json:"documents"`  // N
	Background int64  `json:"background"` // documents of the background
	Next       uint64 `json:"next"`       // number of the next noun
	Count      counts `json:"count"`
	Sums       sums   `json:"sums"`
	AsWritten  bool   `json:"as_written,omitempty"` // abbreviations are stored as written; false: in lower case
}

// counts are those of the paper's Table 3, and the same for distinct nouns.
type counts struct {
	Nouns    int64 `json:"nouns"`    // as mentioned
	Linked   int64 `json:"linked"`   // linked ones among Nouns
	Entities int64 `json:"entities"` // one per document and noun
	Links    int64 `json:"links"`    // linked ones among Entities: M
}

// count adds or removes a document's mentions of a noun.
func (c *counts) count(linked bool, times, sign int64) {
	c.Nouns += sign * times
	c.Entities += sign
	if linked {
		c.Linked += sign * times
		c.Links += sign
	}
}

// entry holds the counts of a noun.
type entry struct {
	number uint64
	n, b   int64 // documents with it, of the corpus and of the background
}

func (e entry) append(b []byte) []byte {
	b = binary.AppendUvarint(b, e.number)
	b = binary.AppendUvarint(b, uint64(e.n))
	return binary.AppendUvarint(b, uint64(e.b))
}

func readEntry(b []byte) (e entry, err error) {
	r := reader{b: b}
	e = entry{r.number(), int64(r.number()), int64(r.number())}
	return e, r.end()
}

// counted is a noun of a document, by number.
type counted struct {
	number uint64
	times  uint32
}

// appendDocument encodes a record. Numbers ascend, so that most differences take one or two bytes.
func appendDocument(b []byte, title string, nouns []counted) []byte {
	b = binary.AppendUvarint(b, uint64(len(title)))
	b = append(b, title...)
	b = binary.AppendUvarint(b, uint64(len(nouns)))
	last := uint64(0)
	for _, c := range nouns {
		b = binary.AppendUvarint(b, c.number-last)
		b = binary.AppendUvarint(b, uint64(c.times))
		last = c.number
	}
	return b
}

func readDocument(b []byte) (title string, nouns []counted, err error) {
	r := reader{b: b}
	title = r.text()
	n := r.number()
	if n > uint64(len(r.b)) {
		return "", nil, errLength
	}
	nouns = make([]counted, n)
	last := uint64(0)
	for i := range nouns {
		last += r.number()
		nouns[i] = counted{last, uint32(min(r.number(), math.MaxUint32))}
	}
	return title, nouns, r.end()
}

// nounKey returns the key of a noun in its table.
func nounKey(k Key) []byte {
	b := make([]byte, 0, 3+len(k.Lemma)+len(k.IRI))
	return append(append(binary.AppendUvarint(append(b, tableNoun), uint64(len(k.Lemma))), k.Lemma...), k.IRI...)
}

// readKey decodes a key without its table.
func readKey(b []byte) (Key, error) {
	r := reader{b: b}
	k := Key{Lemma: r.text()}
	k.IRI = string(r.b)
	r.b = nil
	return k, r.end()
}

// numberKey returns the key of a noun's number in its table.
func numberKey(number uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{tableNumber}, number)
}

// named returns the key of a name in a table.
func named(table byte, name string) []byte { return append([]byte{table}, name...) }

// A reader decodes a record. After the first error all numbers are 0 and all strings empty.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.b)
	if size <= 0 || r.bad {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[size:]
	return n
}

func (r *reader) text() string {
	n := r.number()
	if n > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reader) end() error {
	if r.bad || len(r.b) > 0 {
		return fmt.Errorf("record: %w", errLength)
	}
	return nil
}
