package external

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	focus "orbweaver/focus/external"
)

// A transport reaches a judge. One goroutine uses it.
type transport interface {
	// exchange sends lines and passes each line that comes back to take, until take returns true: no more is owed. It
	// may return before without an error if nothing more can come. An error says that the judge failed.
	exchange(ctx context.Context, lines [][]byte, take func(line []byte) (done bool)) error
	close() error
}

// An asker is a focus.Source that asks a judge in batches and keeps its answers. One goroutine talks to the judge; while
// it does, the pages of other workers gather to the next batch.
type asker struct {
	via      transport
	batch    int
	inOrder  bool   // the focus asks in the order of the crawl, and leaves a failing judge alone by itself
	own      *store // nil: nothing is kept
	earlier  *store // of another crawl; nil: there is none
	ctx      context.Context
	stop     context.CancelFunc
	breaker  focus.Breaker
	mu       sync.Mutex
	queue    []*asked
	flying   map[string]*asked // queued or being asked, by key
	before   map[string]*asked // the last batch, by id
	wake     chan struct{}     // has something if the queue has
	began    sync.Once
	finished chan struct{}
}

// An asked is a question on its way.
type asked struct {
	q      *focus.Question
	line   []byte
	ready  chan struct{} // closed when the rest is set
	answer focus.Answer
	err    error
	done   bool // the answer is there
}

// newAsker returns an asker without a transport and records.
func newAsker(batch int, inOrder bool) *asker {
	if inOrder {
		batch = 1
	}
	ctx, stop := context.WithCancel(context.Background())
	return &asker{
		batch: max(batch, 1), inOrder: inOrder, ctx: ctx, stop: stop,
		flying: map[string]*asked{}, wake: make(chan struct{}, 1), finished: make(chan struct{}),
	}
}

// Recorded returns the answer under a key: this crawl's, or else the earlier crawl's, which it copies.
func (a *asker) Recorded(key string) (answer focus.Answer, ok bool, err error) {
	if answer, ok, err = a.own.get(key); ok || err != nil {
		return answer, ok, err
	}
	if answer, ok, err = a.earlier.get(key); ok && err == nil {
		err = a.own.put(map[string]focus.Answer{key: answer}, false)
	}
	return answer, ok, err
}

// Ask returns the recorded answer or asks the judge. It returns early if the context ends.
func (a *asker) Ask(ctx context.Context, q *focus.Question) (focus.Answer, error) {
	if answer, ok, err := a.Recorded(q.Key); ok || err != nil {
		return answer, err
	}
	a.began.Do(func() { go a.run() })
	x, err := a.enqueue(q)
	if err != nil {
		return focus.Answer{}, err
	}
	select {
	case <-x.ready:
		return x.answer, x.err
	case <-ctx.Done():
		return focus.Answer{}, ctx.Err()
	}
}

// enqueue puts a question into the queue, unless it is on its way already.
func (a *asker) enqueue(q *focus.Question) (*asked, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if x := a.flying[q.Key]; x != nil {
		return x, nil
	}
	if a.ctx.Err() != nil {
		return nil, errClosed
	}
	line, err := q.Line()
	if err != nil {
		return nil, err
	}
	x := &asked{q: q, line: line, ready: make(chan struct{})}
	a.queue, a.flying[q.Key] = append(a.queue, x), x
	select {
	case a.wake <- struct{}{}:
	default:
	}
	return x, nil
}

// errClosed is the error of questions after the end of a session.
var errClosed = errors.New("the judge is asked no more: the session ends")

// run asks batch after batch until the asker is closed.
func (a *asker) run() {
	defer close(a.finished)
	for {
		select {
		case <-a.ctx.Done():
			a.resolve(a.take(len(a.queue)))
			return
		case <-a.wake:
		}
		for batch := a.take(a.batch); len(batch) > 0; batch = a.take(a.batch) {
			a.settle(batch)
			a.resolve(batch)
		}
	}
}

// take returns at most n questions of the queue.
func (a *asker) take(n int) []*asked {
	a.mu.Lock()
	defer a.mu.Unlock()
	n = min(n, len(a.queue))
	batch := a.queue[:n:n]
	a.queue = a.queue[n:]
	return batch
}

// settle finds the answers to a batch, or why there are none. A question that got none because the judge failed is asked
// once more by itself, so that a page on which a judge dies costs no other page its answer.
func (a *asker) settle(batch []*asked) {
	if len(batch) > 1 && a.breaker.Failures == 0 {
		if err := a.exchange(batch); err == nil || a.ctx.Err() != nil {
			return
		}
	}
	for _, x := range batch {
		switch {
		case x.done:
		case !a.inOrder && !a.breaker.Admits():
			x.lacks(a.breaker.String())
			x.answer.Unasked = true
			a.breaker.Passed()
		default:
			if err := a.exchange([]*asked{x}); err != nil && a.ctx.Err() == nil {
				x.lacks(err.Error())
				x.answer.Down = true
			}
		}
	}
}

// lacks settles a question without an answer.
func (x *asked) lacks(why string) { x.answer, x.done = focus.Lacking(why), true }

// exchange asks the judge about pages and settles those that it answers; if it does not fail, all of them. It counts
// the failures of the judge.
func (a *asker) exchange(batch []*asked) error {
	if a.via == nil {
		return errors.New("the judge is not connected")
	}
	t := &taking{byID: map[string]*asked{}, before: a.before, owed: len(batch), since: time.Now()}
	a.before = t.byID
	var lines [][]byte
	for _, x := range batch {
		t.byID[x.q.ID()] = x
		lines = append(lines, x.line)
	}
	err := a.via.exchange(a.ctx, lines, t.take)
	if err == nil {
		err = t.err
	}
	switch {
	case a.ctx.Err() != nil:
		return a.ctx.Err()
	case err != nil:
		a.breaker.Failed()
		return err
	}
	a.breaker.Answered()
	for _, x := range batch {
		if !x.done {
			x.lacks(t.missing())
		}
	}
	return nil
}

// resolve records the answers of a batch and gives them to who waits. What was not settled has the error of a session
// that ends, and no record.
func (a *asker) resolve(batch []*asked) {
	answers := map[string]focus.Answer{}
	for _, x := range batch {
		if x.done {
			answers[x.q.Key] = x.answer
		}
	}
	err := a.own.put(answers, true)
	a.mu.Lock()
	for _, x := range batch {
		delete(a.flying, x.q.Key)
	}
	a.mu.Unlock()
	for _, x := range batch {
		if x.err = err; err == nil && !x.done {
			x.err = errClosed
		}
		close(x.ready)
	}
}

// close ends the judge, waits for the goroutine and closes the records.
func (a *asker) close() error {
	a.mu.Lock()
	a.stop()
	a.mu.Unlock()
	a.began.Do(func() { close(a.finished) })
	<-a.finished
	var err error
	if a.via != nil {
		err = a.via.close()
	}
	return errors.Join(err, a.own.close(), a.earlier.close())
}

// maxNoise is the number of lines that are no JSON objects, as greetings are, that a judge may write in a batch.
const maxNoise = 100

// A taking reads the lines that a judge owes for a batch: one a page, in any order.
type taking struct {
	byID   map[string]*asked
	before map[string]*asked // of the batch before, whose second answers may come late
	owed   int
	since  time.Time // of the last answer
	noise  int       // lines that are no JSON objects
	stray  error     // why the first line that is one answers no page
	strays int
	err    error // what ends the exchange as a failure
}

// take reads a line; true: nothing more is to be read. A line that is a JSON object and answers no page of the batch
// counts as one of the owed lines: nobody knows which, and waiting for another would be in vain. A second answer to a
// page is ignored.
func (t *taking) take(raw []byte) (done bool) {
	if len(raw) == 0 || raw[0] != '{' {
		if t.noise++; t.noise > maxNoise {
			t.err = fmt.Errorf("the judge wrote more than %d lines that are no JSON objects, as %s", maxNoise, quoted(raw))
		}
		return t.err != nil
	}
	line, err := focus.ReadLine(raw)
	var x *asked
	if err == nil {
		if x = t.byID[line.ID]; x == nil {
			x = t.before[line.ID]
		}
		if x == nil {
			err = fmt.Errorf("id %s is of no page that was asked about", quoted([]byte(line.ID)))
		}
	}
	switch {
	case err != nil:
		t.strays++
		if t.stray == nil {
			t.stray = err
		}
	case x.done || t.byID[line.ID] == nil:
		if t.noise++; t.noise > maxNoise {
			t.err = fmt.Errorf("the judge answered again and again about %s", quoted([]byte(line.ID)))
		}
		return t.err != nil
	default:
		now := time.Now()
		x.answer, x.done = line.Answer(x.q), true
		x.answer.Took, t.since = now.Sub(t.since), now
	}
	t.owed--
	return t.owed == 0
}

// missing says why a page that the judge did not answer has no answer.
func (t *taking) missing() string {
	if t.stray != nil {
		return fmt.Sprintf("the judge's line is no answer: %v", t.stray)
	}
	return "the judge answered other pages of the batch and not this one"
}

// quoted returns the beginning of a line for a message.
func quoted(line []byte) string { return fmt.Sprintf("%q", line[:min(len(line), 60)]) }
