package quads

import (
	"encoding/binary"
	"errors"
	"fmt"

	"orbweaver/internal/database/kv"
	"orbweaver/rdf"
)

// remembered is how many predicates, and how many graphs, a writer keeps the counts of between batches.
const remembered = 4096

// A Writer changes a store, batch by batch:
//
//	w.Begin(batch)     later changes go into batch, besides the caller's own
//	w.Add, w.Remove …  see earlier changes of the batch
//	w.Finish()         adds the counts to batch;
//	                   then the caller commits it
//	w.Committed()      or w.Discard(), if it was not
//
// It is not safe for concurrent use, and a store has at most one. After an error the batch must not be
// committed.
type Writer struct {
	store  *Store
	db     *stored
	naming *namer
	batch  kv.Batch

	quads      map[Quad]bool // of the batch: true were added, false removed
	terms      map[ID]string // of the batch: new ones
	predicates [sides]map[ID]*counted
	graphs     map[ID]*counted
	touched    []*counted // those that are dirty
	totals     [sides]int64
	retotal    bool // totals changed by a stage
	fresh      fresh
	key, value []byte // scratch

	wanted   map[string]bool // predicates with a watcher
	watcher  func(s ID) (key []byte)
	watching map[ID]bool // predicates: whether they are among those
}

// counted is the statistics of a predicate or, for a graph, the number of quads.
type counted struct {
	stat
	count    []byte   // key
	sketches []byte   // key; nil of a graph
	dirty    bool     // it is not in the batch yet
	sketched bool     // nor are the sketches
	parts    [][]byte // keys of the parts that it was read from, too
}

// Writer returns the store's writer.
func (s *Store) Writer() (*Writer, error) {
	w := &Writer{store: s, db: s.over(s.db), naming: &namer{mask: s.mask}}
	return w, w.Discard()
}

// Watch makes the writer set a key, which f returns, for the subject of each added or removed quad of some predicates,
// except for loaded ones. Keys are in the order of IDs.
func (w *Writer) Watch(predicates []string, f func(s ID) (key []byte)) {
	w.wanted, w.watching, w.watcher = map[string]bool{}, map[ID]bool{}, f
	for _, p := range predicates {
		w.wanted[p] = true
	}
}

// watch calls the watchers of an added or removed quad.
func (w *Writer) watch(q Quad) error {
	is, known := w.watching[q.P]
	if !known {
		content, _, err := w.content(q.P)
		if err != nil {
			return err
		}
		if is = w.wanted[content]; len(w.watching) < remembered {
			w.watching[q.P] = is
		}
	}
	if !is {
		return nil
	}
	return w.batch.Set(w.watcher(q.S), nil, nil)
}

// Begin has changes go into a batch, which need not be indexed.
func (w *Writer) Begin(b kv.Batch) { w.batch = b }

// Discard drops the changes since Begin: the batch was not committed.
func (w *Writer) Discard() (err error) {
	w.batch = nil
	w.store.columns.settle()
	w.quads, w.terms, w.graphs = map[Quad]bool{}, map[ID]string{}, map[ID]*counted{}
	w.predicates, w.touched = [sides]map[ID]*counted{{}, {}}, nil
	clear(w.watching)
	w.retotal = false
	w.totals, err = w.db.totals()
	return err
}

// Committed reports to the Writer that the batch was committed after Finish.
func (w *Writer) Committed() {
	w.batch = nil
	w.store.columns.settle()
	for id, content := range w.terms {
		w.store.cache.put(id, content)
	}
	w.fresh.committed()
	clear(w.terms)
	clear(w.quads)
	for _, m := range [...]map[ID]*counted{w.predicates[0], w.predicates[1], w.graphs} {
		if len(m) > remembered {
			clear(m)
		}
	}
}

// Add adds a quad, and reports whether it is new. Blank nodes are those of the document that scope names: the same
// label of the same scope is the same node, forever. The empty scope is the store itself, where a label that
// Reader.Term gave out is the node it was given for.
func (w *Writer) Add(q rdf.Quad, scope string) (bool, error) {
	w.naming.scope = scope
	ids, err := internQuad(q, w.intern)
	if err != nil {
		return false, err
	}
	if has, err := w.has(ids); has || err != nil {
		return false, err
	}
	return true, w.change(ids, true)
}

// Remove removes a quad, and reports whether it was there.
func (w *Writer) Remove(q rdf.Quad, scope string) (bool, error) {
	w.naming.scope = scope
	ids, ok, err := lookUpQuad(w.naming, q, w.content)
	if err != nil || !ok {
		return false, err
	}
	return w.RemoveIDs(ids)
}

// RemoveIDs is Remove for a quad of a Reader of this store.
func (w *Writer) RemoveIDs(q Quad) (bool, error) {
	if has, err := w.has(q); !has || err != nil {
		return false, err
	}
	return true, w.change(q, false)
}

// Drop removes all quads of a graph, the default one if it is zero, and returns how many. All of it is in
// the batch, so that a graph of millions takes hundreds of bytes of memory a quad.
func (w *Writer) Drop(graph rdf.Term) (removed int64, err error) {
	w.naming.scope = ""
	g, ok, err := lookUp(w.naming, graph, w.content)
	if err != nil || !ok {
		return 0, err
	}
	var added []Quad // order does not matter: removed quads are a set
	for q, there := range w.quads {
		if there && q.G == g {
			added = append(added, q)
		}
	}
	for _, q := range added {
		if err := w.change(q, false); err != nil {
			return removed, err
		}
		removed++
	}
	c := view{w.db}.Cursor()
	for c.Seek(Pattern{Any, Any, Any, g}); err == nil && c.Next(); {
		ok, err = w.RemoveIDs(c.Quad())
		if ok {
			removed++
		}
	}
	return removed, errors.Join(err, c.Close())
}

// Has reports whether the store has a quad, as the batch leaves it.
func (w *Writer) Has(q rdf.Quad, scope string) (bool, error) {
	w.naming.scope = scope
	ids, ok, err := lookUpQuad(w.naming, q, w.content)
	if err != nil || !ok {
		return false, err
	}
	return w.has(ids)
}

func (w *Writer) has(q Quad) (bool, error) {
	if there, known := w.quads[q]; known {
		return there, nil
	}
	for _, id := range [...]ID{q.S, q.P, q.O, q.G} {
		if _, fresh := w.terms[id]; fresh {
			return false, nil
		}
	}
	t, _ := sideOf(q.G).tables()
	return w.db.get(w.keyOf(t, q), func([]byte) bool { return true })
}

// keyOf is the key of a quad in a table, until the next one.
func (w *Writer) keyOf(t table, q Quad) []byte {
	k := t.order().key(q)
	w.key = append(append(w.key[:0], w.store.prefix...), tableLetter+byte(t))
	w.key = t.appendKey(w.key, &k)
	return w.key
}

// content is the dictionary's entry for an ID, including changes of the batch.
func (w *Writer) content(id ID) (string, bool, error) {
	if content, ok := w.terms[id]; ok {
		return content, true, nil
	}
	return w.db.content(id)
}

// intern returns the ID of a term, a new one if there is none.
func (w *Writer) intern(t rdf.Term) (ID, error) {
	if t.Kind == rdf.TripleTerm {
		var err error
		if t, err = relabelled(t, always(w.intern)); err != nil {
			return 0, err
		}
	}
	id, ok, err := lookUpRelabelled(w.naming, t, w.content)
	if ok || err != nil {
		return id, err
	}
	w.terms[id] = string(w.naming.content)
	w.fresh.note(id, w.naming.check)
	return id, w.batch.Set(w.store.idKey(termLetter, id), w.naming.content, nil)
}

// change adds a quad that is not there, or removes one that is.
func (w *Writer) change(q Quad, add bool) error {
	if q.G == Default {
		w.store.columns.unsettle(q.P)
	}
	first, last := sideOf(q.G).tables()
	for t := first; t <= last; t++ {
		var err error
		if key := w.keyOf(t, q); add {
			err = w.batch.Set(key, nil, nil)
		} else {
			err = w.batch.Delete(key, nil)
		}
		if err != nil {
			return err
		}
	}
	w.quads[q] = add
	if w.watcher != nil {
		if err := w.watch(q); err != nil {
			return err
		}
	}
	return w.count(q, add)
}

// count counts a quad that came or went.
func (w *Writer) count(q Quad, add bool) error {
	of := sideOf(q.G)
	p, err := w.predicate(of, q.P)
	if err != nil {
		return err
	}
	if add {
		p.sketched = p.add(q) || p.sketched
		w.totals[of]++
	} else {
		p.sketched = p.remove() || p.sketched
		w.totals[of]--
	}
	w.touch(p)
	if q.G == Default {
		return nil
	}
	g, err := w.graph(q.G)
	if err != nil {
		return err
	}
	if g.quads++; !add {
		g.quads -= 2
	}
	w.touch(g)
	return nil
}

func (w *Writer) touch(c *counted) {
	if !c.dirty {
		c.dirty = true
		w.touched = append(w.touched, c)
	}
}

// predicate returns the statistics of a predicate.
func (w *Writer) predicate(of side, id ID) (*counted, error) {
	if c := w.predicates[of][id]; c != nil {
		return c, nil
	}
	st, parts, err := w.db.stat(of, id)
	c := &counted{stat: st, parts: parts, count: w.store.predicateKey(of, id, countOf), sketches: w.store.predicateKey(of, id, sketchesOf)}
	if err == nil {
		w.predicates[of][id] = c
	}
	return c, err
}

// graph returns the statistics of a graph.
func (w *Writer) graph(id ID) (*counted, error) {
	if c := w.graphs[id]; c != nil {
		return c, nil
	}
	n, err := w.db.graph(id)
	c := &counted{stat: stat{quads: n}, count: w.store.idKey(graphLetter, id)}
	if err == nil {
		w.graphs[id] = c
	}
	return c, err
}

// Finish adds the counts to the batch.
func (w *Writer) Finish() error {
	if len(w.touched) == 0 && !w.retotal {
		return nil
	}
	for _, c := range w.touched {
		if c.quads < 0 {
			return fmt.Errorf("quad store: key %x: %d quads: %w", c.count, c.quads, ErrDamaged)
		}
		if err := w.whole(c); err != nil {
			return err
		}
		w.value = c.appendSketches(w.value[:0])
		if err := w.put(c.sketches, c.sketched, c.quads); err != nil {
			return err
		}
		w.value = binary.AppendUvarint(w.value[:0], uint64(c.quads))
		if err := w.put(c.count, c.dirty, c.quads); err != nil {
			return err
		}
		c.dirty, c.sketched = false, false
	}
	w.touched, w.retotal = w.touched[:0], false
	w.value = appendTotals(w.value[:0], w.totals)
	return w.batch.Set(w.store.key(totalLetter), w.value, nil)
}

// whole makes the parts of a statistic one record.
func (w *Writer) whole(c *counted) error {
	for _, key := range c.parts {
		if err := w.batch.Delete(key, nil); err != nil {
			return err
		}
	}
	c.sketched = c.sketched || len(c.parts) > 0
	c.parts = nil
	return nil
}

// put writes a changed count, or deletes it if it is zero.
func (w *Writer) put(key []byte, changed bool, quads int64) error {
	switch {
	case !changed:
		return nil
	case quads == 0:
		return w.batch.Delete(key, nil)
	}
	return w.batch.Set(key, w.value, nil)
}
