package requisites

import (
	"fmt"
	"strings"

	"orbweaver/internal/console"
	"orbweaver/internal/step"
)

// Text describes the requisites of a crawl on a line; empty if there are none.
func Text(r step.Requisites) string {
	if r == (step.Requisites{}) {
		return ""
	}
	parts := []string{fmt.Sprintf("%d (%s)", r.Fetched, console.SizeOf(r.Bytes))}
	for _, p := range []struct {
		n    int64
		word string
	}{{r.Failed, "failed"}, {r.Refused, "refused"}, {r.LeftOut, "left out by the budget"}, {r.Waiting, "waiting"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	return strings.Join(parts, ", ")
}
