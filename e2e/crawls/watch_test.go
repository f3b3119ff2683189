//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/changes"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
	"orbweaver/internal/services/wire"
	"orbweaver/ledger"
)

// A watchedSite is a site in memory with validators, which notes who asked for what, and when.
type watchedSite struct {
	editable
	asked []askedFor
}

type askedFor struct {
	path   string
	at     time.Time
	status int
}

func (s *watchedSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	got := httptest.NewRecorder()
	s.editable.ServeHTTP(got, r)
	status := got.Code
	tag := fmt.Sprintf(`"%x"`, sha256.Sum256(got.Body.Bytes()))
	if status == http.StatusOK {
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			status = http.StatusNotModified
		}
	}
	s.mu.Lock()
	s.asked = append(s.asked, askedFor{r.URL.Path, time.Now(), status})
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(status)
	if status != http.StatusNotModified {
		w.Write(got.Body.Bytes())
	}
}

// count returns how often a path was asked for with a status, since a moment.
func (s *watchedSite) count(path string, status int, since time.Time) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.asked {
		if a.path == path && (status == 0 || a.status == status) && !a.at.Before(since) {
			n++
		}
	}
	return n
}

// busiest returns the largest number of requests in 24 hours, robots.txt aside, since a moment, and the shortest time between two.
func (s *watchedSite) busiest(since time.Time) (most int, gap time.Duration) {
	gap = time.Hour
	var last time.Time
	var window []time.Time
	for _, a := range s.asked {
		if gap = min(gap, a.at.Sub(last)); a.at.Before(since) {
			gap = time.Hour
		}
		if last = a.at; a.path == "/robots.txt" || a.at.Before(since) {
			continue
		}
		window = slices.DeleteFunc(append(window, a.at), func(t time.Time) bool { return a.at.Sub(t) >= 24*time.Hour })
		most = max(most, len(window))
	}
	return most, gap
}

// soonest returns the shortest time between two requests for one page, robots.txt aside.
func (s *watchedSite) soonest() (gap time.Duration, path string) {
	gap = time.Hour
	last := map[string]time.Time{}
	for _, a := range s.asked {
		if before, again := last[a.path]; again && a.path != "/robots.txt" && a.at.Sub(before) < gap {
			gap, path = a.at.Sub(before), a.path
		}
		last[a.path] = a.at
	}
	return gap, path
}

// A watching is a crawl of a site in memory that is watched.
type watching struct {
	t    *testing.T
	site *watchedSite
	dir  string
	file string
	out  bytes.Buffer
	hook func(*http.Request) int
	wire wire.Wire
	n    *fetchtest.Network
}

func newWatching(t *testing.T, site *watchedSite, schedule string) *watching {
	w := &watching{t: t, site: site, dir: t.TempDir(), n: fetchtest.NewNetwork()}
	w.n.Serve("a.test", fetchtest.Address(0), site)
	w.n.Serve("hook.test", fetchtest.Address(1), http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) { out.WriteHeader(w.hook(r)) }))
	w.file = filepath.Join(w.dir, "memory.yaml")
	text := fmt.Sprintf(refreshFile, filepath.Join(realdata.Root(t), "examples/aircraft.ttl")) + schedule
	if err := os.WriteFile(w.file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	w.wire = wire.Wire{Options: client.Options{Resolve: w.n.Resolve, Dial: w.n.Dial}}
	return w
}

func (w *watching) job() *job.Job {
	return &job.Job{Console: console.Console{Out: &w.out, Err: &w.out}, Alone: true, Wire: w.wire}
}

func (w *watching) folder() string { return filepath.Join(w.dir, "crawls/memory") }

// crawl runs the crawl until it is over.
func (w *watching) crawl() {
	w.t.Helper()
	if err := verbs.Crawl(w.t.Context(), w.job(), w.file); err != nil {
		w.t.Fatalf("%v\n%s", err, &w.out)
	}
}

// watch watches for a time, and edits the site at moments of it.
func (w *watching) watch(long time.Duration, edits ...edited) {
	w.t.Helper()
	ctx, stop := context.WithTimeout(w.t.Context(), long)
	defer stop()
	var editor sync.WaitGroup
	began := time.Now()
	editor.Go(func() {
		for _, e := range edits {
			<-time.After(e.after - time.Since(began))
			w.site.edit(e.path, e.page)
		}
	})
	if err := verbs.Watch(ctx, w.job(), w.file); !errors.Is(err, console.ErrInterrupted) {
		w.t.Fatalf("%v\n%s", err, &w.out)
	}
	editor.Wait()
}

type edited struct {
	after time.Duration
	path  string
	page  string
}

// found returns the log of changes, as kind and path.
func (w *watching) found() (list []string, all []changes.Change) {
	w.t.Helper()
	all, _, err := changes.Read(w.folder(), 0, 1<<40, 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, c := range all {
		list = append(list, string(c.Kind)+" "+strings.TrimPrefix(c.URL, "http://a.test"))
	}
	return list, all
}

func (w *watching) lines() (n int) {
	for _, err := range ledger.Lines(filepath.Join(w.folder(), ledger.JournalFile)) {
		if err != nil {
			w.t.Fatal(err)
		}
		n++
	}
	return n
}

// TestWatch: a page that changes daily is visited more often than those that never do; what is new, changed, gone and back is logged, with the
// difference of texts; what did not change is asked for conditionally and adds no line; there are never more requests in 24 hours than allowed.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &watchedSite{editable: editable{pages: map[string]string{
			"/":  about("two wings", "/1", "/2", "/3", "/4"),
			"/1": about("one wing. It flies"), "/2": about("three wings"), "/3": about("four wings"), "/4": about("a hook"),
		}}}
		w := newWatching(t, site, "schedule: {requests: 300, explore: 30%, least: 10m}\n")
		defer w.n.Close()
		w.crawl()
		lines, began := w.lines(), time.Now()
		edits := []edited{
			{time.Hour, "/", about("two wings", "/1", "/2", "/3", "/4", "/5")},
			{time.Hour, "/5", about("a new nose")},
			{time.Hour, "/3", "-"},
			{150 * time.Minute, "/3", about("four wings again")},
		}
		for d := range 40 {
			edits = append(edits, edited{time.Duration(d) * 10 * time.Minute, "/1", about(fmt.Sprintf("one wing. It flies. Today is day %d", d))})
		}
		slices.SortStableFunc(edits, func(a, b edited) int { return int(a.after - b.after) })
		w.watch(7*time.Hour, edits...)

		list, all := w.found()
		for _, want := range []string{"new /5", "gone /3", "back /3", "changed /1"} {
			if !slices.Contains(list, want) {
				t.Errorf("no %s among the changes: %v", want, list)
			}
		}
		for _, none := range []string{"changed /2", "changed /4", "new /1"} {
			if slices.Contains(list, none) {
				t.Errorf("%s is among the changes", none)
			}
		}
		i := slices.IndexFunc(all, func(c changes.Change) bool { return c.Kind == changes.Changed })
		if i < 0 || !strings.Contains(all[i].Diff, "+") || !strings.Contains(all[i].Diff, "Today is day") || all[i].Before == nil || !all[i].Before.Accepted {
			t.Errorf("the change of /1 is %+v", all[max(i, 0)])
		}
		if often, seldom := site.count("/1", 0, began), site.count("/2", 0, began); often < 2*seldom || seldom < 1 {
			t.Errorf("the page that changes was asked for %d times, one that does not %d times", often, seldom)
		}
		if n := site.count("/2", 200, began); n > 0 {
			t.Errorf("a page that did not change was sent %d times: its requests are not conditional", n)
		}
		if most, gap := site.busiest(began); most > 300 || gap < time.Second {
			t.Errorf("%d requests in 24 hours, and %v between two", most, gap)
		}
		if n := w.lines() - lines; n != len(list) {
			t.Errorf("%d lines were added to pages.jsonl for %d changes:\n%v", n, len(list), list)
		}
		if gap, path := site.soonest(); gap < 10*time.Minute-2*time.Second {
			t.Errorf("%s was asked for again after %v", path, gap)
		}
		feed, err := os.ReadFile(filepath.Join(w.folder(), changes.FeedFile))
		if err != nil || !strings.Contains(string(feed), "<title>back: airplane</title>") {
			t.Errorf("the feed is %s, %v", feed, err)
		}
	})
}

// TestWatchGoesOn: a watch that is stopped and runs again knows the rates and what it has to visit; what is known of requests in the last
// 24 hours holds on.
func TestWatchGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &watchedSite{editable: editable{pages: map[string]string{
			"/": about("two wings", "/1", "/2"), "/1": about("one wing"), "/2": about("three wings"),
		}}}
		w := newWatching(t, site, "schedule: {requests: 240, least: 2m}\n")
		defer w.n.Close()
		w.crawl()
		began := time.Now()
		for d := range 18 {
			w.watch(20*time.Minute, edited{10 * time.Minute, "/1", about(fmt.Sprintf("one wing, day %d", d))})
		}
		if most, _ := site.busiest(began); most > 240 {
			t.Errorf("%d requests in 24 hours", most)
		}
		if often, seldom := site.count("/1", 0, began), site.count("/2", 0, began); often <= seldom {
			t.Errorf("the page that changes was asked for %d times, one that does not %d times", often, seldom)
		}
		if gap, path := site.soonest(); gap < 2*time.Minute-2*time.Second {
			t.Errorf("%s was asked for again after %v", path, gap)
		}
		list, _ := w.found()
		for _, c := range list {
			if c != "changed /1" {
				t.Errorf("%s is among the changes", c)
			}
		}
		if len(list) < 3 {
			t.Errorf("%d changes", len(list))
		}
	})
}

// TestWatchRounds: with times, all pages are visited then, and at no other.
func TestWatchRounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // begins at midnight UTC
		site := &watchedSite{editable: editable{pages: map[string]string{"/": about("two wings", "/1"), "/1": about("one wing")}}}
		w := newWatching(t, site, "schedule: {every: '30 * * * *', zone: UTC}\n")
		defer w.n.Close()
		w.crawl()
		began := time.Now()
		w.watch(5*time.Hour, edited{time.Hour, "/1", ""}, edited{3 * time.Hour, "/1", about("one wing")})
		if n := site.count("/", 304, began); n != 5 {
			t.Errorf("the page was visited %d times in 5 hours", n)
		}
		for _, a := range site.asked {
			if a.at.After(began.Add(time.Minute)) && a.path != "/robots.txt" && a.at.UTC().Minute() != 30 {
				t.Errorf("%s was asked for at %v", a.path, a.at.UTC())
			}
		}
		if list, _ := w.found(); len(list) > 0 {
			t.Errorf("a page that failed for a while changed: %v", list)
		}
	})
}

// TestWebhook: a webhook gets each change, signed, in order; what it refuses is sent again, and again after a restart.
func TestWebhook(t *testing.T) {
	t.Setenv("WATCH_KEY", "secret key")
	synctest.Test(t, func(t *testing.T) {
		site := &watchedSite{editable: editable{pages: map[string]string{"/": about("two wings", "/1"), "/1": about("one wing")}}}
		w := newWatching(t, site, "schedule: {every: 10m, webhook: 'http://hook.test/x', secret: {env: WATCH_KEY}}\n")
		defer w.n.Close()
		var mu sync.Mutex
		var bodies []string
		down := true
		w.hook = func(r *http.Request) int {
			mu.Lock()
			defer mu.Unlock()
			body := new(bytes.Buffer)
			body.ReadFrom(r.Body)
			if r.Header.Get(changes.HeaderSignature) != changes.Sign([]byte("secret key"), r.Header.Get(changes.HeaderTime), body.Bytes()) {
				t.Errorf("the signature is %q", r.Header.Get(changes.HeaderSignature))
			}
			if down {
				return http.StatusInternalServerError
			}
			bodies = append(bodies, body.String())
			return http.StatusNoContent
		}
		w.crawl()
		w.watch(time.Hour, edited{time.Minute, "/1", about("one wing and a hook")})
		if len(bodies) > 0 {
			t.Errorf("a webhook that is down took %v", bodies)
		}
		mu.Lock()
		down = false
		mu.Unlock()
		w.watch(time.Hour, edited{time.Minute, "/", about("no wing", "/1")})
		if len(bodies) != 2 || !strings.Contains(bodies[0], `"url":"http://a.test/1"`) || !strings.Contains(bodies[1], `"url":"http://a.test/"`) {
			t.Errorf("the webhook got %v", bodies)
		}
	})
}
