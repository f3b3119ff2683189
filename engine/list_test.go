package engine

import (
	"fmt"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/frontier"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// TestListsContinue: the pages of a list are as deep as its first as long as they bring something; a list whose pages bring nothing
// is ended by limits.depth, and what it would have had is counted.
func TestListsContinue(t *testing.T) {
	outcome := func(n int) *orbweaver.Outcome {
		o := &orbweaver.Outcome{Request: orbweaver.Request{URL: fmt.Sprintf("http://a.test/list?page=%d", n), Depth: 1}}
		next := &orbweaver.Link{To: fmt.Sprintf("http://a.test/list?page=%d", n+1), Anchor: "next"}
		o.Plan = []orbweaver.Proposal{{Request: orbweaver.Request{URL: next.To, Via: next}}}
		for i := range 3 {
			item := &orbweaver.Link{To: fmt.Sprintf("http://a.test/item/%d", min(n, 30)*3+i), Anchor: "item"}
			o.Plan = append(o.Plan, orbweaver.Proposal{Request: orbweaver.Request{URL: item.To, Via: item}})
		}
		return o
	}
	book, err := ledger.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	c := New(Config{Ledger: book, Frontier: frontier.New(frontier.Options{}), Limits: Limits{Depth: 4}}, step.Progress{})
	depth, reached := 1, 0
	for n := range 60 {
		o := outcome(n)
		o.Request.Depth = depth
		if !descend(o) {
			t.Fatal("no list")
		}
		f := newOffers(c)
		if err := f.proposeList(o); err != nil {
			t.Fatal(err)
		}
		goesOn := false
		for _, w := range f.list {
			switch {
			case strings.Contains(w.URL, "page="):
				depth, reached, goesOn = w.Depth, n+1, true
			case w.Depth != o.Request.Depth+1:
				t.Errorf("%s is at depth %d", w.URL, w.Depth)
			}
		}
		batch := step.Batch{}
		f.into(&batch)
		if err := book.Commit(batch); err != nil {
			t.Fatal(err)
		}
		if n == 30 && depth != 1 {
			t.Errorf("page %d is at depth %d", n, depth)
		}
		if !goesOn {
			break
		}
	}
	if reached != 34 {
		t.Errorf("the list was followed to page %d, want 34: three that bring nothing", reached)
	}
	if met := c.refusals.take(); len(met) != 1 || met[0].Reason != step.RefusedDepth {
		t.Errorf("told: %+v", met)
	}
}

// TestCutIsTold: a crawl that a limit kept something from does not say that nothing waits.
func TestCutIsTold(t *testing.T) {
	for _, tc := range []struct {
		refused step.Refused
		cuts    bool
		says    string
	}{
		{step.Refused{Reason: step.RefusedDepth, Best: 0.25, BestURL: "http://d/"}, true, "the best predicted 0.250: http://d/ (raise limits.depth)"},
		{step.Refused{Reason: step.RefusedTrap}, true, "traps: off follows them"},
		{step.Refused{Reason: step.RefusedRobots}, false, ""},
		{step.Refused{Reason: step.RefusedScope, Best: 0.2}, false, "the best predicted 0.200 (widen scope)"},
		{step.Refused{Reason: step.RefusedScope, Best: 0.6}, true, "the best predicted 0.600 (widen scope)"},
		{step.Refused{Reason: step.RefusedDropped, Best: 0.9}, false, "the best predicted 0.900"},
	} {
		if cuts, says := tc.refused.Cuts(0.5), tc.refused.BestWords(); cuts != tc.cuts || says != tc.says {
			t.Errorf("%+v: %v, %q", tc.refused, cuts, says)
		}
	}
}
