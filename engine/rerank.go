package engine

import (
	"math"
	"slices"

	"orbweaver/internal/step"
)

// rerank asks the focus for new scores of all requests that wait under the stale keys, in the order of their
// numbers. Only the scores are stored; the reasons are computed when a request's turn comes.
func (f *offers) rerank(stale []string) error {
	if f.c.focus.reranker == nil || len(stale) == 0 {
		return nil
	}
	var ids []uint64
	for _, key := range stale {
		ids = append(ids, f.c.cfg.Frontier.Group(key)...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	began := f.c.begun()
	defer f.c.took(StageRerank, began)
	var changed []uint64 // by this step
	ids = slices.DeleteFunc(ids, f.touched(&changed))
	if f.c.focus.merger != nil {
		return f.reweigh(ids, changed)
	}
	breathe := f.c.breathing()
	for w, err := range f.c.cfg.Ledger.WaitingOf(ids) {
		if err != nil {
			return err
		}
		if err := f.reconsider(w); err != nil {
			return err
		}
		breathe()
	}
	for _, id := range changed {
		w, err := f.waiting(id)
		if err != nil {
			return err
		}
		if err := f.reconsider(w); err != nil {
			return err
		}
	}
	return nil
}

// manyThoughts is the number of opinions of which more are committed in slices of that size.
const manyThoughts = 8 << 10

// commitOpinions commits the opinions at the end of a round in slices, if there are many, and breathes after each. The
// round has not ended before its own batch is committed: after a kill in between it ends again, and the focus, which
// learned nothing meanwhile, is of the same opinions.
func (f *offers) commitOpinions() error {
	if len(f.opinions) <= manyThoughts {
		return nil
	}
	for all := range slices.Chunk(f.opinions, manyThoughts) {
		slice := make([]step.Opinion, 0, len(all))
		for _, o := range all {
			if _, void := f.index[o.ID]; !void {
				slice = append(slice, o)
			}
		}
		f.c.progress.Active = f.c.active()
		if err := f.c.cfg.Ledger.Commit(step.Batch{Progress: f.c.progress, Opinions: slice}); err != nil {
			return err
		}
		f.c.dirty, f.c.changed = true, true
		f.c.rescore(slice)
		f.c.breathe()
	}
	f.opinions, f.thought = nil, map[uint64]int{}
	return nil
}

// reweigh is rerank for a Merger, which needs the Notes alone, except for requests that it cannot weigh by them.
func (f *offers) reweigh(ids, changed []uint64) error {
	var whole []uint64
	breathe := f.c.breathing()
	for o, err := range f.c.cfg.Ledger.NotesOf(ids) {
		if err == nil {
			err = f.weigh(o, &whole)
		}
		if err != nil {
			return err
		}
		breathe()
	}
	for _, id := range changed {
		note, err := f.note(id)
		if err == nil {
			err = f.weigh(step.Opinion{ID: id, Note: note}, &whole)
		}
		if err != nil {
			return err
		}
	}
	for _, id := range whole {
		w, err := f.waiting(id)
		if err == nil {
			err = f.reconsider(w)
		}
		if err != nil {
			return err
		}
		breathe()
	}
	return nil
}

// weigh asks a Merger for the score of a waiting request, unless it is a redirect's target. It adds to whole the requests
// for which Rerank is to be asked.
func (f *offers) weigh(o step.Opinion, whole *[]uint64) error {
	was, _ := f.rank(o.ID)
	if math.IsInf(was, 1) {
		return nil
	}
	score, ok, err := f.c.worth(o)
	switch {
	case err != nil:
		return err
	case !ok && len(o.Note) > 0:
		*whole = append(*whole, o.ID)
	case ok && f.stays(o.ID, score) != was:
		o.Score = f.stays(o.ID, score)
		f.think(o)
	}
	return nil
}

// touched reports whether a request differs from its state in the ledger: this step changed it, which adds
// it to changed, or it waits no more.
func (f *offers) touched(changed *[]uint64) func(id uint64) bool {
	return func(id uint64) bool {
		if _, waits := f.rank(id); !waits {
			return true
		}
		_, listed := f.index[id]
		_, thought := f.thought[id]
		if listed || thought {
			*changed = append(*changed, id)
		}
		return listed || thought
	}
}

// reconsider asks the focus for the score of a waiting request.
func (f *offers) reconsider(w step.Waiting) error {
	if isFound(w.Request) {
		return nil
	}
	now, err := f.c.ranked(w.Proposal)
	if now.Score = f.stays(w.ID, now.Score); err != nil || now.Score == w.Score {
		return err
	}
	if i, ok := f.index[w.ID]; ok {
		f.list[i].Judgement = now
		return nil
	}
	f.think(step.Opinion{ID: w.ID, Score: now.Score, Note: w.Note})
	return nil
}

// predict renews the judgement of a request whose turn has come, with reasons. The target of a redirect keeps
// the judgement of the link.
func (c *Crawl) predict(w step.Waiting) (_ step.Waiting, err error) {
	was := w.Score
	if c.focus.reranker != nil && !w.Ahead && !isFound(w.Request) {
		w.Judgement, err = c.ranked(w.Proposal)
	}
	c.explainLast(&w, was)
	c.explainProbe(&w)
	return w, err
}
