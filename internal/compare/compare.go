package compare

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/fetch/archive"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/gate"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/services"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/sitemap"
	"orbweaver/internal/survey"
	"orbweaver/internal/urllist"
)

// Compare runs every focus of a comparison file over the same archive and writes comparison.csv,
// comparison.json and report.html, and each run's pages.jsonl.
func Compare(ctx context.Context, a *job.Job, path string) error {
	stop := a.AfterAWhile("indexing and surveying the archive ...")
	c, err := prepareComparison(ctx, a.Schema(), path)
	stop()
	if err != nil {
		return err
	}
	defer c.web.Close()
	c.wire = a.Wire
	a.Warn(c.web)
	if err := os.MkdirAll(c.file.Output, 0o777); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	runs, err := runAll(ctx, a, c)
	if err != nil {
		return err
	}
	result, err := c.result(runs)
	if err != nil {
		return err
	}
	pairs, err := result.Paired()
	if err != nil {
		return err
	}
	if err := writeComparison(c.file.Output, result, pairs); err != nil {
		return err
	}
	summarizeComparison(a, c, result, pairs)
	return nil
}

// comparison is a comparison file with its parts.
type comparison struct {
	file   *crawlfile.Comparison
	schema crawlfile.Schema
	wire   wire.Wire // transport of requests to services
	web    *archive.Web
	scope  func() (*gate.Gate, error) // a new gate per run, because a gate is for one goroutine
	lens   *survey.Lens
	lists  *urllist.Lists // nil: none
	survey *survey.Survey
	runs   []crawlfile.Run // those of the file, the oracle and breadth-first
	lots   []lot           // one, or one per drawn item; every run crawls for each
	drawn  drawing
}

// prepareComparison loads all that a comparison file names and writes nothing.
func prepareComparison(ctx context.Context, schema crawlfile.Schema, path string) (*comparison, error) {
	file, err := schema.LoadComparison(path)
	if err != nil {
		return nil, err
	}
	c := &comparison{file: file, schema: schema, runs: allRuns(schema, file.Runs)}
	problems := []error{crawlfolder.CheckResults(file.Output)}
	c.web, err = services.OpenWeb(file.Web, file.Limits.Body)
	problems = append(problems, err)
	for _, run := range file.Runs {
		if err := checkRun(ctx, run); err != nil {
			problems = append(problems, fmt.Errorf("run %s: %w", run.Name, err))
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, errors.Join(err, services.CloseAll(c.web))
	}
	given := sitemap.New(c.web, file.Web.Sitemap, file.Seeds.URLs)
	c.scope = func() (*gate.Gate, error) {
		g, err := gate.New(file.Scope, c.web, file.Web.Robots == "archived", DefaultAgent)
		if err == nil {
			g.Give(given.Of)
		}
		return g, err
	}
	gate, err := c.scope()
	if err == nil {
		c.lists, err = file.Listed().Open()
	}
	if err == nil {
		c.lens = survey.NewLens(schema, c.web, given, file.Documents, file.Limits, file.Truth, focusesOf(c.runs)...)
		c.lens.List(c.lists)
		c.survey, err = survey.Web(ctx, c.web, c.lens, gate, file.Truth, file.Seeds.URLs)
	}
	if err == nil {
		err = c.draw(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, c.web.Close())
	}
	return c, nil
}

// DefaultAgent is the product token under which a comparison obeys robots.txt.
const DefaultAgent = "orbweaver"

// checkRun reports a focus that cannot be compared or built, and requests that cannot be read. A focus that depends on
// an item or on the truth is built later, when that is known.
func checkRun(ctx context.Context, run crawlfile.Run) error {
	f := run.Focus
	if run.Requests != "" {
		_, err := readLog(run.Requests, 0)
		return err
	}
	abilities := kind.AbilitiesOf(f)
	switch {
	case abilities.Uncompared != "":
		return fmt.Errorf("%s (%w)", abilities.Uncompared, orbweaver.ErrInput)
	case abilities.Knowing || abilities.ByItem:
		return nil
	}
	focus, err := kind.New(ctx, f, &kind.Env{})
	if err != nil {
		return err
	}
	return focus.Close()
}

// allRuns adds the mandatory runs unless the file has them.
func allRuns(schema crawlfile.Schema, runs []crawlfile.Run) []crawlfile.Run {
	all := slices.Clone(runs)
	for _, one := range schema {
		t := one.Traits()
		if t.Always != "" && !slices.ContainsFunc(runs, func(r crawlfile.Run) bool { return r.Name == t.Always }) {
			all = append(all, crawlfile.Run{Name: t.Always, Focus: schema.Focus(t.Key, nil)})
		}
	}
	return all
}

// focusesOf returns the focuses of runs.
func focusesOf(runs []crawlfile.Run) (focuses []crawlfile.Focus) {
	for _, r := range runs {
		if r.Requests == "" {
			focuses = append(focuses, r.Focus)
		}
	}
	return focuses
}

// result assembles the result of the runs.
func (c *comparison) result(runs []eval.Run) (*eval.Comparison, error) {
	s := c.survey
	schedule, err := c.schedule()
	if err != nil {
		return nil, err
	}
	result := &eval.Comparison{
		Name: c.file.Name(), Truth: s.Name, Seeds: c.file.Seeds.URLs,
		Web: eval.WebFacts{
			Documents: s.Documents, Reachable: s.Reached, Relevant: s.Relevant, RelevantReachable: s.Reachable,
		},
		Budget: int(c.file.Limits.Requests), Checkpoints: c.file.Checkpoints, Runs: runs,
		Pairing: c.pairing(), Schedule: schedule,
	}
	result.Facts = append(result.Facts, sitemap.Facts(c.lens.Given, c.lists)...)
	if c.file.Each != nil {
		for _, l := range c.lots {
			result.Units = append(result.Units, l.item)
		}
		result.Web.Reachable = c.drawn.reached
		result.Facts = append(result.Facts, c.itemFacts()...)
	}
	return result, nil
}

// itemFacts describes the drawn items.
func (c *comparison) itemFacts() []eval.Fact {
	facts := []eval.Fact{{Name: "items", Value: c.drawnWords()}}
	if len(c.file.Seeds.URLs) == 0 {
		facts = append(facts, eval.Fact{Name: "seeds", Value: "for each item its own links; reachable is what those of any item lead to"})
	}
	for i, l := range c.lots {
		facts = append(facts, eval.Fact{Name: fmt.Sprintf("item %d", i+1), Value: fmt.Sprintf("%s (%d relevant can be reached)", l.item, l.reachable)})
	}
	return facts
}

// drawnWords describes how items were drawn.
func (c *comparison) drawnWords() string {
	words := fmt.Sprintf("%d drawn of %d by seed %d", len(c.lots), c.drawn.candidates, c.file.Each.Seed)
	if n := c.drawn.barren; n > 0 {
		words += fmt.Sprintf("; %d with nothing relevant to reach drawn again", n)
	}
	return words
}

// writeComparison writes the result files: three, and one of paired differences if there are any.
func writeComparison(folder string, c *eval.Comparison, pairs *eval.Paired) error {
	problems := []error{
		writeResult(folder, "comparison.csv", c.WriteCSV),
		writeResult(folder, "comparison.json", c.WriteJSON),
		writeResult(folder, "report.html", c.WriteReport),
	}
	if pairs != nil {
		problems = append(problems, writeResult(folder, "paired.csv", pairs.WriteCSV))
	}
	return errors.Join(problems...)
}

// summarizeComparison prints recall and harvest rate at fixed shares of the web.
func summarizeComparison(a *job.Job, c *comparison, result *eval.Comparison, pairs *eval.Paired) {
	s := c.survey
	console.Say(a.Out, "%s: %s", result.Name, result.Truth)
	if c.file.Each == nil {
		console.Say(a.Out, "  %d documents, %d can be reached; %d relevant, %d of them can be reached",
			s.Documents, s.Reached, s.Relevant, s.Reachable)
	} else {
		least, mean, most := c.relevantReachable()
		console.Say(a.Out, "  %d documents, %d can be reached; items: %s", s.Documents, c.drawn.reached, c.drawnWords())
		console.Say(a.Out, "  %.1f relevant pages can be reached for an item on average, %d at least, %d at most", mean, least, most)
	}
	for _, fact := range sitemap.Facts(c.lens.Given, c.lists) {
		console.Say(a.Out, "  %s: %s", fact.Name, fact.Value)
	}
	shares := result.Checkpoints
	if shares == nil {
		shares = eval.DefaultCheckpoints()
	}
	var marks []int
	head := fmt.Sprintf("\n%-20s", "recall % (harvest %)")
	for _, share := range shares {
		marks = append(marks, result.Requests(share))
		head += fmt.Sprintf("%16s", fmt.Sprintf("%.4g %% (%d)", 100*share, marks[len(marks)-1]))
	}
	console.Say(a.Out, "%s", head)
	for i := range result.Runs {
		row := fmt.Sprintf("%-20s", result.Runs[i].Name)
		for _, f := range result.Runs[i].Figures(marks) {
			row += fmt.Sprintf("%16s", recallAndHarvest(f))
		}
		console.Say(a.Out, "%s", row)
	}
	printNeeded(a, result)
	printMeasures(a, result)
	printLikeness(a, result)
	printPrecision(a, result)
	if pairs != nil {
		printPaired(a, pairs)
	}
	console.Say(a.Out, "\n%s has report.html, comparison.csv, comparison.json and each run's pages.jsonl.", console.Relative(c.file.Output))
}

// printNeeded prints the number of requests for fixed shares of the relevant pages.
func printNeeded(a *job.Job, result *eval.Comparison) {
	head := fmt.Sprintf("\n%-20s", "requests to find")
	for _, share := range eval.NeededShares() {
		head += fmt.Sprintf("%16s", fmt.Sprintf("%g %%", 100*share))
	}
	console.Say(a.Out, "%s", head)
	for i := range result.Runs {
		row := fmt.Sprintf("%-20s", result.Runs[i].Name)
		for _, share := range eval.NeededShares() {
			row += fmt.Sprintf("%16s", result.Runs[i].NeededWords(share))
		}
		console.Say(a.Out, "%s", row)
	}
}

// printPrecision prints how well runs predicted the classes of links, if any did.
func printPrecision(a *job.Job, result *eval.Comparison) {
	headed := false
	for _, run := range result.Runs {
		if run.Links == nil {
			continue
		}
		if !headed {
			head := fmt.Sprintf("\n%-20s", "precision of links")
			for _, class := range eval.LinkClasses() {
				head += fmt.Sprintf("%10s", class)
			}
			console.Say(a.Out, "%s%16s", head, "discovery rate")
		}
		headed = true
		row := fmt.Sprintf("%-20s", run.Name)
		for _, share := range run.Links.Precision {
			row += fmt.Sprintf("%10s", share.Percent())
		}
		console.Say(a.Out, "%s%16s", row, run.Links.Discovery.Percent())
	}
}

// recallAndHarvest formats a figure in percent; the mean over several items has half its 95 % interval.
func recallAndHarvest(f eval.Figure) string {
	if f.Recall.N > 1 {
		return fmt.Sprintf("%.1f±%.1f (%.1f)", 100*f.Recall.Mean, 100*f.Recall.Half, 100*f.HarvestRate.Mean)
	}
	return fmt.Sprintf("%.1f (%.1f)", 100*f.Recall.Mean, 100*f.HarvestRate.Mean)
}

// relevantReachable returns the number of reachable relevant pages of an item: least, mean and most.
func (c *comparison) relevantReachable() (least int, mean float64, most int) {
	least = c.lots[0].reachable
	sum := 0
	for _, l := range c.lots {
		least, most, sum = min(least, l.reachable), max(most, l.reachable), sum+l.reachable
	}
	return least, float64(sum) / float64(len(c.lots)), most
}
