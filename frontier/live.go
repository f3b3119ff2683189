package frontier

import (
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// rulesAge is the maximum age of a robots.txt (RFC 9309, section 2.4).
const rulesAge = 24 * time.Hour

// number returns a number assigned by the frontier. Its top bit is set, unlike a request's.
func (f *Frontier) number() uint64 {
	f.numbers++
	return 1<<63 | f.numbers
}

// locate returns the turn that looks up a host's address. It needs no slot.
func (f *Frontier) locate(h *host) step.Turn {
	turn := step.Turn{Task: step.TakeAddress, ID: f.number(), Host: h.name}
	h.locating = true
	f.leased[turn.ID] = lease{host: h, task: step.TakeAddress, started: true}
	f.settle(h)
	return turn
}

// Located ends a TakeAddress turn. address is IP and port, and is shared by all hosts located there. If
// address and why are empty, a proxy looks it up, and the host shares no address. why is the failure of the
// look-up: ErrPrivate, ErrBadURL and ErrNoHost, which no retry changes, put the host down at once; any other failure
// counts as trouble.
func (f *Frontier) Located(turn step.Turn, address string, why orbweaver.Failure, now time.Time) {
	f.setTime(now)
	l, ok := f.leased[turn.ID]
	if !ok || l.task != step.TakeAddress {
		return
	}
	delete(f.leased, turn.ID)
	f.located(l.host, address, why, now)
}

// located ends a look-up.
func (f *Frontier) located(h *host, address string, why orbweaver.Failure, now time.Time) {
	h.locating = false
	switch {
	case why == orbweaver.ErrPrivate, why == orbweaver.ErrBadURL, why == orbweaver.ErrNoHost:
		h.history().fail(why)
		f.shut(h, why, now.Add(firstProbe))
	case why != "":
		h.history().fail(why)
		f.trouble(h, lease{probe: h.down() != ""}, step.Reply{Failure: why, Fault: step.FaultHost}, now)
	default:
		h.placed = true
		h.history().where = address
		if address != "" {
			f.move(h, f.addressOf(address))
		}
	}
	f.settle(h)
}

// lose clears the address of a host, so that the next turn looks it up again.
func (f *Frontier) lose(h *host) {
	h.placed = false
	f.move(h, nil)
}

// age closes a host whose robots.txt is too old.
func (f *Frontier) age(h *host, now time.Time) {
	if h.open && now.Sub(h.past.openedAt) > rulesAge {
		h.open = false
	}
}

// askRobots returns the turn that requests a host's robots.txt. The host gets no other turn until RobotsKnown
// or RobotsUnavailable is called.
func (f *Frontier) askRobots(h *host) step.Turn {
	h.asking, h.blamed = true, false
	turn := step.Turn{
		Task: step.TakeRobots, ID: f.number(), Host: h.name, URL: h.name + "/robots.txt", For: h.name,
	}
	f.lease(h, turn)
	return turn
}

// RobotsKnown reports that the robots.txt of a host is known. delay is its Crawl-delay, 0 for none; robots is
// a phrase for its Account. All requests to the host are allowed for a day.
func (f *Frontier) RobotsKnown(host string, delay time.Duration, robots string, now time.Time) {
	f.setTime(now)
	h := f.host(host)
	h.asking, h.open = false, true
	past := h.history()
	past.openedAt, past.robots, past.delay = now, robots, max(delay, 0)
	f.answered(h)
	rested := past.readyAt
	if s := f.spacing(h); s > 0 && !past.last.IsZero() {
		h.rest(past.last.Add(s))
	}
	f.shareRest(h, rested)
	f.handBackRead(h)
	f.settle(h)
}

// RobotsUnavailable reports that the robots.txt of a host is unavailable for now. The host gets no other
// request; robots.txt is retried with back-off, and by probes once the host is down. The failure counts as trouble, once if
// Done reported it too.
func (f *Frontier) RobotsUnavailable(host, robots string, now time.Time) {
	f.setTime(now)
	h := f.host(host)
	h.asking, h.open = false, false
	past := h.history()
	past.robots = robots
	rested := past.readyAt
	f.blame(h, orbweaver.ErrGaveUp, now)
	f.shareRest(h, rested)
	f.handBackRead(h)
	f.settle(h)
}

// Open reports whether the robots.txt of a host is known, or not needed.
func (f *Frontier) Open(host string) bool {
	if h, ok := f.hosts[host]; ok {
		return !f.closed(h)
	}
	return !f.opts.Live || !f.opts.Robots
}
