package view

import (
	"fmt"
	"io"
	"strconv"

	"orbweaver/internal/console"
	"orbweaver/internal/judge"
)

// Judged prints a focus's verdict on a page, without its empty parts.
func Judged(w io.Writer, columns int, v *judge.Verdict) {
	if v.Status == 0 {
		return // no request or no answer: the error is reported elsewhere
	}
	console.Say(w, "%s", v.URL)
	for _, h := range v.Hops {
		console.Say(w, "  → %s (%d)", h.To, h.Status)
	}
	for _, r := range v.Refused {
		if v.Error == r.By {
			continue // the error names the rule
		}
		console.Say(w, "  the crawl would not request %s: %s: %s", r.URL, r.By, console.Visible(r.Rule, 200))
	}
	console.Fact(w, "status", strconv.Itoa(v.Status), v.Status != 0)
	console.Fact(w, "media type", console.Visible(v.Type, 80), v.Type != "")
	console.Fact(w, "title", console.Visible(v.Title, columns-14), v.Title != "")
	console.Fact(w, "language", console.Visible(v.Lang, 20), v.Lang != "")
	console.Fact(w, "words", fmt.Sprintf("%d of main text", v.Words), v.Type != "" && !v.Scripted)
	console.Fact(w, "words", fmt.Sprintf("%d of main text: no text without JavaScript", v.Words), v.Scripted)
	if r := v.Rendering; r != nil {
		console.Fact(w, "scripts", string(r.Scripts)+": "+r.Why, true)
	}
	if v.Opinion != nil {
		printOpinion(w, columns, v.Opinion)
	}
}

// printOpinion prints score, reasons and links.
func printOpinion(w io.Writer, columns int, o *judge.Opinion) {
	word := "not accepted"
	if o.Accepted {
		word = "accepted"
	}
	if o.Threshold != nil {
		word += fmt.Sprintf(" (from %s on)", weight(*o.Threshold))
	}
	console.Fact(w, "score", fmt.Sprintf("%.3f, %s", o.Score, word), true)
	console.Fact(w, "chance", weight(o.Chance)+" that it is what the focus is for, by the pages of the crawl", o.Chance > 0)
	console.Fact(w, "as of", o.AsOf, o.AsOf != "")
	console.Fact(w, "class", console.Visible(o.Class, 80), o.Class != "")
	if o.Topic != nil {
		o.Topic.Print(w)
	}
	printReasons(w, o)
	n := o.Links
	console.Say(w, "\nLinks: %d, to %d targets; a crawl would follow %d.", n.All, n.Targets, n.Follow)
	console.Say(w, "  dropped by the focus %d, out of scope %d, forbidden by robots.txt %d, nofollow %d, to itself %d",
		n.Dropped, n.Scope, n.Robots, n.NoFollow, n.Itself)
	printLinks(w, columns, "The best links:", o.Best)
	printLinks(w, columns, "The worst links, the worst first:", o.Worst)
}

// printReasons prints entities with their words, then all other reasons.
func printReasons(w io.Writer, o *judge.Opinion) {
	if len(o.Reasons) == 0 {
		console.Say(w, "\nThe page has no evidence of the topic.")
		return
	}
	if len(o.Entities) > 0 {
		console.Say(w, "\nEntities, and the words that named them:")
	}
	for _, e := range o.Entities {
		console.Say(w, "  %-9s %s  %s", weight(e.Weight), console.Padded(console.Visible(e.Name, 60), 24), console.Visible(e.Words, 400))
	}
	others := o.Others()
	if len(others) > 0 {
		console.Say(w, "\nReasons:")
	}
	for _, r := range others {
		console.Say(w, "  %-9s %s", weight(r.Weight), judge.Ruled(r, 400))
	}
}

// printLinks prints links with the reasons of their scores.
func printLinks(w io.Writer, columns int, title string, links []judge.RankedLink) {
	if len(links) == 0 {
		return
	}
	console.Say(w, "\n%s", title)
	for i, l := range links {
		anchor := console.Visible(l.Anchor, columns-13)
		if anchor == "" {
			anchor = "(no text)"
		}
		console.Say(w, "%3d. %.3f  %s%s", i+1, l.Score, anchor, chanceOf(l.Chance))
		console.Say(w, "            %s", l.URL)
		switch {
		case l.Dropped:
			console.Say(w, "            dropped by the focus")
		case l.Refused != nil:
			console.Say(w, "            not requested: %s: %s", l.Refused.By, console.Visible(l.Refused.Rule, 200))
		}
		for _, r := range l.Reasons {
			console.Say(w, "            %s (%s)", judge.Ruled(r, 200), weight(r.Weight))
		}
	}
}

// weight formats a weight with three significant digits.
func weight(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }
