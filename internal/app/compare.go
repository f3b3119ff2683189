package app

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/eval"
	"orbweaver/fetch/archive"
	"orbweaver/frontier"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/ledger"
	"orbweaver/page"
)

// Compare runs every focus of a comparison file over the same archive and writes comparison.csv,
// comparison.json and report.html, and each run's pages.jsonl.
func (a *App) Compare(ctx context.Context, path string) error {
	c, err := prepareComparison(ctx, path)
	if err != nil {
		return err
	}
	defer c.web.Close()
	if err := os.MkdirAll(c.file.Output, 0o777); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	runs, err := a.runAll(ctx, c)
	if err != nil {
		return err
	}
	result := c.result(runs)
	if err := writeComparison(c.file.Output, result); err != nil {
		return err
	}
	a.summarizeComparison(c, result)
	return nil
}

// A comparison is a comparison file with its parts.
type comparison struct {
	file   *crawlfile.Comparison
	web    *archive.Web
	scope  func() (*gate, error) // a gate for one run: a gate is for one goroutine
	survey *survey
	runs   []crawlfile.Run // of the file, with the oracle and breadth-first
}

// prepareComparison reads all that a comparison file names and writes nothing.
func prepareComparison(ctx context.Context, path string) (*comparison, error) {
	file, err := crawlfile.LoadComparison(path)
	if err != nil {
		return nil, err
	}
	c := &comparison{file: file, runs: allRuns(file.Runs)}
	var problems []error
	c.web, err = openWeb(file.Web, file.Limits)
	problems = append(problems, err)
	for _, run := range file.Runs {
		if run.Focus.Oracle == nil {
			if _, err := newFocus(run.Focus, nil); err != nil {
				problems = append(problems, fmt.Errorf("run %s: %w", run.Name, err))
			}
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, errors.Join(err, closeAll(c.web))
	}
	c.scope = func() (*gate, error) {
		return newGate(file.Scope, c.web, file.Web.Robots == "archived", defaultAgent)
	}
	gate, err := c.scope()
	if err == nil {
		c.survey, err = surveyWeb(ctx, c.web, gate, file.Truth, file.Seeds.URLs)
	}
	if err != nil {
		return nil, errors.Join(err, c.web.Close())
	}
	return c, nil
}

// defaultAgent is the product token that a comparison obeys robots.txt under.
const defaultAgent = "orbweaver"

// allRuns adds the two runs that are always there, unless the file has them.
func allRuns(runs []crawlfile.Run) []crawlfile.Run {
	named := map[string]bool{}
	for _, r := range runs {
		named[r.Name] = true
	}
	all := append([]crawlfile.Run(nil), runs...)
	if !named[crawlfile.BreadthFirstRun] {
		all = append(all, crawlfile.Run{
			Name: crawlfile.BreadthFirstRun, Focus: crawlfile.Focus{BreadthFirst: &crawlfile.BreadthFirst{}},
		})
	}
	if !named[crawlfile.OracleRun] {
		all = append(all, crawlfile.Run{Name: crawlfile.OracleRun, Focus: crawlfile.Focus{Oracle: &crawlfile.Oracle{}}})
	}
	return all
}

// runAll makes all runs, as many at a time as serve best, and returns them in their order.
func (a *App) runAll(ctx context.Context, c *comparison) ([]eval.Run, error) {
	atOnce := c.file.Workers
	if atOnce == 0 {
		atOnce = runtime.GOMAXPROCS(0)
	}
	runs, problems := make([]eval.Run, len(c.runs)), make([]error, len(c.runs))
	slots := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	var told sync.Mutex
	for i, run := range c.runs {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			runs[i], problems[i] = c.run(ctx, run)
			told.Lock()
			defer told.Unlock()
			if problems[i] == nil {
				last := runs[i].Curves[0].Last()
				say(a.Err, "%s: %d requests, recall %.1f %%", run.Name, last.Requests, 100*last.Recall())
			}
		})
	}
	all.Wait()
	return runs, errors.Join(problems...)
}

// run crawls with one focus, its ledger in memory, its pages.jsonl in the output folder.
func (c *comparison) run(ctx context.Context, run crawlfile.Run) (eval.Run, error) {
	result := eval.Run{Name: run.Name, Focus: describe(run.Focus), Oracle: run.Focus.Oracle != nil}
	focus, err := newFocus(run.Focus, c.survey.graph.Distances(c.survey.truth))
	if err != nil {
		return result, fmt.Errorf("run %s: %w", run.Name, err)
	}
	folder := filepath.Join(c.file.Output, "runs", url.PathEscape(run.Name))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return result, fmt.Errorf("run %s: %w", run.Name, err)
	}
	progress, err := c.crawl(ctx, focus, folder)
	if err != nil {
		return result, fmt.Errorf("run %s: %w", run.Name, err)
	}
	result.Ended = progress.Ended
	curve := eval.NewCurve(c.survey.truth, c.survey.reachable)
	for line, err := range ledger.Lines(filepath.Join(folder, ledger.JournalFile)) {
		if err != nil {
			return result, err
		}
		curve.Add(line)
	}
	result.Curves = []*eval.Curve{curve}
	return result, nil
}

// crawl makes one crawl of a comparison.
func (c *comparison) crawl(ctx context.Context, focus orbweaver.Focus, folder string) (orbweaver.Progress, error) {
	book, err := ledger.OpenInMemory(folder)
	if err != nil {
		return orbweaver.Progress{}, err
	}
	gate, err := c.scope()
	if err != nil {
		return orbweaver.Progress{}, err
	}
	l := c.file.Limits
	progress, err := engine.New(engine.Config{
		Focus: focus, Fetch: c.web, Read: page.NewReader(page.Options{MaxBody: l.Body}), Ledger: book,
		Frontier: frontier.New(frontier.Options{HostPages: l.PerHost}),
		Scope:    gate.allows, Seeds: c.file.Seeds.URLs, Limits: engineLimits(l), Workers: 1, Snapshot: 1 << 30,
	}, book.Progress()).Run(ctx)
	err = errors.Join(err, book.Close())
	if err == nil && progress.Ended == "" {
		err = ErrInterrupted
	}
	return progress, err
}

// engineLimits are a crawl file's limits as the engine takes them.
func engineLimits(l crawlfile.Limits) engine.Limits {
	return engine.Limits{
		Requests: l.Requests, Pages: l.Pages, Bytes: l.Bytes, Time: l.Time,
		Depth: l.Depth, Redirects: l.Redirects, Body: l.Body,
	}
}

// result is what the runs came to.
func (c *comparison) result(runs []eval.Run) *eval.Comparison {
	return &eval.Comparison{
		Name: c.file.Name(), Truth: c.survey.name, Seeds: c.file.Seeds.URLs,
		Web: eval.WebFacts{
			Documents: c.survey.documents, Reachable: c.survey.reached,
			Relevant: c.survey.relevant, RelevantReachable: c.survey.reachable,
		},
		Budget: int(c.file.Limits.Requests), Checkpoints: c.file.Checkpoints, Runs: runs,
	}
}

// writeComparison writes the three files.
func writeComparison(folder string, c *eval.Comparison) error {
	write := func(name string, write func(*os.File) error) error {
		if err := replaceWith(filepath.Join(folder, name), write); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	return errors.Join(
		write("comparison.csv", func(f *os.File) error { return c.WriteCSV(f) }),
		write("comparison.json", func(f *os.File) error { return c.WriteJSON(f) }),
		write("report.html", func(f *os.File) error { return c.WriteReport(f) }),
	)
}

// summarizeComparison prints a table of recall and harvest rate at the shares of the web.
func (a *App) summarizeComparison(c *comparison, result *eval.Comparison) {
	s := c.survey
	say(a.Out, "%s: %s", result.Name, result.Truth)
	say(a.Out, "  %d documents, %d can be reached; %d relevant, %d of them can be reached",
		s.documents, s.reached, s.relevant, s.reachable)
	shares := result.Checkpoints
	if shares == nil {
		shares = eval.DefaultCheckpoints()
	}
	var marks []int
	head := fmt.Sprintf("\n%-20s", "recall % (harvest %)")
	for _, share := range shares {
		marks = append(marks, result.Requests(share))
		head += fmt.Sprintf("%16s", fmt.Sprintf("%g %% (%d)", 100*share, marks[len(marks)-1]))
	}
	say(a.Out, "%s", head)
	for i := range result.Runs {
		row := fmt.Sprintf("%-20s", result.Runs[i].Name)
		for _, f := range result.Runs[i].Figures(marks) {
			row += fmt.Sprintf("%16s", fmt.Sprintf("%.1f (%.1f)", 100*f.Recall.Mean, 100*f.HarvestRate.Mean))
		}
		say(a.Out, "%s", row)
	}
	say(a.Out, "\n%s has report.html, comparison.csv, comparison.json and each run's pages.jsonl.", relative(c.file.Output))
}
