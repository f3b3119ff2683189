package whatif

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/order"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// Moved is a page that is accepted by one side alone: as the revision has it, and its score as the crawl judges now.
type Moved struct {
	ledger.Line
	Was     float64 `json:"was"`                // score as the crawl judges now
	WasFrom float64 `json:"was_from,omitempty"` // threshold as the crawl has it now; 0: none
}

// Effect is what a revision does to the pages of a crawl's archive.
type Effect struct {
	Pages    int     `json:"pages"`    // that the crawl has judged, each URL once
	Copies   int     `json:"copies"`   // of them, those with the judgement of a page that they repeat; they count with that page everywhere
	Judged   int     `json:"judged"`   // of them, for Before and After
	Complete bool    `json:"complete"` // all were judged; else the time was up, or there were too many
	Before   int     `json:"before"`   // accepted, as the crawl judges now
	After    int     `json:"after"`    // accepted under the revision
	Came     int     `json:"came"`     // accepted under the revision alone
	Went     int     `json:"went"`     // accepted as the crawl judges now alone
	Changed  int     `json:"changed"`  // whose score differs by a thousandth or more
	In       []Moved `json:"in"`       // that came, at most 50, the greatest change first
	Out      []Moved `json:"out"`      // that went, likewise
}

// The bounds of an effect.
const (
	mostMoved  = 50
	mostJudged = 20_000
	patience   = 10 * time.Second
	readAtOnce = 64    // pages between two looks at the ledger
	least      = 0.001 // change of a score that counts
)

// EffectOf judges pages by both sides, for ten seconds at most, or a limit that is not 0: first in turn those that were accepted last and those that
// are nearest to their threshold. It looks at the ledger within between, and fetches with rest what of a live crawl's archive has no record of its own.
func EffectOf(ctx context.Context, c *assembly.Crawl, sides Sides, between func(context.Context, func()) error, rest Fetch, limit time.Duration) (e Effect, err error) {
	began := time.Now()
	until := began.Add(cmp.Or(limit, patience))
	from := &pages{c: c, between: between, rest: rest}
	candidates, copies, all, err := from.candidates(ctx, began.Add(cmp.Or(limit, patience)/3))
	if err != nil {
		return e, err
	}
	for _, n := range copies { // sums of integers: in any order
		e.Copies += n
	}
	e.Pages, e.In, e.Out = len(candidates)+e.Copies, []Moved{}, []Moved{}
	order := inTurn(candidates)
	if all = all && len(order) <= mostJudged; !all {
		order = order[:min(len(order), mostJudged)]
	}
	r := &run{sides: sides, from: from, copies: copies, read: services.Rereading(c.File)}
	if c.Browser != nil {
		r.read.Render = c.Browser
	}
	for part := range slices.Chunk(order, readAtOnce) {
		if time.Now().After(until) {
			all = false
			break
		}
		if err := r.judge(ctx, part, &e); err != nil {
			return e, err
		}
		e.In, e.Out = greatest(e.In), greatest(e.Out)
	}
	e.Complete = all
	return e, ctx.Err()
}

// inTurn orders candidates: one that was accepted last, one nearest to its threshold, in turn; each once.
func inTurn(all []candidate) []int64 {
	newest, nearest := slices.Clone(all), slices.Clone(all)
	order.By(newest, func(a, b candidate) int {
		if a.accepted != b.accepted {
			return cmp.Compare(truth(b.accepted), truth(a.accepted))
		}
		return cmp.Compare(b.n, a.n)
	})
	order.By(nearest, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(b.n, a.n)) })
	taken := make(map[int64]bool, len(all))
	order := make([]int64, 0, len(all))
	for i := range all {
		for _, n := range []int64{newest[i].n, nearest[i].n} {
			if !taken[n] {
				taken[n] = true
				order = append(order, n)
			}
		}
	}
	return order
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// greatest returns the pages that moved most.
func greatest(all []Moved) []Moved {
	order.By(all, func(a, b Moved) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Score-b.Was), math.Abs(a.Score-a.Was)), cmp.Compare(a.N, b.N))
	})
	return all[:min(len(all), mostMoved)]
}

// A run judges pages by both sides.
type run struct {
	sides  Sides
	from   *pages
	copies map[string]int     // by URL: other pages with its judgement
	read   *pipeline.Pipeline // to the page, before a focus prepares it
}

// A pair is a page, prepared for both sides.
type pair struct {
	now, then *orbweaver.Page
	err       error
}

// judge judges some pages. They are read and prepared in parallel.
func (r *run) judge(ctx context.Context, ns []int64, e *Effect) error {
	outcomes, err := r.from.outcomes(ctx, ns)
	if err != nil {
		return err
	}
	pairs := make([]pair, len(outcomes))
	var readers sync.WaitGroup
	for w := range runtime.GOMAXPROCS(0) {
		readers.Go(func() {
			for i := w; i < len(pairs); i += runtime.GOMAXPROCS(0) {
				pairs[i] = r.prepare(ctx, outcomes[i])
			}
		})
	}
	readers.Wait()
	for i, o := range outcomes {
		if err := r.count(ctx, o, pairs[i], e); err != nil {
			return err
		}
	}
	return nil
}

// prepare reads a page again and prepares it for both sides.
func (r *run) prepare(ctx context.Context, o orbweaver.Outcome) (p pair) {
	defer pipeline.Catch(&p.err, "read", o.Request.URL)
	response, err := r.from.again(ctx, o)
	if err != nil {
		return pair{err: err}
	}
	limit := r.read.MaxBody
	payload, err := pipeline.Payload(response, limit, nil)
	if err != nil {
		return pair{err: err}
	}
	env := pipeline.Direct(func(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
		response, err := r.from.again(ctx, orbweaver.Outcome{Request: orbweaver.Request{URL: url, Accept: accept}})
		if err != nil {
			return nil, nil, err
		}
		payload, err := pipeline.Payload(response, limit, nil)
		return response, payload, err
	})
	read, _, err := r.read.Page(ctx, response, payload, env)
	if err != nil {
		return pair{err: err}
	}
	read.Request = o.Request
	p.now, err = r.sides.Now.pipeline.Ready(ctx, read, env)
	then, problem := r.sides.Then.pipeline.Ready(ctx, read, env)
	p.then, p.err = then, errors.Join(err, problem)
	return p
}

// count judges a page by both sides, and adds it to an effect.
func (r *run) count(ctx context.Context, o orbweaver.Outcome, p pair, e *Effect) error {
	if p.err != nil {
		return p.err
	}
	now, err := r.sides.Now.pipeline.Judge(ctx, p.now)
	then, problem := r.sides.Then.pipeline.Judge(ctx, p.then)
	if err = errors.Join(err, problem); err != nil {
		return err
	}
	alike := 1 + r.copies[o.Request.URL]
	e.Judged += alike
	e.Before += alike * truth(now.Accepted)
	e.After += alike * truth(then.Accepted)
	if math.Abs(now.Score-then.Score) >= least {
		e.Changed += alike
	}
	if now.Accepted == then.Accepted {
		return nil
	}
	o.Actual = now
	was := ledger.LineOf(o)
	o.Actual = then
	m := Moved{Line: ledger.LineOf(o), Was: was.Score, WasFrom: step.Threshold(now)}
	if then.Accepted {
		e.Came += alike
		e.In = append(e.In, m)
	} else {
		e.Went += alike
		e.Out = append(e.Out, m)
	}
	return nil
}
