package engine

import (
	"math"

	"orbweaver"
	"orbweaver/internal/failing"
	"orbweaver/internal/step"
)

// RuleFailing is the rule of a reason that says why a request was put after all others: its kind did not answer. Its weight
// is 0.
const RuleFailing = "failing"

// abreast is the number of best requests that are looked at together once the best is of a kind that fails.
const abreast = 32

// unanswered are the failures that count against the kinds of a URL. Others say something about the moment, the crawl file or
// a redirect.
var unanswered = map[orbweaver.Failure]bool{
	orbweaver.ErrAbsent: true, orbweaver.ErrStatus: true, orbweaver.ErrNoHost: true, orbweaver.ErrLookup: true, orbweaver.ErrConnect: true,
	orbweaver.ErrTLS: true, orbweaver.ErrTimeout: true, orbweaver.ErrCut: true, orbweaver.ErrGaveUp: true, orbweaver.ErrTooLarge: true,
	orbweaver.ErrMalformed: true, orbweaver.ErrUnreadable: true,
}

// answers adds an outcome to what is known of the kinds of its URL.
func (c *Crawl) answers(o *orbweaver.Outcome) {
	if c.failing == nil || o.Request.Purpose != orbweaver.ForPage || o.Request.Query != "" || o.Change != "" {
		return
	}
	busy := o.Status == 429 || o.Status == 503
	if o.Err == nil || unanswered[orbweaver.FailureOf(o.Err)] && !busy {
		c.failing.Add(o.Request.URL, statedType(o.Request), o.Err == nil)
	}
}

// statedType returns the media type that the link of a request states.
func statedType(r orbweaver.Request) string {
	if r.Via == nil {
		return ""
	}
	return r.Via.Type
}

// recallAnswers restores what is known of the kinds of URLs from the latest outcomes.
func (c *Crawl) recallAnswers() error {
	if c.failing == nil {
		return nil
	}
	*c.failing = failing.Model{}
	from := failing.Start(c.n)
	for o, err := range c.cfg.Ledger.Outcomes(from) {
		if err != nil {
			return err
		}
		c.answers(&o)
	}
	return nil
}

// fails reports whether a request is of a kind that does not answer, and why. Seeds, sitemaps, queries, what a refresh
// requests again and targets of redirects never are.
func (c *Crawl) fails(w step.Waiting) (why string, fails bool) {
	if c.failing == nil || w.Ahead || !isLink(w.Request) {
		return "", false
	}
	return c.failing.Fails(w.URL, statedType(w.Request))
}

// putLast puts waiting requests of kinds that do not answer after all others, until the best that waits, or the best n, are of
// other kinds.
func (c *Crawl) putLast(n int) error {
	for c.failing != nil {
		best := c.cfg.Frontier.Head(n)
		if n == 1 && len(best) == 1 {
			if last, err := c.isLast(best[0]); last == nil || err != nil {
				return err
			}
			best = c.cfg.Frontier.Head(abreast)
		}
		var batch step.Batch
		for _, id := range best {
			last, err := c.isLast(id)
			if err != nil {
				return err
			}
			if last != nil {
				batch.Opinions = append(batch.Opinions, *last)
			}
		}
		if len(batch.Opinions) == 0 {
			return nil
		}
		if err := c.commit(batch); err != nil {
			return err
		}
	}
	return nil
}

// isLast returns the opinion that puts a waiting request last; nil if it stays where it is.
func (c *Crawl) isLast(id uint64) (*step.Opinion, error) {
	if rank, waits := c.cfg.Frontier.Rank(id); !waits || step.IsLast(rank) || math.IsInf(rank, 1) {
		return nil, nil
	}
	if _, again := c.again[id]; again {
		return nil, nil
	}
	w, err := c.cfg.Ledger.Waiting(id)
	if err != nil {
		return nil, err
	}
	if _, fails := c.fails(w); !fails {
		return nil, nil
	}
	return &step.Opinion{ID: id, Score: step.Last(w.Score), Note: w.Note}, nil
}

// stays returns a new score of a waiting request, which stays last if it is.
func (f *offers) stays(id uint64, score float64) float64 {
	if rank, waits := f.rank(id); waits && step.IsLast(rank) {
		return step.Last(score)
	}
	return score
}

// explainLast completes the judgement of a request whose turn has come although its kind does not answer.
func (c *Crawl) explainLast(w *step.Waiting, was float64) {
	w.Score = step.Plain(w.Score)
	if why, fails := c.fails(*w); fails && step.IsLast(was) {
		w.Reasons = append(w.Reasons[:len(w.Reasons):len(w.Reasons)], orbweaver.Reason{Rule: RuleFailing, Evidence: why})
	}
}
