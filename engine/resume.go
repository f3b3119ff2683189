package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"net/http"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// A Memory is the state from which a crawl resumes.
type Memory interface {
	AllWaiting() iter.Seq2[step.Waiting, error]
	Outcomes(after int64) iter.Seq2[orbweaver.Outcome, error]
	Model() (snapshot []byte, n int64, err error)
	EndedRounds() ([]step.EndedRound, error) // since the snapshot
	Round() (ids, drawn []uint64, err error)
	Chances() ([]byte, error)
	Decisions() iter.Seq2[orbweaver.Decision, error]
}

// begin restores the state of the last session: the frontier from the waiting requests, the focus from its
// last snapshot and the outcomes since. A crawl without a batch gets its seeds.
func (c *Crawl) begin(ctx context.Context) error {
	switch {
	case c.watches():
		return c.beginWatch(ctx)
	case c.refreshes():
		return c.beginRefresh(ctx)
	}
	n, err := c.load()
	if err != nil {
		return err
	}
	fresh := n == 0
	if fresh && c.n == 0 {
		seeded, err := c.seeded()
		if err != nil {
			return err
		}
		if !seeded {
			return c.seed(ctx)
		}
	}
	c.exhausted = fresh && Exhausted(c.ended)
	if err := c.noteTraps(); err != nil {
		return err
	}
	if err := c.remember(ctx); err != nil {
		return err
	}
	if err := c.askAgain(); err != nil {
		return err
	}
	return c.resumeRound()
}

// load gives the frontier what waits, and returns the number of requests.
func (c *Crawl) load() (n int, err error) {
	for w, err := range c.cfg.Ledger.AllWaiting() {
		if err != nil {
			return n, err
		}
		n++
		if c.away(w.URL) { // it is given to its owner, or wakes
			continue
		}
		c.cfg.Frontier.Add(w)
		if c.cfg.Traps != nil {
			c.cfg.Traps.Note(w.URL)
		}
	}
	c.resting = false
	return n, nil
}

// seeded reports whether the seeds are among what is for the first of rounds that are shared.
func (c *Crawl) seeded() (bool, error) {
	if c.together == nil {
		return false, nil
	}
	snapshot, _, err := c.cfg.Ledger.Model()
	return snapshot != nil, err
}

// seed commits the first requests, those of the crawl file before the focus's own.
func (c *Crawl) seed(ctx context.Context) error {
	if c.cfg.Others != nil && !c.cfg.Others.Seeds() {
		return nil
	}
	var seeds []orbweaver.Proposal
	for _, url := range c.cfg.Seeds {
		seeds = append(seeds, seedOf(url))
	}
	if c.focus.seeder != nil {
		own, err := c.ownSeeds(ctx)
		if err != nil {
			return err
		}
		seeds = append(seeds, own...)
	}
	offers := newOffers(c)
	err := offers.proposeAll(seeds)
	if err == nil {
		err = offers.proposeFound()
	}
	if err == nil {
		err = offers.proposeSitemaps()
	}
	if err != nil {
		return err
	}
	if model := c.snapshot(&err); err == nil {
		batch := step.Batch{Model: model}
		offers.into(&batch)
		err = c.commit(batch)
	}
	return err
}

// ownSeeds returns the focus's seeds.
func (c *Crawl) ownSeeds(ctx context.Context) (seeds []orbweaver.Proposal, err error) {
	defer c.broke(&err, "seeds of the focus", "")
	if seeds, err = c.focus.seeder.Seeds(ctx, c.cfg.Ledger); err != nil {
		err = fmt.Errorf("seeds of the focus: %w", err)
	}
	return seeds, err
}

// seedOf is the proposal of a URL that a person entered.
func seedOf(url string) orbweaver.Proposal {
	return orbweaver.Proposal{
		Request: orbweaver.Request{URL: url},
		Judgement: orbweaver.Judgement{
			Score:   1,
			Reasons: []orbweaver.Reason{{Rule: "seed", Evidence: url, Weight: 1}},
		},
	}
}

// Recall restores the focus of a crawl that does not run, to query it or to Decide. Call it in place of
// Run.
func (c *Crawl) Recall(ctx context.Context) error {
	c.resting = true
	return c.remember(ctx)
}

// LearnAll is Recall for a crawl whose outcomes were gathered of others: the ledger keeps what the focus learned from them.
func (c *Crawl) LearnAll(ctx context.Context) error {
	if err := c.rememberFocus(ctx); err != nil {
		return err
	}
	return c.keepLearned(ctx)
}

// keepLearned commits the state of the focus, and from which score on it accepts pages.
func (c *Crawl) keepLearned(ctx context.Context) error {
	var err error
	model := c.snapshot(&err)
	if err == nil {
		err = c.accepting(ctx)
	}
	if err != nil || model == nil {
		return err
	}
	return c.cfg.Ledger.Commit(step.Batch{Model: model, Progress: c.progress})
}

// accepting sets from which score on pages are accepted now: as of a judgement of the last page that one was for.
func (c *Crawl) accepting(ctx context.Context) error {
	const looked = 100
	for n := c.progress.Requests - 1; n >= max(0, c.progress.Requests-looked) && !c.cfg.NoReplay; n-- {
		for o, err := range c.cfg.Ledger.Outcomes(n) {
			if err != nil {
				return err
			}
			if step.ThresholdOf(o) == 0 {
				break
			}
			j, err := c.JudgeAgain(ctx, o)
			if err != nil {
				return err
			}
			c.progress.Threshold = step.Threshold(j)
			return nil
		}
	}
	return nil
}

// remember restores the focus, the hosts' accounts and what a person's verdicts taught.
func (c *Crawl) remember(ctx context.Context) error {
	if err := c.rememberFocus(ctx); err != nil {
		return err
	}
	return c.consider(ctx)
}

// RecallToJudge restores as much of a crawl that does not run as JudgeAgain needs, and questions to the focus do: not what is known of
// hosts and of kinds of URLs, for which many outcomes are read.
func (c *Crawl) RecallToJudge(ctx context.Context) error {
	if err := c.recallChances(); err != nil {
		return err
	}
	if err := c.recallFocus(ctx); err != nil {
		return err
	}
	return c.consider(ctx)
}

func (c *Crawl) rememberFocus(ctx context.Context) error {
	if err := c.recallChances(); err != nil {
		return err
	}
	if err := c.recallAnswers(); err != nil {
		return err
	}
	if c.cfg.Live == nil { // on the live Web the ledger has the accounts
		if err := c.countAgain(); err != nil {
			return err
		}
	}
	return c.recallFocus(ctx)
}

// recallFocus restores the focus from its last snapshot, and has it learn again what came since.
func (c *Crawl) recallFocus(ctx context.Context) error {
	if err := c.decideAgain(ctx); err != nil || c.focus.learner == nil {
		return err
	}
	snapshot, n, err := c.cfg.Ledger.Model()
	if err != nil {
		return err
	}
	if snapshot != nil {
		if err := c.restored(snapshot); err != nil {
			return err
		}
	}
	c.size = len(snapshot)
	if c.together != nil { // lessons since then are in the ledger
		c.state = digestOf(snapshot)
		return nil
	}
	ended, err := c.cfg.Ledger.EndedRounds()
	if err != nil {
		return err
	}
	pages := &rereading{c: c}
	defer pages.close()
	for o, err := range pages.all(ctx, n) {
		if err == nil {
			ended, err = c.replayRounds(ended, o.N)
		}
		if err == nil {
			err = c.learnAgain(ctx, o)
		}
		if err != nil {
			return err
		}
	}
	_, err = c.replayRounds(ended, math.MaxInt64)
	return err
}

// replayRounds has the focus end again the rounds that ended before outcome n, and returns the others.
func (c *Crawl) replayRounds(ended []step.EndedRound, n int64) (left []step.EndedRound, err error) {
	for len(ended) > 0 && ended[0].After < n && err == nil {
		err = c.replayRound(ended[0])
		ended = ended[1:]
	}
	return ended, err
}

func (c *Crawl) replayRound(r step.EndedRound) (err error) {
	stage := fmt.Sprintf("end again round %d", r.N)
	defer c.broke(&err, stage, "")
	if c.focus.replayer == nil {
		return fmt.Errorf("%s: %w: the focus has no such rounds; %w", stage, orbweaver.ErrDamaged, errSnapshot)
	}
	if err = c.focus.replayer.ReplayRound(r.N, r.Note); err != nil {
		err = fmt.Errorf("%s: %w; %w", stage, err, errSnapshot)
	}
	return err
}

// errSnapshot says what to do with a model that the focus cannot be restored from.
var errSnapshot = errors.New("another version of orbweaver wrote the model of this folder, or it is damaged: go on with that version, " +
	"or crawl again into another folder; orbweaver pages and orbweaver export still read this one")

// restored restores the focus from a snapshot.
func (c *Crawl) restored(snapshot []byte) (err error) {
	defer c.broke(&err, "restore the focus", "")
	if err = c.focus.learner.Restore(bytes.NewReader(snapshot)); err != nil {
		if err = fmt.Errorf("restore the focus: %w", err); !errors.Is(err, orbweaver.ErrForeign) {
			err = fmt.Errorf("%w; %w", err, errSnapshot)
		}
	}
	return err
}

// countAgain adds the pages of earlier sessions to their hosts' counts.
func (c *Crawl) countAgain() error {
	for o, err := range c.cfg.Ledger.Outcomes(0) {
		if err != nil {
			return err
		}
		if o.Page != nil {
			c.cfg.Frontier.Count(o.Request.URL, 1)
		}
	}
	return nil
}

// teachesNothing reports whether an outcome taught nothing the first time, or must not.
func teachesNothing(o orbweaver.Outcome) bool {
	return o.Status == http.StatusNotModified || o.Duplicate.URL != "" || orbweaver.FailureOf(o.Err) == orbweaver.ErrRemoved || isSource(&o) ||
		pipeline.IsStandIn(orbweaver.FailureOf(o.Err))
}

// learnAgain teaches the focus an outcome of an earlier session, whose page was read again.
func (c *Crawl) learnAgain(ctx context.Context, o orbweaver.Outcome) error {
	if teachesNothing(o) {
		return nil
	}
	if o.Page != nil && c.cfg.NoReplay {
		c.notReplayed++
		return nil
	}
	if _, err := c.taught(ctx, "learn again from", o); err != nil {
		return err
	}
	c.lessons++
	return nil
}

// readAgain reads the page of an outcome of this crawl again, from the archive.
func (c *Crawl) readAgain(ctx context.Context, o orbweaver.Outcome) (*orbweaver.Page, error) {
	x := &exchange{c: c, past: true}
	r := x.run(ctx, o.Request, func(ctx context.Context, _ orbweaver.Request) (*step.Response, error) {
		return c.cfg.Again(ctx, o)
	})
	if r.page == nil {
		return nil, fmt.Errorf("read %s again: %w: %w", o.Request.URL, orbweaver.ErrDamaged, r.err)
	}
	return r.page, nil
}
