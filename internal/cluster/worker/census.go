package worker

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// An outcome is what all workers said when they were asked whether all is done.
type outcome struct {
	done    bool // by what they said, all may be
	changes uint64
}

// answerQuestions answers other workers until stop is called.
func (w *Worker) answerQuestions() (stop func(), err error) {
	var stops []func()
	for name, answer := range map[string]func([]byte) ([]byte, error){
		"taken": w.wasTaken,
		"state": func([]byte) ([]byte, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			return json.Marshal(w.state)
		},
		"over": func([]byte) ([]byte, error) {
			w.finish()
			return nil, nil
		},
	} {
		stop, failed := w.o.Bus.Answer(name, func(_ context.Context, body []byte) ([]byte, error) { return answer(body) })
		if err = errors.Join(err, failed); failed == nil {
			stops = append(stops, stop)
		}
	}
	return func() {
		for _, stop := range stops {
			stop()
		}
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

// census asks all workers whether they are done. They are if two questions in a row have the same answers, by which all are idle and all that was sent is
// taken: F. Mattern, Algorithms for distributed termination detection (1987), four counters. If the limits have ended a worker, who is idle is
// done: what waits for that one stays with its senders.
func (w *Worker) census(ctx context.Context, before outcome) (now outcome, err error) {
	var sent, taken uint64
	ended := false
	now.done = true
	for _, name := range w.o.Workers {
		var s state
		within, cancel := context.WithTimeout(ctx, askTime)
		body, err := w.o.Bus.Ask(within, name, "state", nil)
		cancel()
		if err == nil {
			err = json.Unmarshal(body, &s)
		}
		if err != nil || !s.Idle {
			return outcome{}, nil // it is away, and may have something to do
		}
		sent, taken, now.changes = sent+s.Sent, taken+s.Taken, now.changes+s.Change
		ended = ended || s.Ended
	}
	if sent != taken && !ended {
		return outcome{}, nil
	}
	if before != now {
		return now, nil
	}
	for _, name := range w.o.Workers[1:] {
		within, cancel := context.WithTimeout(ctx, askTime)
		_, err = w.o.Bus.Ask(within, name, "over", nil)
		cancel()
		if err != nil {
			return outcome{}, nil // it is asked again
		}
	}
	w.finish()
	return now, nil
}
