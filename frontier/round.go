package frontier

import "container/heap"

// Select chooses a round: the n best of all that wait, whatever their hosts do just now, and returns
// their numbers in order. From now on Next gives TakeRequest turns for these, and for what goes ahead,
// only; one of these that is added again is still of the round. What cannot be had in this sitting, of a host that is down or whose budget is spent, is not
// chosen.
func (f *Frontier) Select(n int) []uint64 {
	f.unchoose()
	ids := f.best(n)
	f.choose(ids)
	return ids
}

// Choose is Select for given numbers: a round that is gone on with. Those that do not wait now belong
// to it if they are added.
func (f *Frontier) Choose(ids []uint64) {
	f.unchoose()
	f.choose(ids)
}

// Unselect ends a round: all that waits may be had again.
func (f *Frontier) Unselect() {
	if f.round == nil {
		return
	}
	f.unchoose()
	f.settleAll()
}

// choose moves requests into the rounds of their hosts.
func (f *Frontier) choose(ids []uint64) {
	f.round = make(map[uint64]struct{}, len(ids))
	for _, id := range ids {
		f.round[id] = struct{}{}
		if n, ok := f.waiting[id]; ok && !n.chosen {
			n.requeue(true)
		}
	}
	f.settleAll()
}

// unchoose empties the rounds of all hosts, which are to be settled then.
func (f *Frontier) unchoose() {
	if f.round == nil {
		return
	}
	f.round = nil
	for _, h := range f.order {
		for n := h.round.top(); n != nil; n = h.round.top() {
			n.requeue(false)
		}
	}
}

// requeue moves a node into its host's round, or out of it.
func (n *node) requeue(chosen bool) {
	heap.Remove(n.queue(), int(n.at))
	n.chosen = chosen
	heap.Push(n.queue(), n)
}

// settleAll settles every host after the round changed. Most of them come or go at once, so all heaps
// are emptied and filled anew.
func (f *Frontier) settleAll() {
	f.ready.row, f.sleeping.row = f.ready.row[:0], f.sleeping.row[:0]
	for _, h := range f.order {
		h.standing, h.at = absent, nowhere
		a := h.address
		a.ready.row, a.resting.row = a.ready.row[:0], a.resting.row[:0]
		a.at, a.alarm = nowhere, nowhere
	}
	for _, h := range f.order {
		f.stand(h)
	}
	for _, h := range f.order {
		if a := h.address; h.standing != absent && a.at == nowhere && a.alarm == nowhere {
			f.place(a)
		}
	}
}

// best returns the numbers of the n best requests that wait at hosts which can be asked for them.
func (f *Frontier) best(n int) []uint64 {
	f.spare = f.spare[:0]
	for _, h := range f.order {
		if top := h.queue.top(); top != nil && h.down == "" && !f.spent(h) {
			f.spare = append(f.spare, branch{node: top})
		}
	}
	heap.Init(&f.spare)
	var ids []uint64
	for len(ids) < n && len(f.spare) > 0 {
		b := heap.Pop(&f.spare).(branch)
		if b.node.class < errand {
			ids = append(ids, b.node.id)
		}
		f.lookBelow(b.node, ranked)
	}
	return ids
}
