package engine

import (
	"math"

	"orbweaver"
	"orbweaver/internal/step"
)

// offers collects the requests that one step adds to the queue, each once, with its best proposal, and the
// new opinions of requests that wait already.
type offers struct {
	c        *Crawl
	list     []step.Waiting
	index    map[uint64]int // request → place in list
	opinions []step.Opinion
	thought  map[uint64]int // request → place in opinions
	sent     []step.Parcel  // to other workers

	elsewhere []step.Numbered // of a partition that another worker had before
	gone      []uint64        // of these, those that waited here
	accounts  []step.Account  // of such a partition
	inherited []step.Delivery // likewise
	estate    bool            // all that is proposed is of such a partition

	fresh int // proposals of requests that nothing had proposed before

	held  bool // proposals are kept for the end of a round that is shared
	owned bool // all that is proposed is this worker's
}

func newOffers(c *Crawl) *offers {
	return &offers{c: c, held: c.together != nil, index: map[uint64]int{}, thought: map[uint64]int{}}
}

// propose takes a proposal unless it is dropped, too deep, out of scope or done. A request that waits
// already is weighed again.
func (f *offers) propose(p orbweaver.Proposal) error {
	depth := f.c.cfg.Limits.Depth
	if p.Query != "" {
		p.Purpose = orbweaver.ForQuery
	}
	if p.Drop || math.IsNaN(p.Score) {
		f.c.refusals.dropped(p)
		return nil
	}
	if depth > 0 && p.Depth > depth {
		if _, known := f.c.cfg.Ledger.Seen(p.Request); !known || f.held { // else a shorter way leads there
			f.c.refusals.add(refusalOf(p, step.RefusedDepth, ""))
		}
		return nil
	}
	if id, known := f.c.cfg.Ledger.Seen(p.Request); known && !f.held {
		return f.again(id, p)
	}
	if ok, rule := f.c.admits(p.URL); !ok { // checked at each link: refused URLs are not stored
		f.c.refuse(p, rule)
		return nil
	}
	if word, is := f.c.logsOut(p.Request); is {
		f.c.refusals.add(refusalOf(p, step.RefusedLogout, word))
		return nil
	}
	if f.held {
		f.fresh++
		f.sent = append(f.sent, step.Parcel{Proposal: p})
		return nil
	}
	if f.away(p, false) {
		f.fresh++
		return nil
	}
	if rule, trapped := f.c.trapped(p.Request); trapped {
		f.c.refusals.add(refusalOf(p, step.RefusedTrap, rule))
		return nil
	}
	f.fresh++
	id, _ := f.c.cfg.Ledger.Offer(p.Request)
	f.c.keyed(&p)
	f.put(step.Waiting{ID: id, Proposal: p})
	return nil
}

// again weighs a further link to a request that may wait. The better of two proposals stands, with its
// parent, link and depth, so that the provenance is that of the link that is followed; a Merger may decide
// otherwise. The target of a redirect precedes all others, whatever its score.
func (f *offers) again(id uint64, p orbweaver.Proposal) error {
	rank, waits := f.rank(id)
	if !waits && f.estate {
		settled, err := f.settled(id)
		if err != nil {
			return err
		}
		if !settled { // it was given away before, or refused: that it may be made is asked again
			if ok, rule := f.c.admits(p.URL); !ok {
				f.c.refuse(p, rule)
				return nil
			}
			f.put(step.Waiting{ID: id, Proposal: p})
			return nil
		}
	}
	switch {
	case !waits:
		f.c.refuseAgain(p)
	case math.IsInf(rank, 1):
	case f.c.focus.merger != nil && f.c.cfg.Discover != nil && rank == 0 && f.waitsFound(id):
		p.Keys = nil
		f.put(step.Waiting{ID: id, Proposal: p})
	case f.c.focus.merger != nil:
		return f.merge(id, p)
	case p.Score > step.Plain(rank):
		f.put(step.Waiting{ID: id, Proposal: p})
	}
	return nil
}

// waitsFound reports whether a request waits because a Discoverer proposed it.
func (f *offers) waitsFound(id uint64) bool {
	w, err := f.waiting(id)
	return err == nil && isFound(w.Request)
}

// merge asks a Merger to weigh a further link to a waiting request. Most links change its score and not the
// link by which it waits: for these the request itself is not read.
func (f *offers) merge(id uint64, p orbweaver.Proposal) error {
	note, err := f.note(id)
	if err != nil {
		return err
	}
	merged, err := f.c.merged(note, p)
	if err != nil {
		return err
	}
	if !merged.Follow {
		if merged.Note != nil {
			f.think(step.Opinion{ID: id, Score: f.stays(id, merged.Score), Note: merged.Note})
		}
		return nil
	}
	p.Score, p.Note, p.Keys = merged.Score, merged.Note, nil // its rerank keys stay those it came with
	f.put(step.Waiting{ID: id, Proposal: p})
	return nil
}

// proposeAll takes proposals in order.
func (f *offers) proposeAll(proposals []orbweaver.Proposal) error {
	breathe := f.c.breathing()
	for _, p := range proposals {
		if err := f.propose(p); err != nil {
			return err
		}
		breathe()
	}
	return nil
}

// proposeList takes the proposals of a page of a list, those of the list's other pages last. They are as deep as the page as
// long as it leads to something new; else deeper, so that limits.depth ends a list whose pages bring nothing.
// Pages of data that name the next page bring what is in them.
func (f *offers) proposeList(o *orbweaver.Outcome) error {
	var pages, others []orbweaver.Proposal
	for _, p := range o.Plan {
		if continues(o, &p.Request) {
			pages = append(pages, p)
		} else {
			others = append(others, p)
		}
	}
	before := f.fresh
	if err := f.proposeAll(others); err != nil {
		return err
	}
	for i := range pages {
		if f.fresh == before && !step.IsNextPage(pages[i].Via.Rel) {
			pages[i].Depth++
		}
	}
	return f.proposeAll(pages)
}

// goAhead takes the target of a redirect. It replaces an earlier proposal of the same request. The target is
// refused if it is part of a trap.
func (f *offers) goAhead(p orbweaver.Proposal) (rule string, trapped bool) {
	id, known := f.c.cfg.Ledger.Seen(p.Request)
	if !known {
		if f.away(p, true) {
			return "", false
		}
		if rule, trapped = f.c.trapped(p.Request); trapped {
			f.c.refusals.add(refusalOf(p, step.RefusedTrap, rule))
			return rule, true
		}
		id, _ = f.c.cfg.Ledger.Offer(p.Request)
	}
	if _, waits := f.rank(id); !known || waits {
		f.put(step.Waiting{ID: id, Proposal: p, Ahead: true})
	}
	return "", false
}

// rank is the present score of a waiting request: this step's, else the frontier's. A page that a refresh
// requests again does not count as waiting: it has an outcome.
func (f *offers) rank(id uint64) (float64, bool) {
	if _, again := f.c.again[id]; again {
		return 0, false
	}
	if i, ok := f.index[id]; ok {
		if f.list[i].Ahead {
			return math.Inf(1), true
		}
		return f.list[i].Score, true
	}
	if i, ok := f.thought[id]; ok {
		return f.opinions[i].Score, true
	}
	return f.c.cfg.Frontier.Rank(id)
}

// put adds a waiting request, or replaces it.
func (f *offers) put(w step.Waiting) {
	if i, ok := f.index[w.ID]; ok {
		f.list[i] = w
		return
	}
	f.index[w.ID] = len(f.list)
	f.list = append(f.list, w)
}

// think takes a new opinion of a waiting request.
func (f *offers) think(o step.Opinion) {
	if i, ok := f.index[o.ID]; ok {
		f.list[i].Score, f.list[i].Note = o.Score, o.Note
		return
	}
	if i, ok := f.thought[o.ID]; ok {
		f.opinions[i] = o
		return
	}
	f.thought[o.ID] = len(f.opinions)
	f.opinions = append(f.opinions, o)
}

// into puts the collected requests and opinions into a batch. If a request waits by a new link, opinions by
// the earlier link are void.
func (f *offers) into(batch *step.Batch) {
	batch.Waiting, batch.Away = f.list, f.sent
	for _, o := range f.opinions {
		if _, void := f.index[o.ID]; !void {
			batch.Opinions = append(batch.Opinions, o)
		}
	}
}

// note is the Note of a waiting request after this step.
func (f *offers) note(id uint64) ([]byte, error) {
	if i, ok := f.index[id]; ok {
		return f.list[i].Note, nil
	}
	if i, ok := f.thought[id]; ok {
		return f.opinions[i].Note, nil
	}
	return f.c.cfg.Ledger.Note(id)
}

// waiting is a waiting request after this step.
func (f *offers) waiting(id uint64) (step.Waiting, error) {
	if i, ok := f.index[id]; ok {
		return f.list[i], nil
	}
	w, err := f.c.cfg.Ledger.Waiting(id)
	if i, ok := f.thought[id]; ok {
		w.Score, w.Note = f.opinions[i].Score, f.opinions[i].Note
	}
	return w, err
}
