//go:build e2e

package program_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"orbweaver/fetch/fetchtest"
	"orbweaver/server"
)

// The host of a slowWeb asks for slowDelay. A crawl that is to be met while it runs leaves it alone
// for longer.
const (
	slowDelay = 20 * time.Millisecond
	longDelay = 10 * slowDelay
)

// slowWeb is one host with a hundred pages, one of which nothing links to.
func slowWeb(t *testing.T) *fetchtest.Web {
	t.Helper()
	first := fetchtest.Page{Path: "/", Links: []string{"/private/1"}}
	pages := []fetchtest.Page{{Path: "/hidden"}, {Path: "/private/1"}}
	for i := range 100 {
		path := fmt.Sprintf("/p%d", i)
		first.Links = append(first.Links, path)
		pages = append(pages, fetchtest.Page{Path: path})
	}
	w := fetchtest.NewWeb(fetchtest.Politeness{Delay: slowDelay}, fetchtest.Host{
		Name: "slow.test", Robots: fetchtest.Robots{Disallow: []string{"/private/"}}, Pages: append([]fetchtest.Page{first}, pages...),
	})
	fetchtest.ListenLoopback(t, w)
	return w
}

// slowFile writes the crawl file of a web.
func slowFile(t *testing.T, folder string, w *fetchtest.Web, delay time.Duration) {
	t.Helper()
	liveFile(t, folder, fmt.Sprintf("politeness: {delay: %v}\nscope: {hosts: [127.0.0.1]}", delay), w.Seeds()[0])
}

// slowCrawl is a folder with the crawl file of a web.
func slowCrawl(t *testing.T, w *fetchtest.Web, delay time.Duration) (folder string) {
	t.Helper()
	folder = t.TempDir()
	slowFile(t, folder, w, delay)
	if err := os.Mkdir(filepath.Join(folder, "crawl"), 0o777); err != nil {
		t.Fatal(err)
	}
	return folder
}

// A terminal is where a user gives commands, in the folder of a crawl file.
type terminal struct {
	t      *testing.T
	folder string
}

// run runs the program, compares its exit status, and returns what it printed: where that is 0 on
// standard output alone, else on both.
func (u terminal) run(want int, args ...string) string {
	u.t.Helper()
	c := program(u.t, u.folder, args...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	err := c.Run()
	if have := c.ProcessState.ExitCode(); have != want {
		u.t.Errorf("%v: exit status %d, want %d: %v\n%s%s", args, have, want, err, &stdout, &stderr)
	}
	if want == exitDone {
		return stdout.String()
	}
	return stdout.String() + stderr.String()
}

// status asks how the crawl stands.
func (u terminal) status() (s struct {
	State string
	server.Status
}) {
	u.t.Helper()
	if err := json.Unmarshal([]byte(u.run(exitDone, "status", "crawl", "--format", "json")), &s); err != nil {
		u.t.Error(err)
	}
	return s
}

// says runs the program and looks for words in what it prints.
func (u terminal) says(want string, status int, args ...string) {
	u.t.Helper()
	if have := u.run(status, args...); !strings.Contains(have, want) {
		u.t.Errorf("%v: it lacks %q:\n%s", args, want, have)
	}
}

// whileCrawling starts the crawl of a folder, does something once its web was asked so often, and
// returns how the process ended. It is sent a signal then; 0 is none.
func whileCrawling(t *testing.T, folder string, w *fetchtest.Web, asked int, s syscall.Signal, do func(*exec.Cmd)) (status int, printed string) {
	t.Helper()
	c := program(t, folder, "crawl", "f.yaml")
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	done := false
	watching(t, filepath.Join(folder, "crawl")).until(t, c, s, func(string) bool {
		if done = len(w.Visits()) >= asked; done {
			do(c)
		}
		return done
	})
	if !done {
		t.Fatalf("%v after %d requests: %s", c.ProcessState, len(w.Visits()), &out)
	}
	return c.ProcessState.ExitCode(), out.String()
}

// TestSteer asks and tells a crawl that runs what can be asked and told, and lets it end.
func TestSteer(t *testing.T) {
	t.Parallel()
	w := slowWeb(t)
	folder := slowCrawl(t, w, longDelay)
	user, base := terminal{t, folder}, strings.TrimSuffix(w.Seeds()[0], "/")
	status, printed := whileCrawling(t, folder, w, 5, 0, func(c *exec.Cmd) {
		running := fmt.Sprintf("crawl: running, by process %d, since ", c.Process.Pid)
		user.says(running, exitDone, "status", "crawl")
		if s := user.status(); s.State != "running" || s.PID != c.Process.Pid || s.Progress.Requests == 0 || s.Waiting == 0 || len(s.Busiest) != 1 {
			t.Errorf("status: %+v", s)
		}
		user.says(fmt.Sprintf("orbweaver: crawl: a crawl runs there already, by process %d: see orbweaver status crawl", c.Process.Pid), exitInput, "crawl", "f.yaml")

		user.says("crawl: paused", exitDone, "pause", "crawl")
		quiet(t, user, w)

		user.says(base+"/hidden: added\n", exitDone, "add", "crawl", base+"/hidden")
		user.says(base+"/hidden: known: waits\n", exitDone, "add", "crawl", base+"/hidden")
		user.says(base+"/: known: fetched\n", exitDone, "add", "crawl", base)
		user.says("http://127.0.0.2/: out of scope: ", exitFailed, "add", "crawl", "http://127.0.0.2/")
		user.says(base+"/private/2: robots: Disallow: /private/\n", exitFailed, "add", "crawl", base+"/private/2")
		user.says("bad-url", exitInput, "add", "crawl", "no address")

		user.says("crawl: goes on", exitDone, "resume", "crawl")
		before := len(w.Visits())
		for len(w.Visits()) < before+3 {
			if s := user.status(); s.State != "running" {
				t.Fatalf("it is %s after resume", s.State)
			}
		}
		user.says("crawl: stops", exitDone, "stop", "crawl")
	})
	if status != exitInterrupted || !strings.Contains(printed, "crawl: interrupted after") {
		t.Errorf("after stop: exit status %d, want %d\n%s", status, exitInterrupted, printed)
	}
	user.says("crawl: interrupted; ", exitDone, "status", "crawl")
	user.says("no crawl runs in crawl", exitInput, "pause", "crawl")
	slowFile(t, folder, w, slowDelay) // the pace is free to change
	user.says("crawl: nothing waits", exitDone, "crawl", "f.yaml")
	user.says("crawl: ended: nothing waits", exitDone, "status", "crawl")
	theWholeWeb(t, w, folder, base+"/", base+"/hidden")
}

// quiet makes sure that a paused crawl asks for nothing, for three times its delay at least. What was in
// hand may end first.
func quiet(t *testing.T, user terminal, w *fetchtest.Web) {
	t.Helper()
	for user.status().InFlight > 0 {
	}
	asked := len(w.Visits())
	for began := time.Now(); time.Since(began) < 3*longDelay; {
		if s := user.status(); s.State != "paused" {
			t.Errorf("it is %s after pause", s.State)
		}
	}
	if more := len(w.Visits()) - asked; more > 0 {
		t.Errorf("%d requests were made in a pause", more)
	}
}

// theWholeWeb checks that all was fetched, once, as it should be.
func theWholeWeb(t *testing.T, w *fetchtest.Web, folder string, seeds ...string) {
	t.Helper()
	samePages(t, w.Pages(), w.AllowedFrom(seeds...))
	for _, v := range w.Violations() {
		t.Error(v)
	}
	if repeated := w.Repeated(); len(repeated) > 0 {
		t.Errorf("asked for more than once: %v", repeated)
	}
	wholeFolder(t, folder, w)
}

// TestStaleSocket: what a killed crawl leaves is no crawl that runs, and the next one takes its place.
func TestStaleSocket(t *testing.T) {
	t.Parallel()
	w := slowWeb(t)
	folder := slowCrawl(t, w, longDelay)
	user, socket := terminal{t, folder}, filepath.Join(folder, "crawl", server.SocketFile)
	whileCrawling(t, folder, w, 5, syscall.SIGKILL, func(*exec.Cmd) { user.says("crawl: running, ", exitDone, "status", "crawl") })
	if info, err := os.Lstat(socket); err != nil || info.Mode().Type() != fs.ModeSocket {
		t.Fatalf("no socket was left: %v, %v", info, err)
	}
	user.says("crawl: interrupted; ", exitDone, "status", "crawl")
	user.says("no crawl runs in crawl", exitInput, "stop", "crawl")
	status, printed := whileCrawling(t, folder, w, 10, 0, func(c *exec.Cmd) {
		user.says(fmt.Sprintf("crawl: running, by process %d", c.Process.Pid), exitDone, "status", "crawl")
		if info, err := os.Lstat(socket); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the socket: %v, %v", info, err)
		}
		user.says("crawl: stops", exitDone, "stop", "crawl")
	})
	if status != exitInterrupted || strings.Contains(printed, "control socket") {
		t.Errorf("exit status %d\n%s", status, printed)
	}
	if _, err := os.Lstat(socket); err == nil {
		t.Error("a socket was left")
	}
}

// TestCtrlCLive stops a crawl whose only host rests for seconds: it does not wait for that.
func TestCtrlCLive(t *testing.T) {
	t.Parallel()
	w := fetchtest.NewWeb(fetchtest.Politeness{Delay: 2 * time.Second}, fetchtest.Host{Name: "rests.test", Pages: []fetchtest.Page{{Path: "/"}}})
	fetchtest.ListenLoopback(t, w)
	folder := slowCrawl(t, w, 2*time.Second)
	status, printed := whileCrawling(t, folder, w, 1, syscall.SIGINT, func(*exec.Cmd) {})
	if visits := len(w.Visits()); status != exitInterrupted || visits != 1 {
		t.Errorf("exit status %d, want %d, after %d requests: %s", status, exitInterrupted, visits, printed)
	}
	for _, want := range []string{"finishing in-flight requests", "crawl: interrupted; the same command resumes it"} {
		if !strings.Contains(printed, want) {
			t.Errorf("it lacks %q:\n%s", want, printed)
		}
	}
	crawlOn(t, folder)
	theWholeWeb(t, w, folder, w.Seeds()...)
}

// TestJudgeLive judges pages of a server: robots.txt and redirects are heeded as in a crawl, and nothing
// is written.
func TestJudgeLive(t *testing.T) {
	w := fetchtest.NewWeb(fetchtest.Politeness{Delay: slowDelay}, fetchtest.Host{
		Name: "judged.test", Robots: fetchtest.Robots{Disallow: []string{"/no/"}},
		Pages: []fetchtest.Page{
			{Path: "/", Redirect: "/planes"},
			{Path: "/planes", Body: `<title>Planes</title><p>The glider and the airplane.</p><p><a href="/no/entry">a glider</a> <a href="/more">more</a></p>`},
			{Path: "/no/entry"}, {Path: "/trap", Redirect: "/no/entry"}, {Path: "/broken", Status: 500},
		},
	})
	base := fetchtest.ListenLoopback(t, w)[0]
	folder := t.TempDir()
	liveFile(t, folder, fmt.Sprintf("politeness: {delay: %v}", slowDelay), base+"/")
	file := strings.Replace(string(read(t, filepath.Join(folder, "f.yaml"))), "breadth_first: {}", "keyword: {terms: [airplane, glider]}", 1)
	write(t, filepath.Join(folder, "f.yaml"), file)
	user := terminal{t, folder}
	user.says(", accepted (from 0.5 on)\n", exitDone, "judge", "f.yaml", base)
	user.says("robots: Disallow: /no/; --force requests it anyway", exitFailed, "judge", "f.yaml", base+"/no/entry")
	user.says("robots: Disallow: /no/", exitFailed, "judge", "f.yaml", base+"/trap")
	user.says("status 500", exitFailed, "judge", "f.yaml", base+"/broken")

	var verdict struct {
		URL, Final, Title string
		Accepted          bool
		Score             float64
		Hops              []struct{ To string }
		Links             struct{ Robots, Follow int }
	}
	if err := json.Unmarshal([]byte(user.run(exitDone, "judge", "f.yaml", base, "--format", "json")), &verdict); err != nil {
		t.Fatal(err)
	}
	if v := verdict; v.URL != base+"/" || v.Final != base+"/planes" || v.Title != "Planes" || !v.Accepted || v.Score <= 0 ||
		len(v.Hops) != 1 || v.Links.Robots != 1 || v.Links.Follow != 1 {
		t.Errorf("judged %+v", v)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
	for _, v := range w.Visits() {
		if v.Path == "/no/entry" {
			t.Errorf("%s was asked for", v.Path)
		}
	}
	if got := politely(w); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// politely are a web's violations but those of a process that cannot know when the one before it asked.
func politely(w *fetchtest.Web) []string {
	return slices.DeleteFunc(w.Violations(), func(v string) bool { return strings.Contains(v, "/robots.txt: gap at") })
}
