package frontier

import (
	"slices"

	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// An ask is a hop or an errand that waits.
type ask struct {
	class class
	turn  step.Turn
}

// rank is that of an ask: the earlier the better.
func (a ask) rank() rank { return rank{class: a.class, key: ^a.turn.ID} }

// Hop queues that robots.txt of turn.For is asked for at url next, as a redirect has it: at url's
// host, in its slots and delays, before all else there, needing no robots.txt of that host, but its
// address.
func (f *Frontier) Hop(turn step.Turn, url string) {
	f.await(hop, step.Turn{
		Task: step.TakeRobots, ID: f.number(), Host: weburl.Host(url), URL: url, For: turn.For,
	})
}

// Subresource queues a request of somebody else's at url's host, ahead of all requests that wait there,
// after its robots.txt is known. It returns the number that its turn will have.
func (f *Frontier) Subresource(url string) uint64 {
	id := f.number()
	f.await(errand, step.Turn{
		Task: step.TakeSubresource, ID: id, Host: weburl.Host(url), URL: url,
	})
	return id
}

// await lets a hop or an errand wait; at a host that is down, or none, it has failed already.
func (f *Frontier) await(c class, turn step.Turn) {
	if turn.Host == "" {
		f.failed = append(f.failed, turn)
		return
	}
	h := f.host(turn.Host)
	if h.down() != "" {
		f.failed = append(f.failed, turn)
		return
	}
	h.ask(ask{class: c, turn: turn})
	f.errands[turn.ID] = h
	f.settle(h)
}

// Failed returns the turns of hops and errands that can never be served in this sitting, their host
// being down, each once, in the order in which they failed. They are no leases: nothing ends them.
func (f *Frontier) Failed() []step.Turn {
	turns := f.failed
	f.failed = nil
	return turns
}

// ask lets a hop or an errand wait.
func (h *host) ask(a ask) {
	s := h.aside()
	at, _ := slices.BinarySearchFunc(s.asks, a, func(b, a ask) int {
		if b.rank().before(a.rank()) {
			return -1
		}
		return 1
	})
	s.asks = slices.Insert(s.asks, at, a)
}

// dismiss takes a hop or an errand out. Its host is to be settled then.
func (f *Frontier) dismiss(h *host, id uint64) {
	delete(f.errands, id)
	h.side.asks = slices.DeleteFunc(h.side.asks, func(a ask) bool { return a.turn.ID == id })
}
