//go:build e2e

package crawls_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/assembly"
	"orbweaver/internal/changes"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/run"
	"orbweaver/internal/step"
)

// killed watches until the n-th outcome, and leaves the folder as it was at that moment: what the process did after it is lost. False: it came to
// no such outcome within the time.
func (w *watching) killed(long time.Duration, n int) (was bool) {
	w.t.Helper()
	ctx, stop := context.WithTimeout(w.t.Context(), long)
	defer stop()
	copied := filepath.Join(w.dir, "copy")
	_, err := run.Session(ctx, w.job(), assembly.FromFile(w.job(), w.file), 0, run.Hooks{Watch: true, Observe: func(orbweaver.Outcome, step.Progress) {
		if n--; n == 0 {
			if err := os.CopyFS(copied, os.DirFS(w.folder())); err != nil {
				w.t.Error(err)
			}
			was = true
			stop()
		}
	}})
	if err == nil {
		w.t.Errorf("a watch ended by itself: %s", &w.out)
	}
	if was {
		if err := errors.Join(os.RemoveAll(w.folder()), os.Rename(copied, w.folder())); err != nil {
			w.t.Fatal(err)
		}
	}
	return was
}

// TestWatchKilled: a watch that is killed at the commit of any outcome, and goes on, finds the changes that one finds which is not: each once, with the same verdicts.
func TestWatchKilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		watched := func(kill int) (found []string, was bool) {
			site := &watchedSite{editable: editable{pages: map[string]string{
				"/": about("two wings", "/1", "/2", "/3"), "/1": about("one wing"), "/2": about("three wings"), "/3": about("four wings"),
			}}}
			w := newWatching(t, site, "schedule: {every: 20m}\n")
			defer w.n.Close()
			w.crawl()
			site.edit("/1", about("one wing and a nose"))
			site.edit("/2", "-")
			site.edit("/", about("two wings", "/1", "/2", "/3", "/4"))
			site.edit("/4", about("a new hook"))
			began := time.Now()
			if kill > 0 {
				if was = w.killed(2*time.Hour, kill); !was {
					return nil, false
				}
			}
			w.watch(2*time.Hour - time.Since(began))
			_, all := w.found()
			for _, c := range all {
				found = append(found, fmt.Sprint(c.Kind, " ", c.URL, " ", *cmpVerdict(c.Before), " ", *cmpVerdict(c.After)))
			}
			slices.Sort(found)
			return found, was
		}
		want, _ := watched(0)
		if len(want) < 3 {
			t.Fatalf("%v", want)
		}
		kills := 0
		for n := 1; ; n++ {
			got, was := watched(n)
			if !was {
				break
			}
			if kills++; !slices.Equal(got, want) {
				t.Errorf("killed at outcome %d: %v, want %v", n, got, want)
			}
		}
		if kills < 4 {
			t.Errorf("%d kills", kills)
		}
	})
}

// TestWatchPerHost: limits.per_host and limits.depth hold for what is new, and what is known is visited all the same.
func TestWatchPerHost(t *testing.T) {
	for limits, want := range map[string][]string{
		"{per_host: 4}": {"changed /", "changed /1", "new /3"},
		"{depth: 1}":    {"changed /", "changed /1", "new /3", "new /4"},
		"{}":            {"changed /", "changed /1", "new /3", "new /4", "new /5"},
	} {
		synctest.Test(t, func(t *testing.T) {
			site := &watchedSite{editable: editable{pages: map[string]string{"/": about("two wings", "/1", "/2"), "/1": about("one wing"), "/2": about("three wings")}}}
			w := newWatching(t, site, "duplicates: off\nlimits: "+limits+"\nschedule: {every: 1h, explore: 90%}\n")
			defer w.n.Close()
			w.crawl()
			site.edit("/", about("two wings and new pages", "/1", "/2", "/3", "/4"))
			site.edit("/1", about("one wing and a page below", "/5"))
			for i := 3; i < 6; i++ {
				site.edit(fmt.Sprintf("/%d", i), about(fmt.Sprintf("%d wings that are new", i)))
			}
			w.watch(12 * time.Hour)
			list, _ := w.found()
			list = slices.DeleteFunc(list, func(c string) bool { return c == "changed /1" && !slices.Contains(want, c) })
			if slices.Sort(list); !slices.Equal(list, want) && !(limits == "{per_host: 4}" && len(list) == len(want)) { // whichever new page comes first
				t.Errorf("limits %s: %v, want %v", limits, list, want)
			}
		})
	}
}

// TestWatchHints: a page of which the sitemap, visited again, says that it has changed is visited next, long before it would be due.
func TestWatchHints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sitemap := func(changed time.Time) string {
			text := `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
			for i := range 12 {
				at := time.Now().Add(-1000 * time.Hour)
				if i == 1 {
					at = changed
				}
				text += fmt.Sprintf("<url><loc>http://a.test/%d</loc><lastmod>%s</lastmod></url>", i, at.UTC().Format(time.RFC3339))
			}
			return text + "</urlset>"
		}
		site := &watchedSite{editable: editable{pages: map[string]string{"/robots.txt": "Sitemap: http://a.test/sitemap.xml\n", "/sitemap.xml": sitemap(time.Now().Add(-1000 * time.Hour)), "/": about("two wings", "/1")}}}
		for i := range 12 {
			site.pages[fmt.Sprintf("/%d", i)] = about(fmt.Sprintf("%d wings", i))
		}
		w := newWatching(t, site, "duplicates: off\nschedule: {requests: 24, least: 10m}\n")
		defer w.n.Close()
		w.crawl()
		began := time.Now()
		changed := began.Add(30 * time.Hour)
		w.watch(80*time.Hour, edited{30 * time.Hour, "/1", about("one wing, and it moves")}, edited{30 * time.Hour, "/sitemap.xml", sitemap(changed)})
		var read, seen time.Time
		for _, a := range site.asked {
			switch {
			case a.at.Before(changed) || !seen.IsZero():
			case a.path == "/sitemap.xml" && a.status == 200 && read.IsZero():
				read = a.at
			case a.path == "/1" && a.status == 200:
				seen = a.at
			}
		}
		if read.IsZero() || seen.IsZero() || seen.After(read) && seen.Sub(read) > 2*time.Hour+time.Minute {
			t.Errorf("the sitemap was read at %v, the page visited at %v, of a watch from %v with a change at %v", read, seen, began, changed)
		}
		if list, _ := w.found(); !slices.Equal(list, []string{"changed /1"}) {
			t.Errorf("%v", list)
		}
	})
}

// TestWatchSaturated: a crawl that its rule ended is watched, and the rule does not end the watch.
func TestWatchSaturated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &watchedSite{editable: editable{pages: map[string]string{}}}
		for i := range 200 {
			page := about(fmt.Sprintf("%d wings", i), fmt.Sprintf("/%d", i+1))
			if i > 40 {
				page = fmt.Sprintf("<title>soup</title><p>A soup of %d tomatoes. <a href=/%d>More</a>", i, i+1)
			}
			site.pages[fmt.Sprintf("/%d", i)] = page
		}
		site.pages["/"] = site.pages["/0"]
		w := newWatching(t, site, "limits: {depth: 1000}\nstop: {saturation: 90%}\nschedule: {every: 1h}\n")
		defer w.n.Close()
		w.crawl()
		if !strings.Contains(w.out.String(), "hardly anything is left to accept") {
			t.Fatalf("the crawl ended otherwise:\n%s", &w.out)
		}
		began := time.Now()
		w.watch(3*time.Hour + 30*time.Minute)
		if n := site.count("/1", 0, began); n < 2 {
			t.Errorf("a page was visited %d times in three rounds", n)
		}
		w.out.Reset()
		if err := verbs.Status(t.Context(), w.job(), w.folder(), false); err != nil || !strings.Contains(w.out.String(), "`orbweaver watch` with its file goes on") {
			t.Errorf("%v: %s", err, &w.out)
		}
	})
}

// TestWatchOfWorkers: a crawl that several workers began is not watched, and loses nothing.
func TestWatchOfWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &watchedSite{editable: editable{pages: map[string]string{"/": about("two wings")}}}
		w := newWatching(t, site, "schedule: {every: 1h}\n")
		defer w.n.Close()
		w.crawl()
		if err := os.WriteFile(filepath.Join(w.folder(), crawlfolder.GatheredFile), []byte(`{"of": 2}`), 0o666); err != nil {
			t.Fatal(err)
		}
		before := w.lines()
		err := verbs.Watch(t.Context(), w.job(), w.file)
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "done by one process alone") || w.lines() != before {
			t.Errorf("%v", err)
		}
	})
}

// cmpVerdict is a verdict; that of no version is zero.
func cmpVerdict(v *changes.Verdict) *changes.Verdict {
	if v == nil {
		return &changes.Verdict{}
	}
	return v
}
