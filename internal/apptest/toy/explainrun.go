package toy

import (
	"fmt"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// Fill adds n waiting requests to a ledger, the best last, and commits an outcome of the first.
func Fill(tb testing.TB, l *ledger.Ledger, n int) {
	tb.Helper()
	batch := step.Batch{}
	for i := range n {
		url := fmt.Sprintf("http://host%d.example/a/rather/usual/path/page%d.html", i%97, i)
		p := orbweaver.Proposal{
			Request: orbweaver.Request{URL: url, Depth: 1, Parent: "http://tidings.example/", Note: make([]byte, 60),
				Via: &orbweaver.Link{To: url, Anchor: "a usual link", Context: strings.Repeat("words ", 40), Origin: orbweaver.FromAnchor}},
			Judgement: orbweaver.Judgement{Score: float64(i) / float64(n), Reasons: []orbweaver.Reason{
				{Rule: "page", Evidence: "http://tidings.example/ scores 0.3", Weight: 0.1},
				{Rule: "context", Evidence: "airline: fleet, carrier; pilot: pilot", Weight: 0.1},
				{Rule: "inlinks", Evidence: "3 pages link here", Weight: -0.1},
			}},
		}
		id, _ := l.Offer(p.Request)
		batch.Waiting = append(batch.Waiting, step.Waiting{ID: id, Proposal: p})
	}
	if err := l.Commit(batch); err != nil {
		tb.Fatal(err)
	}
	first := batch.Waiting[0]
	page := &orbweaver.Page{Request: first.Request, URL: first.URL, Status: 200, Links: []orbweaver.Link{{To: "http://airfields.example/live/x"}}}
	o := &orbweaver.Outcome{Request: first.Request, Status: 200, Page: page}
	if err := l.Commit(step.Batch{Done: first.ID, Outcome: o, Progress: step.Progress{Requests: 1, Pages: 1}}); err != nil {
		tb.Fatal(err)
	}
}
