package engine

import (
	"net/http"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// askAgain queues, in a session after one that ended for a reason that passes, the requests whose latest outcome is a
// failure that passes. They wait by the link and with the prediction that they were made with. Queries of endpoints stay
// as they are: their focus knows of their failures.
func (c *Crawl) askAgain() error {
	if c.cfg.Live == nil || !Passes(c.ended) {
		return nil
	}
	batch := step.Batch{}
	for o, err := range c.cfg.Ledger.Outcomes(0) {
		if err != nil {
			return err
		}
		if !passing(o) {
			continue
		}
		if latest, err := c.cfg.Ledger.Outcome(o.Request.URL); err != nil || latest.N != o.N {
			continue
		}
		w := step.Waiting{Proposal: orbweaver.Proposal{Request: o.Request, Judgement: o.Predicted}}
		w.ID, _ = c.cfg.Ledger.Offer(o.Request)
		c.keyed(&w.Proposal)
		batch.Waiting = append(batch.Waiting, w)
	}
	if len(batch.Waiting) == 0 {
		return nil
	}
	return c.commit(batch)
}

// passing reports whether an outcome is a failure that may not come again.
func passing(o orbweaver.Outcome) bool {
	if o.Err == nil || o.Request.Query != "" {
		return false
	}
	why := orbweaver.FailureOf(o.Err)
	switch why {
	case orbweaver.ErrStatus:
		return pipeline.Overloaded(o.Status) || o.Status == http.StatusInternalServerError
	case orbweaver.ErrGaveUp:
		return true
	}
	return pipeline.Transient(why)
}
