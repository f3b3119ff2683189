package engine

import (
	"math"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
)

// TestRefusals: each link that is not followed is counted once, under the first reason.
func TestRefusals(t *testing.T) {
	c := New(Config{InScope: func(url string) bool { return url == "http://robots/" }}, step.Progress{})
	request := func(url string) orbweaver.Request { return orbweaver.Request{URL: url, Parent: "http://p/"} }
	c.refusals.dropped(orbweaver.Proposal{Request: request("http://d/"), Judgement: orbweaver.Judgement{Score: math.NaN(), Reasons: []orbweaver.Reason{
		{Rule: "a", Weight: 0.1}, {Rule: "b", Evidence: "e", Weight: 0.3}, {Rule: "c", Weight: 0.2},
	}}})
	c.refuse(orbweaver.Proposal{Request: request("http://scope/"), Judgement: orbweaver.Judgement{Score: 0.7}}, "pattern")
	c.refuse(orbweaver.Proposal{Request: request("http://robots/")}, "line")
	c.refusals.unfollowed(&orbweaver.Page{URL: "http://p/", Links: []orbweaver.Link{
		{To: "http://n/", Rel: "nofollow"}, {To: "http://p/", Rel: "nofollow"}, {To: "http://f/", Rel: "next"}, {Rel: "nofollow"},
	}})
	links := []orbweaver.Link{{To: "http://e/", Rel: "next"}, {To: "http://n/", Rel: "nofollow"}, {To: "http://p/"}, {}}
	c.refusals.cut(&orbweaver.Page{URL: "http://p/", Links: links})
	c.refusals.cut(&orbweaver.Page{URL: "http://q/", Links: links, NoFollow: true})
	want := []step.Refusal{
		{Reason: step.RefusedDropped, Rule: "b", Evidence: "e", URL: "http://d/", Parent: "http://p/"},
		{Reason: step.RefusedScope, Rule: "pattern", URL: "http://scope/", Parent: "http://p/", Score: 0.7},
		{Reason: step.RefusedRobots, Rule: "line", URL: "http://robots/", Parent: "http://p/"},
		{Reason: step.RefusedNoFollow, URL: "http://n/", Parent: "http://p/"},
		{Reason: step.RefusedDropped, URL: "http://e/", Parent: "http://p/"},
	}
	got := c.refusals.take()
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%d: %+v, want %+v", i, got[i], want[i])
		}
	}
	if more := c.refusals.take(); len(more) > 0 {
		t.Errorf("told twice: %+v", more)
	}
}
