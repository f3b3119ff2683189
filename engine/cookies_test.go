package engine_test

import (
	"slices"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
)

// TestCookieWalls: a redirect to itself, or back, that changed the cookies is followed, within the limit of redirects;
// any other is a circle. Killed at any commit, the crawl ends at the same page.
func TestCookieWalls(t *testing.T) {
	for _, tc := range []struct {
		name  string
		pages web
		walls map[string]web
		limit int
		want  []string
	}{
		{"to itself, without a cookie", web{"http://a/": "-> http://a/"}, nil, 0, []string{"a/ !redirects -> a/"}},
		{"to itself", web{"http://a/": "-> http://a/"}, map[string]web{"http://a/": {"http://a/": ""}}, 0, []string{"a/ -> a/", "a/"}},
		{"back", web{"http://a/": "-> http://a/set", "http://a/set": "-> http://a/"}, map[string]web{"http://a/set": {"http://a/": ""}}, 0,
			[]string{"a/ -> a/set", "a/set -> a/", "a/"}},
		{"back, the cookie set before", web{"http://a/": "-> http://a/set", "http://a/set": "-> http://a/"}, map[string]web{"http://a/": {}}, 0,
			[]string{"a/ -> a/set", "a/set !redirects -> a/"}},
		{"by another host and on", web{"http://a/": "-> http://b/", "http://b/": "-> http://a/"}, map[string]web{"http://b/": {"http://a/": "-> http://a/in", "http://a/in": ""}}, 0,
			[]string{"a/ -> b/", "b/ -> a/", "a/ -> a/in", "a/in"}},
		{"a cookie anew each time", web{"http://a/": "-> http://a/"}, map[string]web{"http://a/": {}}, 3,
			[]string{"a/ -> a/", "a/ -> a/", "a/ -> a/", "a/ !redirects -> a/"}},
		{"to and fro, a cookie anew each time", web{"http://a/": "-> http://a/b", "http://a/b": "-> http://a/"}, map[string]web{"http://a/": {}, "http://a/b": {}}, 2,
			[]string{"a/ -> a/b", "a/b -> a/", "a/ !redirects -> a/b"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, every := range []int{0, 1, 2} {
				bubble(t, func(t *testing.T, dir string) {
					w := &liveWeb{pages: web{}, walls: tc.walls}
					for url, body := range tc.pages {
						w.pages[url] = body
					}
					g := guest{web: w, session: session{focus: focus{}, turns: frontier.Options{MaxFailures: 1000}, limits: engine.Limits{Redirects: tc.limit}}}
					if every > 0 {
						g.untilDone(t, dir, func() orbweaver.Focus { return focus{} }, every)
					} else if _, err := g.run(t, dir); err != nil {
						t.Fatal(err)
					}
					got, want := lines(t, dir), tc.want
					if every > 0 { // an answer that set a cookie may have been lost
						got, want = got[max(0, len(got)-1):], want[len(want)-1:]
					}
					if !slices.Equal(got, want) {
						t.Errorf("killed every %d: crawled %q, want %q", every, got, want)
					}
				})
			}
		})
	}
}
