package assembly

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/eval"
	"orbweaver/internal/console"
	"orbweaver/internal/kind"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/saturation"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// shownPages is the number of best pages in a summary. keptPages is the number kept in memory while reading
// pages.jsonl, because a refresh may lower or remove some of the best.
const (
	shownPages = 10
	keptPages  = 100
)

// A Summary is the result of a crawl.
type Summary struct {
	Name     string        `json:"name"`
	Folder   string        `json:"folder"` // absolute
	Report   string        `json:"report"` // file
	State    string        `json:"state"`  // why the crawl ended, or "running" or "interrupted"
	End      string        `json:"end"`    // the same in one word: docs/reference/formats.md lists them
	Progress step.Progress `json:"progress"`

	Accepted  int64                       `json:"accepted"`            // by the current threshold
	Threshold float64                     `json:"threshold,omitempty"` // minimum score of accepted pages; 0: acceptance does not depend on a score
	Failures  map[orbweaver.Failure]int64 `json:"failures,omitempty"`
	Statuses  map[int]int64               `json:"statuses,omitempty"` // of the failures for "status", by HTTP status
	Met       eval.Met                    `json:"met,omitzero"`
	Sources   int64                       `json:"sources,omitempty"`  // fetched for their links
	Explored  *eval.Sample                `json:"explored,omitempty"` // links drawn at random beside the others; nil: none was drawn
	Truth     *Measured                   `json:"truth,omitempty"`    // nil without a truth

	Left     *saturation.Estimate `json:"left,omitempty"`     // what would still be accepted; nil: too little is known
	Seeds    int                  `json:"seeds"`              // of the crawl file
	Barren   int                  `json:"barren,omitempty"`   // seeds that gave no page
	Mends    []string             `json:"mends,omitempty"`    // reason and remedy for the first of them
	Problems []string             `json:"problems,omitempty"` // likely mistakes in the crawl file
	Cut      []string             `json:"cut,omitempty"`      // what limits kept from the crawl
	Flaws    map[string]int       `json:"flaws,omitempty"`    // mended or left out of pages, by kind: pages with the kind
	Warnings []string             `json:"warnings,omitempty"` // obstacles to finding more
	Links    *eval.LinkFigures    `json:"-"`                  // precision of link classes; nil if the focus predicts none
	Classes  string               `json:"classes,omitempty"`  // Links as text
	Triples  *eval.DataFigures    `json:"triples,omitempty"`  // statements found, by how; nil: none were
	Ways     string               `json:"-"`                  // Triples as text, for focuses that predict classes
	Chances  *eval.ChanceFigures  `json:"chances,omitempty"`  // how good the predicted chances of links were; nil: there were none
	Changes  []ChangeList         `json:"changes,omitempty"`  // of a refresh
	Pageless bool                 `json:"pageless,omitempty"` // the results are not pages
	Best     []ledger.Line        `json:"best,omitempty"`     // pages, accepted ones first, by score; of those with the same bytes the first
	Found    string               `json:"found,omitempty"`    // results other than pages, as text
	Next     []string             `json:"next"`               // advice on next steps, one a line
}

// Measured is the quality of a crawl measured against a ground truth.
type Measured struct {
	Name      string  `json:"name"` // of the ground truth
	Harvest   float64 `json:"harvest_rate"`
	Relevant  int     `json:"relevant"` // pages fetched
	Recall    float64 `json:"recall"`
	Reachable int     `json:"reachable"` // relevant pages that can be reached

	Acceptance eval.Acceptance `json:"acceptance"` // zero if it cannot be measured
}

// goesOn reports whether this process, or others, run the crawl.
func (c *Crawl) goesOn() bool { return c.running || c.Gathers }

// summaryOf returns the summary of a crawl. sum has collected all lines of pages.jsonl.
func (c *Crawl) summaryOf(progress step.Progress, sum *summary) *Summary {
	s := &Summary{
		Name: c.File.Name(), Folder: c.File.Output, Report: filepath.Join(c.File.Output, ReportFile), State: progress.Ended, Progress: progress,
		Failures: sum.failures.Reasons, Statuses: sum.failures.Statuses, Met: sum.met, Sources: sum.sources, Seeds: len(c.File.Seeds.URLs), Barren: len(c.barren), Mends: starting.Lines(c.barren, shownSeeds),
		Chances: sum.chances.Figures(), Left: sum.estimate, Problems: c.strandedWords(), Cut: c.cutLines(progress, sum), Flaws: sum.flaws, Warnings: c.view.Warnings, Links: c.Links, Classes: classesText(c.Links), Triples: sum.data.Figures(), Changes: c.Changes.lists(),
		Pageless: kind.AbilitiesOf(c.File.Focus).Pageless, Next: c.advice(progress),
	}
	if s.State = cmp.Or(s.State, "interrupted"); c.goesOn() {
		s.State = "running"
	}
	s.End = cmp.Or(engine.End(progress.Ended), s.State)
	s.Accepted, s.Threshold = sum.verdicts(progress)
	if sum.sample.Drawn > 0 {
		s.Explored = &sum.sample
	}
	if !s.Pageless {
		s.Best = distinct(sum.best, shownPages)
	}
	if sum.curve != nil {
		p := sum.curve.Last()
		s.Truth = &Measured{
			Name: c.survey.Name, Harvest: p.HarvestRate(), Relevant: p.Relevant, Recall: p.Recall(), Reachable: c.survey.Reachable,
		}
		// The report shows an error if pages.jsonl cannot be read.
		s.Truth.Acceptance, _ = eval.MeasureAcceptance(ledger.Committed(filepath.Join(c.File.Output, ledger.JournalFile)), c.survey.Truth)
	}
	if c.Links != nil {
		s.Ways = triplesText(s.Triples)
	}
	if c.view.Print != nil {
		var found strings.Builder
		c.view.Print(&found, console.Relative(c.File.Output))
		s.Found = found.String()
	}
	return s
}

// cutLines says what limits kept from the crawl, documents larger than limits.body too.
func (c *Crawl) cutLines(progress step.Progress, sum *summary) []string {
	lines := CutWords(c.refused, progress.Threshold)
	if n := sum.failures.Reasons[orbweaver.ErrTooLarge]; n > 0 {
		lines = append(lines, fmt.Sprintf("%d documents larger than limits.body (%s) allows (raise it)", n, console.SizeOf(c.File.Limits.Body)))
	}
	return lines
}

// distinct returns the first n pages without those that have the bytes of one before.
func distinct(best []ledger.Line, n int) (all []ledger.Line) {
	met := map[string]bool{"": false}
	for _, line := range best {
		if len(all) < n && !met[line.Digest] {
			all = append(all, line)
			met[line.Digest] = line.Digest != ""
		}
	}
	return all
}

// advice returns the lines of Summary.Next.
func (c *Crawl) advice(progress step.Progress) (lines []string) {
	folder, file := console.Relative(c.File.Output), console.Relative(c.Path)
	if progress.Ended == "" && !c.goesOn() {
		lines = append(lines, "orbweaver crawl "+file+"   goes on")
	}
	lines = append(lines,
		"open "+console.Relative(filepath.Join(c.File.Output, ReportFile))+"   what was accepted and why, then curves, hosts and failures",
		"orbweaver explain "+folder+" URL   why a page is in, or why it was never fetched")
	lines = append(lines, kind.Of(c.File.Focus).Next(c.File.Focus.Section(), folder)...)
	if more := c.adviceToGoOn(progress); more != "" {
		lines = append(lines, more)
	}
	return lines
}

// A summary collects figures from the lines of pages.jsonl: a harvest-rate curve if there is a truth, the number of
// failures by reason, and the best pages in the order of the report. A refresh adds lines about known pages; the last
// line about a page counts.
type summary struct {
	curve    *eval.Curve
	chances  eval.ChanceTally
	left     saturation.Curve
	estimate *saturation.Estimate // the last
	data     eval.DataTally
	failures step.Failures
	met      eval.Met
	sources  int64
	flaws    map[string]int // pages by kind
	sample   eval.Sample
	best     []ledger.Line
	bestOf   []uint64        // their requests, by the same hashes
	accepted map[uint64]bool // hashes of requests whose page is currently accepted
	seed     maphash.Seed
}

// newSummary returns an empty summary.
func (c *Crawl) newSummary() *summary {
	s := &summary{accepted: map[uint64]bool{}, flaws: map[string]int{}, seed: maphash.MakeSeed()}
	if c.survey != nil {
		s.curve = eval.NewCurve(c.survey.Truth, c.survey.Reachable)
	}
	return s
}

// collect adds each line to the summary and yields it, so that one pass over pages.jsonl serves several readers.
func (s *summary) collect(lines iter.Seq2[ledger.Line, error]) iter.Seq2[ledger.Line, error] {
	return func(yield func(ledger.Line, error) bool) {
		for line, err := range lines {
			if err == nil {
				s.add(line)
			}
			if !yield(line, err) {
				return
			}
		}
	}
}

func (s *summary) add(line ledger.Line) {
	s.sample.Add(line)
	s.chances.Add(&line)
	s.left.Add(&line)
	s.data.Add(&line)
	step.CountFlaws(s.flaws, line.Flaws)
	s.met.Add(&line)
	if s.curve != nil {
		s.curve.Add(line)
	}
	switch line.Error {
	case "":
	case step.ErrSource:
		s.sources++
	default:
		s.failures.Add(line.Error, line.Status)
	}
	request := maphash.Comparable(s.seed, [3]string{line.URL, line.Accept, line.Query})
	if export.IsPage(line) && line.Accepted {
		s.accepted[request] = true
	} else {
		delete(s.accepted, request)
	}
	if at := slices.Index(s.bestOf, request); at >= 0 {
		s.best, s.bestOf = slices.Delete(s.best, at, at+1), slices.Delete(s.bestOf, at, at+1)
	}
	if line.Score <= 0 || line.Redirect != "" || len(s.best) == keptPages && better(line, s.best[keptPages-1]) > 0 {
		return
	}
	at, _ := slices.BinarySearchFunc(s.best, line, better)
	s.best, s.bestOf = slices.Insert(s.best, at, line), slices.Insert(s.bestOf, at, request)
	s.best, s.bestOf = s.best[:min(len(s.best), keptPages)], s.bestOf[:min(len(s.best), keptPages)]
}

// verdicts returns the number of accepted pages and the minimum score of acceptance, or 0 if acceptance does not depend
// on a score. The number follows the current threshold, unlike Progress.Accepted.
func (s *summary) verdicts(progress step.Progress) (accepted int64, from float64) {
	if progress.Threshold == 0 {
		return progress.Accepted, 0
	}
	return int64(len(s.accepted)), progress.Threshold
}

// better compares lines in the order of the best pages: accepted pages first, then by score, then by request number.
func better(a, b ledger.Line) int {
	switch {
	case a.Accepted && !b.Accepted:
		return -1
	case b.Accepted && !a.Accepted:
		return 1
	}
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.N, b.N))
}

// adviceToGoOn returns the change to the crawl file that lets an ended crawl continue, or "" if there is none.
func (c *Crawl) adviceToGoOn(progress step.Progress) string {
	key, value := starting.Limit(progress.Ended, c.File.Limits)
	file := console.Relative(c.Path)
	over := c.Before.Ended != "" && progress.Requests == c.Before.Requests
	switch {
	case c.goesOn():
	case engine.Passes(progress.Ended):
		return "The same command asks again: what waits, and what failed for reasons that pass."
	case over && key != "":
		return fmt.Sprintf("This crawl was over before: %s (%s: %s). Raise it in %s, and the same command continues.", progress.Ended, key, value, file)
	case over:
		return fmt.Sprintf("This crawl was over before: %s. No limit of %s ended it: name more seeds, in another output.", progress.Ended, file)
	case key != "":
		return fmt.Sprintf("%s: %s ended it: raise it in the crawl file, and the same command continues", key, value)
	}
	return ""
}

// classesText formats the precision of link classes and rules as tables.
func classesText(f *eval.LinkFigures) string {
	if f == nil {
		return ""
	}
	var w strings.Builder
	console.Say(&w, "  discovery rate   %s (documents of RDF: %d; requests: %d; domains: %d)", f.Discovery.Percent(), f.All.RDF, f.All.Requests, f.Domains)
	console.Say(&w, "\nLinks followed     predicted   right    open  absent  precision  mean of domains  with absent")
	for i, class := range eval.LinkClasses() {
		if c := f.All.Classes[i]; c.Predicted > 0 {
			console.Say(&w, "  %-16s %9d%8d%8d%8d%11s%17s%13s", class, c.Predicted, c.Right, c.Open, c.Absent, f.Precision[i].Percent(), f.Precision[i].PercentMean(), f.Present[i].Percent())
		}
	}
	if len(f.Rules) == 0 {
		return w.String()
	}
	console.Say(&w, "\nBy rule            predicted   right    open  absent  precision   recall")
	for _, r := range f.Rules {
		console.Say(&w, "  %-2s %-13s %9d%8d%8d%8d%11s%9s", r.Class, console.Visible(r.Rule, 40), r.Predicted, r.Right, r.Open, r.Absent, r.Precision.Percent(), r.Recall.Percent())
	}
	return w.String()
}

// triplesText formats how statements were found as tables.
func triplesText(f *eval.DataFigures) string {
	if f == nil {
		return ""
	}
	var w strings.Builder
	console.Say(&w, "\nTriples found by                                                    documents     triples")
	for _, way := range f.Ways {
		console.Say(&w, "  %-65s%10d%12d", way.Words()+"; "+way.Place(), way.Documents, way.Triples)
	}
	console.Say(&w, "  %-65s%10d%12d", "all", f.Documents, f.Triples)
	console.Say(&w, "\nBy domain                                                           documents     triples")
	for _, d := range f.Rows()[:min(len(f.Top), shownSeeds)] {
		console.Say(&w, "  %-65s%10d%12d", console.Visible(d.Domain, 60), d.Documents, d.Triples)
	}
	if more := f.Domains - min(len(f.Top), shownSeeds); more > 0 {
		console.Say(&w, "  and %d other domains: see the report", more)
	}
	return w.String()
}
