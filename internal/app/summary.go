package app

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/ledger"
)

// shownPages is how many of the best pages a summary names; keptPages is how many are remembered, for
// when a refresh found better ones changed or gone.
const (
	shownPages = 10
	keptPages  = 100
)

// summarize prints what a crawl came to, and what may be done next.
func (a *App) summarize(c *crawl, progress orbweaver.Progress, sum *summary) {
	curve, failures := sum.curve, sum.failures
	ended := progress.Ended
	switch {
	case c.running:
		ended = "running"
	case ended == "":
		ended = "interrupted"
	}
	say(a.Out, "%s: %s after %d requests", c.file.Name(), ended, progress.Requests)
	say(a.Out, "  pages fetched    %d", progress.Pages)
	say(a.Out, "  accepted         %d", progress.Accepted)
	say(a.Out, "  acceptance rate  %.1f %%", percent(progress.Accepted, progress.Pages))
	if len(failures) > 0 {
		say(a.Out, "  failed           %s", countedFailures(failures))
	}
	if curve != nil {
		p := curve.Last()
		say(a.Out, "  harvest rate     %.1f %% (%d relevant: %s)", 100*p.HarvestRate(), p.Relevant, c.survey.name)
		say(a.Out, "  recall           %.1f %% of %d that can be reached", 100*p.Recall(), c.survey.reachable)
	}
	a.tellLinks(c.links)
	a.listChanges(c.changes)
	a.listBest(sum.best[:min(len(sum.best), shownPages)])
	say(a.Out, "\n%s has report.html, pages.jsonl and the crawl file as run.", relative(c.file.Output))
	a.advise(c, progress, failures)
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
}

// newSummary is one of no lines.
func (c *crawl) newSummary() *summary {
	s := &summary{failures: map[orbweaver.Failure]int64{}}
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
		say(a.Out, "\nNo page scored above 0.")
		return
	}
	say(a.Out, "\nThe best pages:")
	for i, line := range best {
		mark := " "
		if line.Accepted {
			mark = "*"
		}
		say(a.Out, "%3d. %.3f %s %s", i+1, line.Score, mark, line.URL)
		if why := evidence(line.Reasons, a.columns()-13); why != "" {
			say(a.Out, "             %s", why)
		}
	}
	say(a.Out, "  (* accepted)")
}

// evidence joins the heaviest reasons as far as they fit.
func evidence(reasons []orbweaver.Reason, width int) string {
	var b strings.Builder
	for _, r := range reasons {
		if r.Evidence == "" {
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
func (a *App) advise(c *crawl, progress orbweaver.Progress, failures map[orbweaver.Failure]int64) {
	say(a.Out, "\nNext:")
	if failures[orbweaver.ErrPrivate] > 0 {
		say(a.Out, "  allow_private: [127.0.0.0/8, …] in %s   names the private networks that this crawl may reach", relative(c.path))
	}
	if progress.Ended == "" && !c.running {
		say(a.Out, "  orbweaver crawl %s   goes on", relative(c.path))
	}
	say(a.Out, "  open %s   curves, hosts, failures, the best pages with all their reasons", relative(filepath.Join(c.file.Output, "report.html")))
	say(a.Out, "  orbweaver explain %s URL   why a page is in, or why it was never fetched", relative(c.file.Output))
	if o := c.file.Focus.Ontology; o != nil {
		say(a.Out, "  orbweaver ontology show %s --target '%s'   what counts for the target, and how much", relative(o.Files[0]), o.Target[0])
		say(a.Out, "  orbweaver suggestions %s   words that the ontology may lack", relative(c.file.Output))
		say(a.Out, "  orbweaver ontology check %s   what else it lacks", relative(o.Files[0]))
	}
}

// percent is a share in 0..100.
func percent(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// relative shortens a path for reading, when it lies below the working directory.
func relative(path string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return path
	}
	short, err := filepath.Rel(here, path)
	if err != nil || strings.HasPrefix(short, ".."+string(filepath.Separator)+"..") {
		return path
	}
	return short
}
