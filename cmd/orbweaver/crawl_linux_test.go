package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
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
func crawlServed(t testing.TB, hosts int, pages int64, focus string) crawled {
	t.Helper()
	folder := t.TempDir()
	web, finish := startWeb(t, hosts, pages)
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
	if c := crawlServed(t, 4, 200, byOntology); c.pages < 150 || c.cpu <= 0 || c.memory < 1<<20 {
		t.Errorf("%+v", c)
	}
}

// BenchmarkCrawl is the speed of a crawl of the live Web when no host has to be waited for: 200 hosts
// of 100 pages of 20 kB, served by another process of this machine, with robots.txt, archive, ledger
// and an ontology of 50 entities. With -short it is 20 hosts.
func BenchmarkCrawl(b *testing.B) { benchmarkCrawl(b, 200, byOntology) }

// BenchmarkCrawlKRS is the same on 40 hosts, by a knowledge representation schema: each page is read with
// tags, lemmas and links to entities.
func BenchmarkCrawlKRS(b *testing.B) { benchmarkCrawl(b, 40, "{krs: {file: topic.krs}}") }

// byOntology is the focus of TestCrawlServed and BenchmarkCrawl.
const byOntology = `{ontology: {files: topic.ttl, target: "` + synth.Target + `"}}`

func benchmarkCrawl(b *testing.B, hosts int, focus string) {
	if testing.Short() {
		hosts = 20
	}
	var all crawled
	for b.Loop() {
		c := crawlServed(b, hosts, int64(hosts)*100, focus)
		all.pages, all.wall, all.cpu, all.memory = all.pages+c.pages, all.wall+c.wall, all.cpu+c.cpu, max(all.memory, c.memory)
	}
	b.ReportMetric(float64(all.pages)/all.wall.Seconds(), "pages/s")
	b.ReportMetric(1000*all.cpu.Seconds()/float64(all.pages), "CPU-s/1000pages")
	b.ReportMetric(float64(all.memory)/1e6, "peak-RSS-MB")
}
