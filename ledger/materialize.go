package ledger

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/ledger/describe"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// Pending returns how many outcomes are not materialized in the quad store yet.
func (l *Ledger) Pending() int64 { return l.state.N - l.state.Materialized }

// Materialize describes the next n outcomes at most in the quad store, in one batch. A crawl pays for this only when
// somebody queries it.
func (l *Ledger) Materialize(crawl describe.Activity, n int64) error {
	if l.group.err != nil {
		return l.group.err
	}
	last := min(l.state.Materialized+n, l.state.N)
	l.settle()
	for q, err := range l.described(crawl, l.state.Materialized, last) {
		if err == nil {
			l.group.begun = true
			err = l.add(&l.group.writer, describe.Scope, q)
		}
		if err != nil {
			l.group.err = err
			return err
		}
	}
	l.group.begun, l.state.Materialized = true, last
	return l.apply(false)
}

// MaterializeAll describes all pending outcomes, sorted on disk first: for a ledger whose crawl does not run.
// progress, which may be nil, receives how many are left.
func (l *Ledger) MaterializeAll(ctx context.Context, crawl describe.Activity, progress func(left int64)) error {
	return l.MaterializeSorted(ctx, crawl, l.Pending(), progress)
}

// MaterializeSorted is MaterializeAll for the next most outcomes at most.
func (l *Ledger) MaterializeSorted(ctx context.Context, crawl describe.Activity, most int64, progress func(left int64)) error {
	n := min(l.state.Materialized+most, l.state.N)
	l.stir(n - l.state.Materialized)
	if _, err := l.loadQuads(ctx, func(yield func(rdf.Quad, error) bool) {
		for at := l.state.Materialized; at < n; at++ {
			if progress != nil {
				progress(n - at)
			}
			for q, err := range l.described(crawl, at, at+1) {
				if !yield(q, err) {
					return
				}
			}
		}
	}, describe.Scope); err != nil {
		return err
	}
	l.group.begun, l.state.Materialized = true, n
	return l.apply(true)
}

// described ranges over the descriptions of the outcomes after one number up to another, except superseded ones.
func (l *Ledger) described(crawl describe.Activity, after, upTo int64) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		if after == 0 {
			for _, q := range crawl.Quads() {
				if !yield(q, nil) {
					return
				}
			}
		}
		for n := after + 1; n <= upTo; n++ {
			if l.inlinks.gone[n] {
				continue
			}
			d, err := l.document(n)
			if err != nil {
				yield(rdf.Quad{}, err)
				return
			}
			d.Crawl = crawl.Node
			for q := range d.Quads() {
				if !yield(q, nil) {
					return
				}
			}
		}
	}
}

// document returns the description of an outcome.
func (l *Ledger) document(n int64) (describe.Document, error) {
	o, err := l.numbered(n)
	if err != nil {
		return describe.Document{}, err
	}
	return l.documentOf(o)
}

// documentOf returns the description of an outcome as given.
func (l *Ledger) documentOf(o orbweaver.Outcome) (describe.Document, error) {
	d := describe.Document{Outcome: o}
	if d.Outcome.Request.Parent == RemovedURL {
		d.Outcome.Request.Parent = ""
	}
	d.Outcome.Actual.Reasons = heaviest(d.Outcome.Actual.Reasons, MaxReasons)
	d.Links = l.targets(o.N)
	id, known := l.Seen(d.Outcome.Request)
	if !known {
		return d, nil
	}
	graph, err := l.graphOf(id)
	if err != nil || graph == "" {
		return d, err
	}
	d.Graph = rdf.NewIRI(graph)
	d.Triples, err = l.triples(d.Graph)
	return d, err
}

// retract removes the description of a request's previous outcome from the store, before a refresh.
func (l *Ledger) retract(w *writer, id uint64, r orbweaver.Request) error {
	value, err := l.get(number(tableNumber, id))
	if errors.Is(err, pebble.ErrNotFound) || err == nil && int64(binary.BigEndian.Uint64(value)) > l.state.Materialized {
		return nil
	}
	if err != nil {
		return err
	}
	u := &retraction{reader: l.quads.store.Over(l.db), gone: map[quads.Quad]struct{}{}}
	if err := u.document(describe.Node(r)); err != nil {
		return err
	}
	for _, q := range u.order {
		if _, err := l.quads.into(w.b).RemoveIDs(q); err != nil {
			return err
		}
	}
	return nil
}

// A retraction collects the quads that describe a document.
type retraction struct {
	reader quads.Reader
	gone   map[quads.Quad]struct{}
	order  []quads.Quad
}

// document collects all quads that describe a document.
func (u *retraction) document(node rdf.Term) error {
	s, known, err := u.reader.Lookup(node)
	if err != nil || !known {
		return err
	}
	inlink, _, err := u.reader.Lookup(rdf.NewIRI(describe.HasInlink))
	if err != nil {
		return err
	}
	triples, _, err := u.reader.Lookup(rdf.NewIRI(describe.Triples))
	if err != nil {
		return err
	}
	classes, err := u.ids(describe.Classes())
	if err != nil {
		return err
	}
	for _, predicate := range describe.OfDocuments() {
		p, known, err := u.reader.Lookup(rdf.NewIRI(predicate))
		if err != nil {
			return err
		}
		if !known {
			continue
		}
		for _, q := range u.matching(quads.Pattern{S: s, P: p, O: quads.Any}, &err) {
			switch predicate {
			case describe.Type:
				if _, ours := classes[q.O]; !ours {
					continue
				}
			case describe.Reason:
				u.take(u.matching(quads.Pattern{S: q.O, P: quads.Any, O: quads.Any}, &err)...)
			case describe.Graph:
				u.take(u.matching(quads.Pattern{S: q.O, P: triples, O: quads.Any}, &err)...)
			case describe.HasOutlink:
				u.take(quads.Quad{S: q.O, P: inlink, O: s})
			}
			u.take(q)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ids returns the IDs of the IRIs that the store has.
func (u *retraction) ids(iris []string) (map[quads.ID]struct{}, error) {
	all := map[quads.ID]struct{}{}
	for _, iri := range iris {
		id, known, err := u.reader.Lookup(rdf.NewIRI(iri))
		if err != nil {
			return nil, err
		}
		if known {
			all[id] = struct{}{}
		}
	}
	return all, nil
}

// matching returns the quads of a pattern; the first error stays.
func (u *retraction) matching(p quads.Pattern, err *error) (all []quads.Quad) {
	c := u.reader.Cursor()
	for c.Seek(p); c.Next(); {
		all = append(all, c.Quad())
	}
	*err = errors.Join(*err, c.Close())
	return all
}

// take adds quads to those to be removed.
func (u *retraction) take(all ...quads.Quad) {
	for _, q := range all {
		if _, taken := u.gone[q]; !taken {
			u.gone[q] = struct{}{}
			u.order = append(u.order, q)
		}
	}
}

// Load adds many statements at once, as quads.Writer.Load does: readers, and a process that opens the ledger after a
// crash, see all of them or none.
func (l *Ledger) Load(ctx context.Context, all iter.Seq2[rdf.Quad, error], scope string) (quads.Loaded, error) {
	if err := l.renameLater(); err != nil {
		return quads.Loaded{}, err
	}
	return l.loadQuads(ctx, all, scope)
}

// loadQuads is Load for statements that name no subject.
func (l *Ledger) loadQuads(ctx context.Context, all iter.Seq2[rdf.Quad, error], scope string) (quads.Loaded, error) {
	if err := l.apply(true); err != nil {
		return quads.Loaded{}, err
	}
	done, err := l.quads.writer.Load(ctx, all, scope)
	if failed := l.db.Err(); failed != nil {
		l.group.err = failed
		return done, failed
	}
	return done, err
}

// Statements returns the quad store as of the last commit. It may be read beside the crawl and must be closed before
// the ledger.
func (l *Ledger) Statements() *quads.Snapshot {
	l.settle()
	return l.quads.store.Snapshot()
}
