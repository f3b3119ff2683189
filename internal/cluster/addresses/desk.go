package addresses

import (
	"slices"
	"time"
)

// An entry is an address as its desk knows it.
//
// It is free for all once free has passed, and at any time for last, which keeps the delay between its own starts by itself. It is known if all grants of an earlier desk are over, or
// if the one that is not is the holder's.
type entry struct {
	epoch    uint64 // of the desk
	known    bool
	delay    time.Duration
	holder   party  // zero: nobody
	serial   uint64 // the largest that the holder was granted
	end      time.Time
	last     party  // who held it last
	void     uint64 // serials of last up to here matter no more
	free     time.Time
	queue    []waiter
	recalled time.Time // when the holder was told that others wait
}

// A waiter is a worker that waits for an address.
type waiter struct {
	party
	serial uint64
	heard  time.Time
}

// Bounds of a desk.
const (
	maxQueue   = 256     // workers that wait for an address
	maxEntries = 1 << 18 // addresses
)

// serve takes an ask or a release, if it was sent to this desk.
func (x *Exchange) serve(from party, i item, now time.Time) {
	desk, ok := x.crew.Open(i.address)
	if !ok || desk.Epoch != i.epoch {
		return
	}
	e := x.desks[i.address]
	if e == nil || e.epoch != desk.Epoch {
		if i.kind == release && !i.flag && !x.fresh(desk, 0, now) || len(x.desks) >= maxEntries {
			return
		}
		e = &entry{epoch: desk.Epoch}
		x.desks[i.address] = e
	}
	if i.kind == ask {
		x.asked(e, desk, from, i, now)
	} else {
		x.released(e, from, i, now)
	}
	x.settle(i.address, now)
}

// fresh reports whether grants of an earlier desk may count at an address with a delay.
func (x *Exchange) fresh(d Desk, delay time.Duration, now time.Time) bool {
	return d.Inherited && now.Before(d.Since.Add(x.times.Grant+x.times.Slack+delay))
}

// asked takes an ask.
func (x *Exchange) asked(e *entry, d Desk, from party, i item, now time.Time) {
	e.delay = max(e.delay, i.span)
	e.known = e.known || !x.fresh(d, e.delay, now)
	x.expire(e, now)
	switch {
	case e.holder == from:
		if i.serial > e.serial {
			e.grant(x, i, now)
		}
	case e.last == from && i.serial <= e.void:
	case !e.known && i.flag && e.holder == (party{}) && !now.Before(d.Since):
		e.known, e.holder = true, from
		e.grant(x, i, now)
	default:
		at := slices.IndexFunc(e.queue, func(w waiter) bool { return w.party == from })
		if at < 0 && len(e.queue) < maxQueue {
			at = len(e.queue)
			e.queue = append(e.queue, waiter{party: from})
			x.contended[i.address] = struct{}{}
		}
		if at >= 0 {
			e.queue[at].serial, e.queue[at].heard = max(e.queue[at].serial, i.serial), now
		}
	}
}

// grant grants the address to its holder.
func (e *entry) grant(x *Exchange, i item, now time.Time) {
	e.serial, e.end = i.serial, now.Add(x.times.Grant+x.times.Slack)
	x.post(e.holder, item{kind: grant, address: i.address, serial: i.serial}, now)
}

// released takes a release, also a late one: it may tell of a start.
func (x *Exchange) released(e *entry, from party, i item, now time.Time) {
	x.expire(e, now)
	if i.flag {
		if at := now.Add(e.delay - i.span); at.After(e.free) {
			e.free = at
			if e.holder != from && e.last != from {
				e.last, e.void = from, i.serial
			}
		}
	}
	if e.holder == from && i.serial >= e.serial {
		e.holder, e.last, e.void = party{}, from, i.serial
	}
	e.queue = slices.DeleteFunc(e.queue, func(w waiter) bool { return w.party == from && w.serial <= i.serial })
}

// expire ends a grant that was neither renewed nor released.
func (x *Exchange) expire(e *entry, now time.Time) {
	if e.holder == (party{}) || now.Before(e.end) {
		return
	}
	if at := e.end.Add(e.delay); at.After(e.free) {
		e.free = at
	}
	e.last, e.void, e.holder = e.holder, e.serial, party{}
}

// settle grants an address to who waits for it, or recalls it, and says when that is worth doing again.
func (x *Exchange) settle(address string, now time.Time) (next time.Time) {
	e := x.desks[address]
	next = now.Add(sweepPause)
	if e == nil {
		delete(x.contended, address)
		return next
	}
	desk, ok := x.crew.Open(address)
	if !ok || desk.Epoch != e.epoch {
		delete(x.contended, address)
		delete(x.desks, address)
		return next
	}
	x.expire(e, now)
	e.queue = slices.DeleteFunc(e.queue, func(w waiter) bool { return now.Sub(w.heard) >= patience })
	if len(e.queue) == 0 {
		delete(x.contended, address)
		return next
	}
	e.known = e.known || !x.fresh(desk, e.delay, now)
	first := e.queue[0]
	switch {
	case e.holder != (party{}):
		if now.Sub(e.recalled) >= again {
			x.recall(address, e, now)
		}
		return earlier(e.end, e.recalled.Add(again))
	case !e.known:
		return desk.Since.Add(x.times.Grant + x.times.Slack + e.delay)
	case e.last != first.party && now.Before(e.free):
		return e.free
	}
	e.queue = slices.Delete(e.queue, 0, 1)
	e.holder, e.recalled = first.party, time.Time{}
	e.grant(x, item{address: address, serial: first.serial}, now)
	if len(e.queue) > 0 {
		return x.settle(address, now)
	}
	delete(x.contended, address)
	return next
}

// recall tells the holder that others wait.
func (x *Exchange) recall(address string, e *entry, now time.Time) {
	e.recalled = now
	x.post(e.holder, item{kind: recall, address: address, serial: e.serial}, now)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// sweep forgets addresses of which nothing matters any more.
func (x *Exchange) sweep(now time.Time) {
	for address, e := range x.desks {
		desk, ok := x.crew.Open(address)
		x.expire(e, now)
		if !ok || desk.Epoch != e.epoch || e.holder == (party{}) && len(e.queue) == 0 && !now.Before(e.free) && !x.fresh(desk, e.delay, now) {
			delete(x.desks, address)
			delete(x.contended, address)
		}
	}
}
