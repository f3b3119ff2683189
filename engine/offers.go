package engine

import (
	"math"
	"slices"

	"orbweaver"
)

// offers collects what one step lets wait: each request once, with the best opinion of it.
type offers struct {
	c     *Crawl
	list  []orbweaver.Waiting
	index map[uint64]int // request → place in list
}

func newOffers(c *Crawl) *offers { return &offers{c: c, index: map[uint64]int{}} }

// propose takes a proposal unless it is dropped, too deep, out of scope or done already. What waits
// already is weighed again.
func (f *offers) propose(p orbweaver.Proposal) error {
	depth := f.c.cfg.Limits.Depth
	if p.Drop || math.IsNaN(p.Score) {
		f.c.refusals.dropped(p)
		return nil
	}
	if depth > 0 && p.Depth > depth {
		f.c.refusals.add(orbweaver.Refusal{Reason: orbweaver.RefusedDepth, URL: p.URL, Parent: p.Parent})
		return nil
	}
	id, fresh := f.c.cfg.Ledger.Offer(p.Request)
	if !fresh {
		return f.again(id, p)
	}
	if ok, rule := f.c.admits(p.URL); ok { // asked once a URL: what is refused stays known and never waits
		f.put(orbweaver.Waiting{ID: id, Proposal: p})
	} else {
		f.c.refuse(id, p.Request, rule)
	}
	return nil
}

// again weighs another link to a request that may wait. Of two proposals the better stands, with its
// parent, link and depth, so that the provenance is that of the link which was followed; a Merger
// may think otherwise. The target of a redirect goes ahead whatever is thought of it.
func (f *offers) again(id uint64, p orbweaver.Proposal) error {
	rank, waits := f.rank(id)
	if !waits {
		f.c.refusals.again(id, p.Request)
		return nil
	}
	if math.IsInf(rank, 1) {
		return nil
	}
	if f.c.focus.merger == nil {
		if p.Score > rank {
			f.put(orbweaver.Waiting{ID: id, Proposal: p})
		}
		return nil
	}
	w, err := f.waiting(id)
	if err == nil {
		w.Proposal = f.c.focus.merger.Merge(w.Proposal, p)
		f.put(w)
	}
	return err
}

// proposeAll takes proposals in their order.
func (f *offers) proposeAll(proposals []orbweaver.Proposal) error {
	for _, p := range proposals {
		if err := f.propose(p); err != nil {
			return err
		}
	}
	return nil
}

// goAhead takes the target of a redirect, which replaces what was known of it.
func (f *offers) goAhead(p orbweaver.Proposal) {
	id, fresh := f.c.cfg.Ledger.Offer(p.Request)
	if _, waits := f.rank(id); fresh || waits {
		f.put(orbweaver.Waiting{ID: id, Proposal: p, Ahead: true})
	}
}

// rank is the present opinion of a request that waits: this step's, else the frontier's. What a
// refresh asks again does not wait: it is done, and known.
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
	return f.c.cfg.Frontier.Rank(id)
}

// put adds a waiting request, or replaces it.
func (f *offers) put(w orbweaver.Waiting) {
	if i, ok := f.index[w.ID]; ok {
		f.list[i] = w
		return
	}
	f.index[w.ID] = len(f.list)
	f.list = append(f.list, w)
}

// rerank asks the focus again about all that waits under the stale keys, in the order of their
// numbers.
func (f *offers) rerank(stale []string) error {
	reranker := f.c.focus.reranker
	if reranker == nil || len(stale) == 0 {
		return nil
	}
	var ids []uint64
	for _, key := range stale {
		ids = append(ids, f.c.cfg.Frontier.Group(key)...)
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if _, waits := f.rank(id); !waits {
			continue
		}
		w, err := f.waiting(id)
		if err != nil {
			return err
		}
		was := w.Score
		if w.Judgement = reranker.Rerank(f.c.cfg.Ledger, w.Proposal); w.Score != was {
			f.put(w)
		}
	}
	return nil
}

// waiting returns a waiting request as this step would have it.
func (f *offers) waiting(id uint64) (orbweaver.Waiting, error) {
	if i, ok := f.index[id]; ok {
		return f.list[i], nil
	}
	return f.c.cfg.Ledger.Waiting(id)
}
