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

// TestInheritedHostsRest: a host whose owner was another worker is not asked before its delay is over, whatever the clock of that one says.
func TestInheritedHostsRest(t *testing.T) {
	for _, wrong := range []time.Duration{-5 * time.Minute, 0, 5 * time.Minute} {
		bubble(t, func(t *testing.T, dir string) {
			var taken time.Time
			g := guest{
				session: session{focus: focus{}, turns: frontier.Options{Delay: time.Second}},
				web:     &liveWeb{pages: web{"http://a/": "http://a/1 .9\nhttp://a/2 .5\nhttp://a/3 .1", "http://a/1": "", "http://a/2": "", "http://a/3": "", "http://b/": ""}},
				meddle: func(c *engine.Crawl, _ context.CancelFunc) {
					after(1500 * time.Millisecond)
					var failed error
					err := c.Call(t.Context(), func() {
						taken = time.Now()
						failed = c.Inherit([]step.Parcel{
							{Account: &step.Account{Host: "http://b", Delay: time.Second, Asked: 1, Last: taken.Add(wrong)}},
							{Proposal: orbweaver.Proposal{Request: orbweaver.Request{URL: "http://b/"}, Judgement: orbweaver.Judgement{Score: .9}}},
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
			for _, v := range g.web.visits {
				if rests := v.at.Sub(taken); v.url == "http://b/" && (rests < time.Second || rests > 2*time.Second) {
					t.Errorf("a clock wrong by %v: asked %v after it was taken over", wrong, rests)
				}
			}
			if g.web.count("http://b/") != 1 {
				t.Error("it was not asked")
			}
		})
	}
}
