package view

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/requisites"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// PrintSummary prints the result of a crawl and possible next commands.
func PrintSummary(w io.Writer, columns int, s *assembly.Summary) {
	p := s.Progress
	console.Say(w, "%s: %s after %d requests", s.Name, s.State, p.Requests)
	console.Say(w, "  pages fetched    %d", p.Pages)
	from := ""
	if s.Threshold > 0 {
		from = ", from a score of " + strconv.FormatFloat(s.Threshold, 'g', 3, 64) + " on"
	}
	if p.Accepted != s.Accepted {
		from += fmt.Sprintf("; %d when they were judged", p.Accepted)
	}
	console.Say(w, "  accepted         %d%s", s.Accepted, from)
	console.Say(w, "  acceptance rate  %.1f %%", console.Percent(s.Accepted, p.Pages))
	if failed := (step.Failures{Reasons: s.Failures, Statuses: s.Statuses}); len(s.Failures) > 0 {
		console.Say(w, "  failed           %s", failed.Text(shownFailures))
	}
	for _, line := range s.Met.Lines() {
		console.Say(w, "  %-16s %s", line[0], line[1])
	}
	if text := requisites.Text(p.Requisites); text != "" {
		console.Say(w, "  requisites       %s", text)
	}
	if text := p.LoginCosts.Text(); text != "" {
		console.Say(w, "  logins           %s", text)
	}
	if s.Sources > 0 {
		console.Say(w, "  sources          %d, fetched for their links", s.Sources)
	}
	if text := s.Explored.Text(); text != "" {
		console.Say(w, "  drawn at random  %s", text)
	}
	if s.Left != nil && s.Left.Left.High+s.Left.Next.High > 0 {
		console.Say(w, "  left to accept   %s", s.Left.Text())
	}
	if t := s.Truth; t != nil {
		printMeasured(w, t)
	}
	if s.Barren > 0 {
		console.Say(w, "\nSeeds that gave no page: %d of %d", s.Barren, s.Seeds)
		for _, line := range s.Mends {
			console.Say(w, "  %s", line)
		}
	}
	for _, problem := range s.Problems {
		console.Say(w, "\nWARNING: %s", problem)
	}
	fmt.Fprint(w, s.Classes, s.Ways)
	printChanges(w, s.Changes)
	if len(s.Cut) > 0 {
		console.Say(w, "\nNot fetched, because of limits:")
		for _, line := range s.Cut {
			console.Say(w, "  %s", line)
		}
	}
	if len(s.Flaws) > 0 {
		console.Say(w, "\nFlaws mended, in pages: %s", console.Visible(step.FlawWords(s.Flaws), 400))
	}
	if !s.Pageless {
		printBest(w, columns, s.Best)
	}
	console.Say(w, "\n%s has report.html, pages.jsonl and the crawl file as run.", console.Relative(s.Folder))
	console.Say(w, "\nNext:")
	for _, line := range s.Next {
		console.Say(w, "  %s", line)
	}
	fmt.Fprint(w, s.Found)
}

// printMeasured prints the figures of a crawl measured by a truth.
func printMeasured(w io.Writer, t *assembly.Measured) {
	console.Say(w, "  harvest rate     %.1f %% (%d relevant: %s)", 100*t.Harvest, t.Relevant, t.Name)
	console.Say(w, "  recall           %.1f %% of %d that can be reached", 100*t.Recall, t.Reachable)
	m := t.Acceptance
	if m.Pages == 0 {
		return
	}
	console.Say(w, "  of the accepted  precision %.3f, recall %.3f of the relevant pages fetched, F1 %.3f", m.Precision, m.Recall, m.F1)
	console.Say(w, "  by score         precision of the best %d %.3f, average precision %.3f", min(eval.BestPages, m.Pages), m.Best, m.AveragePrecision)
}

// printChanges prints the changes that a refresh found.
func printChanges(w io.Writer, lists []assembly.ChangeList) {
	if len(lists) == 0 {
		return
	}
	console.Say(w, "\nThe refresh:")
	for _, l := range lists {
		console.Say(w, "  %-10s %5d  %s", l.Kind, l.Pages, l.Meaning)
		for _, url := range l.URLs {
			console.Say(w, "             %s", url)
		}
		if more := l.Pages - len(l.URLs); more > 0 && len(l.URLs) > 0 {
			console.Say(w, "             and %d more, in pages.jsonl", more)
		}
	}
}

// printBest prints pages with the reasons of their scores.
func printBest(w io.Writer, columns int, best []ledger.Line) {
	if len(best) == 0 {
		console.Say(w, "\nNo page scored above 0.")
		return
	}
	console.Say(w, "\nThe best pages:")
	for i, line := range best {
		mark := " "
		if line.Accepted {
			mark = "*"
		}
		console.Say(w, "%3d. %.3f %s %s", i+1, line.Score, mark, line.URL)
		if line.Title != "" {
			console.Say(w, "             “%s”", console.Visible(line.Title, columns-15))
		}
		if why := evidence(line.Reasons, columns-13); why != "" {
			console.Say(w, "             %s", why)
		}
	}
	console.Say(w, "  (* accepted)")
}

// evidence joins the heaviest reasons that fit.
func evidence(reasons []orbweaver.Reason, width int) string {
	var b strings.Builder
	for _, r := range reasons {
		if r.Evidence == "" || r.Rule == orbweaver.RuleThreshold {
			continue
		}
		why := r.Evidence
		if why[0] >= '0' && why[0] <= '9' {
			why = r.Rule + " " + why // a figure alone does not say of what
		}
		if b.Len() > 0 {
			if b.Len()+len(why)+2 > width {
				break
			}
			b.WriteString("; ")
		}
		b.WriteString(why)
	}
	return b.String()
}

// Printed prints a summary, if there is one, and returns err.
func Printed(a *job.Job, s *assembly.Summary, err error) error {
	if s != nil {
		PrintSummary(a.Out, a.Columns(), s)
		for _, w := range s.Warnings {
			console.Say(a.Err, "warning: %s", w)
		}
	}
	return err
}
