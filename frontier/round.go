package frontier

// Select starts a round of the n best waiting requests, regardless of the state of their hosts, and returns
// their numbers in order. Until the round ends Next gives TakeRequest turns only for these and for redirect
// targets. A request of the round that is added again still belongs to it. Requests that cannot be served in
// this session, because their host is down or its budget is spent, are not selected.
func (f *Frontier) Select(n int) []uint64 {
	f.unchoose()
	ids := append(f.best(n), f.due()...)
	f.choose(ids)
	return ids
}

// Choose is Select for given numbers, to resume a round. Requests that do not wait yet join it when they are
// added.
func (f *Frontier) Choose(ids []uint64) {
	f.unchoose()
	f.choose(ids)
}

// Unselect ends the round.
func (f *Frontier) Unselect() {
	if f.round == nil {
		return
	}
	f.unchoose()
	f.settleAll()
}

// choose moves requests into the rounds of their hosts. Redirect targets stay where they are.
func (f *Frontier) choose(ids []uint64) {
	f.round = make(map[uint64]struct{}, len(ids))
	for _, id := range ids {
		f.round[id] = struct{}{}
		if p := f.find(id); p != nil && (p.list() == inQueue || p.list() == inFile) {
			f.shift(f.order[p.owner()], *p, f.entry(uint32(id), *p), inRound)
		}
	}
	f.settleAll()
}

// unchoose empties the rounds of all hosts, which must be settled afterwards.
func (f *Frontier) unchoose() {
	if f.round == nil {
		return
	}
	f.round = nil
	for _, h := range f.order {
		for h.side != nil && h.side.round.len() > 0 {
			e := *h.side.round.at(h.side.round.len() - 1)
			f.shift(h, *f.waiting.find(e.id), e, inQueue)
		}
	}
}

// settleAll settles every host after the round changed. Most change at once, so all heaps are rebuilt.
func (f *Frontier) settleAll() {
	f.ready, f.sleeping = f.ready[:0], f.sleeping[:0]
	for _, h := range f.order {
		h.standing, h.at = absent, nowhere
		if a := h.address; a != nil {
			a.ready, a.resting = a.ready[:0], a.resting[:0]
			a.at, a.alarm = nowhere, nowhere
		}
	}
	for _, h := range f.order {
		f.stand(h)
	}
	for _, h := range f.order {
		if a := h.address; a != nil && h.standing != absent && a.at == nowhere && a.alarm == nowhere {
			f.place(a)
		}
	}
	f.relieve()
}

// best returns the n best requests at hosts that can still be served.
func (f *Frontier) best(n int) []uint64 {
	f.spare = f.spare[:0]
	for _, h := range f.order {
		if h.down() == "" && !f.spent(h) {
			f.look(branch{host: h, stop: nowhere}, ranked)
		}
	}
	return f.walk(n)
}
