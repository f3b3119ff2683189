package frontier

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// A record is the history of a host over all sessions, and its state in this session.
type record struct {
	where    string // address at the last look-up
	robots   string // outcome of its robots.txt
	asked    int64
	pages    int64
	bytes    int64
	gap      time.Duration
	busy     time.Duration
	last     time.Time
	failures map[orbweaver.Failure]int64
	down     orbweaver.Failure

	readyAt  time.Time     // no start before, while it rests
	openedAt time.Time     // when its robots.txt was known
	troubles int           // consecutive
	blamed   []uint64      // the requests that did not answer among them
	answers  bool          // it has answered, in this session or an earlier one
	downAt   time.Time     // when it went down
	probes   int           // of this time down: how many failed
	delay    time.Duration // its Crawl-delay
	width    width
}

// start notes a start. Where turns overlap, starts may be reported out of order: each is compared with the latest.
func (r *record) start(at time.Time) {
	r.asked++
	if !r.last.IsZero() {
		gap := max(at.Sub(r.last).Abs(), 1) // a gap of zero is a gap
		if r.gap == 0 || gap < r.gap {
			r.gap = gap
		}
	}
	if at.After(r.last) {
		r.last = at
	}
}

// tally adds a reply.
func (r *record) tally(reply step.Reply) {
	r.bytes += reply.Bytes
	if reply.Page {
		r.pages++
	}
	if took := reply.Ended.Sub(reply.Started); !reply.Started.IsZero() && took > 0 {
		r.busy += took
	}
	if reply.Failure != "" {
		r.fail(reply.Failure)
	}
}

// fail counts a failure.
func (r *record) fail(why orbweaver.Failure) {
	if r.failures == nil {
		r.failures = map[orbweaver.Failure]int64{}
	}
	r.failures[why]++
}

// Count adds pages fetched in earlier sessions to the account of a URL's host, when a crawl of an archive is
// resumed.
func (f *Frontier) Count(url string, pages int64) {
	h := f.host(weburl.Host(url))
	h.history().pages += pages
	f.settle(h)
}

// Restore sets the account of a host from earlier sessions. The host and its last address rest until their
// delay is over. Down hosts are tried again.
func (f *Frontier) Restore(a step.Account) {
	h := f.host(a.Host)
	past := h.history()
	past.where, past.robots = a.Address, a.Robots
	past.asked += a.Asked
	past.pages += a.Pages
	past.answers = past.answers || a.Pages > 0
	past.bytes += a.Bytes
	past.busy += a.Busy
	if a.Gap > 0 && (past.gap == 0 || a.Gap < past.gap) {
		past.gap = a.Gap
	}
	for why, n := range a.Failures { // sums of integers: in any order
		past.fail(why)
		past.failures[why] += n - 1
	}
	if a.Delay > f.opts.Delay {
		past.delay = a.Delay
	}
	if !a.Last.IsZero() {
		f.restore(h, a)
	}
	f.settle(h)
}

// restore lets a host rest after its last start in an earlier session.
func (f *Frontier) restore(h *host, a step.Account) {
	if a.Last.After(h.past.last) {
		h.past.last = a.Last
	}
	if s := f.spacing(h); s > 0 {
		h.rest(a.Last.Add(s))
	}
	h.rest(a.Rest)
	if f.opts.Live && a.Address != "" && f.opts.Delay > 0 {
		place := f.addressOf(a.Address)
		place.rest(a.Last.Add(f.opts.Delay))
		f.place(place)
	}
}

// mend bounds restored rests: no host and no address rests longer than if its last start were now. The
// accounts lack requests that were in flight when an earlier session was killed. Therefore each host rests as
// if its last start were now; an unknown host becomes known only by an answer, after the delay.
func (f *Frontier) mend(now time.Time) {
	for _, h := range f.order {
		if past := h.past; past != nil && past.last.After(now) {
			past.last = now
			past.readyAt = now.Add(f.spacing(h))
			if a, ok := f.addresses[past.where]; ok {
				a.readyAt = now.Add(f.opts.Delay)
				f.place(a)
			}
			f.settle(h)
		}
		if s := f.spacing(h); f.opts.Live && f.opts.Resumed && s > 0 {
			h.rest(now.Add(s))
			f.settle(h)
		}
	}
}

// Account returns the account of a host; false if the host was never seen.
func (f *Frontier) Account(host string) (step.Account, bool) {
	h, ok := f.hosts[host]
	if !ok || h.free {
		return step.Account{}, false
	}
	return f.account(h), true
}

// Accounts ranges over the accounts of all hosts with any history, by name, as of the start of the iteration.
func (f *Frontier) Accounts() iter.Seq[step.Account] {
	return func(yield func(step.Account) bool) {
		var known []*host
		for _, h := range f.order {
			if h.known() && !h.free {
				known = append(known, h)
			}
		}
		slices.SortFunc(known, func(a, b *host) int { return strings.Compare(a.name, b.name) })
		for _, h := range known {
			if !yield(f.account(h)) {
				return
			}
		}
	}
}

// known reports whether a host has a history.
func (h *host) known() bool {
	r := h.past
	return r != nil && (r.asked > 0 || r.pages > 0 || r.where != "" || r.robots != "" || r.down != "" ||
		len(r.failures) > 0)
}

// account returns the account of a host.
func (f *Frontier) account(h *host) step.Account {
	r := h.past
	if r == nil {
		r = &record{}
	}
	return step.Account{
		Host: h.name, Address: r.where, Robots: r.robots, Delay: f.spacing(h),
		Asked: r.asked, Pages: r.pages, Bytes: r.bytes, Gap: r.gap, Busy: r.busy, Last: r.last,
		Failures: maps.Clone(r.failures), Down: r.down, Rest: h.wish(f.spacing(h)),
	}
}

// wish returns the time until which a host must not be contacted, beyond the delay after its last start;
// zero: none.
func (h *host) wish(spacing time.Duration) time.Time {
	if !h.rests || !h.past.readyAt.After(h.past.last.Add(spacing)) {
		return time.Time{}
	}
	return h.past.readyAt
}

// Waits returns the waiting requests of a host, ascending.
func (f *Frontier) Waits(host string) []uint64 {
	h, ok := f.hosts[host]
	if !ok {
		return nil
	}
	ids := make([]uint64, 0, h.waits())
	rows := []*row{&h.queue}
	if s := h.side; s != nil {
		rows = append(rows, &s.round, &s.ahead)
	}
	for _, r := range rows {
		for i := range r.len() {
			ids = append(ids, uint64(r.at(i).id))
		}
	}
	for e := range f.stored(h) {
		ids = append(ids, uint64(e.id))
	}
	slices.Sort(ids)
	return ids
}

// Resting counts hosts with waiting requests, for a progress line: those ready at now; those that wait for time, a
// slot or an answer; and those that are down. Hosts with a spent budget, or nothing in the round, are not counted.
func (f *Frontier) Resting(now time.Time) (ready, resting, down int) {
	for _, h := range f.order {
		switch {
		case h.down() != "":
			if h.waits() > 0 {
				down++
			}
		case h.best.class == none:
		case f.able(h, now):
			ready++
		default:
			resting++
		}
	}
	return ready, resting, down
}

// able reports whether a host could get a turn at now.
func (f *Frontier) able(h *host, now time.Time) bool {
	if h.standing == absent || f.blocked(h.address) || h.rests && h.past.readyAt.After(now) {
		return false
	}
	a := h.address
	return a == nil || !a.rests || !a.readyAt.After(now)
}
