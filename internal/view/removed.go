package view

import (
	"io"
	"time"

	"orbweaver/internal/console"
	"orbweaver/internal/inspect"
)

// Removed prints what was removed from a crawl, or would be.
func Removed(w io.Writer, r inspect.Removed, preview bool) {
	verb := "removed"
	if preview {
		verb = "would remove"
	}
	n := func(n int64, thing string) string { return console.Several(int(n), thing) }
	console.Say(w, "%s: %s (%s), %s that wait, %s", verb, n(r.Requests, "request"), n(r.Pages, "page"), n(r.Waiting, "request"), n(r.Verdicts, "verdict"))
	console.Say(w, "  %s forget how links on these pages led to them", n(r.Mentioned, "other request"))
	for _, url := range r.Examples {
		console.Say(w, "  %s", console.Visible(url, 400))
	}
	if !preview {
		console.Say(w, "  %s in the archive overwritten; recorded in takedowns.jsonl at %s", n(r.Records, "answer"), r.At.Format(time.RFC3339))
	}
}
