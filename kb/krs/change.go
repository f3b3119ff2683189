package krs

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver/internal/database/kv"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// Add adds a document to the corpus, replacing the one of the same ID. It writes the records of the
// document's own nouns, those of the replaced document, and the state. The error wraps ErrID for an invalid
// ID.
func (s *Store) Add(d Document) error {
	return s.edit(d.ID, func(c *change, id string) error { return c.add(id, &d) })
}

// Remove removes a document from the corpus. The error wraps ErrUnknown if it is not there.
func (s *Store) Remove(id string) error {
	return s.edit(id, func(c *change, id string) error {
		found, err := c.remove(id)
		if err == nil && !found {
			err = ErrUnknown
		}
		return err
	})
}

// AddBackground adds a document to the background, replacing the one of the same ID. Its nouns and their
// counts are stored, and no RDF.
func (s *Store) AddBackground(d Document) error {
	return s.edit(d.ID, func(c *change, id string) error { return c.addBackground(id, &d) })
}

// edit applies a change to one document.
func (s *Store) edit(id string, f func(c *change, id string) error) error {
	name, ok := documentIRI(id)
	if !ok {
		return fmt.Errorf("%s: document %.100q: %w", s.dir, id, ErrID)
	}
	c := s.change()
	defer c.close()
	if err := c.commit(func() error { return f(c, name) }); err != nil {
		return fmt.Errorf("%s: document %s: %w", s.dir, name, err)
	}
	return nil
}

// A change is a batch being prepared.
type change struct {
	s     *Store
	b     kv.Batch
	next  state
	nouns map[Key]*touched
	order []*touched // in the order first touched
}

// touched is a noun in a change.
type touched struct {
	key      Key
	was, now entry
}

func (s *Store) change() *change {
	c := &change{s: s, b: s.db.NewBatch(), next: s.state, nouns: map[Key]*touched{}}
	c.next.Sums = s.state.Sums.clone()
	s.writer.Begin(c.b)
	return c
}

func (c *change) close() { _ = c.b.Close() }

// commit applies a change and writes it. After an error the KRS is unchanged.
func (c *change) commit(f func() error) error {
	err := f()
	if err == nil {
		err = c.seal()
	}
	if err == nil {
		err = c.b.Commit(pebble.Sync)
	}
	if err == nil {
		err = c.s.db.Err()
	}
	if err != nil {
		return errors.Join(err, c.s.writer.Discard())
	}
	c.s.writer.Committed()
	c.s.state = c.next
	return nil
}

// seal completes the batch: nouns, state, and the statistics of the RDF.
func (c *change) seal() error {
	for _, t := range c.order {
		if err := c.write(t); err != nil {
			return err
		}
	}
	value, err := json.Marshal(c.next)
	if err != nil {
		return err
	}
	if err := c.b.Set([]byte{tableState}, value, nil); err != nil {
		return err
	}
	return c.s.writer.Finish()
}

// write adds a noun's record to the batch. Nouns without documents are deleted.
func (c *change) write(t *touched) error {
	if t.key.Linked() && t.was.n != t.now.n {
		c.next.Sums = c.next.Sums.move(t.was.n, t.now.n, 1)
	}
	known, used := t.was.n+t.was.b > 0, t.now.n+t.now.b > 0
	switch {
	case !known && !used || t.was == t.now:
		return nil
	case !used:
		if err := c.b.Delete(nounKey(t.key), nil); err != nil {
			return err
		}
		return c.b.Delete(numberKey(t.now.number), nil)
	}
	if err := c.b.Set(nounKey(t.key), t.now.append(nil), nil); err != nil || known {
		return err
	}
	return c.b.Set(numberKey(t.now.number), nounKey(t.key)[1:], nil)
}

// noun returns the modifiable entry of a noun. A new noun gets a number.
func (c *change) noun(k Key) (*touched, error) {
	if t := c.nouns[k]; t != nil {
		return t, nil
	}
	t := &touched{key: k}
	value, found, err := get(c.s.db, nounKey(k))
	switch {
	case err != nil:
		return nil, err
	case found:
		if t.was, err = readEntry(value); err != nil {
			return nil, fmt.Errorf("noun %q: %w: %w", k.Lemma, ErrDamaged, err)
		}
	default:
		t.was.number = c.next.Next
		c.next.Next++
	}
	t.now = t.was
	c.nouns[k] = t
	c.order = append(c.order, t)
	return t, nil
}

// numbered returns the noun with a number.
func (c *change) numbered(number uint64) (*touched, error) {
	value, found, err := get(c.s.db, numberKey(number))
	if err != nil {
		return nil, err
	}
	key, err := readKey(value)
	if !found || err != nil {
		return nil, fmt.Errorf("noun %d: %w", number, ErrDamaged)
	}
	return c.noun(key)
}

// add adds a document with an IRI.
func (c *change) add(id string, d *Document) error {
	if _, err := c.remove(id); err != nil {
		return err
	}
	mentions, first := gather(d.Nouns, !c.s.state.AsWritten)
	nouns, err := c.count(mentions, func(t *touched, m Mention) {
		t.now.n++
		c.next.Count.count(m.Linked(), int64(m.Times), 1)
	})
	if err != nil {
		return err
	}
	c.next.Documents++
	v := newSchema()
	for q := range v.quads(c.next.Topic, id, d, mentions, first) {
		if _, err := c.s.writer.Add(q, ""); err != nil {
			return err
		}
	}
	return c.b.Set(named(tableDocument, id), appendDocument(nil, cut(d.Title, maxTitle), nouns), nil)
}

// addBackground is add for a document of the background.
func (c *change) addBackground(id string, d *Document) error {
	_, found, err := c.decrement(tableBackground, id, func(t *touched, _ uint32) { t.now.b-- })
	if err != nil {
		return err
	}
	if !found {
		c.next.Background++
	}
	mentions, _ := gather(d.Nouns, !c.s.state.AsWritten)
	nouns, err := c.count(mentions, func(t *touched, _ Mention) { t.now.b++ })
	if err != nil {
		return err
	}
	return c.b.Set(named(tableBackground, id), appendDocument(nil, "", nouns), nil)
}

// count calls f for each noun of a document, and returns the nouns by number.
func (c *change) count(mentions []Mention, f func(*touched, Mention)) ([]counted, error) {
	nouns := make([]counted, 0, len(mentions))
	for _, m := range mentions {
		t, err := c.noun(m.Key)
		if err != nil {
			return nil, err
		}
		f(t, m)
		nouns = append(nouns, counted{t.now.number, uint32(m.Times)})
	}
	sortCounted(nouns)
	return nouns, nil
}

func sortCounted(nouns []counted) {
	slices.SortFunc(nouns, func(a, b counted) int { return cmp.Compare(a.number, b.number) })
}

// remove removes a document if present.
func (c *change) remove(id string) (found bool, err error) {
	key, found, err := c.decrement(tableDocument, id, func(t *touched, times uint32) {
		t.now.n--
		c.next.Count.count(t.key.Linked(), int64(times), -1)
	})
	if err != nil || !found {
		return found, err
	}
	c.next.Documents--
	return true, errors.Join(c.b.Delete(key, nil), c.removeQuads(id))
}

// decrement calls f for each noun of a document in a table, if present.
func (c *change) decrement(table byte, id string, f func(t *touched, times uint32)) (key []byte, found bool, err error) {
	key = named(table, id)
	value, found, err := get(c.s.db, key)
	if err != nil || !found {
		return key, found, err
	}
	_, nouns, err := readDocument(value)
	if err != nil {
		return key, true, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	for _, n := range nouns {
		t, err := c.numbered(n.number)
		if err != nil {
			return key, true, err
		}
		f(t, n.times)
	}
	return key, true, nil
}

// removeQuads removes the RDF of a document and of its entities.
func (c *change) removeQuads(id string) error {
	r := c.s.rdf.Over(c.s.db)
	doc, ok, err := r.Lookup(rdf.NewIRI(id))
	if err != nil || !ok {
		return err
	}
	in, ok, err := r.Lookup(rdf.NewIRI(InDocument))
	if err != nil {
		return err
	}
	subjects := []quads.ID{doc}
	if ok {
		of, err := c.matching(r, quads.Pattern{S: quads.Any, P: in, O: doc, G: quads.Default})
		if err != nil {
			return err
		}
		for _, q := range of {
			subjects = append(subjects, q.S)
		}
	}
	for _, s := range subjects {
		all, err := c.matching(r, quads.Pattern{S: s, P: quads.Any, O: quads.Any, G: quads.Default})
		if err != nil {
			return err
		}
		for _, q := range all {
			if _, err := c.s.writer.RemoveIDs(q); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *change) matching(r quads.Reader, p quads.Pattern) (all []quads.Quad, err error) {
	cursor := r.Cursor()
	for cursor.Seek(p); cursor.Next(); {
		all = append(all, cursor.Quad())
	}
	return all, cursor.Close()
}
