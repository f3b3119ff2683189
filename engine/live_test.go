package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// bubble runs a test in virtual time, over a folder.
func bubble(t *testing.T, f func(t *testing.T, dir string)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) { f(t, dir) })
}

func TestLiveLoop(t *testing.T) {
	for _, tc := range []struct {
		name  string
		guest guest
		want  []string
		ended string
	}{
		{
			name:  "a host is asked one by one, best first",
			guest: guest{web: &liveWeb{pages: web{"http://a/": "http://a/1 .1\nhttp://a/9 .9", "http://a/1": "", "http://a/9": "http://a/5 .5", "http://a/5": ""}}},
			want:  []string{"a/", "a/9", "a/5", "a/1"}, ended: engine.EndExhausted,
		},
		{
			name:  "a redirect goes ahead",
			guest: guest{web: &liveWeb{pages: web{"http://a/": "http://a/old .5\nhttp://a/x .4", "http://a/old": "-> http://a/new", "http://a/new": "", "http://a/x": ""}}},
			want:  []string{"a/", "a/old -> a/new", "a/new", "a/x"},
		},
		{
			name:  "what is overloaded is asked again, and tells of the last try",
			guest: guest{retries: 2, web: &liveWeb{pages: web{"http://a/": ""}, fails: map[string]int{"http://a/": 3}}},
			want:  []string{"a/ !status"},
		},
		{
			name:  "a retry that answers is a page",
			guest: guest{retries: 2, web: &liveWeb{pages: web{"http://a/": ""}, fails: map[string]int{"http://a/": 2}}},
			want:  []string{"a/"},
		},
		{
			name: "robots.txt drops what waits already, and what comes",
			guest: guest{polite: true, web: &liveWeb{
				pages:  web{"http://a/": "http://b/no .9\nhttp://b/yes .5", "http://b/yes": "http://b/no/more .9"},
				robots: map[string]string{"http://b": "/no"},
			}},
			want: []string{"a/", "b/yes"},
		},
		{
			name: "robots.txt redirected within its host, and to another",
			guest: guest{polite: true, web: &liveWeb{
				pages:  web{"http://a/": "http://b/x .5", "http://b/x": ""},
				robots: map[string]string{"http://a": "-> http://a/rules", "http://b": "-> http://c/rules"},
			}},
			want: []string{"a/", "b/x"},
		},
		{
			name: "robots.txt redirected to a host that is down",
			guest: guest{polite: true, session: session{turns: frontier.Options{MaxFailures: 2}}, locate: noSuch("http://b"),
				web: &liveWeb{pages: web{"http://a/": ""}, robots: map[string]string{"http://a": "-> http://b/robots.txt"}}},
			want: []string{"a/ !host-down"},
		},
		{
			name: "robots.txt redirected to no host",
			guest: guest{polite: true, session: session{turns: frontier.Options{MaxFailures: 2}},
				web: &liveWeb{pages: web{"http://a/": ""}, robots: map[string]string{"http://a": "-> mailto:x"}}},
			want: []string{"a/ !host-down"},
		},
		{
			name: "a robots.txt that cannot be had gives its host up, which is told once",
			guest: guest{polite: true, web: &liveWeb{
				pages:  web{"http://a/": "http://b/1 .5\nhttp://b/2 .7\nhttp://a/x .1", "http://a/x": ""},
				robots: map[string]string{"http://b": "503"},
			}},
			want: []string{"a/", "a/x", "b/2 !host-down"},
		},
		{
			name:  "a name that is none",
			guest: guest{locate: noSuch("http://b"), web: &liveWeb{pages: web{"http://a/": "http://b/1 .5\nhttp://b/2 .7"}}},
			want:  []string{"a/", "b/2 !no-such-host"},
		},
		{
			name: "the request that brought its host down tells of it itself",
			guest: guest{retries: 9, session: session{turns: frontier.Options{MaxFailures: 2}},
				web: &liveWeb{pages: web{"http://a/": "http://b/1 .5\nhttp://b/2 .7", "http://b/2": "connect", "http://b/1": "connect"}}},
			want: []string{"a/", "b/2 !connect"},
		},
		{
			name: "panics are failures of one request",
			guest: guest{polite: true, web: &liveWeb{
				pages:  web{"http://a/": "http://a/bad .9\nhttp://a/good .5\nhttp://b/x .4", "http://a/good": ""},
				panics: map[string]bool{"http://a/bad": true, "http://b/robots.txt": true},
			}},
			want: []string{"a/", "a/bad !unreadable", "a/good", "b/x !host-down"},
		},
		{
			name:  "a panic of the look-up gives its host up",
			guest: guest{locate: func(host string) error { panic(host) }, web: &liveWeb{}},
			want:  []string{"a/ !unreadable"},
		},
		{
			name:  "rounds: what a round finds waits for the next",
			guest: guest{session: session{focus: rounds{size: 2}}, web: &liveWeb{pages: web{"http://a/": "http://a/1 .1\nhttp://a/5 .5\nhttp://a/6 .6", "http://a/6": "http://a/9 .9"}}},
			want:  []string{"a/", "a/6", "a/5 !status", "a/9 !status", "a/1 !status"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, dir string) {
				if tc.guest.focus == nil {
					tc.guest.focus = focus{}
				}
				progress, err := tc.guest.run(t, dir)
				if err != nil {
					t.Fatal(err)
				}
				if got := lines(t, dir); !slices.Equal(got, tc.want) {
					t.Errorf("crawled %q,\nwant %q", got, tc.want)
				}
				if tc.ended != "" && progress.Ended != tc.ended {
					t.Errorf("ended: %q, want %q", progress.Ended, tc.ended)
				}
			})
		})
	}
}

// noSuch returns a resolver that fails for one host.
func noSuch(host string) func(string) error {
	return func(asked string) error {
		if asked == host {
			return fmt.Errorf("look up %s: %w", host, orbweaver.ErrNoHost)
		}
		return nil
	}
}

// troubled is a random web in which every fifth page answers 503 once or twice.
func troubled(n int, seed uint64) *liveWeb {
	w := &liveWeb{pages: randomWeb(n, seed), fails: map[string]int{}}
	for i, url := range w.pages.reachable("http://a/") {
		if i%5 == 1 {
			w.fails[url] = 1 + i%2
		}
	}
	return w
}

// patient returns options under which no host goes down.
func patient() frontier.Options {
	return frontier.Options{Delay: 100 * time.Millisecond, MaxFailures: 1000, MaxRest: time.Second}
}

// TestLiveKilledAndGoneOn: whichever commit the process is killed at, with retries in between, every page of
// the web has exactly one outcome.
func TestLiveKilledAndGoneOn(t *testing.T) {
	for _, fresh := range []func() orbweaver.Focus{
		func() orbweaver.Focus { return focus{} },
		func() orbweaver.Focus { return newCounting() },
		func() orbweaver.Focus { return rounds{size: 5} },
		func() orbweaver.Focus { return rounds{} },
	} {
		for _, every := range []int{2, 9, 25} {
			t.Run(fmt.Sprintf("%T every %d", fresh(), every), func(t *testing.T) {
				bubble(t, func(t *testing.T, dir string) {
					w := troubled(36, uint64(every))
					g := guest{web: w, retries: 2, session: session{turns: patient()}}
					if every > 8 { // each session requests that many robots.txt files anew, with a commit each
						g.polite = true
					}
					progress := g.untilDone(t, dir, fresh, every)
					want := w.pages.reachable("http://a/")
					if got := asked(t, dir); !slices.Equal(got, want) || len(want) < 15 {
						t.Errorf("%d outcomes, want %d: %s", len(got), len(want), firstDifference(got, want))
					}
					if int(progress.Requests) != len(want) || progress.Ended != engine.EndExhausted {
						t.Errorf("progress %+v", progress)
					}
				})
			})
		}
	}
}

// TestLiveStopped: whenever ctx ends or Stop is called, nothing is lost or repeated, and hosts keep their
// delay across sessions.
func TestLiveStopped(t *testing.T) {
	for _, byStop := range []bool{false, true} {
		for _, delay := range []time.Duration{1, 45 * time.Millisecond, 130 * time.Millisecond, 410 * time.Millisecond} {
			bubble(t, func(t *testing.T, dir string) {
				w := troubled(40, uint64(delay))
				archive := &tape{}
				g := guest{web: w, retries: 2, polite: true, session: session{turns: patient(), focus: focus{}, recorder: archive}}
				g.turns.MaxFailures = 1000
				step := delay
				g.meddle = func(c *engine.Crawl, stop context.CancelFunc) {
					after(step)
					if !byStop {
						stop()
					} else if err := c.Call(context.Background(), c.Stop); err != nil && !errors.Is(err, engine.ErrOver) {
						t.Error(err)
					}
				}
				for sessions := 0; ; sessions++ {
					progress, err := g.run(t, dir)
					if err != nil {
						t.Fatal(err)
					}
					if progress.Ended != "" {
						break
					}
					if sessions > 5 {
						step *= 2
					}
				}
				if got, want := asked(t, dir), w.pages.reachable("http://a/"); !slices.Equal(got, want) {
					t.Errorf("%d outcomes, want %d: %s", len(got), len(want), firstDifference(got, want))
				}
				w.keepsDelay(t, g.turns.Delay)
			})
		}
	}
}

// keepsDelay checks that the requests to each host are at least the delay apart.
func (w *liveWeb) keepsDelay(t testing.TB, delay time.Duration) {
	t.Helper()
	last := map[string]time.Time{}
	for _, v := range w.visits {
		host := weburl.Host(v.url)
		if gap := v.at.Sub(last[host]); gap < delay {
			t.Errorf("%s was asked %v after the request before", v.url, gap)
		}
		last[host] = v.at
	}
}

// TestLiveLimits: limits of requests and pages are exact, with many requests in flight and hosts that go
// down.
func TestLiveLimits(t *testing.T) {
	pages := randomWeb(80, 4)
	for url := range pages {
		if strings.HasPrefix(url, "http://c/") {
			pages[url] = "connect"
		}
	}
	for limit := int64(1); limit < 24; limit += 2 {
		bubble(t, func(t *testing.T, dir string) {
			g := guest{web: &liveWeb{pages: pages}, session: session{focus: focus{}, turns: frontier.Options{Connections: 4, MaxFailures: 3}}}
			g.limits.Requests = limit
			progress, err := g.run(t, dir)
			if err != nil || progress.Requests != limit || progress.Ended != engine.EndRequests {
				t.Errorf("%d requests of %d: %+v, %v", progress.Requests, limit, progress, err)
			}
		})
		bubble(t, func(t *testing.T, dir string) {
			g := guest{web: &liveWeb{pages: pages}, session: session{focus: focus{}, turns: frontier.Options{Connections: 4, MaxFailures: 3}}}
			g.limits.Pages = limit
			progress, err := g.run(t, dir)
			if err != nil || progress.Pages != limit || progress.Ended != engine.EndPages {
				t.Errorf("%d pages of %d: %+v, %v", progress.Pages, limit, progress, err)
			}
		})
	}
}

// TestLiveTime: a time limit ends the session at once; requests in flight wait again.
func TestLiveTime(t *testing.T) {
	bubble(t, func(t *testing.T, dir string) {
		began := time.Now()
		g := guest{web: &liveWeb{pages: web{"http://a/": ""}}, session: session{focus: focus{}, limits: engine.Limits{Time: latency / 3}}}
		progress, err := g.run(t, dir)
		if err != nil || progress.Ended != engine.EndTime || progress.Requests != 0 || time.Since(began) != latency/3 {
			t.Errorf("%+v after %v, %v", progress, time.Since(began), err)
		}
		g.limits.Time = 0
		if _, err := g.run(t, dir); err != nil {
			t.Fatal(err)
		}
		if got := lines(t, dir); !slices.Equal(got, []string{"a/"}) {
			t.Errorf("crawled %q", got)
		}
	})
}

// TestRobotsAgain: robots.txt is requested again after a day, and newly forbidden requests are dropped.
func TestRobotsAgain(t *testing.T) {
	bubble(t, func(t *testing.T, dir string) {
		w := &liveWeb{pages: web{"http://a/": "http://a/1 .9\nhttp://a/no .7", "http://a/1": "", "http://a/no": ""}, robots: map[string]string{"http://a": "/never"}}
		g := guest{web: w, polite: true, session: session{focus: focus{}, turns: frontier.Options{Delay: 13 * time.Hour}}}
		g.observe = func(orbweaver.Outcome) { w.robots["http://a"] = "/no" }
		if _, err := g.run(t, dir); err != nil {
			t.Fatal(err)
		}
		if got := lines(t, dir); !slices.Equal(got, []string{"a/", "a/1"}) || w.count("http://a/robots.txt") != 2 {
			t.Errorf("crawled %q, robots.txt asked for %d times", got, w.count("http://a/robots.txt"))
		}
		book, err := ledger.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer book.Close()
		for w := range book.AllWaiting() {
			t.Errorf("%s waits still", w.URL)
		}
	})
}
