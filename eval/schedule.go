package eval

import (
	"fmt"
	"math"
	"time"

	"orbweaver/weburl"
)

// A Schedule determines how long the requests of a crawl would take on the live Web, from their order alone: no request
// waits. AtOnce slots take the requests in order. A slot first waits until the host may be requested again: Delay after
// its last answer, with fewer than Connections requests in flight there. Then the answer takes Answer.
type Schedule struct {
	Delay       time.Duration // from an answer to the next request to the host; 0: only Connections bound it
	Answer      time.Duration
	Connections int // at one host, at least 1
	AtOnce      int // in all, at least 1
	// Robots returns the delay that a host's robots.txt wants, 0 for none. The first request to a host is then preceded
	// by one for robots.txt. Nil: robots.txt is not obeyed.
	Robots func(host string) time.Duration
}

// words describes a schedule.
func (s *Schedule) words() string {
	robots := "robots.txt is not requested"
	if s.Robots != nil {
		robots = "robots.txt is requested first at each host, and a longer Crawl-delay obeyed"
	}
	return fmt.Sprintf("an answer takes %v, a host is requested again %v after it and by %d at once, %d requests are in flight or wait for their host; %s",
		s.Answer, s.Delay, s.Connections, s.AtOnce, robots)
}

// A timetable schedules requests in their order.
type timetable struct {
	*Schedule
	slots []time.Duration // when each is free
	hosts map[string]*hostTimes
	end   time.Duration // the last answer so far
}

// hostTimes is the state of one host.
type hostTimes struct {
	delay, next time.Duration
	busy        []time.Duration // until when each connection is
}

func newTimetable(s *Schedule) *timetable {
	return &timetable{Schedule: s, slots: make([]time.Duration, max(1, s.AtOnce)), hosts: map[string]*hostTimes{}}
}

// request schedules the next request and returns when all so far have been answered. What goes to no host takes no time.
func (t *timetable) request(url string) time.Duration {
	host := weburl.Host(url)
	if host == "" {
		return t.end
	}
	slot := earliest(t.slots)
	h, known := t.hosts[host]
	if !known {
		h = &hostTimes{delay: t.Delay, busy: make([]time.Duration, max(1, t.Connections))}
		t.hosts[host] = h
		if t.Robots != nil {
			t.slots[slot] = t.ask(h, t.slots[slot])
			h.delay = max(h.delay, t.Robots(host))
			h.next = t.slots[slot] + h.delay
		}
	}
	t.slots[slot] = t.ask(h, t.slots[slot])
	t.end = max(t.end, t.slots[slot])
	return t.end
}

// ask makes a request to a host at a time or as soon after as it may be requested, and returns when it is answered.
func (t *timetable) ask(h *hostTimes, from time.Duration) (answered time.Duration) {
	connection := earliest(h.busy)
	answered = max(from, h.next, h.busy[connection]) + t.Answer
	h.busy[connection] = answered
	if h.delay > 0 {
		h.next = answered + h.delay
	}
	return answered
}

// earliest returns the index of the earliest time, the first of equals.
func earliest(times []time.Duration) int {
	at, least := 0, time.Duration(math.MaxInt64)
	for i, t := range times {
		if t < least {
			at, least = i, t
		}
	}
	return at
}
