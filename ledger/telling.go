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

// Untold is how many outcomes the quad store does not describe yet.
func (l *Ledger) Untold() int64 { return l.state.N - l.state.Told }

// Tell describes the next outcomes in the quad store, n of them at most, in a batch. A crawl pays for it
// only when somebody asks.
func (l *Ledger) Tell(crawl describe.Activity, n int64) error {
	if l.group.err != nil {
		return l.group.err
	}
	last := min(l.state.Told+n, l.state.N)
	l.settle()
	for q, err := range l.described(crawl, l.state.Told, last) {
		if err == nil {
			l.group.begun = true
			err = l.add(&l.group.writer, describe.Scope, q)
		}
		if err != nil {
			l.group.err = err
			return err
		}
	}
	l.group.begun, l.state.Told = true, last
	return l.apply(false)
}

// TellAll describes all outcomes that are not described yet, sorted on disk first: for a ledger that has
// nothing else to do. Progress, which may be nil, hears how many are left.
func (l *Ledger) TellAll(ctx context.Context, crawl describe.Activity, progress func(left int64)) error {
	n := l.state.N
	if _, err := l.loadQuads(ctx, func(yield func(rdf.Quad, error) bool) {
		for at := l.state.Told; at < n; at++ {
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
	l.group.begun, l.state.Told = true, n
	return l.apply(true)
}

// described are the outcomes after one number up to another, but for those in whose place is another.
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

// document is what is to be said of an outcome.
func (l *Ledger) document(n int64) (d describe.Document, err error) {
	if d.Outcome, err = l.numbered(n); err != nil {
		return d, err
	}
	d.Outcome.Actual.Reasons = heaviest(d.Outcome.Actual.Reasons, MaxReasons)
	d.Links = l.targets(n)
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

// untell takes what was told of the outcome before out of the store, for a request that was made anew.
func (l *Ledger) untell(w *writer, id uint64, r orbweaver.Request) error {
	value, err := l.get(number(tableNumber, id))
	if errors.Is(err, pebble.ErrNotFound) || err == nil && int64(binary.BigEndian.Uint64(value)) > l.state.Told {
		return nil
	}
	if err != nil {
		return err
	}
	u := &untelling{reader: l.said.store.Over(l.db), gone: map[quads.Quad]struct{}{}}
	if err := u.document(describe.Node(r)); err != nil {
		return err
	}
	for _, q := range u.order {
		if _, err := l.said.into(w.b).RemoveIDs(q); err != nil {
			return err
		}
	}
	return nil
}

// An untelling collects what was told of a document.
type untelling struct {
	reader quads.Reader
	gone   map[quads.Quad]struct{}
	order  []quads.Quad
}

// document collects all that is said of a document.
func (u *untelling) document(node rdf.Term) error {
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

// ids are the IDs of IRIs that the store knows.
func (u *untelling) ids(iris []string) (map[quads.ID]struct{}, error) {
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

// matching are the quads of a pattern; the first error stays.
func (u *untelling) matching(p quads.Pattern, err *error) (all []quads.Quad) {
	c := u.reader.Cursor()
	for c.Seek(p); c.Next(); {
		all = append(all, c.Quad())
	}
	*err = errors.Join(*err, c.Close())
	return all
}

// take has quads removed.
func (u *untelling) take(all ...quads.Quad) {
	for _, q := range all {
		if _, taken := u.gone[q]; !taken {
			u.gone[q] = struct{}{}
			u.order = append(u.order, q)
		}
	}
}

// Load adds many statements at once, as quads.Writer.Load does: whoever reads sees all of them or none,
// and so does who opens the ledger after a crash.
func (l *Ledger) Load(ctx context.Context, all iter.Seq2[rdf.Quad, error], scope string) (quads.Loaded, error) {
	if err := l.renameLater(); err != nil {
		return quads.Loaded{}, err
	}
	return l.loadQuads(ctx, all, scope)
}

// loadQuads is Load for what names nothing.
func (l *Ledger) loadQuads(ctx context.Context, all iter.Seq2[rdf.Quad, error], scope string) (quads.Loaded, error) {
	if err := l.apply(true); err != nil {
		return quads.Loaded{}, err
	}
	done, err := l.said.writer.Load(ctx, all, scope)
	if failed := l.db.Err(); failed != nil {
		l.group.err = failed
		return done, failed
	}
	return done, err
}

// Statements returns the quad store as of the last commit. It is to be closed before the ledger is; it may
// be read beside the crawl.
func (l *Ledger) Statements() *quads.Snapshot {
	l.settle()
	return l.said.store.Snapshot()
}
