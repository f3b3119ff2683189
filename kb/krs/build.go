package krs

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver/internal/database"
	"orbweaver/internal/database/kv"
	"orbweaver/rdf"
)

// A Plan is the input of Build. Documents are those of the corpus; Background, which may be nil, holds other
// documents that a crawl may meet. An error of either ends the build. Both are iterated once; in about one
// build in a hundred thousand, Documents is iterated a second time.
type Plan struct {
	Topic      string
	Documents  iter.Seq2[Document, error]
	Background iter.Seq2[Document, error]
	Sections   map[string][]byte     // stored by Put
	Progress   func(documents int64) // receives the number of documents read, background included; may be nil
}

// Build creates the KRS of many documents in an empty database of a folder, much faster than Add, and closes
// the database. The KRS is unusable when Build fails. The error wraps ErrEmpty without a document, ErrNoNouns
// if no document has a noun, and ErrID as Add does. Among documents with the same ID the last one counts; in
// the background, the first.
func Build(ctx context.Context, db *database.DB, dir string, p Plan) error {
	s, err := Open(db, dir, p.Topic)
	if err != nil {
		return err
	}
	err = s.fill(ctx, p)
	for name, content := range p.Sections {
		if err == nil {
			err = s.Put(name, content)
		}
	}
	return errors.Join(err, s.Close())
}

func (s *Store) fill(ctx context.Context, p Plan) error {
	b := newBulk(s, p)
	defer func() { _ = b.out.Close() }()
	if _, err := s.writer.Load(ctx, b.quads(), ""); err != nil {
		return err
	}
	if b.err == nil && p.Background != nil {
		b.background(ctx)
	}
	if err := b.finish(); err != nil {
		return err
	}
	for _, d := range b.again {
		if err := s.Add(d); err != nil {
			return err
		}
	}
	switch {
	case s.state.Documents == 0:
		return fmt.Errorf("corpus of %s: %w", p.Topic, ErrEmpty)
	case s.state.Count.Entities == 0:
		return fmt.Errorf("corpus of %s: %w", p.Topic, ErrNoNouns)
	}
	return nil
}

// A bulk builds the tables while the RDF is loaded. Counts of nouns are kept in memory until the end.
type bulk struct {
	s       *Store
	plan    Plan
	next    state
	nouns   map[Key]*entry
	order   []Key // by number, from 1
	seen    map[string]bool
	again   []Document // documents whose ID occurred before
	backs   map[string]bool
	out     kv.Batch
	read    int64
	err     error
	scratch []byte
}

const bulkBatch = 4 << 20 // bytes

func newBulk(s *Store, p Plan) *bulk {
	b := &bulk{
		s: s, plan: p, next: s.state, out: s.db.NewBatch(),
		nouns: map[Key]*entry{}, seen: map[string]bool{}, backs: map[string]bool{},
	}
	b.next.Sums = s.state.Sums.clone()
	return b
}

// quads yields the quads of all documents, and adds the documents to the tables on the way.
func (b *bulk) quads() iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		_ = b.out.Close()
		*b = *newBulk(b.s, b.plan) // in case of a second iteration
		v := newSchema()
		for d, err := range b.plan.Documents {
			id, ok := documentIRI(d.ID)
			if err == nil && !ok {
				err = fmt.Errorf("document %.100q: %w", d.ID, ErrID)
			}
			if err != nil {
				yield(rdf.Quad{}, err)
				return
			}
			b.progress()
			if b.seen[id] {
				b.again = append(b.again, d)
				continue
			}
			b.seen[id] = true
			mentions, first := gather(d.Nouns, !b.next.AsWritten)
			if err := b.add(id, &d, mentions); err != nil {
				yield(rdf.Quad{}, err)
				return
			}
			for q := range v.quads(b.plan.Topic, id, &d, mentions, first) {
				if !yield(q, nil) {
					return
				}
			}
		}
	}
}

func (b *bulk) progress() {
	if b.read++; b.plan.Progress != nil {
		b.plan.Progress(b.read)
	}
}

// add adds a document of the corpus to the tables.
func (b *bulk) add(id string, d *Document, mentions []Mention) error {
	b.next.Documents++
	nouns := b.count(mentions, func(e *entry, m Mention) {
		e.n++
		b.next.Count.count(m.Linked(), int64(m.Times), 1)
	})
	return b.set(named(tableDocument, id), appendDocument(b.scratch[:0], cut(d.Title, maxTitle), nouns))
}

func (b *bulk) count(mentions []Mention, f func(*entry, Mention)) []counted {
	nouns := make([]counted, 0, len(mentions))
	for _, m := range mentions {
		e := b.nouns[m.Key]
		if e == nil {
			e = &entry{number: b.next.Next}
			b.next.Next++
			b.nouns[m.Key] = e
			b.order = append(b.order, m.Key)
		}
		f(e, m)
		nouns = append(nouns, counted{e.number, uint32(m.Times)})
	}
	sortCounted(nouns)
	return nouns
}

// background adds the documents of the background to the tables. Repeated IDs are skipped.
func (b *bulk) background(ctx context.Context) {
	for d, err := range b.plan.Background {
		id, ok := documentIRI(d.ID)
		if err == nil && !ok {
			err = fmt.Errorf("background: document %.100q: %w", d.ID, ErrID)
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			b.err = err
			return
		}
		if b.progress(); b.backs[id] {
			continue
		}
		b.backs[id] = true
		b.next.Background++
		mentions, _ := gather(d.Nouns, !b.next.AsWritten)
		nouns := b.count(mentions, func(e *entry, _ Mention) { e.b++ })
		if b.err = b.set(named(tableBackground, id), appendDocument(b.scratch[:0], "", nouns)); b.err != nil {
			return
		}
	}
}

func (b *bulk) set(key, value []byte) error {
	b.scratch = value
	if err := b.out.Set(key, value, nil); err != nil || b.out.Len() < bulkBatch {
		return err
	}
	return b.flush()
}

func (b *bulk) flush() error {
	err := errors.Join(b.out.Commit(pebble.NoSync), b.out.Close())
	b.out = b.s.db.NewBatch()
	return err
}

// finish writes the nouns and the state.
func (b *bulk) finish() error {
	if b.err != nil {
		return b.err
	}
	steps := map[int64]int64{} // number of documents → linked nouns with that many
	for _, k := range b.order {
		e := b.nouns[k]
		if k.Linked() {
			steps[e.n]++
		}
		key := nounKey(k)
		if err := b.set(key, e.append(nil)); err != nil {
			return err
		}
		if err := b.set(numberKey(e.number), key[1:]); err != nil {
			return err
		}
	}
	for n, nouns := range steps { // integers: the order does not matter
		b.next.Sums = b.next.Sums.move(0, n, nouns)
	}
	if err := b.flush(); err != nil {
		return err
	}
	c := b.s.change()
	defer c.close()
	c.next = b.next
	return c.commit(func() error { return nil })
}
