package crawl

import (
	"bytes"
	"context"
	"iter"
	"strings"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/step"
)

// A Kind of event.
type Kind string

// The kinds of events.
const (
	Begin   Kind = "begin"      // a session begins: Progress
	Outcome Kind = "outcome"    // a request ended: Outcome, Progress
	Round   Kind = "round"      // a focus that works in rounds began the next: Progress
	Suggest Kind = "suggestion" // the focus has a new suggestion: Suggestion
	Notice  Kind = "notice"     // a message for people: Message
	End     Kind = "end"        // the session ended: Summary, Err, Progress
)

// An Event reports one step of a session in this process.
type Event struct {
	Kind       Kind
	At         time.Time
	Progress   Progress
	Outcome    *orbweaver.Outcome // its page has no content
	Suggestion *orbweaver.Suggestion
	Message    string
	Summary    *Summary // nil if the session could not begin
	Err        error
	Lost       int // number of events dropped before this one
}

// kept is the maximum number of events queued for a subscriber.
const kept = 1024

// Events returns the events of sessions in this process, from now until ctx is done. The crawl never waits for a reader: a slow
// reader loses its oldest events, and Event.Lost counts them.
func (c *Crawl) Events(ctx context.Context) iter.Seq[Event] {
	s := c.events.subscribe()
	context.AfterFunc(ctx, func() { c.events.leave(s) })
	return func(yield func(Event) bool) {
		defer c.events.leave(s)
		for {
			for _, e := range s.take() {
				if !yield(e) {
					return
				}
			}
			select {
			case <-s.more:
			case <-ctx.Done():
				return
			}
		}
	}
}

// A hub distributes events to subscribers. Each line written to it becomes a notice.
type hub struct {
	mu   sync.Mutex
	all  map[*subscriber]struct{}
	line []byte // an incomplete line
}

// A subscriber is one loop over Events.
type subscriber struct {
	mu    sync.Mutex
	queue []Event
	lost  int
	more  chan struct{} // capacity 1; signals that queue is not empty
}

func (h *hub) subscribe() *subscriber {
	s := &subscriber{more: make(chan struct{}, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all == nil {
		h.all = map[*subscriber]struct{}{}
	}
	h.all[s] = struct{}{}
	return s
}

func (h *hub) leave(s *subscriber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.all, s)
}

// heard reports whether there are subscribers.
func (h *hub) heard() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.all) > 0
}

// send queues an event for every subscriber.
func (h *hub) send(e Event) {
	e.At = time.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.all {
		s.put(e)
	}
}

// maxNotice is the maximum length of a line, in bytes.
const maxNotice = 64 << 10

// Write sends each complete line as a notice.
func (h *hub) Write(p []byte) (int, error) {
	h.mu.Lock()
	h.line = append(h.line, p...)
	var lines []string
	for {
		i := bytes.IndexByte(h.line, '\n')
		if i < 0 {
			break
		}
		lines, h.line = append(lines, string(h.line[:i])), h.line[i+1:]
	}
	if len(h.line) > maxNotice {
		h.line = nil
	}
	h.mu.Unlock()
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			h.send(Event{Kind: Notice, Message: line})
		}
	}
	return len(p), nil
}

func (s *subscriber) put(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == kept {
		s.queue = s.queue[1:]
		s.lost++
	}
	s.queue = append(s.queue, e)
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// take empties the queue and returns its events.
func (s *subscriber) take() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.queue
	if s.queue = nil; len(all) > 0 {
		all[0].Lost, s.lost = s.lost, 0
	}
	return all
}

// The watcher checks the best shownSuggestions suggestions after every lookedEvery outcomes.
const (
	lookedEvery      = 256
	shownSuggestions = 20
)

// A watcher turns outcomes of a session into events. It runs on the deciding goroutine.
type watcher struct {
	hub     *hub
	control *assembly.Control
	rounds  int
	known   map[string]bool // suggestions
}

// observe sends the events of an outcome.
func (w *watcher) observe(ctx context.Context, o orbweaver.Outcome, p step.Progress) {
	if !w.hub.heard() {
		return
	}
	if o.Page != nil {
		bare := *o.Page
		bare.Text, bare.Links, bare.Quads, bare.Results, bare.Body, bare.Findings = "", nil, nil, nil, nil, nil
		o.Page = &bare
	}
	w.hub.send(Event{Kind: Outcome, Outcome: &o, Progress: p})
	if p.Rounds != w.rounds {
		w.rounds = p.Rounds
		w.hub.send(Event{Kind: Round, Progress: p})
	}
	if p.Requests%lookedEvery == 0 {
		w.suggest(ctx)
	}
}

// suggest sends an event for each new suggestion.
func (w *watcher) suggest(ctx context.Context) {
	list, _, err := w.control.C.Suggestions(ctx)
	if err != nil {
		return // Suggestions reports the error to its caller
	}
	if w.known == nil {
		w.known = map[string]bool{}
	}
	for _, s := range list[:min(len(list), shownSuggestions)] {
		if !w.known[s.ID] {
			w.known[s.ID] = true
			w.hub.send(Event{Kind: Suggest, Suggestion: &s})
		}
	}
}
