package ledger

import (
	"errors"
	"fmt"
	"iter"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/internal/database"
	"orbweaver/internal/step"
	"orbweaver/ledger/describe"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

const (
	manyStatements = 50_000  // of a document: beyond, they are sorted on disk first
	factScope      = "facts" // of blank nodes
)

// statements are the quad store: what pages say, each in a graph of its own, what a focus learned, what
// was loaded, and, as far as it was asked for, what the ledger itself knows.
type statements struct {
	store  *quads.Store
	writer *quads.Writer
	pages  bool                // what pages say is kept
	many   int                 // statements of a document that are too many for its batch
	begun  bool                // the group has something of it
	graphs map[string]struct{} // of pages of the group
}

// openStatements opens the store. Loads sort on the disk beside the database: one that fills it is no trouble
// to the crawl.
func openStatements(db *database.DB, o settings) (statements, error) {
	opts := quads.Options{Temp: db.FS().PathJoin(db.Path(), "sorting"), FS: db.FS()}
	store, err := quads.Open(db.DB, []byte{tableQuads}, opts)
	if err != nil {
		return statements{}, err
	}
	w, err := store.Writer()
	if err != nil {
		return statements{}, err
	}
	w.Watch(Naming(), renamed)
	return statements{store: store, writer: w, pages: o.pages, many: o.many, graphs: map[string]struct{}{}}, err
}

// into has the writer write into the group's batch.
func (s *statements) into(b *pebble.Batch) *quads.Writer {
	if !s.begun {
		s.begun = true
		s.writer.Begin(b)
	}
	return s.writer
}

// finish completes what the group says.
func (s *statements) finish() error {
	if !s.begun {
		return nil
	}
	return s.writer.Finish()
}

// committed says that the group is in the database.
func (s *statements) committed() {
	if s.begun {
		s.writer.Committed()
		s.begun = false
		clear(s.graphs)
	}
}

// A saying is what a page says, on its way into its batch.
type saying struct {
	graph string // empty: the page says nothing
	gone  string // graph of what it said before; empty: that stays, or there is none
	quads []rdf.Quad
}

// listen reads what the page of a batch says. What cannot be read of it is left out, as in its links. A
// document of many statements comes into the store here, ahead of its batch: should that never come,
// the page is asked for again, and what it said is replaced.
func (l *Ledger) listen(batch step.Batch) (s saying, err error) {
	o := batch.Outcome
	if o == nil || !l.said.pages {
		return s, nil
	}
	if o.Change != "" && o.Change != orbweaver.Unchanged {
		if s.gone, err = l.graphOf(batch.Done); err != nil {
			return s, err
		}
	}
	if o.Page == nil || o.Page.Quads == nil {
		return s, nil
	}
	if err = l.nameGraph(&s, batch.Done, *o); err != nil {
		return s, err
	}
	graph := rdf.NewIRI(s.graph)
	for q := range readable(o.Page.Quads) {
		if s.quads = append(s.quads, rdf.Quad{S: q.S, P: q.P, O: q.O, G: graph}); len(s.quads) > l.said.many {
			return l.listenLong(s, *o)
		}
	}
	return s, nil
}

// listenLong is listen for a document of many statements.
func (l *Ledger) listenLong(s saying, o orbweaver.Outcome) (saying, error) {
	graph := rdf.NewIRI(s.graph)
	s.quads = nil
	if err := l.apply(false); err != nil {
		return s, err
	}
	if err := l.dropGraph(s.graph); err != nil {
		return s, err
	}
	if err := l.apply(false); err != nil {
		return s, err
	}
	s.gone = ""
	for q := range readable(o.Page.Quads) {
		l.group.begun = true
		if err := l.add(&l.group.writer, s.graph, rdf.Quad{S: q.S, P: q.P, O: q.O, G: graph}); err != nil {
			return s, err
		}
		if l.group.b.Len() > maxGroup {
			if err := l.apply(false); err != nil {
				return s, err
			}
		}
	}
	return s, l.apply(false)
}

// renameLater has all names indexed anew after a load, which tells nobody what it loads.
func (l *Ledger) renameLater() error {
	l.state.Renamed, l.group.begun = true, true
	return l.apply(true)
}

// readable are the quads without what is wrong among them.
func readable(all iter.Seq2[rdf.Quad, error]) iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		for q, err := range all {
			if err == nil && !yield(q) {
				return
			}
		}
	}
}

// say puts what a page says into its batch.
func (l *Ledger) say(w *writer, id uint64, s saying) error {
	if s.gone != "" {
		w.delete(w.number(tableGraph, id))
		w.delete(append([]byte{tableOwned}, s.gone...))
		if err := l.dropGraph(s.gone); err != nil {
			return err
		}
	}
	if s.graph == "" {
		return nil
	}
	w.set(w.number(tableGraph, id), []byte(s.graph))
	w.set(append([]byte{tableOwned}, s.graph...), nil)
	l.said.graphs[s.graph] = struct{}{}
	return l.add(w, s.graph, s.quads...)
}

// add puts statements into the group. Scope is that of their blank nodes.
func (l *Ledger) add(w *writer, scope string, all ...rdf.Quad) error {
	for _, q := range all {
		if _, err := l.said.into(w.b).Add(q, scope); err != nil && !errors.Is(err, quads.ErrTerm) {
			return err
		}
	}
	return nil
}

// dropGraph removes a graph, within the group.
func (l *Ledger) dropGraph(name string) error {
	l.group.begun = true
	_, err := l.said.into(l.group.b).Drop(rdf.NewIRI(name))
	return err
}

// graphOf is the graph of what the page of a request says, as of the last group; empty: it has none.
func (l *Ledger) graphOf(id uint64) (string, error) {
	value, err := l.get(number(tableGraph, id))
	if errors.Is(err, pebble.ErrNotFound) {
		return "", nil
	}
	return string(value), err
}

// nameGraph names the graph of what a page says: by its address, and where another page has the graph of
// that name, of an address that was asked for other media types too, by the number of its outcome as
// well. What is in the graph, and no page's, is of a page that was asked for in vain, and goes.
func (l *Ledger) nameGraph(s *saying, id uint64, o orbweaver.Outcome) (err error) {
	if o.Change != "" {
		if s.graph, err = l.graphOf(id); s.graph != "" || err != nil {
			return err
		}
	}
	s.graph = describe.Node(o.Request).Value
	_, taken := l.said.graphs[s.graph]
	if !taken {
		taken, err = l.has(append([]byte{tableOwned}, s.graph...))
	}
	if err != nil {
		return err
	}
	if taken {
		s.graph = fmt.Sprintf("%s#document-%d", s.graph, l.state.N+1)
	}
	if n, err := l.triples(rdf.NewIRI(s.graph)); n > 0 || err != nil {
		s.gone = s.graph
		return err
	}
	return nil
}

// triples is how many statements a graph has, as of the last group.
func (l *Ledger) triples(graph rdf.Term) (int64, error) {
	r := l.said.store.Over(l.db)
	g, known, err := r.Lookup(graph)
	if err != nil || !known {
		return 0, err
	}
	return r.Count(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: g})
}

// has reports whether the database has a key.
func (l *Ledger) has(key []byte) (bool, error) {
	_, closer, err := l.db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, closer.Close()
}

// Quads ranges over the statements in named graphs that match; a zero term matches any. Facts of the focus
// are among them, and what pages say. The default graph is left out: what is told there depends on who
// asked when, and a crawl must not.
func (l *Ledger) Quads(s, p, o, g rdf.Term) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		l.settle()
		r := l.said.store.Over(l.db)
		var ids [4]quads.ID
		for i, t := range [...]rdf.Term{s, p, o, g} {
			if ids[i] = quads.Any; i == 3 {
				ids[i] = quads.Named
			}
			if t.IsZero() {
				continue
			}
			id, known, err := r.Lookup(t)
			if err != nil {
				yield(rdf.Quad{}, err)
			}
			if err != nil || !known {
				return
			}
			ids[i] = id
		}
		matching(r, quads.Pattern{S: ids[0], P: ids[1], O: ids[2], G: ids[3]})(yield)
	}
}

// matching are the quads of a pattern, in terms.
func matching(r quads.Reader, p quads.Pattern) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		c := r.Cursor()
		defer c.Close()
		for c.Seek(p); c.Next(); {
			if q, err := quads.Terms(r, c.Quad()); !yield(q, err) || err != nil {
				return
			}
		}
		if err := c.Err(); err != nil {
			yield(rdf.Quad{}, err)
		}
	}
}
