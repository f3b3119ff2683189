package frontier

import (
	"cmp"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// A host that is down gets one turn now and then, a probe: its best request, or what must come before it. If that is
// answered, the host is down no more.
const (
	firstProbe = 30 * time.Second // after the failure that put the host down; doubled after each probe
	maxProbe   = 30 * time.Minute // between two probes
	maxProbes  = 6                // of a host that has never answered: half an hour
)

// shut puts a host down until a probe; the first reason stands. Hops and subresource requests that wait there are
// returned by Failed.
func (f *Frontier) shut(h *host, why orbweaver.Failure, probe time.Time) {
	past := h.history()
	if past.down == "" {
		past.down, past.probes, past.downAt = cmp.Or(why, orbweaver.ErrGaveUp), 0, f.now
	}
	h.rest(probe)
	if h.side == nil {
		return
	}
	for _, a := range h.side.asks {
		f.failed = append(f.failed, a.turn)
		delete(f.asks, a.turn.ID)
	}
	h.side.asks = nil
}

// shutAgain is shut after a failed probe.
func (f *Frontier) shutAgain(h *host, at time.Time) {
	past := h.past
	past.probes++
	f.shut(h, past.down, at.Add(probeAfter(past.probes)))
}

// probeAfter returns the time from a failed probe to the next.
func probeAfter(probes int) time.Duration {
	return min(firstProbe<<min(probes, 16), maxProbe)
}

// gone reports whether a host that is down gets no more probes in this session: its address must not be reached, or it
// has never answered.
func (h *host) gone() bool {
	p := h.past
	return p != nil && p.down != "" && (p.down == orbweaver.ErrPrivate || p.down == orbweaver.ErrBadURL || !p.answers && p.probes >= maxProbes)
}

// final reports whether a host is down for a reason that does not pass while the crawl runs: there is no such host, or none that may be
// reached, or it answers with walls.
func final(why orbweaver.Failure) bool {
	switch why {
	case orbweaver.ErrNoHost, orbweaver.ErrPrivate, orbweaver.ErrBadURL, step.ErrWall, step.ErrConsent, step.ErrParked:
		return true
	}
	return false
}

// answered ends a host's troubles.
func (f *Frontier) answered(h *host) {
	past := h.history()
	past.answers = true
	past.troubles, past.blamed, past.down, past.probes = 0, nil, "", 0
}

// Forgive ends the troubles of hosts whose failures were not theirs. They rest no longer than their delay.
func (f *Frontier) Forgive(hosts []string, now time.Time) {
	f.setTime(now)
	for _, name := range hosts {
		h, ok := f.hosts[name]
		if !ok || h.past == nil {
			continue
		}
		past := h.past
		past.troubles, past.blamed, past.down, past.probes = 0, nil, "", 0
		past.readyAt = time.Time{}
		if !past.last.IsZero() {
			past.readyAt = past.last.Add(f.spacing(h))
		}
		h.rests = past.readyAt.After(now)
		f.shareRest(h, time.Time{})
		f.settle(h)
	}
}

// Hold keeps a host from getting turns, but those of Probe, until Hold(host, false). What waits there goes on waiting.
func (f *Frontier) Hold(name string, is bool) {
	h := f.host(name)
	h.held = is
	f.settle(h)
}

// Know makes a host known, so that it can be probed though nothing waits there.
func (f *Frontier) Know(name string) { f.host(name) }

// Probe returns a turn to ask a host for anything, whatever waits there, as soon as its delay, that of its address and
// its slots allow; else ok is false, and wait is the time until then, negative if only the end of a turn helps. Its
// failure says nothing of the host.
func (f *Frontier) Probe(name string, now time.Time) (turn step.Turn, wait time.Duration, ok bool) {
	f.setTime(now)
	h, known := f.hosts[name]
	if !known || f.full(h.active, 0) || h.unstarted > 0 || f.blocked(h.address) {
		return step.Turn{}, -1, false
	}
	ready := now
	if h.past != nil && !h.past.last.IsZero() {
		ready = h.past.last.Add(f.spacing(h))
	}
	if a := h.address; a != nil && a.rests && a.readyAt.After(ready) {
		ready = a.readyAt
	}
	if ready.After(now) {
		return step.Turn{}, ready.Sub(now), false
	}
	if until, ok := f.claim(h, now); !ok {
		return step.Turn{}, until.Sub(now), false
	}
	turn = step.Turn{Task: step.TakeProbe, ID: f.number(), Host: h.name, URL: h.name + "/robots.txt"}
	f.lease(h, turn)
	return turn, 0, true
}

// Prospect tells what may still come when Next gives no turn and none is in flight. alive: a host that is not down gets a
// turn after some time. Else next is the earliest probe of a host that has answered before and would be down no longer
// than patience then; zero if there is none. down is the number of hosts that are down, have waiting requests and may answer
// one day.
func (f *Frontier) Prospect(patience time.Duration) (alive bool, next time.Time, down int) {
	for _, h := range f.order {
		switch {
		case h.down() == "":
			if h.standing != absent {
				return true, time.Time{}, 0
			}
		case h.waits()+h.needs() > 0 && !final(h.down()):
			if h.waits() > 0 {
				down++
			}
			past := h.past
			at := past.readyAt
			awaited := past.answers && h.standing != absent && at.Sub(past.downAt) <= patience
			if awaited && (next.IsZero() || at.Before(next)) {
				next = at
			}
		}
	}
	return false, next, down
}

// Down returns the hosts that are down and have waiting requests, in the order in which they were first seen.
func (f *Frontier) Down() (hosts []string) {
	for _, h := range f.order {
		if h.down() != "" && h.waits() > 0 {
			hosts = append(hosts, h.name)
		}
	}
	return hosts
}

// due returns the best request of each host that is down and due for a probe.
func (f *Frontier) due() (ids []uint64) {
	for _, h := range f.order {
		if h.down() != "" && !h.gone() && !f.spent(h) && !h.past.readyAt.After(f.now) {
			if best := h.queue.top(ranked); best.class != none {
				ids = append(ids, uint64(best.id))
			}
		}
	}
	return ids
}

// Recent returns the at most n hosts that answered last in this session or an earlier one, the latest first.
func (f *Frontier) Recent(n int) []string {
	var known []*host
	for _, h := range f.order {
		if h.past != nil && h.past.answers && !h.free && h.down() == "" {
			known = append(known, h)
		}
	}
	slices.SortStableFunc(known, func(a, b *host) int { return b.past.last.Compare(a.past.last) })
	var names []string
	for _, h := range known[:min(n, len(known))] {
		names = append(names, h.name)
	}
	return names
}

// More reports whether a host may get another turn in this session, now or later, while it is not down.
func (f *Frontier) More(host string) bool {
	h, ok := f.hosts[host]
	return ok && h.best.class != none && h.down() == ""
}
