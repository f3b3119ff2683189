//go:build e2e

package program_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/manners"
)

// A crawling is a crawl of a process of its own.
type crawling struct {
	*exec.Cmd
	folder string
	out    bytes.Buffer
}

// begin starts a crawl of a web on loopback that shares hosts in a folder.
func begin(t *testing.T, shared, keys string, seeds ...string) *crawling {
	t.Helper()
	c := &crawling{folder: t.TempDir()}
	liveFile(t, c.folder, keys, seeds...)
	c.Cmd = program(t, c.folder, "crawl", "f.yaml")
	c.Env = append(c.Env, manners.Variable+"="+shared)
	c.Stdout, c.Stderr = &c.out, &c.out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// over waits for the end of the crawl, and returns its log.
func (c *crawling) over(t *testing.T) (log string) {
	t.Helper()
	if err := c.Wait(); err != nil && c.ProcessState.ExitCode() != exitHostsDown {
		t.Errorf("%v: %s", err, &c.out)
	}
	return string(read(t, filepath.Join(c.folder, "crawl", "log.jsonl")))
}

// TestMannersOfProcesses crawls 20 hosts by two processes at once: each has all pages, and no host is asked too early. What the server
// measures is what is promised: a crawl counts a start when its answer begins, so that a slow machine only makes gaps longer.
func TestMannersOfProcesses(t *testing.T) {
	t.Parallel()
	w, shared := oddWeb(t, 6), filepath.Join(t.TempDir(), "hosts")
	seeds := w.Seeds()[:2]
	one, two := begin(t, shared, oddKeys, seeds...), begin(t, shared, oddKeys, seeds...)
	for _, c := range []*crawling{one, two} {
		if log := c.over(t); strings.Contains(log, "not shared") {
			t.Error(log)
		}
		lines := string(read(t, filepath.Join(c.folder, "crawl", "pages.jsonl")))
		for _, u := range w.AllowedFrom(seeds...) {
			if !strings.Contains(lines, fmt.Sprintf("%q", u)) {
				t.Errorf("a crawl has no %s", u)
			}
		}
	}
	visits := w.Visits()
	for _, v := range w.Violations() {
		if !learned(t, visits, v) {
			t.Error(v)
		}
	}
	samePages(t, w.Pages(), w.AllowedFrom(seeds...))
	if repeated := w.Repeated(); len(repeated) != len(w.Pages()) {
		t.Errorf("both have %d pages of %d", len(repeated), len(w.Pages()))
	}
	t.Logf("%d requests for %d pages", len(w.Visits()), len(w.Pages()))
}

// learned reports whether a violation is of a Crawl-delay that no crawl could know: one crawl is still on its way to the
// robots.txt, by redirects to other hosts, while the other, which does not know the rules either, asks for it a usual delay later.
func learned(t *testing.T, visits []fetchtest.Visit, violation string) bool {
	t.Helper()
	var n int
	if _, err := fmt.Sscanf(violation, "request %d,", &n); err != nil {
		t.Fatal(violation)
	}
	_, gap, found := strings.Cut(violation, ": gap at host: ")
	gap, _, _ = strings.Cut(gap, ",")
	was, err := time.ParseDuration(gap)
	if !found || err != nil || was < liveDelay || !strings.Contains(visits[n-1].Path, "robots") {
		return false
	}
	for _, v := range slices.Backward(visits[:n-1]) {
		if v.Host == visits[n-1].Host {
			return v.Path == "/robots.txt" && v.Status == http.StatusMovedPermanently
		}
	}
	return false
}

// TestMannersOff: processes that share no folder say so in no log, and one that cannot use its folder does; both crawl.
func TestMannersOff(t *testing.T) {
	t.Parallel()
	w := fetchtest.NewWeb(fetchtest.Politeness{Delay: liveDelay}, fetchtest.Host{Name: "one.test", Pages: []fetchtest.Page{{Path: "/"}}})
	bases := fetchtest.ListenLoopback(t, w)
	public := filepath.Join(t.TempDir(), "public")
	if err := os.Mkdir(public, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(public, 0o755); err != nil {
		t.Fatal(err)
	}
	for shared, want := range map[string]int{"off": 0, "": 0, public: 1} {
		log := begin(t, shared, "politeness: {contact: me@example.org}", bases[0]+"/").over(t)
		if got := strings.Count(log, "hosts are not shared"); got != want {
			t.Errorf("%q: said %d times, want %d\n%s", shared, got, want, log)
		}
	}
}

// A slowServer answers all but /slow, which it never does, and notes when requests come.
type slowServer struct {
	held, gone chan struct{} // closed when /slow is asked for, and when who asked has gone

	mu   sync.Mutex
	came []time.Time // requests for other pages
}

func (s *slowServer) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/slow" {
		close(s.held)
		<-r.Context().Done()
		close(s.gone)
		return
	}
	s.mu.Lock()
	s.came = append(s.came, time.Now())
	s.mu.Unlock()
	fmt.Fprintf(rw, `<title>Page</title><p>A page.</p><a href="/next-%d">next</a>`, min(len(r.URL.Path), 9))
}

// TestMannersKilled: a crawl that waits for another one at a host goes on when that is killed in its request, and asks nothing
// before.
func TestMannersKilled(t *testing.T) {
	t.Parallel()
	shared := filepath.Join(t.TempDir(), "hosts")
	s := &slowServer{held: make(chan struct{}), gone: make(chan struct{})}
	slow := httptest.NewServer(s)
	defer slow.Close()
	here, once := make(chan struct{}), sync.Once{}
	other := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { once.Do(func() { close(here) }) }))
	defer other.Close()
	const keys = "politeness: {delay: 100ms, robots: false, timeout: 5m, contact: me@example.org}"
	killed := begin(t, shared, keys, slow.URL+"/slow")
	<-s.held
	waiting := begin(t, shared, keys, slow.URL+"/", other.URL+"/")
	<-here
	s.mu.Lock()
	if len(s.came) > 0 {
		t.Errorf("%d requests while another crawl is there", len(s.came))
	}
	s.mu.Unlock()
	at := time.Now() // nobody can find out earlier
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait() // it was killed
	<-s.gone
	waiting.over(t)
	if len(s.came) != 3 {
		t.Fatalf("%d requests: %s", len(s.came), &waiting.out)
	}
	before := at
	for i, came := range s.came {
		if gap := came.Sub(before); gap < 100*time.Millisecond {
			t.Errorf("request %d comes %v after the one before, or the kill", i, gap)
		}
		before = came
	}
	t.Logf("it went on %v after the kill", s.came[0].Sub(at))
}
