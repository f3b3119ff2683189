package worker

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"orbweaver/internal/cluster/bus"
)

// An outcome is what all workers said when they were asked whether all is done.
type outcome struct {
	done    bool // by what they said, all may be
	workers int
	changes uint64
}

// errEnded answers who asks a worker whose crawl has ended.
var errEnded = errors.New("the crawl of this worker has ended")

// answerQuestions answers other workers until stop is called: when that returns, no answer is under way, as the ledger is closed then.
func (w *Worker) answerQuestions() (stop func(), err error) {
	var answering sync.RWMutex
	over := false
	var stops []func()
	for name, answer := range map[string]func([]byte) ([]byte, error){
		"taken": w.wasTaken,
		"read":  w.readTo,
		"state": func([]byte) ([]byte, error) {
			owes, err := w.book.Outstanding()
			if err != nil {
				return nil, err
			}
			w.mu.Lock()
			s := w.state
			w.mu.Unlock()
			s.Owes, s.Moves = owes, w.moves() || w.mourns()
			return json.Marshal(s)
		},
		"over": func([]byte) ([]byte, error) {
			w.finish()
			return nil, nil
		},
	} {
		stop, failed := w.o.Bus.Answer(name, func(_ context.Context, body []byte) ([]byte, error) {
			answering.RLock()
			defer answering.RUnlock()
			if over {
				return nil, errEnded
			}
			return answer(body)
		})
		if err = errors.Join(err, failed); failed == nil {
			stops = append(stops, stop)
		}
	}
	return func() {
		for _, stop := range stops {
			stop()
		}
		answering.Lock()
		defer answering.Unlock()
		over = true
	}, err
}

// wasTaken takes note of what another worker took of this one.
func (w *Worker) wasTaken(body []byte) ([]byte, error) {
	var taken map[int]uint64
	if err := json.Unmarshal(body, &taken); err != nil {
		return nil, err
	}
	w.sending.Lock()
	defer w.sending.Unlock()
	for partition, upTo := range taken {
		if err := w.sender.Taken(partition, upTo, time.Now()); err != nil {
			return nil, err
		}
	}
	w.nudge()
	return nil, nil
}

// finish ends the crawl of this worker: all are done.
func (w *Worker) finish() {
	w.over.Store(true)
	go func() { _ = w.crawl.Call(w.ctx, func() {}) }() // it may wait for others
}

// live returns the workers that are there, by name. The first of them asks the others whether all is done.
func (w *Worker) live() (names []string) {
	for _, m := range w.o.Bus.Members() {
		if m.Live {
			names = append(names, m.Worker)
		}
	}
	return names
}

// asks reports whether this worker is the one that asks.
func (w *Worker) asks() bool {
	names := w.live()
	return len(names) > 0 && names[0] == w.o.Worker
}

// mourns reports whether a worker is gone that may have sent something which nobody has: it must come back, or its letters are read from the record.
func (w *Worker) mourns() bool {
	if w.o.Record != nil && w.before && !w.recalled.Load() {
		return true
	}
	members := w.o.Bus.Members()
	for _, m := range members {
		if !m.Live && !m.Clear && (w.o.Record == nil || !w.isBuried(m.Worker)) {
			return true
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.forgotten, func(name string) bool {
		return !w.buried[name] && !slices.ContainsFunc(members, func(m bus.Member) bool { return m.Worker == name })
	})
}

// census asks all workers whether they are done. They are if two questions in a row have the same answers, by which each partition has an owner that is there, all are idle, and all that
// was sent is taken: F. Mattern, Algorithms for distributed termination detection (1987). If the limits have ended a worker, who is idle is
// done: what waits for that one stays with its senders.
func (w *Worker) census(ctx context.Context, before outcome) (now outcome, err error) {
	if w.ending {
		w.tellOver(ctx, w.live())
		return before, nil
	}
	if w.mourns() {
		return outcome{}, nil
	}
	if seeded, err := w.o.Bus.Asked(ctx, "seeded"); !seeded || err != nil { // who has the seeds may be away
		return outcome{}, err
	}
	owners, err := w.o.Bus.Owners(ctx)
	if err != nil {
		return outcome{}, err
	}
	names := w.live()
	for p := range w.o.Partitions {
		if o := owners[p]; !slices.Contains(names, o.Worker) {
			return outcome{}, nil
		}
	}
	owes, ended := false, false
	now.done, now.workers = true, len(names)
	for _, name := range names {
		var s state
		within, cancel := context.WithTimeout(ctx, askTime)
		body, err := w.o.Bus.Ask(within, name, "state", nil)
		cancel()
		if err == nil {
			err = json.Unmarshal(body, &s)
		}
		if err != nil || !s.Idle || s.Moves {
			return outcome{}, nil // it is away, or has something to do
		}
		now.changes += s.Change
		owes, ended = owes || s.Owes, ended || s.Ended
	}
	if owes && !ended {
		return outcome{}, nil
	}
	if before != now {
		return now, nil
	}
	w.ending = true
	w.tellOver(ctx, names)
	return now, nil
}

// tellOver tells all workers that all are done, and ends this one when they know. Who was told may be gone before it could answer, and is not asked whether all is done any more: that
// stays as it is.
func (w *Worker) tellOver(ctx context.Context, names []string) {
	for _, name := range names {
		if name == w.o.Worker {
			continue
		}
		within, cancel := context.WithTimeout(ctx, overTime)
		_, err := w.o.Bus.Ask(within, name, "over", nil)
		cancel()
		if err != nil && slices.Contains(w.live(), name) {
			return // it is told again
		}
	}
	w.finish()
}
