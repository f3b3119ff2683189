//go:build e2e

package program_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/eval/synth"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
	"orbweaver/ledger"
	"orbweaver/server"
)

// clusterFile writes the crawl file of a served web.
func clusterFile(t *testing.T, folder string, web *synth.Web, delay time.Duration) {
	t.Helper()
	write(t, filepath.Join(folder, "f.yaml"), fmt.Sprintf(`seeds: [%s]
focus: {breadth_first: {}}
allow_private: true
traps: off
duplicates: off
politeness: {delay: %v, contact: me@example.org}
limits: {depth: 0}
output: crawl
`, web.URL(0), delay))
}

// wholeCrawl compares what a web was asked, and what a crawl folder has, with all that there is. Kills may repeat so many requests that were in flight.
func wholeCrawl(t *testing.T, folder string, web *synth.Web, have Served, again int) {
	t.Helper()
	want := expected(web)
	if have.Pages != want.Pages || have.Forbidden > 0 || have.Again > again {
		t.Errorf("asked %+v, want %+v", have, want)
	}
	seen := map[string]bool{}
	pages := 0
	for line, err := range ledger.Lines(filepath.Join(folder, "crawl", ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		if seen[line.URL] {
			t.Errorf("%s has two lines", line.URL)
		}
		seen[line.URL] = true
		if line.Status == 200 {
			pages++
		}
	}
	if pages != want.Pages {
		t.Errorf("%d pages, want %d", pages, want.Pages)
	}
	c := program(t, folder, "check", "crawl")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("check: %v\n%s", err, out)
	}
}

// killedWorker kills the process that runs a crawl folder, if one does.
func killedWorker(t *testing.T, folder string) bool {
	t.Helper()
	c, err := server.Dial(folder)
	if err != nil {
		return false
	}
	defer c.Close()
	s, err := c.Status(t.Context())
	if err != nil || s.PID == 0 {
		return false
	}
	return syscall.Kill(s.PID, syscall.SIGKILL) == nil
}

// steered excludes, at all workers of a crawl, what it has nothing of, and asks for a limit that its file does not have.
func steered(t *testing.T, folder string) {
	t.Helper()
	c, err := server.Dial(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var out inspect.Excluded
	if err := c.Ask(t.Context(), http.MethodPost, "/call/exclude", inspect.Exclusion{Patterns: []string{"nowhere.test"}}, &out); err != nil || out.Waiting != 0 {
		t.Errorf("exclude: %+v, %v", out, err)
	}
	most := int64(1)
	if err := c.Ask(t.Context(), http.MethodPost, "/call/limits", inspect.Limits{Pages: &most}, nil); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("limits: %v", err)
	}
}

// TestProcesses: three processes, some of which are killed, have together what there is, each page once, in a folder that is whole, and answers. The same command
// changes nothing.
func TestProcesses(t *testing.T) {
	t.Parallel()
	kills, pages := 1, int64(600)
	if os.Getenv("ORBWEAVER_EFFECT") == "all" {
		kills, pages = 12, 4000
	}
	folder := t.TempDir()
	web, finish := startWeb(t, shape{Hosts: 30, Pages: pages})
	clusterFile(t, folder, web, 60*time.Millisecond)
	c := program(t, folder, "crawl", "f.yaml", "--processes", "3")
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	random := rand.New(rand.NewPCG(1, 28))
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	var err error
	n := 0
	for running := true; running; {
		select {
		case err = <-ended:
			running = false
		case <-tick.C:
			if n < kills && killedWorker(t, filepath.Join(folder, "crawl/workers", fmt.Sprintf("crawl-%d", random.IntN(3)))) {
				n++
				steered(t, filepath.Join(folder, "crawl"))
			}
		}
	}
	if err != nil || n < kills {
		t.Fatalf("killed %d times: %v\n%s", n, err, out.String())
	}
	wholeCrawl(t, folder, web, finish(), 130*kills)
	for i := range 3 {
		if s, err := crawlfolder.ReadSteering(filepath.Join(folder, fmt.Sprint("crawl/workers/crawl-", i))); err != nil || !slices.Equal(s.Exclude, []string{"nowhere.test"}) {
			t.Errorf("worker %d excludes %v, %v", i, s.Exclude, err)
		}
	}
	before := journalText(t, folder)
	if said, err := program(t, folder, "crawl", "f.yaml", "--processes", "3").CombinedOutput(); err != nil || journalText(t, folder) != before {
		t.Errorf("again: %v\n%s", err, said)
	}
	for _, args := range [][]string{{"crawl", "f.yaml"}, {"crawl", "f.yaml", "--processes", "2"}, {"crawl", "f.yaml", "--processes", "65"}} {
		said, err := program(t, folder, args...).CombinedOutput()
		if status := exitStatus(err); status != exitInput || !strings.Contains(string(said), "--processes") {
			t.Errorf("%v: status %d\n%s", args, status, said)
		}
	}
}

// TestProcessesByRounds: two processes that go through the rounds of a cross-reference crawl, with ORBWEAVER_EFFECT=all killed again and again, have together what there is, and have learned the
// same; so has the folder that is gathered of them.
func TestProcessesByRounds(t *testing.T) {
	t.Parallel()
	kills, pages := 0, int64(60)
	if os.Getenv("ORBWEAVER_EFFECT") == "all" {
		kills, pages = 12, 4000
	}
	folder := t.TempDir()
	web, finish := startWeb(t, shape{Hosts: 10, Pages: pages})
	clusterFile(t, folder, web, 10*time.Millisecond)
	file := filepath.Join(folder, "f.yaml")
	write(t, file, strings.Replace(string(read(t, file)), "focus: {breadth_first: {}}", "focus: {crossref: {item: item.html, theta: 0.2}}", 1))
	write(t, filepath.Join(folder, "item.html"), "<html lang=en><title>Item</title><p>An item about pages of the web, that a crawler follows from host to host.</p></html>")
	c := program(t, folder, "crawl", "f.yaml", "--processes", "2")
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	var err error
	n := 0
	for running := true; running; {
		select {
		case err = <-ended:
			running = false
		case <-tick.C:
			if worker := filepath.Join(folder, "crawl/workers", fmt.Sprintf("crawl-%d", n%2)); n < kills && killedWorker(t, worker) {
				n++
			}
		}
	}
	if err != nil || n < kills {
		t.Fatalf("killed %d times: %v\n%s", n, err, out.String())
	}
	wholeCrawl(t, folder, web, finish(), 40*kills)
	rounds := read(t, filepath.Join(folder, "crawl/rounds.json"))
	for _, file := range []string{"crawl-0/rounds.json", "crawl-1/rounds.json"} {
		if have := read(t, filepath.Join(folder, "crawl/workers", file)); !bytes.Equal(have, rounds) || bytes.Count(have, []byte(`"round"`)) < 3 {
			t.Errorf("%s is\n%s\nand that of all is\n%s", file, have, rounds)
		}
	}
}

// exitStatus is that of a command's error.
func exitStatus(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return exitDone
}

// journalText is the content of a crawl's pages.jsonl.
func journalText(t *testing.T, folder string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "crawl", ledger.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A member is a node process of a cluster.
type member struct {
	args []string
	c    *exec.Cmd
	dead chan struct{}
}

func (m *member) begin(t *testing.T, folder string) {
	t.Helper()
	m.c, m.dead = program(t, folder, m.args...), make(chan struct{})
	m.c.Stderr = os.Stderr
	if err := m.c.Start(); err != nil {
		t.Fatal(err)
	}
	go func(c *exec.Cmd, dead chan struct{}) {
		_ = c.Wait()
		close(dead)
	}(m.c, m.dead)
}

// freePorts returns ports that nobody has right now.
func freePorts(t *testing.T, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// TestClusterKilled: of three nodes, each with a server of the bus and a worker, one or another is killed thirty times during a crawl, and begun again. All pages are
// found, none but those in flight is asked for twice, and the folder that is gathered is whole.
func TestClusterKilled(t *testing.T) {
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		t.Skip("takes twenty minutes: ORBWEAVER_EFFECT=all")
	}
	const kills = 30
	folder := t.TempDir()
	web, finish := startWeb(t, shape{Hosts: 200, Pages: 200 * 400})
	clusterFile(t, folder, web, 2*time.Second)
	ports := freePorts(t, 6)
	join := fmt.Sprintf("127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d", ports[3], ports[4], ports[5])
	var nodes []*member
	var urls []string
	for i := range 3 {
		m := &member{args: []string{"cluster", fmt.Sprint("node", i), "--name", fmt.Sprint("n", i), "--listen", fmt.Sprint("127.0.0.1:", ports[i]),
			"--listen-nodes", fmt.Sprint("127.0.0.1:", ports[3+i]), "--join", join}}
		m.begin(t, folder)
		nodes, urls = append(nodes, m), append(urls, fmt.Sprint("127.0.0.1:", ports[i]))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	ended := make(chan error, 1)
	var out bytes.Buffer
	go func() {
		for {
			out.Reset()
			c := program(t, folder, "crawl", "f.yaml", "--cluster", strings.Join(urls, ","))
			c.Stdout, c.Stderr = &out, &out
			err := c.Run()
			if err == nil || ctx.Err() != nil {
				ended <- err
				return
			}
			t.Logf("%v: %s", err, out.String())
			select { // who follows the crawl may meet a cluster without a leader
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
		}
	}()
	random := rand.New(rand.NewPCG(2, 28))
	for n := range kills {
		select {
		case err := <-ended:
			t.Fatalf("it ended after %d kills: %v\n%s", n, err, out.String())
		case <-time.After(time.Duration(5+random.IntN(30)) * time.Second):
		case <-ctx.Done():
			t.Fatal(ctx.Err())
		}
		m := nodes[random.IntN(3)]
		_ = m.c.Process.Kill()
		<-m.dead
		m.begin(t, folder)
	}
	if err := <-ended; err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	have := finish()
	t.Logf("asked %+v", have)
	wholeCrawl(t, folder, web, have, 64*kills)
	for _, m := range nodes {
		_ = m.c.Process.Signal(syscall.SIGTERM)
		<-m.dead
	}
}
