package simulation

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"orbweaver/internal/cluster/courier"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// name names a worker.
func (w *worker) name() string { return fmt.Sprint("worker-", w.number) }

// flush writes what the worker committed, and then sends what others are to have of it, and tells them what it has taken.
func (w *worker) flush() error {
	if err := w.book.Flush(); err != nil {
		return err
	}
	for _, from := range slices.Sorted(maps.Keys(w.owed)) {
		w.tell(w.crew.workers[from/partitions], w.owed[from])
	}
	clear(w.owed)
	return w.post()
}

// post sends what is new or overdue, and sees to it that it is called again when something is.
func (w *worker) post() error {
	now := w.clock.Now()
	if err := w.sender.Post(now); err != nil {
		return err
	}
	if at, waits := w.sender.Next(); waits && (w.alarm.IsZero() || at.Before(w.alarm)) {
		w.alarm = at
		w.clock.At(at, func() error {
			if w.alarm.Equal(at) {
				w.alarm = time.Time{}
			}
			return w.post()
		})
	}
	return nil
}

// send puts a bundle on its way to the owner of its partition.
func (w *worker) send(b courier.Bundle) error {
	c := w.crew
	to := c.owner(b.Partition)
	if to.over { // its limits are reached: what waits for it stays in this worker's ledger
		w.clock.At(w.clock.Now(), func() error { w.sender.Forget(b.Partition); return nil })
		return nil
	}
	c.result.messages++
	copies := 1
	if to.killed {
		return nil
	}
	switch x := c.dice.Float64(); {
	case x < c.simulation.Courier.Loss:
		copies = 0
	case x > 1-c.simulation.Courier.Repeats:
		copies = 2
	}
	d := step.Delivery{From: w.name(), Partition: b.Partition, First: b.First, Last: b.Last}
	for range copies {
		to.clock.At(c.arrival(w), func() error { return to.receive(w, d, b.Bodies) })
	}
	return nil
}

// arrival is when a message arrives that a worker sends now.
func (c *crew) arrival(from *worker) time.Time {
	return from.clock.Now().Add(time.Duration((0.5 + c.dice.Float64()) * float64(c.simulation.Courier.Latency)))
}

// partitions is more than any number of a partition.
const partitions = 1 << 16

// receive takes a bundle. Its sender is told with the next flush, after a while at the latest; also if the bundle is an old one, since it did not hear
// of that.
func (w *worker) receive(from *worker, d step.Delivery, bodies [][]byte) error {
	messages, err := ledger.Bundled(ledger.Bundle(bodies))
	if err != nil {
		return err
	}
	last, err := w.book.Taken(d.From, d.Partition)
	if err != nil {
		return err
	}
	d, parcels := d.After(last, messages)
	taken, err := w.crawl.Receive(d, parcels, false)
	if err != nil {
		return err
	}
	if taken {
		w.crew.result.parcels += int64(len(parcels))
	} else {
		w.crew.result.again++
		if d.Last, err = w.book.Taken(d.From, d.Partition); err != nil {
			return err
		}
	}
	w.owed[from.number*partitions+d.Partition] = d
	if !w.answers {
		w.answers = true
		w.clock.At(w.clock.Now().Add(linger/4), func() error {
			w.answers = false
			return w.flush()
		})
	}
	return nil
}

// tell tells a sender what was taken.
func (w *worker) tell(sender *worker, d step.Delivery) {
	if w.crew.dice.Float64() < w.crew.simulation.Courier.Loss {
		return
	}
	sender.clock.At(w.crew.arrival(w), func() error { return sender.sender.Taken(d.Partition, d.Last, sender.clock.Now()) })
}
