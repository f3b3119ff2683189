//go:build e2e

package program_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver/eval/synth"
)

// A crawled is what a crawl of a served web cost.
type crawled struct {
	pages     int
	wall, cpu time.Duration
	memory    int64 // bytes, at most at a time
}

// crawlServed crawls a generated web, that another process serves on loopback addresses, with all that
// a live crawl has but the delay, and checks that each page was asked for once and nothing forbidden.
func crawlServed(t testing.TB, as shape, focus string) crawled {
	t.Helper()
	folder := t.TempDir()
	if as.TLS != "" {
		as.TLS = filepath.Join(folder, as.TLS)
	}
	web, finish := startWeb(t, as)
	write(t, filepath.Join(folder, "topic.ttl"), web.Ontology())
	write(t, filepath.Join(folder, "f.yaml"), fmt.Sprintf(`seeds: [%s]
focus: %s
allow_private: [127.0.0.0/8]
politeness: {delay: 0s, contact: me@example.org}
archive: on
output: crawl
`, web.URL(0), focus))
	if strings.Contains(focus, "topic.krs") {
		write(t, filepath.Join(folder, "topic.txt"), "Topic\n\n"+regexp.MustCompile(`[^A-Za-z]*([A-Za-z]+)[^A-Za-z]*`).ReplaceAllString(web.Ontology(), "The $1 is there. "))
		if out, err := program(t, folder, "krs", "build", "topic.txt", "--topic", "topic", "-o", "topic.krs").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	began := time.Now()
	args := []string{"crawl", "f.yaml"}
	if profiles := os.Getenv("ORBWEAVER_PROFILE"); profiles != "" {
		args = append(args, "--profile", filepath.Join(profiles, filepath.Base(t.Name())))
	}
	c := program(t, folder, args...)
	c.Env = append(c.Env, "SSL_CERT_FILE="+as.TLS)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	memory, err := runWatched(c)
	wall := time.Since(began)
	if err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	got, want := finish(), expected(web)
	if got != want {
		t.Errorf("the web was asked %+v, want %+v", got, want)
	}
	return crawled{got.Pages, wall, c.ProcessState.UserTime() + c.ProcessState.SystemTime(), memory}
}

// runWatched runs a program and returns its memory at most, in bytes, as looked at ten times a second. What the system tells of a process that
// is over counts that of the test too, which began it.
func runWatched(c *exec.Cmd) (memory int64, err error) {
	if err := c.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
		if _, after, found := strings.Cut(string(status), "VmHWM:"); found {
			var kilobytes int64
			_, _ = fmt.Sscan(after, &kilobytes)
			memory = max(memory, kilobytes<<10)
		}
		select {
		case err := <-ended:
			return memory, err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// TestCrawlServed: what BenchmarkCrawl measures, in small.
func TestCrawlServed(t *testing.T) {
	t.Parallel()
	for name, as := range scenarios(4, 50) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c := crawlServed(t, as, byOntology); c.pages < 150 || c.cpu <= 0 || c.memory < 1<<20 {
				t.Errorf("%+v", c)
			}
		})
	}
}

// scenarios are the ways in which webs are served, with pages a host.
func scenarios(hosts int, pages int64) map[string]shape {
	plain := shape{Hosts: hosts, Pages: int64(hosts) * pages}
	zipped, secure, far := plain, plain, plain
	zipped.Gzip, secure.TLS, far.Latency = true, "certificate.pem", 100*time.Millisecond
	if pages < 100 {
		far.Latency = 5 * time.Millisecond
	}
	return map[string]shape{"Plain": plain, "Gzip": zipped, "TLS": secure, "Latency": far}
}

// BenchmarkCrawl is the speed of a crawl of the live Web when no host has to be waited for: 200 hosts
// of 100 pages of 20 kB, served by another process of this machine, with robots.txt, archive, ledger
// and an ontology of 50 entities: as they are, by gzip, over TLS with HTTP/2, and with 100 ms before each answer. With -short it is 20 hosts.
func BenchmarkCrawl(b *testing.B) {
	all := scenarios(hostsOf(200), 100)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.Run(name, func(b *testing.B) { benchmarkCrawl(b, all[name], byOntology) })
	}
}

// BenchmarkCrawlKRS is the same on 40 hosts, by a knowledge representation schema: each page is read with
// tags, lemmas and links to entities.
func BenchmarkCrawlKRS(b *testing.B) {
	benchmarkCrawl(b, scenarios(hostsOf(40), 100)["Plain"], "{krs: {file: topic.krs}}")
}

// BenchmarkProcessors is BenchmarkCrawl on one processor, two, and as many as there are, up to 8: which of them the one goroutine that decides
// keeps from working.
func BenchmarkProcessors(b *testing.B) {
	for n := 1; n <= min(runtime.NumCPU(), 8); n *= 2 {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.Setenv("GOMAXPROCS", fmt.Sprint(n))
			benchmarkCrawl(b, scenarios(hostsOf(200), 100)["Gzip"], byOntology)
		})
	}
}

// hostsOf returns how many hosts of a number a benchmark crawls.
func hostsOf(n int) int {
	if testing.Short() {
		return 20
	}
	return n
}

// byOntology is the focus of TestCrawlServed and BenchmarkCrawl.
const byOntology = `{ontology: {files: topic.ttl, target: "` + synth.Target + `"}}`

func benchmarkCrawl(b *testing.B, as shape, focus string) {
	var all crawled
	for b.Loop() {
		c := crawlServed(b, as, focus)
		all.pages, all.wall, all.cpu, all.memory = all.pages+c.pages, all.wall+c.wall, all.cpu+c.cpu, max(all.memory, c.memory)
	}
	b.ReportMetric(float64(all.pages)/all.wall.Seconds(), "pages/s")
	b.ReportMetric(1000*all.cpu.Seconds()/float64(all.pages), "CPU-s/1000pages")
	b.ReportMetric(float64(all.memory)/1e6, "peak-RSS-MB")
}
