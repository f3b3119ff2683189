package export

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/maphash"
	"iter"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/rdf/canon"
	"orbweaver/rdf/syntax/nquads"
)

const (
	HeldStatements = 20_000  // of a document held in memory; a longer one is read twice
	knownAtOnce    = 1 << 20 // statements of a document remembered to find repetitions
	maxComplaints  = 4       // problems kept per document
	maxCompared    = 1 << 20 // documents that later ones are compared with
	maxTooHard     = 16      // hard documents; after them, documents with blank nodes are not compared
)

// harvested is one document of an export: the data of a page.
type harvested struct {
	line  JournalLine
	page  *orbweaver.Page
	url   string
	quads iter.Seq2[rdf.Quad, error]
	graph rdf.Term

	head        []rdf.Triple // the first statements, each once
	more        bool         // head is not all of them
	digest      string       // equal for documents with the same statements; empty: unknown
	duplicateOf string       // graph of the first document with the same statements
	problems    []error      // the first few
	unread      int          // problems in all

	written, refused int
	faulty           bool
}

// gather reads a document and computes its digest.
func (d *harvested) gather(ctx context.Context, known *duplicates) {
	var ground sum
	grounded := true
	for t := range d.once(d.fault) {
		if ctx.Err() != nil {
			return
		}
		if len(d.head) < HeldStatements {
			d.head = append(d.head, t)
		} else {
			d.more = true
		}
		if grounded = grounded && t.S.Kind != rdf.Blank && !t.O.HasBlank(); grounded {
			ground.add(t)
		}
	}
	switch {
	case grounded:
		d.digest = ground.String()
	case !d.more:
		d.digest = known.canonical(d.head)
	}
}

// fault records a problem.
func (d *harvested) fault(err error) {
	if d.unread++; len(d.problems) < maxComplaints {
		d.problems = append(d.problems, err)
	}
}

// statements yields the statements of the document, each once.
func (d *harvested) statements() iter.Seq[rdf.Triple] { return d.eachStatement }

func (d *harvested) eachStatement(yield func(rdf.Triple) bool) {
	if d.more {
		d.eachOnce(func(error) {}, yield)
		return
	}
	for _, t := range d.head {
		if !yield(t) {
			return
		}
	}
}

// once yields the statements without repetitions. It compares hashes: in a document of thirty million
// statements, it drops two of a million in error.
func (d *harvested) once(fault func(error)) iter.Seq[rdf.Triple] {
	return func(yield func(rdf.Triple) bool) { d.eachOnce(fault, yield) }
}

func (d *harvested) eachOnce(fault func(error), yield func(rdf.Triple) bool) {
	seed, seen := maphash.MakeSeed(), map[uint64]struct{}{}
	for q, err := range d.quads {
		if err != nil {
			fault(err)
			continue
		}
		t := rdf.Triple{S: q.S, P: q.P, O: q.O}
		h := maphash.Comparable(seed, t)
		if _, repeated := seen[h]; repeated {
			continue
		}
		if len(seen) < knownAtOnce {
			seen[h] = struct{}{}
		}
		if !yield(t) {
			return
		}
	}
}

// sum is a hash of statements that does not depend on their order: their SHA-256 hashes, added in four
// lanes. Constructing a second document with the same sum is impractical.
type sum struct {
	lanes [4]uint64
	n     uint64
	line  []byte
}

func (s *sum) add(t rdf.Triple) {
	s.line = nquads.AppendQuad(s.line[:0], rdf.Quad{S: t.S, P: t.P, O: t.O})
	hash := sha256.Sum256(s.line)
	for i := range s.lanes {
		s.lanes[i] += binary.BigEndian.Uint64(hash[8*i:])
	}
	s.n++
}

// String returns the hash in hexadecimal.
func (s *sum) String() string {
	b := make([]byte, 0, 40)
	for _, lane := range s.lanes {
		b = binary.BigEndian.AppendUint64(b, lane)
	}
	return hex.EncodeToString(binary.BigEndian.AppendUint64(b, s.n))
}

// duplicates finds documents whose statements an earlier document had.
type duplicates struct {
	first   map[string]string // digest → graph
	tooHard int
}

// of returns the graph of the first document with a digest; empty: this is the first.
func (t *duplicates) of(digest, graph string) string {
	if digest == "" {
		return ""
	}
	first, known := t.first[digest]
	if !known && len(t.first) < maxCompared {
		t.first[digest] = graph
	}
	return first
}

// canonical returns the digest of statements with blank nodes, or "" if canonicalization is too hard.
// After maxTooHard such documents it gives up.
func (t *duplicates) canonical(statements []rdf.Triple) string {
	if t.tooHard >= maxTooHard {
		return ""
	}
	quads := make([]rdf.Quad, len(statements))
	for i, s := range statements {
		quads[i] = rdf.Quad{S: s.S, P: s.P, O: s.O}
	}
	digest, err := canon.Digest(quads)
	if errors.Is(err, canon.ErrTooHard) {
		t.tooHard++
	}
	return digest
}
