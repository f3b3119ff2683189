package compare

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/eval"
	"orbweaver/frontier"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services/contexts"
	"orbweaver/ledger"
)

// tally collects the results of the crawls of a comparison. Each crawl has its own slot; mu guards the
// shared figures.
type tally struct {
	app    *job.Job
	c      *comparison
	curves [][]*eval.Curve // by run, then by lot
	ended  [][]string      // why the crawls ended, by run, then by lot

	mu      sync.Mutex
	rounds  []int               // by run: requests of a round
	left    []int               // by lot: crawls not finished yet
	links   []*eval.LinkFigures // by run; unused with several lots
	problem error               // error of the first crawl that failed
}

// runAll runs all runs for all lots, with a suitable number of crawls in parallel, and returns the runs in
// order. It starts no crawl after one has failed.
func runAll(ctx context.Context, a *job.Job, c *comparison) ([]eval.Run, error) {
	atOnce := c.file.Workers
	if atOnce == 0 {
		atOnce = runtime.GOMAXPROCS(0)
	}
	t := &tally{app: a, c: c, curves: make([][]*eval.Curve, len(c.runs)), ended: make([][]string, len(c.runs)),
		links: make([]*eval.LinkFigures, len(c.runs)), rounds: make([]int, len(c.runs)), left: make([]int, len(c.lots))}
	for i := range c.runs {
		t.curves[i], t.ended[i] = make([]*eval.Curve, len(c.lots)), make([]string, len(c.lots))
	}
	for i := range t.left {
		t.left[i] = len(c.runs)
	}
	type job struct{ lot, run int }
	jobs := make(chan job)
	var crawls sync.WaitGroup
	for range min(atOnce, len(c.runs)*len(c.lots)) {
		crawls.Go(func() {
			for j := range jobs {
				t.crawl(ctx, j.lot, j.run)
			}
		})
	}
	for n := range len(c.lots) * len(c.runs) {
		if t.failed() {
			break
		}
		jobs <- job{n / len(c.runs), n % len(c.runs)}
	}
	close(jobs)
	crawls.Wait()
	return t.runs(), t.problem
}

// failed reports whether a crawl has failed.
func (t *tally) failed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.problem != nil
}

// crawl runs one crawl, stores its curve and reports its result.
func (t *tally) crawl(ctx context.Context, lot, run int) {
	curve, crawled, err := t.c.run(ctx, lot, t.c.runs[run])
	t.curves[run][lot], t.ended[run][lot] = curve, crawled.ended
	t.mu.Lock()
	defer t.mu.Unlock()
	t.links[run], t.rounds[run] = crawled.links, crawled.round
	name := t.c.runs[run].Name
	if err != nil {
		t.fail(ctx, lot, name, err)
		return
	}
	if t.left[lot]--; t.c.file.Each == nil {
		last := curve.Last()
		console.Say(t.app.Err, "%s: %d requests, recall %.1f %%", name, last.Requests, 100*last.Recall())
	} else if t.left[lot] == 0 {
		console.Say(t.app.Err, "item %d of %d: %s: %s", lot+1, len(t.c.lots), t.c.lots[lot].item, t.recalls(lot))
	}
}

// fail stores the first error. After cancellation it stores ErrInterrupted, whatever error the crawl
// returned.
func (t *tally) fail(ctx context.Context, lot int, name string, err error) {
	if item := t.c.lots[lot].item; item != "" {
		name += ", item " + item
	}
	switch {
	case t.problem != nil:
	case ctx.Err() != nil:
		t.problem = fmt.Errorf("run %s: %w", name, console.ErrInterrupted)
	default:
		t.problem = fmt.Errorf("run %s: %w", name, err)
	}
}

// recalls formats the recall of each run for a lot.
func (t *tally) recalls(lot int) string {
	parts := make([]string, len(t.c.runs))
	for i, run := range t.c.runs {
		parts[i] = fmt.Sprintf("%s %.1f %%", run.Name, 100*t.curves[i][lot].Last().Recall())
	}
	return strings.Join(parts, ", ")
}

// runs returns the results in the order of the file.
func (t *tally) runs() []eval.Run {
	runs := make([]eval.Run, len(t.c.runs))
	for i, run := range t.c.runs {
		runs[i] = eval.Run{
			Name: run.Name, Focus: describeRun(run), Oracle: kind.AbilitiesOf(run.Focus).Knowing,
			Ended: Endings(t.ended[i]), Curves: t.curves[i], Round: t.rounds[i],
		}
		if t.c.file.Each == nil {
			runs[i].Links = t.links[i]
		}
	}
	return runs
}

// describeRun describes a focus on one line, including a focus that depends on an item.
func describeRun(run crawlfile.Run) string {
	f := run.Focus
	if run.Requests != "" {
		return "another crawler, by its recorded requests"
	}
	if by, ok := kind.Of(f).(kind.ByItem); ok && kind.AbilitiesOf(f).ByItem {
		return by.LineByItem(f.Section())
	}
	return kind.Line(f)
}

// Endings summarizes why crawls ended: the reason, or each reason with its count, in order of first
// occurrence.
func Endings(all []string) string {
	var reasons []string
	times := map[string]int{}
	for _, reason := range all {
		if times[reason]++; times[reason] == 1 {
			reasons = append(reasons, reason)
		}
	}
	if len(reasons) == 1 {
		return reasons[0]
	}
	for i, reason := range reasons {
		reasons[i] = fmt.Sprintf("%s (%d×)", reason, times[reason])
	}
	return strings.Join(reasons, ", ")
}

// finished is the result of a crawl of a comparison, without its pages.
type finished struct {
	ended string
	round int               // requests of a round of its focus; 0: no rounds
	links *eval.LinkFigures // nil: its focus predicts no classes
}

// run crawls for one lot with one focus, with its ledger in memory and its pages.jsonl in the output
// folder.
func (c *comparison) run(ctx context.Context, number int, run crawlfile.Run) (curve *eval.Curve, over finished, err error) {
	l := c.lots[number]
	folder := filepath.Join(c.file.Output, "runs", url.PathEscape(run.Name))
	if l.item != "" {
		folder = filepath.Join(folder, fmt.Sprintf("item-%d", number+1))
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, over, err
	}
	if run.Requests != "" {
		over, err = c.record(ctx, run, folder)
	} else {
		over, err = c.crawlFor(ctx, l, run, folder)
	}
	if err != nil {
		return nil, over, err
	}
	schedule, err := c.schedule()
	if err != nil {
		return nil, over, err
	}
	curve, err = eval.ReadCurve(ledger.Committed(filepath.Join(folder, ledger.JournalFile)), l.truth, l.reachable, c.cosines(l), schedule)
	return curve, over, err
}

// crawlFor crawls for one lot with the focus of a run.
func (c *comparison) crawlFor(ctx context.Context, l lot, run crawlfile.Run, folder string) (over finished, err error) {
	focus, done, err := c.focus(ctx, run.Focus, l)
	if err != nil {
		return over, err
	}
	defer func() { err = errors.Join(err, done()) }()
	seeds := l.seeds
	if kind.AbilitiesOf(run.Focus).Starts && len(c.file.Seeds.URLs) == 0 {
		seeds = nil // this focus starts from the same links itself
	}
	over, err = c.crawl(ctx, run, focus, folder, seeds)
	if err == nil {
		over.round = kind.RoundSize(focus)
	}
	return over, err
}

// cosines returns the cosines of all pages to the item of a lot; nil: the lot has none.
func (c *comparison) cosines(l lot) *eval.Cosines {
	if l.item == "" || c.survey.Likeness == nil {
		return nil
	}
	return c.survey.Likeness.To(l.item)
}

// focus builds the focus of one crawl. An oracle gets the lot's truth, a focus that depends on an item
// gets the lot's item. done closes the resources of the focus.
func (c *comparison) focus(ctx context.Context, f crawlfile.Focus, l lot) (focus orbweaver.Focus, done func() error, err error) {
	nothing := func() error { return nil }
	if by, ok := kind.Of(f).(kind.ByItem); ok && kind.AbilitiesOf(f).ByItem {
		_, p, err := c.lens.Look(ctx, l.item) // the survey keeps no texts
		if err != nil {
			return nil, nothing, err
		}
		focus, err = by.ForItem(f.Section(), p, len(c.file.Seeds.URLs) == 0)
		return focus, nothing, err
	}
	env := &kind.Env{}
	in, err := kind.New(ctx, f, env)
	if err != nil {
		return nil, nothing, err
	}
	if kind.AbilitiesOf(f).Knowing {
		env.Guide = c.survey.Graph.Distances(l.truth)
		err = in.Look(ctx, env)
	}
	if err == nil {
		err = in.Reach(c.wire, c.file.AllowPrivate)
	}
	if err != nil {
		return nil, nothing, errors.Join(err, in.Close())
	}
	return in.Focus(), in.Close, nil
}

// completer returns what reads the data of pages for a run: the lens's, of the syntaxes that the focus looks at.
func (c *comparison) completer(f crawlfile.Focus) pipeline.Completer {
	if shared, ok := c.lens.Complete.(contexts.Completer); ok {
		shared.Syntaxes = kind.AbilitiesOf(f).Syntaxes
		return shared
	}
	return c.lens.Complete
}

// crawl runs one crawl of a comparison. Its web graph is released when it returns.
func (c *comparison) crawl(ctx context.Context, run crawlfile.Run, focus orbweaver.Focus, folder string, seeds []string) (over finished, err error) {
	book, err := ledger.OpenInMemory(folder)
	if err != nil {
		return over, err
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	gate, err := c.scope()
	if err != nil {
		return over, err
	}
	gate.Want("seeds", seeds)
	gate.List(c.lists.Documents())
	l := c.file.Limits
	found, err := assembly.DiscoverOf(run.Discover, run.Focus)
	if err != nil {
		return over, err
	}
	progress, err := engine.New(engine.Config{
		Focus: focus, Fetch: c.lens.Fetch, Read: c.lens.Read, Complete: c.completer(run.Focus), Ledger: book, Discover: found,
		Frontier: frontier.New(frontier.Options{HostPages: l.PerHost}),
		Scope:    gate.Admits, Sitemaps: gate.Given, Seeds: seeds, Limits: assembly.EngineLimits(l, 0), Explore: assembly.ExploreOf(run.Explore), Failing: assembly.FailingOf(run.Failing, run.Focus) == "last", Workers: 1, Snapshot: 1 << 30,
	}, book.Progress()).Run(ctx)
	switch {
	case err != nil:
		return over, err
	case progress.Ended == "":
		return over, console.ErrInterrupted
	}
	over.ended = progress.Ended
	if err = book.Flush(); err == nil {
		over.links, err = assembly.MeasureLinks(run.Focus, folder, assembly.WebGraph{Ledger: book})
	}
	return over, err
}
