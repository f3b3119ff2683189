package worker

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"orbweaver/internal/cluster/bus"
)

// trimPause is between two looks at what the bus may drop, unless Options say another.
const trimPause = 5 * time.Second

// A reading is how far a worker has read the stream of parcels: of some partitions, all up to a sequence is taken, by this worker or an owner before.
type reading struct {
	UpTo       uint64 `json:"up_to"`
	Partitions []int  `json:"partitions"`
}

// A progress is how far one call of the bus's Receive has come.
type progress struct {
	held []int        // partitions
	at   uint64       // up to this sequence all was delivered
	left map[int]bool // partitions with parcels that must be read again
}

// reads begins a progress.
func (w *Worker) reads(held []int, after map[int]uint64) *progress {
	p := &progress{held: held, left: map[int]bool{}}
	for i, partition := range held {
		if at := after[partition]; i == 0 || at < p.at {
			p.at = at
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reading = p
	return p
}

// leaveFor notes that a parcel to a partition must be read again.
func (w *Worker) leaveFor(p *progress, partition int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p.left[partition] = true
}

// passed notes that all up to a sequence was delivered.
func (w *Worker) passed(p *progress, seq uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p.at = seq
}

// read is how far this worker has read, as far as what it took is on its disk.
func (w *Worker) read() (r reading) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.reading
	if p == nil {
		return r
	}
	r.UpTo = p.at
	for _, partition := range p.held {
		if !p.left[partition] && w.hold[partition].Load() == mine {
			r.Partitions = append(r.Partitions, partition)
		}
	}
	return r
}

// readTo is read as other workers are to know it: with a record, as of what is in that.
func (w *Worker) readTo([]byte) ([]byte, error) {
	r := w.read()
	if w.o.Record != nil {
		w.mu.Lock()
		r = w.recorded
		w.mu.Unlock()
	}
	return json.Marshal(r)
}

// trim has the bus drop, once in a while, the parcels that are taken. One worker does so for all. What is taken once is never read again, whoever owns its partition later: so it needs no more than
// that, of each partition, somebody has told how far it was read.
func (w *Worker) trim(ctx context.Context) error {
	pause := w.o.Trim
	if pause <= 0 {
		pause = trimPause
	}
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for trimmed := uint64(0); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if !w.asks() {
			continue
		}
		upTo, all := w.allRead(ctx)
		if !all || upTo <= trimmed {
			continue
		}
		if err := w.o.Bus.Trim(ctx, upTo); err == nil {
			trimmed = upTo
		} else if errors.Is(err, bus.ErrLost) { // it is made anew by those who send and receive
			trimmed = 0
		}
	}
}

// allRead returns up to which sequence no parcel of any partition is to be read any more; false while a partition has no owner that is there.
func (w *Worker) allRead(ctx context.Context) (upTo uint64, all bool) {
	var known []int
	for _, name := range w.live() {
		within, cancel := context.WithTimeout(ctx, askTime)
		body, err := w.o.Bus.Ask(within, name, "read", nil)
		cancel()
		var r reading
		if err == nil {
			err = json.Unmarshal(body, &r)
		}
		if err != nil || len(r.Partitions) == 0 { // it has nothing that the others lack
			continue
		}
		if len(known) == 0 || r.UpTo < upTo {
			upTo = r.UpTo
		}
		known = append(known, r.Partitions...)
	}
	slices.Sort(known)
	return upTo, len(slices.Compact(known)) == w.o.Partitions
}
