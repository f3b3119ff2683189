package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/cluster/courier"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// Pauses of what goes on beside a crawl.
const (
	censusPause = 200 * time.Millisecond // between two questions whether all are done
	askTime     = 5 * time.Second        // for an answer of another worker
	overTime    = time.Second            // for that of one that is told that all are done
)

// An office is the ledger of a worker beside its crawl.
type office struct{ w *Worker }

// Posted implements courier.Office.
func (o office) Posted() ([]int, error) {
	if o.w.byRounds { // what there is goes in exchanges
		return nil, nil
	}
	o.w.mu.Lock()
	defer o.w.mu.Unlock()
	all := slices.Sorted(maps.Keys(o.w.posted))
	clear(o.w.posted)
	return all, nil
}

// Outbox implements courier.Office.
func (o office) Outbox(partition int, from uint64) iter.Seq2[ledger.Message, error] {
	return o.w.book.Outbox(partition, from)
}

// Delivered implements courier.Office.
func (o office) Delivered(partition int, after, upTo uint64) error {
	return o.w.book.Delivered(partition, after, upTo)
}

// Flush flushes the ledger: what the crawl has for others can be sent from then on, and who sent what it took be told.
func (w *Worker) Flush() error {
	if err := w.flush(); err != nil {
		return err
	}
	return w.postNow(false)
}

// postNow takes note of what was flushed. always: also if that is nothing.
func (w *Worker) postNow(always bool) error {
	posted, err := w.book.Posted()
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range posted {
		w.posted[p] = struct{}{}
	}
	for d := range w.owed {
		if w.o.Record != nil {
			w.kept[d] = struct{}{}
			continue
		}
		w.owe(d)
	}
	if always || len(posted)+len(w.owed) > 0 {
		w.nudge()
	}
	clear(w.owed)
	return nil
}

// owe notes that a sender is to be told of a delivery.
func (w *Worker) owe(d step.Delivery) {
	if w.owing[d.From] == nil {
		w.owing[d.From] = map[int]uint64{}
	}
	w.owing[d.From][d.Partition] = max(w.owing[d.From][d.Partition], d.Last)
}

// serve sends, answers and asks whenever there is something to do.
func (w *Worker) serve(ctx context.Context) error {
	var last outcome
	for {
		w.sending.Lock()
		err := w.sender.Post(time.Now())
		next, waits := w.sender.Next()
		w.sending.Unlock()
		w.mu.Lock()
		idle := w.state.Idle
		w.mu.Unlock()
		if err == nil {
			err = w.tell(ctx)
		}
		if err == nil && w.first && !w.told && w.seeded.Load() {
			if _, err = w.o.Bus.First(ctx, "seeded"); err == nil {
				w.told = true
			}
		}
		asks := idle && w.asks()
		if err == nil && asks && !w.over.Load() {
			last, err = w.census(ctx, last)
		}
		if err != nil {
			return err
		}
		pause := time.Hour
		if waits {
			pause = time.Until(next)
		}
		if idle { // whoever asks may leave
			pause = min(pause, censusPause)
		}
		timer := time.NewTimer(max(pause, time.Millisecond))
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-timer.C:
		case <-w.wake:
			timer.Stop()
		}
	}
}

// send is the sender's way to others.
func (w *Worker) send(b courier.Bundle) error {
	_, err := w.o.Bus.Send(w.ctx, b.Partition, fmt.Sprintf("%s/%d/%d/%d/%d", w.o.Worker, b.Partition, b.First, b.Last, b.Again), ledger.Bundle(b.Bodies))
	if errors.Is(err, bus.ErrLost) { // the ledger has what is not taken
		err = w.o.Bus.Ensure(w.ctx)
	}
	return err
}

// deliveryOf reads the id of a parcel.
func deliveryOf(p bus.Parcel) (d step.Delivery, err error) {
	d.Partition = p.Partition
	name, numbers, _ := strings.Cut(p.ID, "/")
	if _, err = fmt.Sscanf(numbers, "%d/%d/%d", &d.Partition, &d.First, &d.Last); err != nil || d.Partition != p.Partition {
		return d, fmt.Errorf("parcel %d to partition %d: the id %q is none of a worker", p.Seq, p.Partition, p.ID)
	}
	d.From = name
	return d, nil
}

// receive takes what others send.
func (w *Worker) receive(ctx context.Context) error {
	after := map[int]uint64{}
	for ctx.Err() == nil {
		within, regroup := context.WithCancel(ctx)
		w.mu.Lock()
		w.regroup = regroup
		w.mu.Unlock()
		held := w.held()
		for p := range after {
			if !slices.Contains(held, p) {
				delete(after, p)
			}
		}
		reading := w.reads(held, after)
		err := w.o.Bus.Receive(within, held, after, func(p bus.Parcel) error {
			seen, err := w.take(ctx, p)
			if !seen {
				w.leaveFor(reading, p.Partition)
			}
			return err
		}, func(seq uint64) { w.passed(reading, seq) })
		for _, p := range held {
			if !reading.left[p] {
				after[p] = max(after[p], reading.at)
			}
		}
		again := within.Err() != nil
		regroup()
		switch {
		case again:
		case errors.Is(err, bus.ErrLost): // what is not taken is sent again
			clear(after)
			if err := w.o.Bus.Ensure(ctx); err != nil {
				return err
			}
		default:
			return err
		}
	}
	return ctx.Err()
}

// take takes a parcel; one that was taken before is answered again. seen is false if it must be read again: the partition has an estate, that
// comes first.
func (w *Worker) take(ctx context.Context, p bus.Parcel) (seen bool, err error) {
	d, err := deliveryOf(p)
	if err != nil {
		return false, err
	}
	w.mu.Lock()
	left := w.estates[d.Partition]
	w.mu.Unlock()
	has := w.hold[d.Partition].Load()
	if has == moving || has == inheriting && d.From != left.From { // what is given away is for the next owner, also what this one sends itself
		return false, nil
	}
	messages, err := ledger.Bundled(p.Body)
	if err != nil {
		return false, err
	}
	var failed error
	if err := w.crawl.Call(ctx, func() { seen, failed = w.takeNow(d, messages, left) }); err != nil {
		<-ctx.Done() // the crawl is over: what comes stays with its sender
		return false, ctx.Err()
	}
	return seen && has == mine, failed // what was left out before is read when all was inherited
}

// takeNow is take, on the goroutine that decides.
func (w *Worker) takeNow(d step.Delivery, messages [][]step.Parcel, left bus.Estate) (seen bool, err error) {
	if has := w.hold[d.Partition].Load(); has == none || has == moving {
		return false, nil
	}
	last, err := w.book.Taken(d.From, d.Partition)
	if err != nil {
		return false, err
	}
	estate := d.From == w.o.Worker || d.From == left.From
	if estate {
		w.accepting = d.Partition
	}
	if d.From == left.From && last < left.After { // what comes before is in what was left, and may not come any more
		last = left.After
		if err := w.crawl.Inherit([]step.Parcel{{Taken: &step.Delivery{From: d.From, Partition: d.Partition, Last: last}}}); err != nil {
			return false, err
		}
	}
	d, parcels := d.After(last, messages)
	taken, err := w.crawl.Receive(d, parcels, estate)
	w.accepting = -1
	if err != nil {
		return false, err
	}
	if d.Last, err = w.book.Taken(d.From, d.Partition); err != nil {
		return false, err
	}
	w.mu.Lock()
	w.owed[d] = struct{}{}
	if taken && w.state.Idle {
		w.state.Idle = false
		w.state.Change++
	}
	w.mu.Unlock()
	err = w.Flush()
	if d.From == left.From && d.Last >= left.UpTo && w.hold[d.Partition].CompareAndSwap(inheriting, mine) {
		err = errors.Join(err, w.wakeUp([]int{d.Partition}))
		w.changed()
	}
	return true, err
}

// tell tells senders what was taken.
func (w *Worker) tell(ctx context.Context) error {
	w.mu.Lock()
	owing := w.owing
	w.owing = map[string]map[int]uint64{}
	w.mu.Unlock()
	for from, taken := range owing {
		body, err := json.Marshal(taken)
		if err != nil {
			return err
		}
		within, cancel := context.WithTimeout(ctx, askTime)
		_, err = w.o.Bus.Ask(within, from, "taken", body)
		cancel()
		if err != nil { // it is told again, with what comes next or when it has sent again
			w.mu.Lock()
			for partition, last := range taken {
				w.owe(step.Delivery{From: from, Partition: partition, Last: last})
			}
			w.mu.Unlock()
		}
	}
	return nil
}
