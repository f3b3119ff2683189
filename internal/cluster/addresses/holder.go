package addresses

import "time"

// A hold is an address as one that asks for it knows it. Serials are times of asks, in microseconds since the exchange began: so a grant says itself until when it holds.
type hold struct {
	delay    time.Duration
	asked    uint64 // serial of the last ask; 0: none
	askedAt  time.Time
	granted  uint64 // the largest serial granted
	floor    uint64 // grants up to this serial are given back
	until    time.Time
	turns    int
	since    time.Time // when it was granted after it had not been
	used     time.Time // when it was claimed last, or granted
	wanted   time.Time // when it was claimed last in vain; zero: it has been had since
	waiting  time.Time // when it was so first
	start    time.Time // of the last request
	recalled bool
}

// valid reports whether the grant holds.
func (h *hold) valid(now time.Time) bool { return h.granted > h.floor && now.Before(h.until) }

// yields reports whether the address is kept for others that wait for it: this worker has had a few turns.
func (h *hold) yields(now time.Time) bool { return h.recalled && now.Sub(h.since) >= tenure }

// idles reports whether this worker has no requests for the address any more.
func (h *hold) idles(now time.Time) bool {
	last := h.used
	if at := h.start.Add(h.delay); !h.start.IsZero() && at.After(last) {
		last = at
	}
	return now.Sub(last) >= idle
}

// wants reports whether the address was claimed in vain lately.
func (h *hold) wants(now time.Time) bool { return !h.wanted.IsZero() && now.Sub(h.wanted) < lapse }

// Claim asks for a turn at an address, which Release ends. Without ok, until is when it is worth asking again, after now.
func (x *Exchange) Claim(address string, delay time.Duration, now time.Time) (until time.Time, ok bool) {
	if delay <= 0 || x.times.Grant <= 0 || len(address) > maxAddress { // nobody waits for anybody
		return now, true
	}
	h := x.holds[address]
	if h == nil {
		h = &hold{floor: x.serial(now) - 1} // what comes for an earlier hold is too late
		x.holds[address] = h
	}
	h.delay = min(delay, maxDelay)
	if !h.valid(now) || h.yields(now) {
		if h.waiting.IsZero() || !h.wants(now) {
			h.waiting = now
		}
		h.wanted = now
		x.look(address, h, now)
	}
	if !h.valid(now) || h.yields(now) {
		return now.Add(min(max(now.Sub(h.waiting)/4, firstPause), lastPause)), false
	}
	h.turns++
	h.used, h.wanted, h.waiting = now, time.Time{}, time.Time{}
	return now, true
}

// Release ends a turn. start is when its request started, zero if it did not.
func (x *Exchange) Release(address string, start, now time.Time) {
	h := x.holds[address]
	if h == nil || h.turns == 0 {
		return
	}
	if start.After(h.start) {
		h.start = start
	}
	if h.turns--; h.turns == 0 {
		x.look(address, h, now)
	}
}

// Valid reports whether a request of a turn at an address may begin now. If it may not, it may later: the address is asked for as long as there are turns.
func (x *Exchange) Valid(address string, now time.Time) bool {
	h := x.holds[address]
	return h == nil || h.turns == 0 || h.valid(now)
}

// look does what is due at an address: asks for it, renews its grant, or gives it back.
func (x *Exchange) look(address string, h *hold, now time.Time) {
	due := h.asked == 0 || now.Sub(h.askedAt) >= again
	switch held := h.valid(now); {
	case held && h.turns == 0 && (h.yields(now) || h.recalled && h.idles(now)):
		x.giveBack(address, h, now)
		if h.wants(now) {
			x.ask(address, h, now)
		}
	case held && (h.turns > 0 || h.used.After(h.askedAt)):
		if h.asked != h.granted && due || x.renewing && now.Sub(h.askedAt) >= x.times.Grant/3 {
			x.ask(address, h, now)
		}
	case held:
		if now.Sub(h.askedAt) >= 2*x.times.Grant/3 { // it was not used since
			x.giveBack(address, h, now)
		}
	case h.turns > 0 || h.wants(now):
		if due || h.asked <= h.floor || h.asked == h.granted {
			x.ask(address, h, now)
		}
	case h.granted > h.floor:
		x.giveBack(address, h, now)
	case h.start.IsZero() || now.Sub(h.start) >= h.delay:
		delete(x.holds, address)
	}
}

// serial is one for now.
func (x *Exchange) serial(now time.Time) uint64 {
	return uint64(max(now.Sub(x.born).Microseconds(), 0)) + 1
}

// ask asks the desk for a grant, or for a longer one. While nobody is known to have it, nobody is asked.
func (x *Exchange) ask(address string, h *hold, now time.Time) {
	if worker, _ := x.crew.Desk(address); worker == "" {
		return
	}
	h.asked, h.askedAt = max(x.serial(now), h.asked+1), now
	x.toDesk(item{kind: ask, address: address, serial: h.asked, flag: h.valid(now), span: h.delay}, now)
}

// giveBack releases the grant, and all that were asked for.
func (x *Exchange) giveBack(address string, h *hold, now time.Time) {
	h.floor = max(h.asked, h.floor)
	h.recalled = false
	x.toDesk(h.release(address, now), now)
}

// release says that no grant up to the floor is used any more.
func (h *hold) release(address string, now time.Time) item {
	i := item{kind: release, address: address, serial: h.floor}
	if !h.start.IsZero() && now.Sub(h.start) < h.delay {
		i.flag, i.span = true, max(now.Sub(h.start), 0)
	}
	return i
}

// toDesk sends an item to the desk of its address, if that is known: what matters is sent again.
func (x *Exchange) toDesk(i item, now time.Time) {
	worker, epoch := x.crew.Desk(i.address)
	if worker == "" {
		return
	}
	i.epoch = epoch
	x.post(party{worker: worker}, i, now)
}

// granted takes a grant. One that is not wanted any more is given back.
func (x *Exchange) granted(i item, now time.Time) {
	h := x.holds[i.address]
	if h == nil {
		x.toDesk(item{kind: release, address: i.address, serial: x.serial(now)}, now)
		return
	}
	if i.serial > h.asked || i.serial <= h.floor {
		if i.serial <= h.floor && !h.valid(now) {
			x.toDesk(h.release(i.address, now), now)
		}
		return
	}
	held := h.valid(now)
	if i.serial > h.granted {
		h.granted = i.serial
		h.until = x.born.Add(time.Duration(i.serial-1)*time.Microsecond + x.times.Grant)
	}
	switch {
	case held || !h.valid(now):
	case h.turns == 0 && !h.wants(now):
		x.giveBack(i.address, h, now)
	default:
		h.since, h.used = now, now
	}
}

// recalled takes note that others wait for an address. Who does not hold it says so, as its release may have been lost.
func (x *Exchange) recalled(i item, now time.Time) {
	h := x.holds[i.address]
	switch {
	case h == nil:
		x.toDesk(item{kind: release, address: i.address, serial: x.serial(now)}, now)
	case i.serial <= h.floor:
		x.toDesk(h.release(i.address, now), now)
	case h.valid(now):
		h.recalled = true
		x.look(i.address, h, now)
	case h.turns == 0 && !h.wants(now):
		x.giveBack(i.address, h, now)
	default: // the grant is on its way
		h.recalled = true
	}
}
