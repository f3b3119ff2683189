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
	HeldStatements = 20_000  // of a document; one with more is read twice
	knownAtOnce    = 1 << 20 // statements of a document that are told from repetitions
	maxComplaints  = 4       // of a document, kept
	maxTwins       = 1 << 20 // documents that later ones are compared with
	maxTooHard     = 16      // documents: then none with blank nodes is compared any more
)

// A harvested is a document of a harvest: what a page says.
type harvested struct {
	line  JournalLine
	page  *orbweaver.Page
	url   string
	quads iter.Seq2[rdf.Quad, error]
	graph rdf.Term

	head     []rdf.Triple // the first statements, each once
	more     bool         // there are others
	digest   string       // the same for documents that say the same; empty: not known
	twin     string       // the graph that said it first
	problems []error      // the first
	unread   int          // problems in all

	written, refused int
	faulty           bool
}

// gather reads a document and finds out its digest.
func (d *harvested) gather(ctx context.Context, known *twins) {
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
		if grounded = grounded && t.S.Kind != rdf.Blank && t.O.Kind != rdf.Blank; grounded {
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

// fault keeps a problem.
func (d *harvested) fault(err error) {
	if d.unread++; len(d.problems) < maxComplaints {
		d.problems = append(d.problems, err)
	}
}

// statements are those of the document, each once.
func (d *harvested) statements() iter.Seq[rdf.Triple] {
	if d.more {
		return d.once(func(error) {})
	}
	return func(yield func(rdf.Triple) bool) {
		for _, t := range d.head {
			if !yield(t) {
				return
			}
		}
	}
}

// once reads the statements and leaves repetitions out, which it knows by hashes: of a million
// statements two are taken for one in a document of thirty million.
func (d *harvested) once(fault func(error)) iter.Seq[rdf.Triple] {
	return func(yield func(rdf.Triple) bool) {
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
}

// A sum is a hash of statements that does not depend on their order: their SHA-256s, added up in four
// lanes. Twins of somebody else's document cannot be made by it in earnest.
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

// String tells sums apart.
func (s *sum) String() string {
	b := make([]byte, 0, 40)
	for _, lane := range s.lanes {
		b = binary.BigEndian.AppendUint64(b, lane)
	}
	return hex.EncodeToString(binary.BigEndian.AppendUint64(b, s.n))
}

// twins know which document said something first.
type twins struct {
	first   map[string]string // digest → graph
	tooHard int
}

// of returns the graph that said first what a document says; empty: none did.
func (t *twins) of(digest, graph string) string {
	if digest == "" {
		return ""
	}
	first, known := t.first[digest]
	if !known && len(t.first) < maxTwins {
		t.first[digest] = graph
	}
	return first
}

// canonical is the digest of statements with blank nodes; empty where they are too hard to tell apart,
// for which a harvest has patience a few times.
func (t *twins) canonical(statements []rdf.Triple) string {
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
