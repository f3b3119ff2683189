package engine

import (
	"context"

	"orbweaver"
	"orbweaver/internal/step"
)

// A Stager takes in the data of pages ahead of their batches, on any goroutine, so that the one that decides is not kept
// by a long document: see ledger.Ledger.Stage.
type Stager interface {
	Stage(ctx context.Context, id uint64, r orbweaver.Request, p *orbweaver.Page, long bool) (step.Staged, error)
}

// takeIn takes in the data of a page that was read. A long document of the live Web is taken in now; one of an archive,
// which may be read in vain, when it is decided. Where it fails, the batch tells.
func (x *exchange) takeIn(ctx context.Context, r *reading, request orbweaver.Request) {
	stager, live := x.c.cfg.Stage, x.live != nil && x.c.cfg.Virtual == nil
	if stager == nil || x.past || !live && r.page == nil || r.page != nil && r.page.Quads == nil && x.c.again == nil {
		return
	}
	began := x.c.begun()
	defer x.c.took(StageTake, began)
	x.Acquire()
	defer x.Release()
	staged, err := stager.Stage(ctx, x.id, request, r.page, live)
	if err != nil || staged == nil {
		return
	}
	r.data = staged
	free := x.free
	x.free = func() {
		staged.Release()
		free()
	}
}

// withData commits a batch, with the data of its page. What was not taken in yet is taken in now, by another goroutine.
func (c *Crawl) withData(ctx context.Context, batch step.Batch, commit func(step.Batch) error) error {
	o := batch.Outcome
	has := o.Page != nil && o.Page.Quads != nil
	if c.cfg.Stage == nil || batch.Data != nil || o.Change == orbweaver.Unchanged || !has && o.Change == "" {
		return commit(batch)
	}
	done := make(chan error)
	go func() {
		var err error
		batch.Data, err = c.cfg.Stage.Stage(ctx, batch.Done, o.Request, o.Page, true)
		done <- err
	}()
	c.attends.look()
	err := <-done
	if c.attends.leave(); ctx.Err() != nil {
		return err
	}
	if batch.Data != nil {
		defer batch.Data.Release()
	}
	return commit(batch)
}
