package view

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/console"
	"orbweaver/internal/inspect"
	"orbweaver/internal/judge"
	"orbweaver/internal/step"
	"orbweaver/internal/teach"
	"orbweaver/ledger"
)

// unjudged returns why a page has no verdict: an external judge gave no answer about it, or something else came instead
// of it; empty: it has one.
func unjudged(reasons []orbweaver.Reason) string {
	for _, r := range reasons {
		switch r.Rule {
		case "no-answer", "not-asked": // rules of focus/external
			return cmp.Or(r.Evidence, r.Rule)
		case engine.RuleSender:
			return "an answer of " + r.Evidence + " came instead"
		}
	}
	return ""
}

// outcomeWords formats the score of an outcome and its verdict, or says that there is none.
func outcomeWords(v *inspect.OutcomeView) string {
	if why := unjudged(v.Reasons); why != "" && !v.Accepted {
		return "not judged: " + console.Visible(why, 200)
	}
	return verdictOf(v.Score, v.Accepted, v.Class) + verdictsOf(v)
}

// verdictOf formats a score and its verdict.
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

// chanceOf formats a chance in brackets; an unknown one gives "".
func chanceOf(p float64) string {
	if p <= 0 {
		return ""
	}
	return " (chance " + strconv.FormatFloat(p, 'g', 2, 64) + ")"
}

// Explanation prints an explanation, without its empty parts.
func Explanation(w io.Writer, columns int, x *inspect.Explanation) {
	console.Say(w, "%s", x.URL)
	console.Say(w, "%s", x.Why)
	if x.Note != "" {
		console.Say(w, "(%s)", x.Note)
	}
	if v := x.Outcome; v != nil {
		printOutcome(w, columns, v)
	}
	if v := x.Leads; v != nil {
		console.Say(w, "\nWhere it leads:")
		printOutcome(w, columns, v)
	}
	printChain(w, columns, x)
	if v := x.Waiting; v != nil {
		printWhy(w, fmt.Sprintf("Predicted %.3f%s, because of:", v.Score, chanceOf(v.Chance)), v.Reasons)
		if v.Last {
			console.Say(w, "\nIt waits after all others: such URLs did not answer so far (failing: last).")
		}
	}
	if v := x.Outcome; v != nil {
		printWhy(w, fmt.Sprintf("Predicted %.3f%s, because of:", v.Predicted.Score, chanceOf(v.Predicted.Chance)), v.Predicted.Reasons)
		what := fmt.Sprintf("Turned out to score %s, because of:", verdictOf(v.Score, v.Accepted, v.Class))
		if unjudged(v.Reasons) != "" && !v.Accepted {
			what = "It was not judged, because of:"
		}
		printWhy(w, what, v.Reasons)
	}
	printLinked(w, x)
	printHost(w, x)
	for _, o := range x.Outages {
		console.Say(w, "\n%s", outageOf(o))
	}
	printPast(w, x)
	if x.Kind == inspect.KindUnlinked && len(x.Nearest) > 0 {
		console.Say(w, "\nThe nearest URLs that the crawl knows:")
		for _, url := range x.Nearest {
			console.Say(w, "  %s", url)
		}
	}
}

// printOutcome prints the outcome of a URL.
func printOutcome(w io.Writer, columns int, v *inspect.OutcomeView) {
	console.Fact(w, "url", v.URL, v.Redirect == "" && v.Status/100 != 2)
	console.Fact(w, "title", console.Visible(v.Title, columns-14), v.Title != "")
	console.Fact(w, "language", console.Visible(v.Lang, 20), v.Lang != "")
	console.Fact(w, "fetched", v.At.UTC().Format(time.RFC3339), !v.At.IsZero())
	console.Fact(w, "scripts", console.Visible(v.Scripts(), 2*columns), v.Scripts() != "")
	console.Fact(w, "flaws", console.Visible(step.FlawWords(v.Flaws), 2*columns), len(v.Flaws) > 0)
	console.Fact(w, "chosen", v.Explored, v.Explored != "")
	console.Fact(w, "error", string(v.Error), v.Error != "")
	console.Fact(w, "score", outcomeWords(v), v.Error == "")
	console.Fact(w, "verdict", "a person says: "+teach.SaidWords(v.Said), v.Said != "")
	console.Fact(w, "chance", weight(v.Chance)+" that it is what the focus is for, as of its judgement", v.Chance > 0)
}

// verdictsOf describes the verdict at the time of judgement with its threshold, and the verdict by the
// current threshold.
func verdictsOf(v *inspect.OutcomeView) string {
	if v.Now == nil {
		return ""
	}
	then, now := "", "not accepted"
	if v.Threshold > 0 {
		then = fmt.Sprintf(" when judged (from %s on)", weight(v.Threshold))
	}
	if v.Now.Accepted {
		now = "accepted"
	}
	return fmt.Sprintf("%s; now %s (from %s on)", then, now, weight(v.Now.Threshold))
}

// printChain prints the path by which a URL, or a page that links to it, was reached.
func printChain(w io.Writer, columns int, x *inspect.Explanation) {
	if len(x.Chain) == 0 {
		return
	}
	what := "it"
	if x.Links != nil {
		what = "a page that links to it"
	}
	console.Say(w, "\nHow %s was reached:", what)
	for i, s := range x.Chain {
		score := "     "
		if s.N > 0 {
			score = fmt.Sprintf("%.3f", s.Score)
		}
		console.Say(w, "%3d. %s  %s", i+1, score, s.URL)
		indent := "            "
		if link := linkOf(s, columns-12); link != "" {
			console.Say(w, "%s%s", indent, link)
		}
		if s.Context != "" {
			console.Say(w, "%scontext: %s", indent, console.Visible(s.Context, 2*(columns-18)))
		}
		for _, hop := range s.Redirects {
			console.Say(w, "%sredirected from %s", indent, hop)
		}
	}
}

// linkOf describes the link of a step.
func linkOf(s inspect.HopView, width int) string {
	switch {
	case s.URL == ledger.RemovedURL:
		return "a page that a person had removed from the crawl"
	case s.Anchor != "":
		return fmt.Sprintf("by the link “%s”", console.Visible(s.Anchor, max(width-14, 20)))
	case s.Origin != "":
		return "by a link without text (" + string(s.Origin) + ")"
	case s.Depth == 0:
		return "a seed"
	}
	return ""
}

// printWhy prints reasons, heaviest first.
func printWhy(w io.Writer, title string, reasons []orbweaver.Reason) {
	if len(reasons) == 0 {
		return
	}
	console.Say(w, "\n%s", title)
	for _, r := range reasons {
		console.Say(w, "  %-9s %s", weight(r.Weight), judge.Ruled(r, 400))
	}
}

// printLinked prints the pages that link to a URL that was never requested.
func printLinked(w io.Writer, x *inspect.Explanation) {
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
	console.Say(w, "\nPages that link to it: %s%d", more, l.Pages)
	if len(parts) > 0 {
		console.Say(w, "  %s", strings.Join(parts, ", "))
	}
	for _, url := range l.Examples {
		console.Say(w, "  %s", url)
	}
}

// printHost prints a host's state and figures.
func printHost(w io.Writer, x *inspect.Explanation) {
	h := x.Host
	if h == nil || h.Account == nil && h.Until.IsZero() {
		return
	}
	console.Say(w, "\nIts host:")
	console.Fact(w, "state", h.State, true)
	console.Fact(w, "rests until", h.Until.Local().Format(time.DateTime), !h.Until.IsZero())
	if c := h.Account; c != nil {
		console.Fact(w, "asked", fmt.Sprintf("%d times, %d pages", c.Asked, c.Pages), true)
		console.Fact(w, "delay", c.Delay.Round(time.Millisecond).String(), c.Delay > 0)
		console.Fact(w, "robots.txt", console.Visible(c.Robots, 80), c.Robots != "")
		failed := step.Failures{Reasons: c.Failures}
		console.Fact(w, "failures", failed.Text(shownFailures), len(c.Failures) > 0)
		console.Fact(w, "down", string(c.Down), c.Down != "")
	}
}

// outageOf describes an outage of the network in which a request failed.
func outageOf(o step.Outage) string {
	from := o.From.Local().Format(time.DateTime)
	if o.To.IsZero() {
		return fmt.Sprintf("This machine's network is down since %s: what fails now counts for nothing.", from)
	}
	return fmt.Sprintf("It failed when this machine's network was down, from %s to %s, which counts for nothing.", from, o.To.Local().Format(time.TimeOnly))
}

// printPast prints the earlier outcomes in pages.jsonl.
func printPast(w io.Writer, x *inspect.Explanation) {
	if s := x.SameBytes; s != nil {
		console.Say(w, "\nThe same bytes as %s (request %d).", s.URL, s.N)
	}
	if len(x.History) > 0 {
		console.Say(w, "\nEvery request of it:")
	}
	for _, e := range x.History {
		what := fmt.Sprintf("%d, %s", e.Status, verdictOf(e.Score, e.Accepted, ""))
		if e.Error != "" {
			what = string(e.Error)
		}
		console.Say(w, "  request %d: %s  %s", e.N, what, e.Digest)
	}
	if x.Searched > 0 {
		console.Say(w, "(Only the first %s of pages.jsonl were searched.)", console.SizeOf(x.Searched))
	}
}
