package ledger

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"orbweaver"
	"orbweaver/internal/step"
)

// Nearly every link changes an opinion. One key for each change would be most of what a crawl writes. Therefore opinions stay
// in memory first, and each group appends its changes to a log as one entry. When the log is long, all opinions are written
// to their table in key order and the log is truncated. Opening the ledger replays the log.
const (
	maxOpinionLog = 1 << 18 // changes of opinions in the log
	manyOpinions  = 1 << 12 // of one batch: beyond, they go straight to the table
)

// appendOpinion writes an opinion: the score and the focus's Note.
func appendOpinion(b []byte, o step.Opinion) []byte {
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(o.Score))
	return append(b, o.Note...)
}

// setOpinion keeps the latest opinion of a request; "" removes it.
func (l *Ledger) setOpinion(id uint64, opinion string) {
	if opinion == "" && !l.hasOpinions {
		return
	}
	l.hasOpinions = true
	l.changed[id] = opinion
	l.opinions.put(id, opinion)
}

// writeOpinions writes the opinions that the group changed.
func (l *Ledger) writeOpinions(w *writer) {
	switch {
	case l.unload || len(l.opinions.fresh) >= maxOpinionLog:
		l.writeAllOpinions(w)
	case len(l.changed) > 0:
		l.order = sorted(l.order, l.changed)
		w.scratch = w.scratch[:0]
		for _, id := range l.order {
			w.scratch = appendString(binary.AppendUvarint(w.scratch, id), l.changed[id])
		}
		l.state.Thoughts++
		w.set(w.number(tableOpinionLog, l.state.Thoughts), w.scratch)
	}
	clear(l.changed)
}

// writeAllOpinions writes all opinions that are not in their table yet, and drops the log.
func (l *Ledger) writeAllOpinions(w *writer) {
	l.order = sorted(l.order, l.opinions.fresh)
	for _, id := range l.order {
		if opinion := l.opinions.fresh[id]; opinion == "" {
			w.delete(w.number(tableOpinion, id))
		} else {
			w.scratch = append(w.scratch[:0], opinion...)
			w.set(w.number(tableOpinion, id), w.scratch)
		}
	}
	if err := w.b.DeleteRange([]byte{tableOpinionLog}, []byte{tableOpinionLog + 1}, nil); err != nil && w.err == nil {
		w.err = err
	}
	l.unload = true
}

// writeManyOpinions writes opinions into their table, once all others are there.
func (l *Ledger) writeManyOpinions(w *writer, opinions []step.Opinion) {
	for _, o := range opinions {
		w.scratch = appendOpinion(w.scratch[:0], o)
		w.set(w.number(tableOpinion, o.ID), w.scratch)
	}
	l.hasOpinions = true
	l.opinions.forget()
}

// tidy writes everything committed to the tables that are scanned in order.
func (l *Ledger) tidy() error {
	if len(l.opinions.fresh) > 0 {
		l.unload, l.group.begun = true, true
	}
	return l.apply(false)
}

// sorted returns the keys of a map in order, in the memory of into.
func sorted(into []uint64, m map[uint64]string) []uint64 {
	into = slices.AppendSeq(into[:0], maps.Keys(m))
	slices.Sort(into)
	return into
}

// loadOpinions reads the log.
func (l *Ledger) loadOpinions() error {
	it, err := l.iterate(tableOpinion)
	if err != nil {
		return err
	}
	l.hasOpinions = it.Valid()
	if err := it.Close(); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return l.scan([]byte{tableOpinionLog}, func(_, value []byte) error {
		l.hasOpinions = true
		for d := decoding(value); len(d.s) > 0; {
			id, opinion := d.uint(), d.string()
			if d.err != nil {
				return fmt.Errorf("ledger: opinions: %w: %w", orbweaver.ErrDamaged, d.err)
			}
			l.opinions.put(id, opinion)
		}
		return nil
	})
}
