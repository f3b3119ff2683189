package ledger

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/internal/database"
	"orbweaver/internal/database/kv"
	"orbweaver/internal/step"
	"orbweaver/ledger/describe"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

const (
	manyStatements = 1000     // of a document: more are staged
	factScope      = "facts"  // of blank nodes
	columns        = 32 << 20 // bytes for what queries read often; see quads.Options
)

// statements is the quad store. It holds the quads of pages, a graph each; facts of the focus; loaded data;
// and the materialized descriptions of the crawl.
type statements struct {
	store  *quads.Store
	writer *quads.Writer
	pages  bool                // keep the quads of pages
	many   int                 // quads beyond which a document does not fit its batch
	memory int64               // to sort a stage
	begun  bool                // the group has quads
	graphs map[string]struct{} // of pages of the group
}

// openStatements opens the store. Loads sort on the disk beside the database, so that one that fills it does not stop
// the crawl.
func openStatements(db *database.DB, o settings) (statements, error) {
	opts := quads.Options{Temp: db.FS().PathJoin(db.Path(), "sorting"), FS: db.FS(), Columns: columns}
	store, err := quads.Open(db.DB, []byte{tableQuads}, opts)
	if err != nil {
		return statements{}, err
	}
	w, err := store.Writer()
	if err != nil {
		return statements{}, err
	}
	w.Watch(Naming(), func(s quads.ID) []byte { return number(tableRenamed, uint64(s)) })
	return statements{store: store, writer: w, pages: o.pages, many: o.many, memory: o.sorting, graphs: map[string]struct{}{}}, err
}

// into returns the writer, writing into the group's batch.
func (s *statements) into(b kv.Batch) *quads.Writer {
	if !s.begun {
		s.begun = true
		s.writer.Begin(b)
	}
	return s.writer
}

// finish completes the group's quads.
func (s *statements) finish() error {
	if !s.begun {
		return nil
	}
	return s.writer.Finish()
}

// committed marks the group as written.
func (s *statements) committed() {
	if s.begun {
		s.writer.Committed()
		s.begun = false
		clear(s.graphs)
	}
}

// A pageQuads is the quads of a page on their way into its batch.
type pageQuads struct {
	graph string // empty: the page has no quads
	gone  string // graph to be removed; empty: none
	quads []rdf.Quad
	stage *stage // of many quads, or of the removal of many; nil: quads are all
}

// collect returns the quads of a batch's page. Unreadable ones are left out, as unreadable links are.
func (l *Ledger) collect(batch step.Batch) (s pageQuads, err error) {
	o := batch.Outcome
	if o == nil || !l.quads.pages {
		return s, nil
	}
	if o.Change != "" && o.Change != orbweaver.Unchanged {
		if s.gone, err = l.graphOf(batch.Done); err != nil {
			return s, err
		}
	}
	ahead, _ := batch.Data.(*stage)
	if o.Page == nil || o.Page.Quads == nil {
		if s.gone == "" {
			return s, nil
		}
		if n, err := l.triples(rdf.NewIRI(s.gone)); err != nil || n <= int64(l.quads.many) {
			return s, err
		}
		s.stage, err = l.restaged(ahead, s.gone, nil)
		return s, err
	}
	if err = l.nameGraph(&s, batch.Done, *o, ahead); err != nil {
		return s, err
	}
	if ahead != nil && ahead.made == nil && ahead.whole {
		s.quads = ahead.quads
	} else if ahead == nil || ahead.made == nil {
		if s.quads, err = l.few(context.Background(), o.Page); err != nil && !errors.Is(err, errMany) {
			return s, err
		}
	}
	before := int64(0)
	if s.gone != "" {
		if before, err = l.triples(rdf.NewIRI(s.gone)); err != nil {
			return s, err
		}
	}
	if s.quads == nil || before > int64(l.quads.many) {
		s.stage, err = l.restaged(ahead, s.graph, o.Page)
		return s, err
	}
	graph := rdf.NewIRI(s.graph)
	for i := range s.quads {
		s.quads[i].G = graph
	}
	return s, nil
}

// renameLater marks all names for indexing after a load, which does not report the subjects that it names.
func (l *Ledger) renameLater() error {
	l.state.Renamed, l.group.begun = true, true
	return l.apply(true)
}

// readable ranges over quads without the errors among them.
func readable(all iter.Seq2[rdf.Quad, error]) iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		for q, err := range all {
			if err == nil && !yield(q) {
				return
			}
		}
	}
}

// putPage puts the quads of a page into its batch.
func (l *Ledger) putPage(w *writer, id uint64, s pageQuads) error {
	if s.gone != "" {
		w.delete(w.number(tableGraph, id))
		w.delete(append([]byte{tableOwned}, s.gone...))
		if s.stage == nil {
			if err := l.dropGraph(s.gone); err != nil {
				return err
			}
		}
	}
	if s.stage != nil {
		if err := l.putStage(w, s.stage); err != nil {
			return err
		}
	}
	if s.graph == "" {
		return nil
	}
	w.set(w.number(tableGraph, id), []byte(s.graph))
	w.set(append([]byte{tableOwned}, s.graph...), nil)
	l.quads.graphs[s.graph] = struct{}{}
	return l.add(w, s.graph, s.quads...)
}

// add puts statements into the group. scope is that of their blank nodes.
func (l *Ledger) add(w *writer, scope string, all ...rdf.Quad) error {
	for _, q := range all {
		if _, err := l.quads.into(w.b).Add(q, scope); err != nil && !errors.Is(err, quads.ErrTerm) {
			return err
		}
	}
	return nil
}

// dropGraph removes a graph, within the group.
func (l *Ledger) dropGraph(name string) error {
	l.group.begun = true
	_, err := l.quads.into(l.group.b).Drop(rdf.NewIRI(name))
	return err
}

// GraphOf returns the name of the graph with the statements of a page, as of the last group; empty if the page has none. The error wraps
// ErrUnknown if it was not requested.
func (l *Ledger) GraphOf(url string) (string, error) {
	if _, err := l.position(url); err != nil {
		return "", err
	}
	id, _ := l.Find(url)
	return l.graphOf(id)
}

// graphOf returns the graph of a request's page, as of the last group; empty if it has none.
func (l *Ledger) graphOf(id uint64) (string, error) {
	value, err := l.get(number(tableGraph, id))
	if errors.Is(err, pebble.ErrNotFound) {
		return "", nil
	}
	return string(value), err
}

// nameGraph chooses the name of the graph for a page's quads: that of its stage, if it has one and no page owns it; else
// the page's URL; if another page owns the graph of that name, because the URL was requested with another Accept, the
// outcome's number is appended. Quads in a graph that no page owns are left from a batch that was never committed, and are
// removed.
func (l *Ledger) nameGraph(s *pageQuads, id uint64, o orbweaver.Outcome, ahead *stage) (err error) {
	if o.Change != "" {
		if s.graph, err = l.graphOf(id); s.graph != "" || err != nil {
			return err
		}
	}
	s.graph = describe.Node(o.Request).Value
	if ahead != nil && ahead.made != nil {
		s.graph = ahead.graph
	}
	_, taken := l.quads.graphs[s.graph]
	if !taken {
		taken, err = l.has(append([]byte{tableOwned}, s.graph...))
	}
	if err != nil {
		return err
	}
	if taken {
		s.graph = numbered(describe.Node(o.Request).Value, l.state.N+1)
	}
	if n, err := l.triples(rdf.NewIRI(s.graph)); n > 0 || err != nil {
		s.gone = s.graph
		return err
	}
	return nil
}

// numbered is the name of a graph whose usual one is taken.
func numbered(name string, outcome int64) string { return fmt.Sprintf("%s#document-%d", name, outcome) }

// triples returns how many statements a graph has, as of the last group.
func (l *Ledger) triples(graph rdf.Term) (int64, error) {
	r := l.quads.store.Over(l.db)
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

// Quads ranges over the matching statements in named graphs; a zero term matches any. Facts of the focus and the quads
// of pages are among them. The default graph is left out: what is materialized there depends on who queried when, and
// a crawl must not.
func (l *Ledger) Quads(s, p, o, g rdf.Term) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		l.settle()
		r := l.quads.store.Over(l.db)
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

// matching ranges over the quads of a pattern, as terms.
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
