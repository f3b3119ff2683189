package worker

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"orbweaver/internal/atomicfile"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// heldFile names the partitions that a worker has, in its folder: the servers may lose what they know of it, and do not know which partitions of workers that are gone it has taken in.
const heldFile = "partitions.json"

// A holding is a heldFile.
type holding struct {
	Partitions []int              `json:"partitions"`
	Estates    map[int]bus.Estate `json:"estates,omitempty"` // what was left of some, which may not be taken in
}

// keepHeld writes which partitions this worker has.
func (w *Worker) keepHeld() error {
	h := holding{slices.DeleteFunc(w.held(), func(p int) bool { return slices.Contains(w.orphans, p) }), map[int]bus.Estate{}}
	w.mu.Lock()
	for _, p := range h.Partitions {
		if left := w.estates[p]; left.From != "" {
			h.Estates[p] = left
		}
	}
	w.mu.Unlock()
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(w.o.Folder, heldFile), text, 0o666)
}

// had returns which partitions this worker had.
func (w *Worker) had() (h holding, err error) {
	text, err := os.ReadFile(filepath.Join(w.o.Folder, heldFile))
	if errors.Is(err, fs.ErrNotExist) {
		return holding{}, nil
	}
	if err == nil && len(text) > 0 && text[0] == '[' { // as earlier versions wrote it
		return h, json.Unmarshal(text, &h.Partitions)
	}
	if err == nil {
		err = json.Unmarshal(text, &h)
	}
	return h, err
}

// resume claims, before the crawl runs, the partitions that this worker had. What it has of those that others own by now is given to them.
func (w *Worker) resume(ctx context.Context) (err error) {
	if w.o.Record != nil {
		if w.writer, err = w.o.Record.Writer(ctx, w.o.Worker, filepath.Join(w.o.Folder, "archive")); err != nil {
			return err
		}
	}
	owners, err := w.o.Bus.Owners(ctx)
	if err != nil {
		return err
	}
	had, err := w.had()
	if err != nil {
		return err
	}
	w.before = len(had.Partitions) > 0
	for p := range w.o.Partitions {
		o, known := owners[p]
		held := slices.Contains(had.Partitions, p)
		if !known { // the servers have forgotten
			o.Estate = had.Estates[p]
		}
		if o.Worker != w.o.Worker && (o.Worker != "" || o.From != "" || !held) {
			if held {
				w.hold[p].Store(moving)
			}
			continue
		}
		_, err := w.session.Claim(ctx, p, 0)
		if errors.Is(err, bus.ErrOwned) { // another was faster
			if held {
				w.hold[p].Store(moving)
			}
			continue
		}
		if err != nil {
			return err
		}
		if w.o.Record != nil && !held && !w.byRounds { // it was claimed, and what the record has of it was perhaps not taken in
			w.hold[p].Store(inheriting)
			w.orphans = append(w.orphans, p)
			continue
		}
		if err := w.enter(p, o.Estate); err != nil {
			return err
		}
	}
	return nil
}

// enter makes a claimed partition this worker's, once it has taken in what was left of it.
func (w *Worker) enter(p int, left bus.Estate) error {
	has := mine
	if left.From != "" {
		last, err := w.book.Taken(left.From, p)
		if err != nil {
			return err
		}
		if last < left.UpTo {
			has = inheriting
		}
	}
	w.mu.Lock()
	w.estates[p] = left
	w.mu.Unlock()
	w.hold[p].Store(has)
	return nil
}

// strays are partitions that this worker had, and another owns by now.
func (w *Worker) strays() (all []int) {
	for p := range w.hold {
		if w.hold[p].Load() == moving {
			all = append(all, p)
		}
	}
	return all
}

// record writes what the worker has to the record, every checkpoint.
func (w *Worker) record(ctx context.Context) error {
	if w.writer == nil {
		return nil
	}
	tick := time.NewTicker(w.o.Checkpoint)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		slow := time.AfterFunc(slowTime, func() { w.wait(errSlow) })
		err := w.checkpoint(ctx)
		slow.Stop()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && !away(err) {
			return err
		}
		w.wait(err)
	}
}

// checkpoint writes to the record, and has senders told of what is in it now.
func (w *Worker) checkpoint(ctx context.Context) error {
	if w.writer == nil {
		return nil
	}
	read := w.read()
	w.mu.Lock()
	kept := maps.Clone(w.kept)
	w.mu.Unlock()
	if _, err := w.writer.Write(ctx, w.book); err != nil {
		return err
	}
	w.mu.Lock()
	w.recorded = read
	for d := range kept {
		delete(w.kept, d)
		w.owe(d)
	}
	w.mu.Unlock()
	w.nudge()
	return nil
}

// takeOver claims partitions of workers that are gone, and takes in what the record has of them.
func (w *Worker) takeOver(ctx context.Context, partitions []int) error {
	for _, p := range partitions {
		_, err := w.session.Claim(ctx, p, 0)
		if errors.Is(err, bus.ErrOwned) {
			continue
		}
		if err != nil {
			return err
		}
		w.mu.Lock()
		w.estates[p] = bus.Estate{} // what was left before is in the record too, or comes from its sender
		w.mu.Unlock()
		w.hold[p].Store(inheriting)
		w.orphans = append(w.orphans, p)
	}
	return w.takeIn(ctx)
}

// takeIn takes in what the record has of the partitions that were claimed of workers that are gone. If it does not come to its end, the next session does it again.
func (w *Worker) takeIn(ctx context.Context) error {
	if len(w.orphans) == 0 {
		return nil
	}
	parcels, err := w.remembered(ctx, w.orphans)
	if err != nil {
		return err
	}
	var failed error
	err = w.crawl.Call(ctx, func() {
		for _, p := range w.orphans { // the crawl may take them
			w.hold[p].Store(mine)
		}
		if failed = w.crawl.Inherit(parcels); failed == nil {
			failed = w.wakeUp(w.orphans)
		}
		if failed == nil {
			failed = w.Flush()
		}
	})
	if err = errors.Join(err, failed); err != nil {
		return w.ended(ctx, err)
	}
	w.orphans = nil
	w.mu.Lock()
	clear(w.buried) // they have written to these partitions too
	w.mu.Unlock()
	w.changed()
	return w.keepHeld()
}

// remembered returns what the record has of partitions, of all workers that ever had them: what was asked comes first.
func (w *Worker) remembered(ctx context.Context, partitions []int) (all []step.Parcel, err error) {
	workers, err := w.o.Record.Workers(ctx)
	if err != nil {
		return nil, err
	}
	var waiting []step.Parcel
	accounts, taken := map[string]step.Account{}, map[step.Delivery]uint64{}
	of := func(url string) bool { return slices.Contains(partitions, w.part(url)) }
	for _, name := range workers {
		for x, err := range w.o.Record.Read(ctx, name) {
			var entries []ledger.Entry
			if err == nil {
				entries, err = ledger.Entries(x.Entries)
			}
			if err != nil {
				return nil, err
			}
			for _, e := range entries {
				switch {
				case e.Outcome != nil && of(e.Outcome.Request.URL):
					all = append(all, step.KnownParcel(e.Outcome.Request))
				case e.Waiting != nil && of(e.Waiting.URL):
					waiting = append(waiting, step.Parcel{Proposal: e.Waiting.Proposal, Ahead: e.Waiting.Ahead})
				case e.Account != nil && of(e.Account.Host+"/"):
					if a := *e.Account; a.Last.After(accounts[a.Host].Last) {
						accounts[a.Host] = a
					}
				case e.Taken != nil && slices.Contains(partitions, e.Taken.Partition):
					key := step.Delivery{From: e.Taken.From, Partition: e.Taken.Partition}
					taken[key] = max(taken[key], e.Taken.Last)
				}
			}
		}
	}
	for _, a := range accounts {
		all = append(all, step.Parcel{Account: &a})
	}
	for d, last := range taken {
		d.Last = last
		all = append(all, step.Parcel{Taken: &d})
	}
	return append(all, waiting...), nil
}

// bury takes the letters that workers which are gone have written to this one's partitions: they are in the record, and nobody else sends them.
func (w *Worker) bury(ctx context.Context) error {
	if w.o.Record == nil || w.byRounds {
		return nil
	}
	gone, err := w.gone(ctx)
	if err != nil {
		return err
	}
	for _, name := range gone {
		if w.isBuried(name) {
			continue
		}
		again, err := w.letters(ctx, name)
		if err != nil {
			return err
		}
		w.mu.Lock()
		w.buried[name] = !again
		w.mu.Unlock()
	}
	return nil
}

// gone returns the workers that are gone: who is back takes its letters with it. Those that the servers have forgotten are known from the record, which is
// looked at once the others had time to come back.
func (w *Worker) gone(ctx context.Context) (names []string, err error) {
	members := map[string]bool{w.o.Worker: true}
	for _, m := range w.o.Bus.Members() {
		switch members[m.Worker] = true; {
		case m.Worker == w.o.Worker:
		case m.Live:
			w.mu.Lock()
			delete(w.buried, m.Worker)
			w.mu.Unlock()
		default:
			names = append(names, m.Worker)
		}
	}
	if w.before && !w.gathers() && !w.recalled.Load() {
		all, err := w.o.Record.Workers(ctx)
		if err != nil {
			return nil, err
		}
		w.mu.Lock()
		w.forgotten = slices.DeleteFunc(all, func(name string) bool { return members[name] })
		w.mu.Unlock()
		w.recalled.Store(true)
	}
	for _, name := range w.forgotten {
		if !members[name] {
			names = append(names, name)
		}
	}
	return names, nil
}

// isBuried reports whether the letters of a worker that is gone were taken.
func (w *Worker) isBuried(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buried[name]
}

// letters takes those of a worker that is gone. again: partitions are on their way to this worker, for which there may be more.
func (w *Worker) letters(ctx context.Context, from string) (again bool, err error) {
	for x, err := range w.o.Record.Read(ctx, from) {
		var entries []ledger.Entry
		if err == nil {
			entries, err = ledger.Entries(x.Entries)
		}
		if err != nil {
			return false, err
		}
		for _, e := range entries {
			if e.Message == nil {
				continue
			}
			parcels, err := ledger.Parcels(e.Message.Body)
			if err != nil {
				return false, err
			}
			d := step.Delivery{From: from, Partition: e.Message.Partition, First: e.Message.N, Last: e.Message.N}
			if w.hold[d.Partition].Load() != mine {
				continue
			}
			var failed error
			if err := w.crawl.Call(ctx, func() { failed = w.letter(d, parcels) }); err != nil || failed != nil {
				return false, w.ended(ctx, errors.Join(err, failed))
			}
		}
	}
	for p := range w.hold {
		if w.hold[p].Load() == inheriting {
			again = true
		}
	}
	return again, nil
}

// letter takes a letter, on the goroutine that decides. Letters that were delivered before one was written are not in the record.
func (w *Worker) letter(d step.Delivery, parcels []step.Parcel) error {
	last, err := w.book.Taken(d.From, d.Partition)
	if err != nil || d.Last <= last {
		return err
	}
	d.First = last + 1
	_, err = w.takeNow(d, [][]step.Parcel{parcels}, bus.Estate{})
	return err
}
