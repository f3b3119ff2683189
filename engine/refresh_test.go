package engine_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/ledger"
)

// An eager focus marks all waiting requests stale after each page.
type eager struct{ *counting }

func (e eager) Learn(ctx context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	_, err := e.counting.Learn(ctx, o)
	return orbweaver.Lesson{Stale: []string{"*"}}, err
}

// crawled returns a small web that was crawled and then changed: one page is unchanged, one changed, one
// gone, one moved, one fails.
func crawled(t *testing.T, dir string) *liveWeb {
	t.Helper()
	w := &liveWeb{pages: web{
		"http://a/":     "http://a/same .9\nhttp://a/other .8\nhttp://a/gone .7\nhttp://a/moved .6\nhttp://a/ill .5\nhttp://a/quiet .4",
		"http://a/same": "", "http://a/other": "", "http://a/gone": "", "http://a/moved": "", "http://a/ill": "", "http://a/quiet": "",
	}, fails: map[string]int{}}
	if _, err := (guest{web: w, session: session{focus: focus{}}}).run(t, dir); err != nil {
		t.Fatal(err)
	}
	after(48 * time.Hour)
	w.pages["http://a/other"] = "http://a/gone 1\nhttp://a/new .5\nhttp://a/ill 1"
	delete(w.pages, "http://a/gone")
	w.pages["http://a/moved"], w.pages["http://a/there"], w.pages["http://a/new"] = "-> http://a/there", "", "http://a/far .5"
	w.pages["http://a/ill"] = "cut"
	return w
}

// TestRefreshKilled: whichever commit a refresh is killed at, every page is requested again and reported
// once, and no finished request waits afterwards.
func TestRefreshKilled(t *testing.T) {
	for _, fresh := range []func() orbweaver.Focus{
		func() orbweaver.Focus { return focus{} },
		func() orbweaver.Focus { return merging{} },
		func() orbweaver.Focus { return eager{newCounting()} },
	} {
		for every := 1; every < 11; every += 3 {
			bubble(t, func(t *testing.T, dir string) {
				w := crawled(t, dir)
				told := map[string]orbweaver.Change{}
				g := guest{web: w, refresh: 24 * time.Hour, session: session{turns: frontier.Options{MaxFailures: 99}}}
				g.observe = func(o orbweaver.Outcome) {
					if _, again := told[o.Request.URL]; again && o.Change != orbweaver.Failed {
						t.Errorf("%s was told of twice", o.Request.URL)
					}
					told[o.Request.URL] = o.Change
				}
				if every == 1 { // a failing page is requested in each session, and its commit is no progress
					w.pages["http://a/ill"] = ""
				}
				progress := g.untilDone(t, dir, fresh, every)
				want := map[string]orbweaver.Change{
					"http://a/": orbweaver.Unchanged, "http://a/same": orbweaver.Unchanged, "http://a/quiet": orbweaver.Unchanged,
					"http://a/other": orbweaver.Changed, "http://a/gone": orbweaver.Gone, "http://a/moved": orbweaver.Moved,
				}
				for url, change := range want {
					if told[url] != change {
						t.Errorf("%T, every %d: %s is %q, want %q", fresh(), every, url, told[url], change)
					}
				}
				if progress.Ended != engine.EndRefreshed || progress.Pages < 7 {
					t.Errorf("progress %+v", progress)
				}
				waitsOnlyNew(t, dir)
			})
		}
	}
}

// waitsOnlyNew checks that no finished request waits.
func waitsOnlyNew(t *testing.T, dir string) {
	t.Helper()
	book, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for w, err := range book.AllWaiting() {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := book.Outcome(w.URL); err == nil {
			t.Errorf("%s is done and waits", w.URL)
		}
	}
}

// TestRefreshLimits: limits count from zero, and only links of refreshed pages are followed.
func TestRefreshLimits(t *testing.T) {
	bubble(t, func(t *testing.T, dir string) {
		w := crawled(t, dir)
		before := len(asked(t, dir))
		g := guest{web: w, refresh: 24 * time.Hour, session: session{focus: focus{}, limits: engine.Limits{Requests: 3}}}
		progress, err := g.run(t, dir)
		if got := len(asked(t, dir)) - before; err != nil || got != 3 || progress.Ended != engine.EndRequests {
			t.Errorf("%d outcomes more, %+v, %v", got, progress, err)
		}
	})
	bubble(t, func(t *testing.T, dir string) {
		w := crawled(t, dir)
		var found []string
		g := guest{web: w, refresh: 24 * time.Hour, session: session{focus: focus{}}}
		g.observe = func(o orbweaver.Outcome) {
			if o.Change == "" {
				found = append(found, o.Request.URL)
			}
		}
		if _, err := g.run(t, dir); err != nil {
			t.Fatal(err)
		}
		slices.Sort(found)
		if want := []string{"http://a/new", "http://a/there"}; fmt.Sprint(found) != fmt.Sprint(want) {
			t.Errorf("followed %q, want %q", found, want)
		}
	})
}

// TestRefreshForbidden: a page that robots.txt forbids now is reported, and its earlier outcome stays.
func TestRefreshForbidden(t *testing.T) {
	bubble(t, func(t *testing.T, dir string) {
		w := crawled(t, dir)
		w.robots = map[string]string{"http://a": "/same"}
		var failed []string
		g := guest{web: w, refresh: 24 * time.Hour, polite: true, session: session{focus: focus{}}}
		g.observe = func(o orbweaver.Outcome) {
			if orbweaver.FailureOf(o.Err) == orbweaver.ErrRobots {
				failed = append(failed, o.Request.URL)
			}
		}
		if _, err := g.run(t, dir); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(failed, []string{"http://a/same"}) || w.count("http://a/same") != 1 {
			t.Errorf("told of %q; asked %d times", failed, w.count("http://a/same"))
		}
	})
}
