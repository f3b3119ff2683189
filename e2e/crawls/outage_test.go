//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/starting"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// A cable is the connection of the crawler's machine to a web in memory. It may be cut for some time, or fail at random.
type cable struct {
	*fetchtest.Network
	from, to time.Time // it is cut in between
	way      int       // how: see the constants
	only     string    // the host that it is cut from; empty: all
	failures float64   // probability that a request fails, in one of four ways
	broken   float64   // share of the pages that fail, always, in one of three ways

	mu     sync.Mutex
	draws  map[string]*rand.Rand
	failed int
}

// The ways in which a cable is cut.
const (
	unreachable = iota // at once, and connections are reset
	silent             // nothing is said any more
	denied             // as unreachable, and the resolver says that no name exists
	ways
)

func (c *cable) cut() bool {
	now := time.Now()
	return c.only == "" && !now.Before(c.from) && now.Before(c.to)
}

// draw draws a number for an exchange with an address, in the order of these exchanges.
func (c *cable) draw(to string) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.draws[to]
	if r == nil {
		r = rand.New(rand.NewPCG(7, uint64(len(to))*31+uint64(to[len(to)-1])+uint64(to[max(len(to)-5, 0)])*257))
		c.draws[to] = r
	}
	x := r.Float64()
	if x < c.failures {
		c.failed++
	}
	return x
}

func (c *cable) Resolve(ctx context.Context, name string) ([]netip.Addr, error) {
	if !c.cut() {
		return c.Network.Resolve(ctx, name)
	}
	switch c.way {
	case silent:
		<-ctx.Done()
		return nil, ctx.Err()
	case denied:
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	return nil, &net.DNSError{Err: "server misbehaving", Name: name, IsTemporary: true}
}

func (c *cable) Dial(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Addr: net.TCPAddrFromAddrPort(addr), Err: syscall.ECONNREFUSED}
	switch {
	case !c.cut():
	case c.way == silent:
		<-ctx.Done()
		return nil, ctx.Err()
	default:
		refused.Err = syscall.ENETUNREACH
		return nil, refused
	}
	if c.failures > 0 && c.draw(addr.String()) < c.failures/4 {
		return nil, refused
	}
	if now := time.Now(); c.only == addr.Addr().String() && !now.Before(c.from) && now.Before(c.to) {
		return nil, refused
	}
	conn, err := c.Network.Dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	w := &wired{Conn: conn, c: c, to: addr.String(), left: -1}
	if left := time.Until(c.from); left > 0 && (c.only == "" || c.only == addr.Addr().String()) {
		w.timer = time.AfterFunc(left, w.lose)
	}
	return w, nil
}

// wired is a connection over a cable.
type wired struct {
	net.Conn
	c     *cable
	to    string
	timer *time.Timer

	mu   sync.Mutex
	lost bool
	left int // bytes until the answer is cut; negative: it is not
}

// lose ends the connection as the cable is cut.
func (w *wired) lose() {
	if w.c.way != silent {
		w.Conn.Close()
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lost = true
}

func (w *wired) Close() error {
	if w.timer != nil {
		w.timer.Stop()
	}
	return w.Conn.Close()
}

func (w *wired) Read(p []byte) (int, error) {
	for {
		w.mu.Lock()
		if w.left == 0 {
			w.mu.Unlock()
			return 0, syscall.ECONNRESET
		}
		if w.left > 0 {
			p = p[:min(len(p), w.left)]
		}
		w.mu.Unlock()
		n, err := w.Conn.Read(p)
		w.mu.Lock()
		lost := w.lost
		if w.left > 0 {
			w.left -= n
		}
		w.mu.Unlock()
		if !lost || err != nil {
			return n, err
		}
	}
}

func (w *wired) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	x, of := 1.0, w.c.failures
	if of > 0 {
		x = w.c.draw(w.to)
	}
	if line, _, _ := bytes.Cut(p, []byte("\r\n")); w.c.broken > 0 && x >= of && !bytes.Contains(line, []byte("robots.txt")) {
		sum := fnv.New64a()
		sum.Write([]byte(w.to))
		sum.Write(line)
		x, of = float64(sum.Sum64()%1e6)/1e6, w.c.broken
	}
	switch {
	case x < of/4:
		w.Conn.Close()
		return 0, syscall.ECONNRESET
	case x < of/2:
		w.left = 200 // in the body
	case x < of*3/4:
		w.lost = true
	}
	return w.Conn.Write(p)
}

// over crawls a web over a cable, from its seeds, and returns the lines of pages.jsonl and what was printed.
func over(t *testing.T, w *fetchtest.Web, c *cable, dir, keys string) (lines []ledger.Line, printed string, failure error) {
	t.Helper()
	c.Network, c.draws = fetchtest.NewNetwork(), map[string]*rand.Rand{}
	defer c.Close()
	w.Serve(c.Network)
	file := filepath.Join(dir, "live.yaml")
	text := fmt.Sprintf("seeds: [%s]\nfocus: {keyword: {terms: [page]}}\nallow_private: true\narchive: off\ntraps: off\noutput: %s\n%s\n",
		strings.Join(w.Seeds(), ", "), filepath.Join(dir, "crawl"), keys)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true, Wire: wire.Wire{Options: client.Options{Resolve: c.Resolve, Dial: c.Dial}}}
	failure = verbs.Crawl(context.Background(), a, file)
	for line, err := range ledger.Lines(filepath.Join(dir, "crawl", ledger.JournalFile)) {
		if err != nil {
			t.Fatalf("%v\n%v\n%s", err, failure, &out)
		}
		lines = append(lines, line)
	}
	return lines, out.String(), failure
}

// fetched returns the URLs of lines with a page, sorted.
func fetched(lines []ledger.Line) []string {
	urls := map[string]bool{}
	for _, l := range lines {
		if l.Error == "" && l.Redirect == "" {
			urls[l.URL] = true
		}
	}
	return slices.Sorted(maps.Keys(urls))
}

// TestOutages: a crawl of forty hosts whose network is cut for a minute at a random moment has the pages of an
// undisturbed one. It says that the network was down, and explain tells of the failures.
func TestOutages(t *testing.T) {
	const keys = "politeness: {delay: 2s, contact: me@example.org, timeout: 10s}"
	web := func() *fetchtest.Web {
		return fetchtest.Generate(fetchtest.Plan{
			Seed: 3, Hosts: 40, Pages: 20, Plain: true, Latency: 40 * time.Millisecond,
			Politeness: fetchtest.Politeness{Delay: 2 * time.Second, Retries: 2},
		})
	}
	var want []string
	var whole time.Duration
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		lines, printed, err := over(t, web(), &cable{}, t.TempDir(), keys)
		if want, whole = fetched(lines), time.Since(began); err != nil || len(want) < 700 {
			t.Fatalf("%d pages, %v\n%s", len(want), err, printed)
		}
	})
	draw := rand.New(rand.NewPCG(20, 1))
	for i := range 20 {
		at := time.Duration(draw.Int64N(int64(whole)))
		if i == 0 {
			at = 0
		}
		t.Run(fmt.Sprintf("%d_%v", i%ways, at.Round(time.Millisecond)), func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				w := web()
				began := time.Now()
				c := &cable{from: began.Add(at), to: began.Add(at + time.Minute), way: i % ways}
				lines, printed, err := over(t, w, c, dir, keys)
				t.Logf("%v in place of %v", time.Since(began), whole)
				if got := fetched(lines); err != nil || !slices.Equal(got, want) {
					t.Errorf("%d pages, want %d: %v\n%s", len(got), len(want), err, printed)
				}
				for _, v := range w.Violations() {
					t.Error(v)
				}
				told := strings.Contains(printed, "network is down") && strings.Contains(printed, "network is up again")
				if told {
					explained(t, filepath.Join(dir, "crawl"), want)
				}
				if want := at > time.Second; told != want { // before any host answered, there is none to tell by
					t.Errorf("the outage is told: %v\n%s", told, printed)
				}
			})
		})
	}
}

// explained checks that explain tells of the outage in which a URL failed.
func explained(t *testing.T, dir string, urls []string) {
	t.Helper()
	book, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var lost string
	for o, err := range book.Outages() {
		if err != nil || o.To.Sub(o.From) < 30*time.Second || o.Hosts < 3 {
			t.Errorf("outage %+v, %v", o, err)
		}
		for _, url := range urls {
			if id, known := book.Find(url); known && slices.Contains(o.Requests, id) {
				lost = url
			}
		}
	}
	if err := book.Close(); err != nil || lost == "" {
		t.Fatalf("lost %q: %v", lost, err)
	}
	var out bytes.Buffer
	err = verbs.Explain(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: &out}}, dir, lost, false)
	if !strings.Contains(out.String(), "It failed when this machine's network was down, from ") || err != nil {
		t.Errorf("%v\n%s", err, &out)
	}
}

// turnsOf returns how many times each host could have been asked since a page linked to it, and how many of the pages linked to
// have no outcome.
func turnsOf(t *testing.T, book *ledger.Ledger, delay time.Duration) (turns, waiting map[string]int64) {
	t.Helper()
	var end time.Time
	linked, ended := map[string]time.Time{}, map[string]bool{}
	for o, err := range book.Outcomes(0) {
		if err != nil {
			t.Fatal(err)
		}
		ended[o.Request.URL] = true
		if o.At.IsZero() { // nothing answered
			continue
		}
		if o.At.After(end) {
			end = o.At
		}
		for _, to := range append(slices.Collect(book.Outlinks(o.Request.URL)), o.Request.URL) {
			if at, known := linked[to]; !known || o.At.Before(at) {
				linked[to] = o.At
			}
		}
	}
	turns, waiting = map[string]int64{}, map[string]int64{}
	for to, at := range linked {
		host := weburl.Host(to)
		turns[host] = max(turns[host], int64(end.Sub(at)/delay))
		if !ended[to] {
			waiting[host]++
		}
	}
	return turns, waiting
}

// TestHostsFailAtRandom: hosts of which one request in ten fails, refused, reset, cut or without an answer, and of which one page
// in ten always fails, are not given up.
func TestHostsFailAtRandom(t *testing.T) {
	hosts, minutes := 60, 10
	if os.Getenv("ORBWEAVER_EFFECT") == "all" {
		hosts, minutes = 500, 25
	}
	synctest.Test(t, func(t *testing.T) {
		w := fetchtest.Generate(fetchtest.Plan{Seed: 9, Hosts: hosts, Pages: 6 * minutes, Plain: true, Latency: 40 * time.Millisecond})
		c, dir := &cable{failures: .1, broken: .1}, t.TempDir()
		keys := fmt.Sprintf("politeness: {delay: 15s, contact: me@example.org, timeout: 10s}\nlimits: {time: %dm}\nworkers: 200", minutes)
		lines, printed, err := over(t, w, c, dir, keys)
		if err != nil {
			t.Fatalf("%v\n%s", err, printed)
		}
		book, err := ledger.Open(filepath.Join(dir, "crawl"))
		if err != nil {
			t.Fatal(err)
		}
		defer book.Close()
		turns, waiting := turnsOf(t, book, 15*time.Second)
		var down, idle []string
		for a, err := range book.Accounts() {
			if err != nil {
				t.Fatal(err)
			}
			if a.Down != "" && a.Down != "no-such-host" {
				down = append(down, a.Host)
			}
			if a.Asked < turns[a.Host]/4 && waiting[a.Host] > 0 && a.Down == "" {
				idle = append(idle, fmt.Sprintf("%s: %d of %d turns, %d pages wait", a.Host, a.Asked, turns[a.Host], waiting[a.Host]))
			}
		}
		t.Logf("%d outcomes, %d pages, %d exchanges failed; down %v; idle %v", len(lines), len(fetched(lines)), c.failed, down, idle)
		if len(down) > hosts/100 || len(idle) > hosts/100 {
			t.Errorf("down are %v, idle %v", down, idle)
		}
		if c.failed < len(lines)/20 || strings.Contains(printed, "network is down") {
			t.Errorf("%d exchanges failed\n%s", c.failed, printed)
		}
	})
}

// TestBrokenPages: pages of a host that are always cut, overloaded or silent fail; the host's other pages are fetched.
func TestBrokenPages(t *testing.T) {
	for name, broken := range map[string]fetchtest.Page{
		"cut": {Trouble: fetchtest.Trouble{Times: -1, Cut: true}}, "503": {Trouble: fetchtest.Trouble{Times: -1}}, "silent": {Slow: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				h := fetchtest.Host{Name: "a.test", At: 1, Pages: []fetchtest.Page{{Path: "/"}}}
				for i := range 40 {
					p := fetchtest.Page{}
					if i < 3 {
						p = broken
					}
					p.Path = "/page-" + string([]byte{'a' + byte(i%20), 'a' + byte(i/20), 'x'})
					h.Pages = append(h.Pages, p)
					h.Pages[0].Links = append(h.Pages[0].Links, p.Path)
				}
				w := fetchtest.NewWeb(fetchtest.Politeness{Delay: time.Second}, h)
				began := time.Now()
				lines, printed, err := over(t, w, &cable{}, dir, "politeness: {delay: 1s, contact: me@example.org, timeout: 10s}")
				if got := fetched(lines); err != nil || len(got) != 38 || len(lines) != 41 {
					t.Errorf("%d pages of %d outcomes: %v\n%s", len(got), len(lines), err, printed)
				}
				if took := time.Since(began); took > 5*time.Minute {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}

// TestEndsThatPass: a crawl whose network is down for longer than limits.outage, or one of whose hosts is down for longer
// than politeness.patience, ends and says so. The same command, later, goes on, and has the pages of an undisturbed crawl.
func TestEndsThatPass(t *testing.T) {
	const keys = "politeness: {delay: 2s, contact: me@example.org, timeout: 10s}\nlimits: {outage: 3m}"
	web := func() *fetchtest.Web {
		return fetchtest.Generate(fetchtest.Plan{Seed: 3, Hosts: 8, Pages: 12, Plain: true, Politeness: fetchtest.Politeness{Delay: 2 * time.Second, Retries: 2}})
	}
	var want []string
	synctest.Test(t, func(t *testing.T) {
		lines, _, _ := over(t, web(), &cable{}, t.TempDir(), keys)
		want = fetched(lines)
	})
	for _, tc := range []struct {
		name, only string
		failure    error
		end        string
	}{
		{"network", "", starting.ErrNetworkDown, "network-down"}, {"host", "25.0.0.2", starting.ErrHostsDown, "hosts-down"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				w, began := web(), time.Now()
				c := &cable{from: began.Add(15 * time.Second), to: began.Add(time.Hour), only: tc.only}
				lines, printed, err := over(t, w, c, dir, keys)
				if got := fetched(lines); !errors.Is(err, tc.failure) || len(got) == len(want) {
					t.Fatalf("%d pages of %d: %v\n%s", len(got), len(want), err, printed)
				}
				if took := time.Since(began); took > 10*time.Minute {
					t.Errorf("it took %v", took)
				}
				if log, err := os.ReadFile(filepath.Join(dir, "crawl", "log.jsonl")); err != nil || !strings.Contains(string(log), `"end":"`+tc.end+`"`) {
					t.Errorf("the log lacks the end: %v", err)
				}
				<-time.After(time.Until(c.to))
				lines, printed, err = over(t, w, c, dir, keys)
				if got := fetched(lines); err != nil || !slices.Equal(got, want) {
					t.Errorf("%d pages, want %d: %v\n%s", len(got), len(want), err, printed)
				}
				for _, v := range w.Violations() {
					t.Error(v)
				}
			})
		})
	}
}
