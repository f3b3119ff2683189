package frontier

import (
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// Requisites wait at their hosts in the order in which they came, four bytes each. A host gives them every second turn while requests of the
// queue or of a round wait there too, and else all; hosts with other work go first. They count in no budget of pages, and belong to no round.

// A line holds the numbers of the requisites that wait at a host, first come first served.
type line struct {
	numbers []uint32
	done    int // of numbers, from the start
}

func (l *line) len() int { return len(l.numbers) - l.done }

func (l *line) push(n uint32) { l.numbers = append(l.numbers, n) }

// pop removes the first.
func (l *line) pop() uint32 {
	n := l.numbers[l.done]
	if l.done++; l.done*2 >= len(l.numbers) {
		l.numbers = append(l.numbers[:0:0], l.numbers[l.done:]...)
		l.done = 0
	}
	return n
}

// needs returns how many requisites wait at a host.
func (h *host) needs() int {
	if h.side == nil {
		return 0
	}
	return h.side.needs.len()
}

// Require queues the requisite of a number at url's host, after all that wait there. Its turn is TakeRequisite. Without a host it is
// ignored, and false.
func (f *Frontier) Require(n uint32, url string) bool {
	name := weburl.Host(url)
	if name == "" {
		return false
	}
	h := f.host(name)
	h.aside().needs.push(n)
	f.needs++
	f.settle(h)
	return true
}

// Forgo removes the requisites that wait at a host, and returns their numbers.
func (f *Frontier) Forgo(name string) (numbers []uint32) {
	h, ok := f.hosts[name]
	if !ok || h.needs() == 0 {
		return nil
	}
	numbers = h.side.needs.numbers[h.side.needs.done:]
	h.side.needs = line{}
	f.needs -= len(numbers)
	f.settle(h)
	return numbers
}

// Needs returns how many requisites wait.
func (f *Frontier) Needs() int { return f.needs }

// Unmet returns the hosts that are down and have requisites, in the order in which they were first seen.
func (f *Frontier) Unmet() (hosts []string) {
	for _, h := range f.order {
		if h.down() != "" && h.needs() > 0 {
			hosts = append(hosts, h.name)
		}
	}
	return hosts
}

// Restrict, if true, has Next give no TakeRequest turns until Restrict(false).
func (f *Frontier) Restrict(is bool) {
	if f.restricted != is {
		f.restricted = is
		f.settleAll()
	}
}

// OnlyNeeds reports whether no host gets another turn than for requisites, now or later, while it is not down.
func (f *Frontier) OnlyNeeds() bool {
	for _, h := range f.order {
		if h.standing != absent && h.down() == "" && h.best.class != requisite {
			return false
		}
	}
	return true
}

// owed reports whether the next turn of a host is for a requisite.
func (h *host) owed() bool {
	return h.best.class == requisite || h.best.class == ranked && h.needs() > 0 && h.side.owes
}

// require returns the turn for the first requisite of a host.
func (f *Frontier) require(h *host) step.Turn {
	turn := step.Turn{Task: step.TakeRequisite, ID: f.number(), Host: h.name, Need: uint64(h.side.needs.pop())}
	h.side.owes = false
	f.needs--
	f.lease(h, turn)
	return turn
}
