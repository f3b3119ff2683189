package ledger

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/internal/database/kv"
	"orbweaver/ledger/describe"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/search"
)

// RemovedURL stands in outcomes where the URL of a removed page was.
const RemovedURL = "about:removed"

// A Removal says what Remove removes. It must say the same when a removal that was interrupted is made again.
type Removal struct {
	// URL reports whether what the crawl has of a canonical URL is removed.
	URL func(url string) bool
	// Host reports whether a host, with its scheme and port, is removed whole: its account goes, too.
	Host func(host string) bool
	// Moved returns the new place of a record of the archive that was moved; nil: none was.
	Moved func(orbweaver.Ref) (orbweaver.Ref, bool)
	// Archive is the archive's mark after its records were removed; nil: it stays.
	Archive []byte
	// Each is called with each outcome that is removed, before that, or counted; it may be nil.
	Each func(orbweaver.Outcome)
	// Progress is called with what is done, of all, of a step: ledger, words, space or pages.jsonl; it may be nil.
	Progress func(step string, done, all int64)
}

// Removed counts what a removal removes.
type Removed struct {
	Requests  int64 `json:"requests"`  // that were made: pages, redirects and failures
	Pages     int64 `json:"pages"`     // of these
	Waiting   int64 `json:"waiting"`   // requests
	Verdicts  int64 `json:"verdicts"`  // of persons on these pages
	Mentioned int64 `json:"mentioned"` // other requests that told of these pages: where they were found, and by which words
	Hosts     int64 `json:"hosts"`     // accounts of hosts
}

// Remove removes what the ledger has of pages: their outcomes, of which a line without a URL stays so that all others keep their
// numbers; their statements and descriptions, links, words, verdicts and duplicates; requests that wait for such URLs; and, of other
// requests, what tells that and how a link on such a page led to them. What other pages say of a URL stays, and so does what the focus
// learned. The ledger must belong to no crawl that runs. It writes in slices: made again after a crash it does the rest. The space is
// freed, and pages.jsonl is written again, before it returns.
func (l *Ledger) Remove(ctx context.Context, r Removal) (Removed, error) {
	if err := l.apply(true); err != nil {
		return Removed{}, err
	}
	l.state.Figures, l.state.Failures, l.state.Statuses, l.state.Counted = nil, nil, nil, 0
	x := &removal{Removal: r, l: l, ctx: ctx}
	for _, do := range []func() error{x.outcomes, x.waiting, x.verdicts, x.refusals, x.hosts} {
		if err := do(); err != nil {
			if l.group.err == nil {
				l.group.err = fmt.Errorf("ledger: %w", err) // a part of a slice must not be written
			}
			return x.n, err
		}
	}
	if r.Archive != nil {
		l.state.Archive = r.Archive
	}
	l.group.begun, l.state.Rewrite = true, true
	last := []struct {
		step string
		do   func() error
	}{{"words", x.words}, {"space", x.space}, {"pages.jsonl", l.rewrite}}
	if err := l.Sync(); err != nil {
		return x.n, err
	}
	for i, s := range last {
		if x.Progress != nil {
			x.Progress(s.step, int64(i), int64(len(last)))
		}
		if err := s.do(); err != nil {
			return x.n, err
		}
	}
	return x.n, nil
}

// Removable counts what Remove would remove, and returns some of the URLs.
func (l *Ledger) Removable(ctx context.Context, r Removal, most int) (n Removed, examples []string, err error) {
	x := &removal{Removal: r, l: l, ctx: ctx, preview: true, most: most}
	for _, do := range []func() error{x.outcomes, x.waiting, x.verdicts, x.hosts} {
		if err := do(); err != nil {
			return n, nil, err
		}
	}
	return x.n, x.examples, nil
}

// A removal is a removal in progress.
type removal struct {
	Removal
	l        *Ledger
	ctx      context.Context
	n        Removed
	preview  bool // nothing changes
	most     int  // examples
	examples []string
	texts    []uint64 // documents of the index of pages that this slice removes
}

// example keeps a URL to be shown.
func (x *removal) example(url string) {
	if len(x.examples) < x.most && !slices.Contains(x.examples, url) {
		x.examples = append(x.examples, url)
	}
}

// slice commits what is gathered once it is much. The words of pages go first: their numbers are found by what is removed then.
func (x *removal) slice(much int) error {
	if x.l.group.b.Len() < much && len(x.texts) < 1000 {
		return nil
	}
	if len(x.texts) > 0 {
		err := x.l.index(&x.l.texts.pagesWriter, x.l.texts.pages, func(w *search.Writer, _ kv.Batch) error {
			for _, id := range x.texts {
				if _, err := w.Delete(id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		x.texts = x.texts[:0]
	}
	return x.l.apply(false)
}

// begin marks the group as begun. A crash within a removal leaves a pages.jsonl that must be written again.
func (x *removal) begin() *writer {
	x.l.group.begun, x.l.state.Rewrite = true, true
	return &x.l.group.writer
}

// outcomes removes outcomes, and what others tell of them.
func (x *removal) outcomes() error {
	it, err := x.l.db.NewIter(&pebble.IterOptions{LowerBound: []byte{tableOutcome}, UpperBound: []byte{tableOutcome + 1}})
	if err != nil {
		return err
	}
	for it.First(); it.Valid() && err == nil; it.Next() {
		d := decoding(it.Value())
		var o orbweaver.Outcome
		if o, err = done(&d, "outcome", d.outcome()); err == nil {
			err = x.ctx.Err()
		}
		if err == nil {
			err = x.outcome(o)
		}
		if x.Progress != nil && o.N%1024 == 0 {
			x.Progress("ledger", o.N, x.l.state.N)
		}
	}
	if err = errors.Join(err, it.Error(), it.Close()); err != nil || x.preview {
		return err
	}
	return x.slice(1)
}

// outcome removes an outcome, or what it tells of those that are removed.
func (x *removal) outcome(o orbweaver.Outcome) error {
	if orbweaver.FailureOf(o.Err) == orbweaver.ErrRemoved {
		return nil
	}
	if x.URL(o.Request.URL) {
		x.n.Requests++
		if o.Page != nil {
			x.n.Pages++
		}
		if x.Each != nil {
			x.Each(o)
		}
		if x.example(o.Request.URL); x.preview {
			return nil
		}
		if err := x.remove(o); err != nil {
			return err
		}
		return x.slice(maxGroup)
	}
	changed := x.forget(&o)
	if changed {
		x.n.Mentioned++
	}
	if x.Moved != nil {
		if ref, moved := x.Moved(o.Record); moved {
			o.Record, changed = ref, true
		}
	}
	if !changed || x.preview {
		return nil
	}
	if err := x.renew(o); err != nil {
		return err
	}
	return x.slice(maxGroup)
}

// remove removes an outcome and all that belongs to it.
func (x *removal) remove(o orbweaver.Outcome) error {
	l, w := x.l, x.begin()
	id, latest, err := l.latest(o)
	if err != nil {
		return err
	}
	if latest {
		node, known, err := l.quads.store.Over(l.db).Lookup(describe.Node(o.Request))
		if err != nil {
			return err
		}
		if known && l.state.Indexed > 0 {
			x.texts = append(x.texts, uint64(node))
		}
		if err := l.retract(w, id, o.Request); err != nil {
			return err
		}
		if err := l.unown(w, id); err != nil {
			return err
		}
	}
	if err := l.unlistRemoved(w, o); err != nil {
		return err
	}
	for row := range recallRows(o) {
		w.delete(row)
	}
	w.delete(sayingKey(o.N))
	l.inlinks.gone[o.N] = true
	w.set(w.number(tableGone, uint64(o.N)), nil)
	w.delete(w.number(tableOut, uint64(o.N)))
	gone := orbweaver.Outcome{N: o.N, At: o.At, Request: orbweaver.Request{URL: RemovedURL}, Err: orbweaver.ErrRemoved}
	w.scratch = appendOutcome(w.scratch[:0], &gone)
	w.set(w.number(tableOutcome, uint64(o.N)), w.scratch)
	return nil
}

// latest returns the number of an outcome's request, and whether the outcome is the latest of it.
func (l *Ledger) latest(o orbweaver.Outcome) (id uint64, latest bool, err error) {
	id, known := l.Seen(o.Request)
	if !known {
		return 0, false, nil
	}
	value, err := l.get(number(tableNumber, id))
	if errors.Is(err, pebble.ErrNotFound) {
		return id, false, nil
	}
	return id, err == nil && len(value) == 8 && int64(binary.BigEndian.Uint64(value)) == o.N, err
}

// unown removes the graph of a request's page. A large one is removed at once, with all that was gathered.
func (l *Ledger) unown(w *writer, id uint64) error {
	graph, err := l.graphOf(id)
	if graph == "" || err != nil {
		return err
	}
	s := pageQuads{gone: graph}
	n, err := l.triples(rdf.NewIRI(graph))
	if err != nil {
		return err
	}
	if n > int64(l.quads.many) {
		if s.stage, err = l.restaged(nil, graph, nil); err != nil {
			return err
		}
	}
	if err := l.putPage(w, id, s); err != nil || s.stage == nil {
		return err
	}
	l.group.begun = true
	return l.land(s.stage)
}

// unlistRemoved removes the rows of an outcome from the index behind Pages.
func (l *Ledger) unlistRemoved(w *writer, o orbweaver.Outcome) error {
	if o.N > l.state.Listed {
		return nil
	}
	r := o.Request
	key := binary.BigEndian.AppendUint64([]byte{tablePages, listedLatest}, l.identity(orbweaver.Request{URL: r.URL, Accept: r.Accept, Query: r.Query}))
	value, err := l.get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil
	}
	if err == nil && len(value) == 8 && int64(binary.BigEndian.Uint64(value)) == o.N {
		for row := range listedOf(o).rows() {
			w.delete(row)
		}
		w.delete(key)
	}
	return err
}

// renew writes an outcome anew, and its description.
func (x *removal) renew(o orbweaver.Outcome) error {
	l, w := x.l, x.begin()
	id, latest, err := l.latest(o)
	if err != nil {
		return err
	}
	w.scratch = appendOutcome(w.scratch[:0], &o)
	w.set(w.number(tableOutcome, uint64(o.N)), w.scratch)
	if o.N <= l.state.Listed {
		w.set(sayingKey(o.N), sayingOf(o))
	}
	if !latest || o.N > l.state.Materialized || l.inlinks.gone[o.N] {
		return nil
	}
	d, err := l.documentOf(o)
	if err == nil {
		d.Crawl, err = l.crawlOf(o)
	}
	if err == nil {
		err = l.retract(w, id, o.Request)
	}
	if err != nil {
		return err
	}
	return l.add(w, describe.Scope, slices.Collect(d.Quads())...)
}

// crawlOf returns the node of the crawl that an outcome's description names; zero: none.
func (l *Ledger) crawlOf(o orbweaver.Outcome) (rdf.Term, error) {
	r := l.quads.store.Over(l.db)
	node, known, err := r.Lookup(describe.Node(o.Request))
	if err != nil || !known {
		return rdf.Term{}, err
	}
	by, known, err := r.Lookup(rdf.NewIRI(describe.GeneratedBy))
	if err != nil || !known {
		return rdf.Term{}, err
	}
	for q, err := range matching(r, quads.Pattern{S: node, P: by, O: quads.Any, G: quads.Default}) {
		return q.O, err
	}
	return rdf.Term{}, nil
}

// forget removes what an outcome tells of removed pages, and reports whether it told something.
func (x *removal) forget(o *orbweaver.Outcome) (told bool) {
	if x.forgetWay(&o.Request) {
		told = true
		unquote(&o.Predicted)
	}
	if o.Duplicate.URL != "" && x.URL(o.Duplicate.URL) {
		o.Duplicate, told = orbweaver.Duplicate{}, true
	}
	for i, r := range o.Actual.Reasons {
		if strings.Contains(r.Evidence, "://") && x.URL(r.Evidence) {
			o.Actual.Reasons[i].Evidence, told = "", true
		}
	}
	return told
}

// forgetWay removes from a request that, and how, links of removed pages led to it, and reports whether they did.
func (x *removal) forgetWay(r *orbweaver.Request) (told bool) {
	if r.Parent != "" && x.URL(r.Parent) {
		r.Parent, told = RemovedURL, true
		if v := r.Via; v != nil {
			r.Via = &orbweaver.Link{To: v.To, Rel: v.Rel, Type: v.Type, Origin: v.Origin}
		}
	}
	for i, hop := range r.Redirects {
		if x.URL(hop) {
			r.Redirects[i], told = RemovedURL, true
		}
	}
	return told
}

// unquote removes what the reasons of a judgement quote.
func unquote(j *orbweaver.Judgement) {
	for i := range j.Reasons {
		j.Reasons[i].Evidence = ""
	}
}

// waiting removes requests that wait, and what others tell of removed pages.
func (x *removal) waiting() error {
	err := x.l.scan([]byte{tableWaiting}, func(key, value []byte) error {
		id, d := binary.BigEndian.Uint64(key[1:]), decoding(value)
		wait, err := done(&d, "waiting request", d.waiting(id))
		if err = cmp.Or(err, x.ctx.Err()); err != nil {
			return err
		}
		switch {
		case x.URL(wait.URL):
			x.n.Waiting++
			if x.example(wait.URL); !x.preview {
				x.l.done(x.begin(), id)
			}
		case x.forgetWay(&wait.Request):
			x.n.Mentioned++
			if unquote(&wait.Judgement); !x.preview {
				w := x.begin()
				w.scratch = appendWaiting(w.scratch[:0], wait)
				w.set(w.number(tableWaiting, id), w.scratch)
				x.l.records.put(id, string(w.scratch))
			}
		}
		if x.preview {
			return nil
		}
		return x.slice(maxGroup)
	})
	if err == nil {
		err = x.requisites()
	}
	if err != nil || x.preview {
		return err
	}
	return x.slice(1)
}

// requisites removes those that wait.
func (x *removal) requisites() error {
	return x.l.scan([]byte{tableNeed}, func(key, value []byte) error {
		r, err := requisiteOf(binary.BigEndian.Uint64(key[1:]), value)
		if err != nil || !x.URL(r.URL) || x.preview {
			return err
		}
		x.begin().delete(key)
		x.l.state.Progress.Requisites.Waiting--
		return x.slice(maxGroup)
	})
}

// verdicts removes the verdicts of persons on removed pages.
func (x *removal) verdicts() error {
	return x.l.scan([]byte{tableDecided}, func(key, value []byte) error {
		var d orbweaver.Decision
		if err := json.Unmarshal(value, &d); err != nil {
			return fmt.Errorf("decision: %w: %w", orbweaver.ErrDamaged, err)
		}
		if d.Page == "" || !x.URL(d.Page) {
			return nil
		}
		if x.n.Verdicts++; !x.preview {
			x.begin().delete(key)
		}
		return nil
	})
}

// refusals removes removed pages, and URLs that they named, from the samples of links that were not followed.
func (x *removal) refusals() error {
	for _, t := range x.l.traces {
		for at := range t.sample {
			r := &t.sample[at]
			from := r.Parent != "" && x.URL(r.Parent)
			if !from && !x.URL(r.URL) {
				continue
			}
			r.URL, r.Evidence = RemovedURL, ""
			if from {
				r.Parent = RemovedURL
			}
			t.drawn = append(t.drawn, at)
		}
		if x.URL(t.best.URL) || x.URL(t.best.Parent) {
			t.best.URL, t.best.Parent, t.bettered = RemovedURL, RemovedURL, true
		}
		if len(t.drawn) > 0 || t.bettered {
			x.begin().trace(t)
		}
	}
	return nil
}

// hosts removes the accounts of hosts that are removed whole.
func (x *removal) hosts() error {
	if x.Host == nil {
		return nil
	}
	return x.l.scan([]byte{tableHost}, func(key, _ []byte) error {
		if !x.Host(string(key[1:])) {
			return nil
		}
		if x.n.Hosts++; !x.preview {
			x.begin().delete(key)
		}
		return nil
	})
}

// words takes the words of what is removed out of the indexes.
func (x *removal) words() error {
	l := x.l
	named, err := holdsTexts(l.texts.names)
	if err != nil {
		return err
	}
	paged, err := holdsTexts(l.texts.pages)
	if err != nil {
		return err
	}
	for more := named; more; {
		var err error
		if more, err = l.IndexNames(10_000); err != nil {
			return err
		}
		if err := x.ctx.Err(); err != nil {
			return err
		}
	}
	if err := l.compact(x.ctx, named, &l.texts.namesWriter, l.texts.names); err != nil {
		return err
	}
	return l.compact(x.ctx, paged, &l.texts.pagesWriter, l.texts.pages)
}

// space frees what nothing refers to any more: terms, and older versions of records.
func (x *removal) space() error {
	if _, err := x.l.quads.writer.Sweep(x.ctx); err != nil {
		return err
	}
	if err := x.l.db.Err(); err != nil {
		return err
	}
	if err := x.l.db.Flush(); err != nil {
		return err
	}
	return x.l.db.Compact(x.ctx, []byte{0}, []byte{0xff}, true)
}

// holdsTexts reports whether an index has, or had, documents.
func holdsTexts(store *search.Store) (bool, error) {
	snapshot := store.Snapshot()
	stats, err := snapshot.Stats()
	return stats.Documents+stats.Dead > 0, errors.Join(err, snapshot.Close())
}

// compact removes deleted documents from a full-text index.
func (l *Ledger) compact(ctx context.Context, is bool, at **search.Writer, store *search.Store) (err error) {
	if !is {
		return nil
	}
	if *at == nil {
		if *at, err = store.Writer(); err != nil {
			return err
		}
	}
	return (*at).Compact(ctx)
}
