package main

import (
	"fmt"
	"path/filepath"
	"syscall"
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
func crawlServed(t testing.TB, hosts int, pages int64) crawled {
	t.Helper()
	folder := t.TempDir()
	web, finish := startWeb(t, hosts, pages)
	write(t, filepath.Join(folder, "topic.ttl"), web.Ontology())
	write(t, filepath.Join(folder, "f.yaml"), fmt.Sprintf(`seeds: [%s]
focus: {ontology: {files: topic.ttl, target: "%s"}}
allow_private: [127.0.0.0/8]
politeness: {delay: 0s, contact: me@example.org}
archive: on
output: crawl
`, web.URL(0), synth.Target))
	began := time.Now()
	c := program(t, folder, "crawl", "f.yaml")
	out, err := c.CombinedOutput()
	wall := time.Since(began)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got, want := finish(), expected(web)
	if got != want {
		t.Errorf("the web was asked %+v, want %+v", got, want)
	}
	usage := c.ProcessState.SysUsage().(*syscall.Rusage)
	return crawled{got.Pages, wall, c.ProcessState.UserTime() + c.ProcessState.SystemTime(), usage.Maxrss << 10}
}

// TestCrawlServed: what BenchmarkCrawl measures, in small.
func TestCrawlServed(t *testing.T) {
	t.Parallel()
	if c := crawlServed(t, 4, 200); c.pages < 150 || c.cpu <= 0 || c.memory < 1<<20 {
		t.Errorf("%+v", c)
	}
}

// BenchmarkCrawl is the speed of a crawl of the live Web when no host has to be waited for: 200 hosts
// of 100 pages of 20 kB, served by another process of this machine, with robots.txt, archive, ledger
// and an ontology of 50 entities. With -short it is 20 hosts.
func BenchmarkCrawl(b *testing.B) {
	hosts := 200
	if testing.Short() {
		hosts = 20
	}
	var all crawled
	for b.Loop() {
		c := crawlServed(b, hosts, int64(hosts)*100)
		all.pages, all.wall, all.cpu, all.memory = all.pages+c.pages, all.wall+c.wall, all.cpu+c.cpu, max(all.memory, c.memory)
	}
	b.ReportMetric(float64(all.pages)/all.wall.Seconds(), "pages/s")
	b.ReportMetric(1000*all.cpu.Seconds()/float64(all.pages), "CPU-s/1000pages")
	b.ReportMetric(float64(all.memory)/1e6, "peak-RSS-MB")
}
