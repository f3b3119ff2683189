package ledger

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"orbweaver"
	"orbweaver/internal/database/kv"
	"orbweaver/internal/step"
)

// Commit accepts a batch. Its content is visible from now on, and is written with its group, at the latest by Flush.
// The archive already holds the outcome's record. Commit sets the outcome's N to the next number.
func (l *Ledger) Commit(batch step.Batch) error {
	g := &l.group
	if err := cmp.Or(g.err, l.seen.err()); err != nil {
		return err
	}
	many := len(batch.Opinions) > manyOpinions
	var err error
	switch o := batch.Outcome; {
	case many:
		err = l.tidy()
	case o != nil && o.Change != "": // the previous outcome must be readable
		err = l.apply(false)
	}
	if err != nil {
		return err
	}
	page, err := l.collect(batch)
	if err != nil {
		g.err = fmt.Errorf("ledger: %w", err)
		return g.err
	}
	g.begun = true
	if err := l.fill(&g.writer, batch, page); err != nil {
		g.err = fmt.Errorf("ledger: %w", err) // half a batch is none
		return g.err
	}
	if l.committed.Store(l.state.N); page.stage != nil {
		return l.land(page.stage)
	}
	if g.batches++; many || g.batches >= maxBatches || g.b.Len()+l.parcels.size > maxGroup {
		return l.apply(false)
	}
	return nil
}

// fillOutcome puts a batch's outcome into its group.
func (l *Ledger) fillOutcome(w *writer, batch step.Batch, page pageQuads) error {
	s, o := &l.state, batch.Outcome
	s.N++
	o.N = s.N
	if o.Snippet == "" { // an unchanged page has its snippet already
		o.Snippet = snippetOf(o)
	}
	if err := l.journal.write(LineOf(*o)); err != nil {
		return err
	}
	if o.Change != "" {
		if err := l.retract(w, batch.Done, o.Request); err != nil {
			return err
		}
		if err := l.forgetLinks(w, batch.Done); err != nil {
			return err
		}
	}
	l.outcome(w, batch.Done, o, batch.Links)
	if s.Counted == o.N-1 {
		l.fail(*o)
	}
	return l.putPage(w, batch.Done, page)
}

// fill puts a batch into its group.
func (l *Ledger) fill(w *writer, batch step.Batch, page pageQuads) error {
	s := &l.state
	s.Figures = nil
	if batch.Outcome != nil {
		if err := l.fillOutcome(w, batch, page); err != nil {
			return err
		}
	}
	for _, id := range batch.Refused {
		l.done(w, id)
	}
	for _, r := range batch.Elsewhere {
		w.set(w.number(tableSeen, l.identity(r.Request)), binary.BigEndian.AppendUint64(w.scratch[:0], r.ID))
		if batch.Done != r.ID {
			w.scratch = w.scratch[:0]
			for _, s := range [...]string{r.URL, r.Accept, r.Query, r.State} {
				w.scratch = appendString(w.scratch, s)
			}
			w.set(w.number(tableElsewhere, r.ID), w.scratch)
		}
	}
	for _, a := range batch.Accounts {
		l.hosts[a.Host] = a
	}
	if batch.Decision != nil {
		s.Decided++
		if err := w.decision(s.Decided, *batch.Decision); err != nil {
			return err
		}
	}
	if batch.Outage != nil {
		if err := w.outage(*batch.Outage); err != nil {
			return err
		}
	}
	if len(batch.Refusals) > 0 {
		l.refusals(w, batch.Refusals)
	}
	if err := l.exchange(w, batch); err != nil {
		return err
	}
	if err := l.add(w, factScope, batch.Facts...); err != nil {
		return err
	}
	if err := l.require(w, batch); err != nil {
		return err
	}
	l.queue(w, batch)
	if batch.Model != nil {
		l.setModel(w, batch.Model)
	}
	if r := batch.Ended; r != nil {
		w.scratch = append(binary.AppendUvarint(w.scratch[:0], uint64(s.N)), r.Note...)
		w.set(w.number(tableModel, uint64(r.N)), w.scratch)
	}
	if batch.Chances != nil {
		l.chances = batch.Chances
	}
	if batch.Round != nil {
		w.round(batch.Round, batch.Drawn)
	}
	if batch.Archive != nil {
		s.Archive = batch.Archive
	}
	s.Progress = batch.Progress
	l.offered = s.Next
	return w.err
}

// outcome writes the outcome of a request, which waits no more; links are those of one without a page.
func (l *Ledger) outcome(w *writer, id uint64, o *orbweaver.Outcome, links []orbweaver.Link) {
	l.done(w, id)
	l.group.outcomes[id] = o.N
	w.set(w.number(tableNumber, id), binary.BigEndian.AppendUint64(w.scratch[:0], uint64(o.N)))
	w.scratch = appendOutcome(w.scratch[:0], o)
	w.set(w.number(tableOutcome, uint64(o.N)), w.scratch)
	if o.Page != nil {
		links = o.Page.Links
	}
	if len(links) > 0 {
		l.links(w, o.N, links)
	}
	l.addDuplicate(o)
}

// done removes a request from those that wait.
func (l *Ledger) done(w *writer, id uint64) {
	w.delete(w.number(tableWaiting, id))
	if l.keyed.Load() && !l.keyless.has(id) {
		w.delete(w.number(tableKeys, id))
	}
	l.records.put(id, "")
	l.setOpinion(id, "")
}

// links writes a page's edges of the web graph, each target once.
func (l *Ledger) links(w *writer, n int64, links []orbweaver.Link) {
	w.scratch = w.scratch[:0]
	clear(l.once)
	last := ""
	for i := range links {
		to := links[i].To
		h := xxhash.Sum64String(to)
		if _, again := l.once[h]; again {
			continue
		}
		l.once[h] = struct{}{}
		w.scratch = appendAfter(w.scratch, last, to)
		last = to
		l.inlinks.tail = append(l.inlinks.tail, edge{h, n})
	}
	if len(w.scratch) > 0 {
		w.set(w.number(tableOut, uint64(n)), w.scratch)
	}
}

// forgetLinks removes the links of the previous outcome from the web graph, before those of a refresh replace them.
func (l *Ledger) forgetLinks(w *writer, id uint64) error {
	value, err := l.get(number(tableNumber, id))
	if err != nil {
		return err
	}
	n := binary.BigEndian.Uint64(value)
	l.inlinks.gone[int64(n)] = true
	w.set(w.number(tableGone, n), nil)
	w.delete(w.number(tableOut, n))
	return nil
}

// wait writes a waiting request and, if it is fresh, marks it as seen. Its previous opinion is void. The Note is part
// of the opinion, which is read at each further link to the request.
func (l *Ledger) wait(w *writer, waiting step.Waiting, fresh bool) {
	opinion := step.Opinion{ID: waiting.ID, Score: waiting.Score, Note: waiting.Note}
	waiting.Note = nil
	w.scratch = appendWaiting(w.scratch[:0], waiting)
	w.set(w.number(tableWaiting, waiting.ID), w.scratch)
	l.records.put(waiting.ID, string(w.scratch))
	if fresh {
		w.set(w.number(tableSeen, l.identity(waiting.Request)), binary.BigEndian.AppendUint64(w.scratch[:0], waiting.ID))
	}
	switch {
	case len(waiting.Keys) == 0 && waiting.ID >= l.offered:
		l.keyless.add(waiting.ID)
	case len(waiting.Keys) > 0 && fresh:
		l.keyless.remove(waiting.ID)
		w.scratch = appendStrings(w.scratch[:0], waiting.Keys)
		l.keys.put(waiting.ID, string(w.scratch))
		l.keyed.Store(true)
		w.set(w.number(tableKeys, waiting.ID), w.scratch)
	}
	switch {
	case len(opinion.Note) > 0:
		w.scratch = appendOpinion(w.scratch[:0], opinion)
		l.setOpinion(waiting.ID, string(w.scratch))
	case !fresh:
		l.setOpinion(waiting.ID, "")
	}
}

// queue writes the waiting requests and the opinions of a batch, and what is kept of visits.
func (l *Ledger) queue(w *writer, batch step.Batch) {
	for _, v := range batch.Visits {
		w.visit(v)
	}
	for _, waiting := range batch.Waiting {
		// A request added by hand may have been refused before: it has a number and no record.
		l.wait(w, waiting, waiting.ID >= l.offered || batch.Outcome == nil && batch.Received == nil)
	}
	if len(batch.Opinions) > manyOpinions {
		l.writeManyOpinions(w, batch.Opinions)
		return
	}
	for _, o := range batch.Opinions {
		w.scratch = appendOpinion(w.scratch[:0], o)
		l.setOpinion(o.ID, string(w.scratch))
	}
}

// accounts writes the accounts of the group's hosts.
func (l *Ledger) accounts(w *writer) {
	for host, a := range l.hosts {
		value, err := json.Marshal(a)
		if err != nil && w.err == nil {
			w.err = fmt.Errorf("%s: %w", host, err)
		}
		w.scratch = append(append(w.scratch[:0], tableHost), host...)
		w.set(w.scratch, value)
	}
	clear(l.hosts)
}

// A writer fills one batch of the database, which copies keys and values. It keeps the first error.
type writer struct {
	b       kv.Batch
	scratch []byte
	key     [17]byte
	err     error
}

func (w *writer) set(key, value []byte) {
	if err := w.b.Set(key, value, nil); err != nil && w.err == nil {
		w.err = err
	}
}

func (w *writer) delete(key []byte) {
	if err := w.b.Delete(key, nil); err != nil && w.err == nil {
		w.err = err
	}
}

// round writes the requests of a round. If some were drawn at random, a zero and these follow.
func (w *writer) round(ids, drawn []uint64) {
	w.scratch = w.scratch[:0]
	if len(drawn) > 0 {
		ids = slices.Concat(ids, []uint64{0}, drawn)
	}
	for _, id := range ids {
		w.scratch = binary.AppendUvarint(w.scratch, id)
	}
	w.set([]byte{tableRound}, w.scratch)
}

// number returns a key for one Set, which copies it.
func (w *writer) number(table byte, n uint64) []byte {
	w.key[0] = table
	return binary.BigEndian.AppendUint64(w.key[:1], n)
}

// number returns the key of a number in a table; keys sort as their numbers do.
func number(table byte, n uint64) []byte {
	key := make([]byte, 1, 17)
	key[0] = table
	return binary.BigEndian.AppendUint64(key, n)
}
