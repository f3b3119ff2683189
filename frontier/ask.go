package frontier

import (
	"slices"

	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// An ask is a waiting hop or subresource request.
type ask struct {
	class class
	turn  step.Turn
}

// rank returns the rank of an ask: earlier asks rank first.
func (a ask) rank() rank { return rank{class: a.class, key: ^a.turn.ID} }

// Hop queues a redirect of the robots.txt of turn.For to url: at url's host, subject to its slots and delays,
// before everything else there. It requires the address of that host but not its robots.txt.
func (f *Frontier) Hop(turn step.Turn, url string) {
	f.handBackRead(f.hosts[turn.For])
	f.await(hop, step.Turn{
		Task: step.TakeRobots, ID: f.number(), Host: weburl.Host(url), URL: url, For: turn.For,
	})
}

// Subresource queues a subresource request at url's host, before all requests waiting there and after its
// robots.txt. It returns the ID of its turn.
func (f *Frontier) Subresource(url string) uint64 {
	id := f.number()
	f.await(subresource, step.Turn{
		Task: step.TakeSubresource, ID: id, Host: weburl.Host(url), URL: url,
	})
	return id
}

// await queues an ask. Without a host, or at a host that is down, the ask fails at once.
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
	f.asks[turn.ID] = h
	f.settle(h)
}

// Failed returns the turns of asks that cannot be served in this session because their host is down, each once,
// in the order of failure. They are not leases and must not be ended.
func (f *Frontier) Failed() []step.Turn {
	turns := f.failed
	f.failed = nil
	return turns
}

// ask queues an ask at the host.
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

// dismiss removes an ask. The caller must settle its host.
func (f *Frontier) dismiss(h *host, id uint64) {
	delete(f.asks, id)
	h.side.asks = slices.DeleteFunc(h.side.asks, func(a ask) bool { return a.turn.ID == id })
}
