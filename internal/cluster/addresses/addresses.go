// Package addresses keeps the delay of an address (IP and port) among the workers of one crawl, where hosts of several workers lie at one address.
//
// Each address has a desk, at one worker at a time. It grants the address to one worker at a time, and to the next when the delay has passed since the last
// start of the one before. A worker that wants to ask an address without a valid grant asks its desk for one. While others wait the desk recalls the grant, and its holder gives it
// back after a few turns.
//
// Workers send each other letters that may be lost, repeated, late and out of order; asks and recalls are repeated while they matter. No two clocks are compared. A
// grant holds for a time from when its ask was sent, by the holder's clock. The desk counts the same time and a slack from when it answered, by its own: so its end is the
// later one. A desk that another worker may have had before grants nothing until all grants of that one are over, but to workers that say that theirs is valid.
//
// The package sends nothing, reads no clock and starts no goroutine: times come in, letters go out as values.
package addresses

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Times say how long grants hold.
type Times struct {
	Grant time.Duration // from when its ask was sent; 0: nothing is granted, and nothing asked for
	Slack time.Duration // after its end, until a request that began under it has surely reached its server
}

// Pauses.
const (
	tenure     = time.Second            // that a holder keeps an address which others want, if it has requests for it
	idle       = 300 * time.Millisecond // after which a holder without requests gives up an address that others want
	again      = 500 * time.Millisecond // between two asks, and two recalls
	patience   = 2 * time.Second        // after which who does not repeat its ask waits no more
	lapse      = time.Second            // after which an address is wanted no more that was not claimed again
	firstPause = 20 * time.Millisecond  // until a claim in vain is worth repeating
	lastPause  = 100 * time.Millisecond
	lookPause  = 100 * time.Millisecond // between two looks at all addresses of a holder
	sweepPause = 5 * time.Second        // between two looks at all addresses of a desk
)

// A Crew knows which worker has the desk of an address.
type Crew interface {
	// Desk returns the worker that has the desk of an address, and the epoch since which it has; empty if nobody is known to. It may be wrong for a while.
	Desk(address string) (worker string, epoch uint64)
	// Open reports whether this worker has the desk of an address at this moment, surely.
	Open(address string) (d Desk, ok bool)
}

// A Desk is one worker's possession of a desk.
type Desk struct {
	Epoch     uint64    // no two possessions have the same
	Since     time.Time // by the worker's own clock; if Inherited, no other has had it later
	Inherited bool      // another may have had it before, whose grants count
}

// A Letter is to be sent to a worker.
type Letter struct {
	To   string
	Body []byte
}

// A party is a session of a worker.
type party struct{ worker, session string }

// An Exchange is one worker's part: its desks, and what it asks of others'. It must be used by one goroutine at a time. The zero time of
// an Exchange is that of New: times must be of the same, monotonic clock.
type Exchange struct {
	self  party
	times Times
	crew  Crew
	born  time.Time

	holds    map[string]*hold
	looked   time.Time // when all of them were looked at
	renewed  time.Time // when grants were renewed: many at a time
	renewing bool      // they are, right now

	desks     map[string]*entry
	contended map[string]struct{} // addresses of the desk that somebody waits for
	swept     time.Time

	out map[party][]item
}

// New returns the exchange of a session of a worker; no two sessions have the same name.
func New(worker, session string, times Times, crew Crew, now time.Time) *Exchange {
	return &Exchange{
		self: party{worker, session}, times: times, crew: crew, born: now, looked: now, swept: now,
		holds: map[string]*hold{}, desks: map[string]*entry{}, contended: map[string]struct{}{}, out: map[party][]item{},
	}
}

// Take takes a letter. An error says why it can't be read; then it changes nothing.
func (x *Exchange) Take(body []byte, now time.Time) error {
	l, err := decode(body)
	if err != nil {
		return err
	}
	for _, i := range l.items {
		x.take(l.from, l.to, i, now)
	}
	return nil
}

// take takes an item of a letter from one session to another. What is meant for an earlier session of this worker matters no more.
func (x *Exchange) take(from party, to string, i item, now time.Time) {
	switch {
	case i.kind == ask || i.kind == release:
		x.serve(from, i, now)
	case to != x.self.session:
	case i.kind == grant:
		x.granted(i, now)
	case i.kind == recall:
		x.recalled(i, now)
	}
}

// post has an item reach a party: at once if that is this session.
func (x *Exchange) post(to party, i item, now time.Time) {
	if to.worker != x.self.worker {
		x.out[to] = append(x.out[to], i)
		return
	}
	session := to.session
	if session == "" {
		session = x.self.session
	}
	x.take(x.self, session, i, now)
}

// Letters returns what is to be sent now, and when it is worth asking again, if nothing is claimed, released or taken before.
func (x *Exchange) Letters(now time.Time) (all []Letter, next time.Time) {
	next = now.Add(sweepPause)
	if len(x.holds) > 0 {
		if now.Sub(x.looked) >= lookPause {
			x.looked = now
			if x.renewing = now.Sub(x.renewed) >= x.times.Grant/10; x.renewing {
				x.renewed = now
			}
			for address, h := range x.holds {
				x.look(address, h, now)
			}
			x.renewing = false
		}
		next = x.looked.Add(lookPause)
	}
	for address := range x.contended {
		if at := x.settle(address, now); at.Before(next) {
			next = at
		}
	}
	if now.Sub(x.swept) >= sweepPause {
		x.swept = now
		x.sweep(now)
	}
	return x.letters(), next
}

// letters empties the outbox. What goes to desks of a worker goes with what goes to a session of it.
func (x *Exchange) letters() (all []Letter) {
	if len(x.out) == 0 {
		return nil
	}
	parties := slices.SortedFunc(maps.Keys(x.out), func(a, b party) int {
		return cmp.Or(cmp.Compare(a.worker, b.worker), cmp.Compare(a.session, b.session))
	})
	var items []item
	for n, p := range parties {
		items = append(items, x.out[p]...)
		if p.session == "" && n+1 < len(parties) && parties[n+1].worker == p.worker {
			continue
		}
		for part := range slices.Chunk(items, maxItems) {
			all = append(all, Letter{To: p.worker, Body: encode(letter{from: x.self, to: p.session, items: part})})
		}
		items = nil
	}
	clear(x.out)
	return all
}

// Leave gives back all grants that are not in use: the session ends. Letters has what others are to know.
func (x *Exchange) Leave(now time.Time) {
	for address, h := range x.holds {
		if h.turns == 0 && h.granted > h.floor {
			x.giveBack(address, h, now)
		}
	}
}
