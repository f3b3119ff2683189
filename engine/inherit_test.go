package engine_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/step"
)

// TestInheritedRequestsWaitNoMore: what another worker has asked meanwhile is not asked again, although it waits here, or is proposed by the way.
func TestInheritedRequestsWaitNoMore(t *testing.T) {
	bubble(t, func(t *testing.T, dir string) {
		g := guest{
			session: session{focus: focus{}, turns: frontier.Options{Delay: time.Second}},
			web:     &liveWeb{pages: web{"http://a/": "http://a/1 .9\nhttp://a/2 .5\nhttp://a/3 .1", "http://a/1": "", "http://a/2": "", "http://a/3": "", "http://a/4": ""}},
			meddle: func(c *engine.Crawl, _ context.CancelFunc) {
				after(1500 * time.Millisecond)
				var failed error
				err := c.Call(t.Context(), func() {
					proposed := step.Parcel{Proposal: orbweaver.Proposal{Request: orbweaver.Request{URL: "http://a/4"}, Judgement: orbweaver.Judgement{Score: .9}}}
					failed = c.Inherit([]step.Parcel{
						step.KnownParcel(orbweaver.Request{URL: "http://a/2"}), proposed, step.KnownParcel(proposed.Request), proposed,
					})
				})
				if err != nil || failed != nil {
					t.Error(err, failed)
				}
			},
		}
		if _, err := g.run(t, dir); err != nil {
			t.Fatal(err)
		}
		if got, want := asked(t, dir), []string{"http://a/", "http://a/1", "http://a/3"}; !slices.Equal(got, want) {
			t.Errorf("asked %q, want %q", got, want)
		}
	})
}
