package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/internal/database/kv"
	"orbweaver/ledger/describe"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/search"
)

// texts are the full-text indexes of names in the quad store and of pages. Like materialized descriptions they are
// brought up to date on demand. A document's ID is that of its subject in the quad store. The batch that changes a
// subject's names also marks the subject for indexing.
type texts struct {
	names, pages             *search.Store
	namesWriter, pagesWriter *search.Writer // nil until something is indexed in this session
}

// The fields of the indexes.
const (
	FieldName  = "name"
	FieldTitle = "title"
	FieldText  = "text"
)

// Naming returns the predicates that name a subject.
func Naming() []string {
	return []string{
		"http://www.w3.org/2000/01/rdf-schema#label",
		"http://www.w3.org/2004/02/skos/core#prefLabel", "http://www.w3.org/2004/02/skos/core#altLabel", "http://www.w3.org/2004/02/skos/core#hiddenLabel",
		"http://schema.org/name", "https://schema.org/name", "http://schema.org/alternateName", "https://schema.org/alternateName",
		"http://xmlns.com/foaf/0.1/name",
	}
}

func openTexts(db kv.DB) (t texts, err error) {
	if t.names, err = search.Open(db, []byte{tableNames}); err != nil {
		return t, err
	}
	t.pages, err = search.Open(db, []byte{tableTexts})
	return t, err
}

// renamed marks, within a batch, a subject whose names changed.
func renamed(b kv.Batch, s quads.ID) error {
	return b.Set(number(tableRenamed, uint64(s)), nil, nil)
}

// NamesOf returns the names of a subject, as texts of an index's document. Of a subject with many statements it reads
// the first 10 000.
func NamesOf(r quads.Reader, c quads.Cursor, naming map[quads.ID]bool, s quads.ID) (all []search.Text, err error) {
	const most = 10_000
	n := 0
	for c.Seek(quads.Pattern{S: s, P: quads.Any, O: quads.Any, G: quads.Any}); n < most && c.Next(); n++ {
		q := c.Quad()
		if !naming[q.P] {
			continue
		}
		o, err := r.Term(q.O)
		if err != nil {
			return nil, err
		}
		name := search.Text{Field: FieldName, Lang: o.Lang, Text: o.Value}
		if o.Kind == rdf.Literal && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all, c.Err()
}

// NamingIn returns the predicates of Naming that a store has.
func NamingIn(r quads.Reader) (map[quads.ID]bool, error) {
	known := map[quads.ID]bool{}
	for _, iri := range Naming() {
		id, is, err := r.Lookup(rdf.NewIRI(iri))
		if err != nil {
			return nil, err
		}
		if is {
			known[id] = true
		}
	}
	return known, nil
}

// Named calls f with each subject that has a name, possibly more than once.
func Named(r quads.Reader, naming map[quads.ID]bool, f func(quads.ID) error) error {
	c := r.Cursor()
	for p := range naming { // the order of subjects does not matter
		last := quads.Default
		for c.Seek(quads.Pattern{S: quads.Any, P: p, O: quads.Any, G: quads.Any}); c.Next(); {
			if s := c.Quad().S; s != last {
				last = s
				if err := f(s); err != nil {
					return errors.Join(err, c.Close())
				}
			}
		}
	}
	return c.Close()
}

// IndexNames indexes the changed names of at most n subjects, and reports whether there are more. It must be called
// from the committing goroutine.
func (l *Ledger) IndexNames(n int) (more bool, err error) {
	if err := l.apply(false); err != nil {
		return false, err
	}
	if l.state.Renamed {
		return true, l.renameAll()
	}
	var subjects []quads.ID
	err = l.scan([]byte{tableRenamed}, func(key, _ []byte) error {
		if len(key) != 9 {
			return orbweaver.ErrDamaged
		}
		if subjects = append(subjects, quads.ID(binary.BigEndian.Uint64(key[1:]))); len(subjects) > n {
			return errStop
		}
		return nil
	})
	if err != nil && !errors.Is(err, errStop) || len(subjects) == 0 {
		return false, err
	}
	more = len(subjects) > n
	subjects = subjects[:min(n, len(subjects))]
	r := l.quads.store.Over(l.db)
	naming, err := NamingIn(r)
	if err != nil {
		return false, err
	}
	c := r.Cursor()
	defer c.Close()
	return more, l.index(&l.texts.namesWriter, l.texts.names, func(w *search.Writer, b kv.Batch) error {
		for _, s := range subjects {
			names, err := NamesOf(r, c, naming, s)
			if err == nil {
				err = putText(w, uint64(s), names)
			}
			if err == nil {
				err = b.Delete(number(tableRenamed, uint64(s)), nil)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// putText puts a document into an index, or deletes it if it has no text.
func putText(w *search.Writer, id uint64, all []search.Text) error {
	if len(all) == 0 {
		_, err := w.Delete(id)
		return err
	}
	return w.Put(search.Document{ID: id, Texts: all})
}

// renameAll marks all names for indexing, after a bulk change of the store.
func (l *Ledger) renameAll() error {
	r := l.quads.store.Over(l.db)
	naming, err := NamingIn(r)
	if err != nil {
		return err
	}
	b := l.db.NewBatch()
	if err := b.DeleteRange([]byte{tableNames}, []byte{tableNames + 1}, nil); err != nil {
		return err
	}
	err = Named(r, naming, func(s quads.ID) error {
		if b.Len() > maxGroup {
			if err := l.db.Apply(b, pebble.NoSync); err != nil {
				return err
			}
			b.Reset()
		}
		return renamed(b, s)
	})
	if err == nil {
		err = l.db.Apply(b, pebble.NoSync)
	}
	if err = errors.Join(err, b.Close()); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	if l.texts.names, err = search.Open(l.db.DB, []byte{tableNames}); err != nil {
		return err
	}
	l.texts.namesWriter = nil
	l.state.Renamed, l.group.begun = false, true
	return l.apply(false)
}

// index fills a batch of its own for an index.
func (l *Ledger) index(at **search.Writer, store *search.Store, fill func(*search.Writer, kv.Batch) error) (err error) {
	if *at == nil {
		if *at, err = store.Writer(); err != nil {
			return err
		}
	}
	w, b := *at, l.db.NewBatch()
	w.Begin(b)
	if err = fill(w, b); err == nil {
		err = w.Finish()
	}
	if err == nil {
		err = l.db.Apply(b, pebble.NoSync)
	}
	if err != nil {
		*at = nil
		return fmt.Errorf("ledger: %w", errors.Join(err, b.Close()))
	}
	w.Committed()
	l.unsynced = true
	return b.Close()
}

// A PageText is the indexed text of a page. Article is what a reader is here for of it.
type PageText struct {
	Request                    orbweaver.Request
	Title, Text, Article, Lang string
}

// Unindexed returns the range of outcomes whose pages are not in the full-text index yet, and can be: after one number, up to
// another, the last that is materialized.
func (l *Ledger) Unindexed() (after, upTo int64) {
	return l.state.Indexed, max(l.state.Indexed, l.state.Materialized)
}

// Wordless returns the number of outcomes whose pages are not in the full-text index yet.
func (l *Ledger) Wordless() int64 { return l.state.N - l.state.Indexed }

// Outcomed returns the number of outcomes.
func (l *Ledger) Outcomed() int64 { return l.state.N }

// IndexPages puts pages into the full-text index. Pages whose outcomes are not materialized are skipped: call
// Materialize first.
func (l *Ledger) IndexPages(pages []PageText) error {
	l.stir(int64(len(pages)))
	r := l.quads.store.Over(l.db)
	return l.index(&l.texts.pagesWriter, l.texts.pages, func(w *search.Writer, _ kv.Batch) error {
		for _, p := range pages {
			id, known, err := r.Lookup(describe.Node(p.Request))
			if err == nil && known {
				err = w.Put(search.Document{ID: uint64(id), Texts: []search.Text{
					{Field: FieldTitle, Lang: p.Lang, Text: p.Title}, {Field: FieldText, Lang: p.Lang, Text: p.Text},
				}})
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Indexed declares that the pages of all outcomes up to a number are in the index; pages that a refresh found gone are
// removed from it.
func (l *Ledger) Indexed(upTo int64) error {
	if err := l.apply(false); err != nil {
		return err
	}
	var gone []orbweaver.Request
	for n := l.state.Indexed + 1; n <= upTo; n++ {
		if l.inlinks.gone[n] {
			continue
		}
		o, err := l.numbered(n)
		if err != nil {
			return err
		}
		if o.Page == nil {
			gone = append(gone, o.Request)
		}
	}
	r := l.quads.store.Over(l.db)
	if err := l.index(&l.texts.pagesWriter, l.texts.pages, func(w *search.Writer, _ kv.Batch) error {
		for _, request := range gone {
			id, known, err := r.Lookup(describe.Node(request))
			if err == nil && known {
				_, err = w.Delete(uint64(id))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	l.state.Indexed, l.group.begun = max(l.state.Indexed, upTo), true // who searches may have been faster than who indexes along
	return l.apply(false)
}

// Texts returns the indexes of names and of pages as they were last brought up to date. Any goroutine may use them;
// both must be closed before the ledger.
func (l *Ledger) Texts() (names, pages *search.Snapshot) {
	return l.texts.names.Snapshot(), l.texts.pages.Snapshot()
}
