package ledger

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2"

	"orbweaver"
	"orbweaver/rdf"
)

// Commit writes a batch. The bytes of the outcome's record are in the archive already. The outcome's
// N is given here; it is the next one.
func (l *Ledger) Commit(batch orbweaver.Batch) error {
	w := writer{b: l.db.NewBatch(), scratch: l.scratch[:0], records: make(map[uint64]string, len(batch.Waiting))}
	defer func() { l.scratch = w.scratch }()
	next := l.state
	if o := batch.Outcome; o != nil {
		next.N++
		o.N = next.N
		if err := l.journal.write(LineOf(*o)); err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
		if o.Change != "" {
			if err := l.forgetLinks(&w, batch.Done); err != nil {
				return err
			}
		}
		w.outcome(batch.Done, o)
	}
	for _, id := range batch.Refused {
		w.delete(w.number(tableWaiting, id))
	}
	if err := w.accounts(batch.Accounts); err != nil {
		return err
	}
	if batch.Decision != nil {
		next.Decided++
		if err := w.decision(next.Decided, *batch.Decision); err != nil {
			return err
		}
	}
	if len(batch.Refusals) > 0 {
		l.refusals(&w, batch.Refusals)
	}
	next.Journal = l.journal.length
	for _, waiting := range batch.Waiting {
		// A request added by hand may have been refused before: it has a number and no record.
		w.waiting(waiting, waiting.ID >= l.offered || batch.Outcome == nil)
	}
	w.facts(next.N, batch.Facts)
	if batch.Model != nil {
		w.set([]byte{tableModel}, batch.Model)
		next.ModelN = next.N
	}
	if batch.Round != nil {
		w.round(batch.Round)
	}
	if batch.Archive != nil {
		next.Archive = batch.Archive
	}
	next.Progress = batch.Progress
	if err := l.finish(&w, next); err != nil {
		return err
	}
	l.recent.put(append(batch.Refused, batch.Done), w.records)
	return nil
}

// finish adds the state to a batch and commits it.
func (l *Ledger) finish(w *writer, next state) error {
	value, err := json.Marshal(next)
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	w.set([]byte{tableState}, value)
	if w.err != nil {
		return fmt.Errorf("ledger: %w", w.err)
	}
	if err := l.db.Apply(w.b, pebble.NoSync); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	l.state, l.offered = next, next.Next
	return w.b.Close()
}

// A writer fills one batch of the database. The first error stays.
type writer struct {
	b       *pebble.Batch
	scratch []byte
	key     [17]byte          // Set copies its key
	records map[uint64]string // of the requests that wait
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

// accounts writes what hosts were asked.
func (w *writer) accounts(accounts []orbweaver.Account) error {
	for _, a := range accounts {
		value, err := json.Marshal(a)
		if err != nil {
			return fmt.Errorf("ledger: %s: %w", a.Host, err)
		}
		w.set(append([]byte{tableHost}, a.Host...), value)
	}
	return nil
}

// outcome writes what became of a request; it waits no more.
func (w *writer) outcome(id uint64, o *orbweaver.Outcome) {
	w.delete(w.number(tableWaiting, id))
	w.set(w.number(tableNumber, id), binary.BigEndian.AppendUint64(nil, uint64(o.N)))
	w.scratch = appendOutcome(w.scratch[:0], o)
	w.set(w.number(tableOutcome, uint64(o.N)), w.scratch)
	if o.Page != nil {
		w.links(o.N, o.Page.Links)
	}
}

// links writes the web graph's edges, a target once a page.
func (w *writer) links(n int64, links []orbweaver.Link) {
	w.scratch = w.scratch[:0]
	once := make(map[uint64]struct{}, len(links))
	for _, link := range links {
		h := xxhash.Sum64String(link.To)
		if _, again := once[h]; again {
			continue
		}
		once[h] = struct{}{}
		w.scratch = appendString(w.scratch, link.To)
		key := binary.BigEndian.AppendUint64(w.number(tableIn, h), uint64(n))
		w.set(key, nil)
	}
	if len(w.scratch) > 0 {
		w.set(w.number(tableOut, uint64(n)), w.scratch)
	}
}

// forgetLinks takes the links of the outcome before out of the web graph: those of the new one take
// their place.
func (l *Ledger) forgetLinks(w *writer, id uint64) error {
	value, err := l.get(number(tableNumber, id))
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	n := binary.BigEndian.Uint64(value)
	for target := range l.targets(int64(n)) {
		w.delete(binary.BigEndian.AppendUint64(w.number(tableIn, xxhash.Sum64String(target)), n))
	}
	w.delete(w.number(tableOut, n))
	return nil
}

// waiting writes a request that waits, and, of a fresh one, that it is seen.
func (w *writer) waiting(waiting orbweaver.Waiting, fresh bool) {
	w.scratch = appendWaiting(w.scratch[:0], waiting)
	w.set(w.number(tableWaiting, waiting.ID), w.scratch)
	w.records[waiting.ID] = string(w.scratch)
	if fresh {
		w.set(w.number(tableSeen, identity(waiting.Request)), binary.BigEndian.AppendUint64(nil, waiting.ID))
	}
}

// round writes which requests a round is made of.
func (w *writer) round(ids []uint64) {
	w.scratch = w.scratch[:0]
	for _, id := range ids {
		w.scratch = binary.AppendUvarint(w.scratch, id)
	}
	w.set([]byte{tableRound}, w.scratch)
}

// facts writes what a focus learned from outcome n.
func (w *writer) facts(n int64, facts []rdf.Quad) {
	for i, q := range facts {
		w.scratch = w.scratch[:0]
		for _, t := range [...]rdf.Term{q.S, q.P, q.O, q.G} {
			w.scratch = appendTerm(w.scratch, t)
		}
		w.set(binary.BigEndian.AppendUint32(w.number(tableFacts, uint64(n)), uint32(i)), w.scratch)
	}
}

// number is a key for one Set, which copies it.
func (w *writer) number(table byte, n uint64) []byte {
	w.key[0] = table
	return binary.BigEndian.AppendUint64(w.key[:1], n)
}

// number is the key of a table under a number, ordered as the numbers are.
func number(table byte, n uint64) []byte {
	key := make([]byte, 1, 17)
	key[0] = table
	return binary.BigEndian.AppendUint64(key, n)
}
