package app

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/app/console"
	"orbweaver/internal/app/export"
	"orbweaver/internal/app/starting"
	"orbweaver/internal/kind"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// shownPages is how many of the best pages a summary names; keptPages is how many are remembered, for
// when a refresh found better ones changed or gone.
const (
	shownPages = 10
	keptPages  = 100
)

// summarize prints what a crawl came to, and what may be done next.
func (a *App) summarize(c *crawl, progress step.Progress, sum *summary) {
	curve, failures := sum.curve, sum.failures
	ended := progress.Ended
	switch {
	case c.running:
		ended = "running"
	case ended == "":
		ended = "interrupted"
	}
	console.Say(a.Out, "%s: %s after %d requests", c.file.Name(), ended, progress.Requests)
	console.Say(a.Out, "  pages fetched    %d", progress.Pages)
	accepted, from := sum.verdicts(progress)
	console.Say(a.Out, "  accepted         %d%s", accepted, from)
	console.Say(a.Out, "  acceptance rate  %.1f %%", console.Percent(accepted, progress.Pages))
	if len(failures) > 0 {
		console.Say(a.Out, "  failed           %s", countedFailures(failures))
	}
	if curve != nil {
		p := curve.Last()
		console.Say(a.Out, "  harvest rate     %.1f %% (%d relevant: %s)", 100*p.HarvestRate(), p.Relevant, c.survey.name)
		console.Say(a.Out, "  recall           %.1f %% of %d that can be reached", 100*p.Recall(), c.survey.reachable)
		a.tellAcceptance(c)
	}
	a.tellSeeds(c)
	a.tellStranded(c)
	a.tellLinks(c.links)
	a.listChanges(c.changes)
	if !kind.AbilitiesOf(c.file.Focus).Pageless {
		a.listBest(sum.best[:min(len(sum.best), shownPages)])
	}
	console.Say(a.Out, "\n%s has report.html, pages.jsonl and the crawl file as run.", console.Relative(c.file.Output))
	a.advise(c, progress, failures)
}

// tellAcceptance prints how right verdicts and scores are, by the truth.
func (a *App) tellAcceptance(c *crawl) {
	m, err := eval.MeasureAcceptance(ledger.Committed(filepath.Join(c.file.Output, ledger.JournalFile)), c.survey.truth)
	if err != nil || m.Pages == 0 {
		return // the report has told of it, where it cannot be read
	}
	console.Say(a.Out, "  of the accepted  precision %.3f, recall %.3f of the relevant pages fetched, F1 %.3f", m.Precision, m.Recall, m.F1)
	console.Say(a.Out, "  by score         precision of the best %d %.3f, average precision %.3f", min(eval.BestPages, m.Pages), m.Best, m.AveragePrecision)
}

// countedFailures names reasons with how often each occurred, the most frequent first.
func countedFailures(failures map[orbweaver.Failure]int64) string {
	reasons := slices.SortedFunc(maps.Keys(failures), func(a, b orbweaver.Failure) int {
		return cmp.Or(cmp.Compare(failures[b], failures[a]), cmp.Compare(a, b))
	})
	parts := make([]string, len(reasons))
	for i, f := range reasons {
		parts[i] = fmt.Sprintf("%d %s", failures[f], f)
	}
	return strings.Join(parts, ", ")
}

// A summary is what is kept of the lines of pages.jsonl: a curve, where there is a truth, how often what
// failed, and the best pages, accepted ones before others, as in the report. Of lines about one page,
// which a refresh makes, the last counts for the best.
type summary struct {
	curve    *eval.Curve
	failures map[orbweaver.Failure]int64
	best     []ledger.Line
	accepted map[uint64]bool // hashes of requests whose page is accepted, as of now
	seed     maphash.Seed
}

// newSummary is one of no lines.
func (c *crawl) newSummary() *summary {
	s := &summary{failures: map[orbweaver.Failure]int64{}, accepted: map[uint64]bool{}, seed: maphash.MakeSeed()}
	if c.survey != nil {
		s.curve = eval.NewCurve(c.survey.truth, c.survey.reachable)
	}
	return s
}

// heard ranges over lines, each of which it adds: they are read once for all that want them.
func (s *summary) heard(lines iter.Seq2[ledger.Line, error]) iter.Seq2[ledger.Line, error] {
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
	if s.curve != nil {
		s.curve.Add(line)
	}
	if line.Error != "" {
		s.failures[line.Error]++
	}
	if request := maphash.Comparable(s.seed, [3]string{line.URL, line.Accept, line.Query}); export.IsPage(line) && line.Accepted {
		s.accepted[request] = true
	} else {
		delete(s.accepted, request)
	}
	s.best = slices.DeleteFunc(s.best, func(l ledger.Line) bool {
		return l.URL == line.URL && l.Accept == line.Accept && l.Query == line.Query
	})
	if line.Score <= 0 || line.Redirect != "" || len(s.best) == keptPages && better(line, s.best[keptPages-1]) > 0 {
		return
	}
	at, _ := slices.BinarySearchFunc(s.best, line, better)
	s.best = slices.Insert(s.best, at, line)
	s.best = s.best[:min(len(s.best), keptPages)]
}

// verdicts is how many pages are accepted, and from which score on where that follows from the scores: as of now,
// which Progress cannot know.
func (s *summary) verdicts(progress step.Progress) (accepted int64, from string) {
	if progress.Threshold == 0 {
		return progress.Accepted, ""
	}
	return int64(len(s.accepted)), ", from a score of " + strconv.FormatFloat(progress.Threshold, 'g', 3, 64) + " on"
}

// better is the order of the best pages.
func better(a, b ledger.Line) int {
	switch {
	case a.Accepted && !b.Accepted:
		return -1
	case b.Accepted && !a.Accepted:
		return 1
	}
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.N, b.N))
}

// listBest prints pages with what made their score.
func (a *App) listBest(best []ledger.Line) {
	if len(best) == 0 {
		console.Say(a.Out, "\nNo page scored above 0.")
		return
	}
	console.Say(a.Out, "\nThe best pages:")
	for i, line := range best {
		mark := " "
		if line.Accepted {
			mark = "*"
		}
		console.Say(a.Out, "%3d. %.3f %s %s", i+1, line.Score, mark, line.URL)
		if line.Title != "" {
			console.Say(a.Out, "             “%s”", console.Visible(line.Title, a.Columns()-15))
		}
		if why := evidence(line.Reasons, a.Columns()-13); why != "" {
			console.Say(a.Out, "             %s", why)
		}
	}
	console.Say(a.Out, "  (* accepted)")
}

// evidence joins the heaviest reasons as far as they fit.
func evidence(reasons []orbweaver.Reason, width int) string {
	var b strings.Builder
	for _, r := range reasons {
		if r.Evidence == "" || r.Rule == orbweaver.RuleThreshold {
			continue
		}
		if b.Len() > 0 {
			if b.Len()+len(r.Evidence)+2 > width {
				break
			}
			b.WriteString("; ")
		}
		b.WriteString(r.Evidence)
	}
	return b.String()
}

// advise says what to try next.
func (a *App) advise(c *crawl, progress step.Progress, failures map[orbweaver.Failure]int64) {
	console.Say(a.Out, "\nNext:")
	private := func(f starting.Fate) bool { return f.Why == orbweaver.ErrPrivate }
	if failures[orbweaver.ErrPrivate] > 0 && !slices.ContainsFunc(c.barren, private) {
		console.Say(a.Out, "  allow_private: [127.0.0.0/8, …] in %s   names the private networks that this crawl may reach", console.Relative(c.path))
	}
	if progress.Ended == "" && !c.running {
		console.Say(a.Out, "  orbweaver crawl %s   goes on", console.Relative(c.path))
	}
	console.Say(a.Out, "  open %s   what was accepted and why, then curves, hosts and failures", console.Relative(filepath.Join(c.file.Output, "report.html")))
	console.Say(a.Out, "  orbweaver explain %s URL   why a page is in, or why it was never fetched", console.Relative(c.file.Output))
	for _, line := range kind.Of(c.file.Focus).Next(c.file.Focus.Section(), console.Relative(c.file.Output)) {
		console.Say(a.Out, "  %s", line)
	}
	a.adviseAgain(c, progress)
}
