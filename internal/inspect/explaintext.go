package inspect

import (
	"fmt"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/judge"
)

// answer is what a URL answered, on one line.
func (v *outcomeView) answer() string {
	s := fmt.Sprint(v.Status)
	if v.Type != "" {
		s += ", " + console.Visible(v.Type, 80)
	}
	if v.Digest != "" {
		s += ", " + console.SizeOf(v.Bytes)
	}
	return s
}

// verdictOf is a score with what it meant.
func verdictOf(score float64, accepted bool, class string) string {
	s := fmt.Sprintf("%.3f", score)
	if accepted {
		s += ", accepted"
	} else {
		s += ", not accepted"
	}
	if class != "" {
		s += ", class " + console.Visible(class, 60)
	}
	return s
}

// printExplanation writes an explanation for people. What there is not is left out.
func printExplanation(a *job.Job, x *Explanation) {
	console.Say(a.Out, "%s", x.URL)
	console.Say(a.Out, "%s", x.Why)
	if x.Note != "" {
		console.Say(a.Out, "(%s)", x.Note)
	}
	if v := x.Outcome; v != nil {
		printOutcome(a, v)
	}
	if v := x.Leads; v != nil {
		console.Say(a.Out, "\nWhere it leads:")
		printOutcome(a, v)
	}
	printChain(a, x)
	if w := x.Waiting; w != nil {
		printWhy(a, fmt.Sprintf("Predicted %.3f, because of:", w.Score), w.Reasons)
	}
	if v := x.Outcome; v != nil {
		printWhy(a, fmt.Sprintf("Predicted %.3f, because of:", v.Predicted.Score), v.Predicted.Reasons)
		printWhy(a, fmt.Sprintf("Turned out to score %s, because of:", verdictOf(v.Score, v.Accepted, v.Class)), v.Reasons)
	}
	printLinked(a, x)
	printHost(a, x)
	printPast(a, x)
	if x.Kind == KindUnlinked && len(x.Nearest) > 0 {
		console.Say(a.Out, "\nThe nearest URLs that the crawl knows:")
		for _, url := range x.Nearest {
			console.Say(a.Out, "  %s", url)
		}
	}
}

// printOutcome writes what a URL was.
func printOutcome(a *job.Job, v *outcomeView) {
	judge.Fact(a, "url", v.URL, v.Redirect == "" && v.Status/100 != 2)
	judge.Fact(a, "title", console.Visible(v.Title, a.Columns()-14), v.Title != "")
	judge.Fact(a, "language", console.Visible(v.Lang, 20), v.Lang != "")
	judge.Fact(a, "fetched", v.At.UTC().Format(time.RFC3339), !v.At.IsZero())
	judge.Fact(a, "error", string(v.Error), v.Error != "")
	judge.Fact(a, "score", verdictOf(v.Score, v.Accepted, v.Class)+verdictsOf(v), v.Error == "")
}

// verdictsOf says by which threshold a page was accepted or not, and what the one as of now says.
func verdictsOf(v *outcomeView) string {
	if v.Now == nil {
		return ""
	}
	then, now := "", "not accepted"
	if v.Threshold > 0 {
		then = fmt.Sprintf(" when judged (from %s on)", judge.Weight(v.Threshold))
	}
	if v.Now.Accepted {
		now = "accepted"
	}
	return fmt.Sprintf("%s; now %s (from %s on)", then, now, judge.Weight(v.Now.Threshold))
}

// printChain writes how a URL, or a page that links to it, was reached.
func printChain(a *job.Job, x *Explanation) {
	if len(x.Chain) == 0 {
		return
	}
	what := "it"
	if x.Links != nil {
		what = "a page that links to it"
	}
	console.Say(a.Out, "\nHow %s was reached:", what)
	for i, s := range x.Chain {
		score := "     "
		if s.N > 0 {
			score = fmt.Sprintf("%.3f", s.Score)
		}
		console.Say(a.Out, "%3d. %s  %s", i+1, score, s.URL)
		indent := "            "
		if link := linkOf(s, a.Columns()-12); link != "" {
			console.Say(a.Out, "%s%s", indent, link)
		}
		if s.Context != "" {
			console.Say(a.Out, "%samid: %s", indent, console.Visible(s.Context, 2*(a.Columns()-18)))
		}
		for _, hop := range s.Redirects {
			console.Say(a.Out, "%sredirected from %s", indent, hop)
		}
	}
}

// linkOf describes the link of a step.
func linkOf(s HopView, width int) string {
	switch {
	case s.Anchor != "":
		return fmt.Sprintf("by the link “%s”", console.Visible(s.Anchor, max(width-14, 20)))
	case s.Origin != "":
		return "by a link without text (" + string(s.Origin) + ")"
	case s.Depth == 0:
		return "a seed"
	}
	return ""
}

// printWhy writes reasons, heaviest first as they stand.
func printWhy(a *job.Job, title string, reasons []orbweaver.Reason) {
	if len(reasons) == 0 {
		return
	}
	console.Say(a.Out, "\n%s", title)
	for _, r := range reasons {
		console.Say(a.Out, "  %-9s %s", judge.Weight(r.Weight), judge.Ruled(r, 400))
	}
}

// printLinked writes which pages link to a URL that was never asked for.
func printLinked(a *job.Job, x *Explanation) {
	l := x.Links
	if l == nil {
		return
	}
	var parts []string
	for _, p := range [...]struct {
		n    int
		what string
	}{{l.NoFollow, "nofollow"}, {l.Deep, "too deep"}, {l.Open, "left out by the focus, or not known why"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", p.what, p.n))
		}
	}
	more := ""
	if l.More {
		more = "more than "
	}
	console.Say(a.Out, "\nPages that link to it: %s%d", more, l.Pages)
	if len(parts) > 0 {
		console.Say(a.Out, "  %s", strings.Join(parts, ", "))
	}
	for _, url := range l.Examples {
		console.Say(a.Out, "  %s", url)
	}
}

// printHost writes how a host stands and what it was asked.
func printHost(a *job.Job, x *Explanation) {
	h := x.Host
	if h == nil || h.Account == nil && h.Until.IsZero() {
		return
	}
	console.Say(a.Out, "\nIts host:")
	judge.Fact(a, "state", h.State, true)
	judge.Fact(a, "rests until", h.Until.Local().Format(time.DateTime), !h.Until.IsZero())
	if c := h.Account; c != nil {
		judge.Fact(a, "asked", fmt.Sprintf("%d times, %d pages", c.Asked, c.Pages), true)
		judge.Fact(a, "delay", c.Delay.Round(time.Millisecond).String(), c.Delay > 0)
		judge.Fact(a, "robots.txt", console.Visible(c.Robots, 80), c.Robots != "")
		judge.Fact(a, "failures", failuresOf(c.Failures), len(c.Failures) > 0)
		judge.Fact(a, "down", string(c.Down), c.Down != "")
	}
}

// printPast writes what pages.jsonl told.
func printPast(a *job.Job, x *Explanation) {
	if s := x.SameBytes; s != nil {
		console.Say(a.Out, "\nThe same bytes as %s (request %d).", s.URL, s.N)
	}
	if len(x.History) > 0 {
		console.Say(a.Out, "\nEach time it was asked for:")
	}
	for _, e := range x.History {
		what := fmt.Sprintf("%d, %s", e.Status, verdictOf(e.Score, e.Accepted, ""))
		if e.Error != "" {
			what = string(e.Error)
		}
		console.Say(a.Out, "  request %d: %s  %s", e.N, what, e.Digest)
	}
	if x.Searched > 0 {
		console.Say(a.Out, "(Of pages.jsonl the first %s were looked at.)", console.SizeOf(x.Searched))
	}
}
