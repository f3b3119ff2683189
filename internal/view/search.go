package view

import (
	"io"
	"strings"

	"orbweaver/internal/console"
	"orbweaver/internal/store"
)

// Found prints the results of a search.
func Found(w io.Writer, f *store.Found) {
	defer func() {
		if f.Unindexed > 0 {
			console.Say(w, "among %d of %d requests: the words of the others are not indexed yet", f.Of-f.Unindexed, f.Of)
		}
	}()
	if len(f.Hits) == 0 {
		console.Say(w, "no page was found")
		return
	}
	for i, h := range f.Hits {
		console.Say(w, "%3d  %.3f  %s", i+1, h.Score, console.Visible(h.Title, 100))
		console.Say(w, "     %s", console.Visible(h.URL, 300))
		if len(h.Labels) > 0 {
			console.Say(w, "     labels: %s", console.Visible(strings.Join(h.Labels, ", "), 200))
		}
		if line := h.Snippet.String(); line != "" {
			console.Say(w, "     %s", line)
		}
	}
	console.Say(w, "%d of %d pages found", len(f.Hits), f.Total)
}
