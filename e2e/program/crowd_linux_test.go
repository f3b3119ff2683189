//go:build e2e

package program_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// heavyQueries take seconds to for ever over the data of crowdData: joins, sorts, groups, closures.
func heavyQueries() []string {
	return []string{
		`SELECT (COUNT(*) AS ?n) { ?a <http://v/value> ?x . ?b <http://v/value> ?y FILTER(?x < ?y) }`,
		`SELECT ?a ?x { ?a <http://v/value> ?x ; <http://v/knows> ?b . ?b <http://v/name> ?n } ORDER BY ?n ?x LIMIT 20`,
		`SELECT ?x (COUNT(DISTINCT ?b) AS ?n) { ?a <http://v/value> ?x ; <http://v/knows> ?b } GROUP BY ?x ORDER BY DESC(?n)`,
		`SELECT (COUNT(*) AS ?n) { ?a <http://v/knows>+ ?b }`,
		`SELECT DISTINCT ?x ?n { ?a <http://v/knows>/<http://v/knows> ?b ; <http://v/value> ?x . ?b <http://v/name> ?n FILTER(REGEX(?n, "9.*7")) }`,
	}
}

// crowdData is Turtle of n people.
func crowdData(n int) string {
	var b strings.Builder
	r := rand.New(rand.NewPCG(5, 1))
	for i := range n {
		fmt.Fprintf(&b, "<http://v/%d> <http://v/name> \"name %d\" .\n<http://v/%d> <http://v/value> %d .\n", i, i, i, r.IntN(1000))
		for range 3 {
			fmt.Fprintf(&b, "<http://v/%d> <http://v/knows> <http://v/%d> .\n", i, r.IntN(n))
		}
	}
	return b.String()
}

// servedStore serves a store by another process, and returns its address and the process.
func servedStore(t *testing.T, folder string, args ...string) (here string, pid int) {
	t.Helper()
	c := program(t, folder, append([]string{"serve", "store", "--listen", "127.0.0.1:0"}, args...)...)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		_ = c.Wait()
	})
	lines, said := bufio.NewScanner(out), ""
	for lines.Scan() && !strings.Contains(said, "Ctrl-C") {
		said += lines.Text() + "\n"
		if at := regexp.MustCompile(`SPARQL +(\S+)\n`).FindStringSubmatch(said); at != nil {
			here = at[1]
		}
		if strings.Contains(lines.Text(), "Ctrl-C") {
			break
		}
	}
	if here == "" {
		t.Fatalf("no address: %s", said)
	}
	return here, c.Process.Pid
}

// asking returns a client of a server from an address of this machine.
func asking(from string) *http.Client {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	return &http.Client{Transport: &http.Transport{DialContext: d.DialContext}}
}

// answered sends a query, reads the answer, and returns the status.
func answered(ctx context.Context, c *http.Client, here, query string) (status int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, here+"?query="+url.QueryEscape(query), nil)
	if err != nil {
		return 0, err
	}
	res, err := c.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, err
}

// A crowd is clients of heavy queries, beside one of easy ones.
type crowd struct {
	here  string
	heavy int
	same  bool // all have one address
	easy  int  // easy queries, if not zero
	lasts time.Duration
}

// watch lets the crowd query, and returns how long easy queries took, how many were not answered, and how the heavy ones ended.
func (w crowd) watch(t *testing.T) (took []time.Duration, failed int, ends map[int]int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var mu sync.Mutex
	ends = map[int]int{}
	address := func(i int) string {
		if w.same {
			return "127.0.0.1"
		}
		return fmt.Sprintf("127.0.0.%d", 2+i)
	}
	for i := range w.heavy {
		all.Go(func() {
			c := asking(address(i))
			defer c.CloseIdleConnections()
			for n := i; ctx.Err() == nil; n++ {
				status, err := answered(ctx, c, w.here, heavyQueries()[n%len(heavyQueries())])
				mu.Lock()
				if err == nil {
					ends[status]++
				}
				mu.Unlock()
			}
		})
	}
	c := asking(address(w.heavy))
	for began, n := time.Now(), 0; time.Since(began) < w.lasts && (w.easy == 0 || n < w.easy); n++ {
		<-time.After(20 * time.Millisecond)
		query := fmt.Sprintf(`ASK { <http://v/%d> <http://v/name> ?n }`, n*7%1000)
		if n%2 == 1 {
			query = fmt.Sprintf(`SELECT ?b ?n { <http://v/%d> <http://v/knows> ?b . ?b <http://v/name> ?n }`, n*7%1000)
		}
		sent := time.Now()
		status, err := answered(ctx, c, w.here, query)
		if err != nil {
			t.Fatal(err)
		}
		if status != http.StatusOK {
			failed++
		}
		took = append(took, time.Since(sent))
	}
	c.CloseIdleConnections()
	cancel()
	all.Wait()
	slices.Sort(took)
	return took, failed, ends
}

// peak is the most memory that a process ever had, as the system tells it.
func peak(t *testing.T, pid int) string {
	t.Helper()
	return regexp.MustCompile(`VmHWM:\s+(.*)`).FindStringSubmatch(string(read(t, fmt.Sprintf("/proc/%d/status", pid))))[1]
}

// TestEasyBesideHeavy: a client of easy queries is served beside eight of heavy ones, from other addresses and from its
// own, and no easy query is refused. With ORBWEAVER_EFFECT=all for a minute each: then the 99th percentile of the easy
// ones is less than 200 ms.
func TestEasyBesideHeavy(t *testing.T) {
	people, lasts, easy := 2_000, 20*time.Second, 20
	if os.Getenv("ORBWEAVER_EFFECT") == "all" {
		people, lasts, easy = 100_000, time.Minute, 0
	}
	folder := t.TempDir()
	write(t, filepath.Join(folder, "a.ttl"), crowdData(people))
	if out, err := program(t, folder, "store", "load", "store", "a.ttl").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, same := range map[string]bool{"addresses of their own": false, "one address": true} {
		t.Run(name, func(t *testing.T) {
			here, pid := servedStore(t, folder)
			took, failed, ends := crowd{here: here, heavy: 8, same: same, easy: easy, lasts: lasts}.watch(t)
			at := func(share float64) time.Duration {
				return took[int(share*float64(len(took)-1))].Round(100 * time.Microsecond)
			}
			t.Logf("%d easy queries, %d without an answer: half in %v, 90 %% in %v, 99 %% in %v, all in %v; heavy ones by status: %v; peak memory %s",
				len(took), failed, at(0.5), at(0.9), at(0.99), at(1), ends, peak(t, pid))
			if failed > 0 {
				t.Errorf("%d easy queries were not answered", failed)
			}
			if easy == 0 && at(0.99) > 200*time.Millisecond {
				t.Errorf("99 %% of the easy queries took up to %v", at(0.99))
			}
		})
	}
}
