//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"fmt"
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
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/manners"
	"orbweaver/internal/services/wire"
	"orbweaver/ledger"
)

// A visitor is one of several crawls of a web at the same time.
type visitor struct {
	seeds []string
	keys  string
	after time.Duration // when it begins

	urls    []string // of its pages, sorted
	took    time.Duration
	printed string
	err     error
}

// together runs crawls of a web in memory, at the same time, in one process.
func together(t *testing.T, w *fetchtest.Web, visitors ...*visitor) {
	t.Helper()
	hosts := manners.New()
	sharing(t, w, func() *manners.Registry { return hosts }, visitors...)
}

// sharing is together, with the registry of each crawl.
func sharing(t *testing.T, w *fetchtest.Web, registry func() *manners.Registry, visitors ...*visitor) {
	t.Helper()
	n := fetchtest.NewNetwork()
	defer n.Close()
	w.Serve(n)
	dir := t.TempDir()
	var running sync.WaitGroup
	for i, v := range visitors {
		folder, hosts := filepath.Join(dir, fmt.Sprint(i)), registry()
		running.Go(func() {
			began := time.Now()
			<-time.After(v.after)
			v.crawl(folder, wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}, Hosts: hosts})
			v.took = time.Since(began)
		})
	}
	running.Wait()
}

// crawl runs the crawl in a folder.
func (v *visitor) crawl(folder string, network wire.Wire) {
	text := fmt.Sprintf("seeds: [%s]\nfocus: {breadth_first: {}}\nallow_private: true\narchive: off\ntraps: off\noutput: %s\n%s\n",
		strings.Join(v.seeds, ", "), filepath.Join(folder, "crawl"), v.keys)
	file := filepath.Join(folder, "live.yaml")
	if v.err = os.MkdirAll(folder, 0o777); v.err != nil {
		return
	}
	if v.err = os.WriteFile(file, []byte(text), 0o666); v.err != nil {
		return
	}
	var out bytes.Buffer
	v.err = verbs.Crawl(context.Background(), &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true, Wire: network}, file)
	v.printed = out.String()
	var lines []ledger.Line
	for line, err := range ledger.Lines(filepath.Join(folder, "crawl", ledger.JournalFile)) {
		if err != nil {
			v.err = err
			return
		}
		lines = append(lines, line)
	}
	v.urls = fetched(lines)
}

// alone returns the pages that a crawl has by itself, and how long it takes.
func alone(t *testing.T, w *fetchtest.Web, seeds []string, keys string) (urls []string, took time.Duration) {
	t.Helper()
	v := visitor{seeds: seeds, keys: keys}
	together(t, w, &v)
	if v.err != nil || len(v.urls) == 0 {
		t.Fatalf("%d pages, %v\n%s", len(v.urls), v.err, v.printed)
	}
	return v.urls, v.took
}

// plainWeb is a web of hosts some of which share an address, and keys its crawls' files.
func plainWeb() *fetchtest.Web {
	return fetchtest.Generate(fetchtest.Plan{
		Seed: 3, Hosts: 12, Addresses: 9, Pages: 8, Plain: true, Latency: 40 * time.Millisecond,
		Politeness: fetchtest.Politeness{Delay: 2 * time.Second, Retries: 2},
	})
}

const plainKeys = "politeness: {delay: 2s, contact: me@example.org, timeout: 10s}"

// inFolder returns registries of different processes that share a folder.
func inFolder(t *testing.T) func() *manners.Registry {
	shared := filepath.Join(t.TempDir(), "hosts")
	return func() *manners.Registry { return manners.Open(func() (string, error) { return shared, nil }) }
}

// TestMannersOfManyCrawls: crawls of the same hosts at the same time, in one process or in several, keep the delays of one,
// have the pages that each has alone, and take as much longer as they are many.
func TestMannersOfManyCrawls(t *testing.T) {
	var want []string
	var whole time.Duration
	synctest.Test(t, func(t *testing.T) {
		w := plainWeb()
		want, whole = alone(t, w, w.Seeds(), plainKeys)
	})
	for _, tc := range []struct {
		crawls    int
		processes bool
	}{{2, false}, {3, false}, {2, true}, {3, true}} {
		t.Run(fmt.Sprint(tc), func(t *testing.T) {
			registry, one := inFolder(t), manners.New()
			if !tc.processes {
				registry = func() *manners.Registry { return one }
			}
			synctest.Test(t, func(t *testing.T) {
				w := plainWeb()
				visitors := make([]*visitor, tc.crawls)
				for i := range visitors {
					visitors[i] = &visitor{seeds: w.Seeds(), keys: plainKeys, after: time.Duration(i) * 1300 * time.Millisecond}
				}
				sharing(t, w, registry, visitors...)
				for i, v := range visitors {
					if v.err != nil || !slices.Equal(v.urls, want) || strings.Contains(v.printed, "not shared") {
						t.Errorf("crawl %d has %d pages, alone %d: %v\n%s", i, len(v.urls), len(want), v.err, v.printed)
					}
					t.Logf("crawl %d took %v, alone %v", i, v.took, whole)
					if longest := whole * time.Duration(tc.crawls) * 5 / 4; v.took > longest {
						t.Errorf("crawl %d took %v, alone %v", i, v.took, whole)
					}
				}
				for _, v := range w.Violations() {
					t.Error(v)
				}
			})
		})
	}
}

// TestMannersAlone: a crawl alone makes the same requests at the same times, whether it may share hosts with others or not.
func TestMannersAlone(t *testing.T) {
	registries := []func() *manners.Registry{func() *manners.Registry { return nil }, manners.New, inFolder(t)}
	var want []fetchtest.Visit
	for i, registry := range registries {
		synctest.Test(t, func(t *testing.T) {
			w := plainWeb()
			v := visitor{seeds: w.Seeds(), keys: plainKeys + "\nworkers: 1"} // with more, what happens at one moment has no order
			sharing(t, w, registry, &v)
			if i == 0 {
				want = w.Visits()
			}
			if got := w.Visits(); v.err != nil || len(got) < 96 || !slices.Equal(got, want) {
				t.Errorf("registry %d: %d visits, want %d: %v", i, len(got), len(want), v.err)
			}
		})
	}
}

// shared is a web of two hosts at one address, on each of which crawls have pages of their own under /0/, /1/ and so on. crawlDelay is that
// of the first host.
func shared(crawls int, crawlDelay, delay time.Duration) *fetchtest.Web {
	hosts := []fetchtest.Host{{Name: "one.test", At: 1, Robots: fetchtest.Robots{Delay: crawlDelay}}, {Name: "two.test", At: 1}}
	for h := range hosts {
		for c := range crawls {
			first := fetchtest.Page{Path: fmt.Sprintf("/%d/", c)}
			for p := range 15 {
				path := fmt.Sprintf("/%d/%c", c, 'a'+p)
				first.Links = append(first.Links, path)
				hosts[h].Pages = append(hosts[h].Pages, fetchtest.Page{Path: path})
			}
			hosts[h].Pages = append(hosts[h].Pages, first)
		}
	}
	for h := range hosts {
		hosts[h].Latency = 30 * time.Millisecond
	}
	return fetchtest.NewWeb(fetchtest.Politeness{Delay: delay}, hosts...)
}

// TestMannersOfDifferentDelays: between requests of two crawls lies the longer of their delays, also where two hosts share an address, and
// where robots.txt asks for a longer one. All finish; while both are at work, they take turns.
func TestMannersOfDifferentDelays(t *testing.T) {
	for _, tc := range []struct {
		name       string
		delays     []time.Duration
		crawlDelay time.Duration
	}{
		{"same", []time.Duration{time.Second, time.Second}, 0},
		{"different", []time.Duration{time.Second, 4 * time.Second}, 0},
		{"three", []time.Duration{time.Second, 2 * time.Second, 5 * time.Second}, 0},
		{"Crawl-delay", []time.Duration{time.Second, 2 * time.Second}, 7 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := shared(len(tc.delays), tc.crawlDelay, slices.Min(tc.delays))
				var visitors []*visitor
				for i, delay := range tc.delays {
					visitors = append(visitors, &visitor{
						seeds: []string{fmt.Sprintf("http://one.test/%d/", i), fmt.Sprintf("http://two.test/%d/", i)},
						keys:  fmt.Sprintf("politeness: {delay: %v, contact: me@example.org}", delay),
					})
				}
				together(t, w, visitors...)
				for i, v := range visitors {
					if v.err != nil || len(v.urls) != 32 {
						t.Errorf("crawl %d has %d pages of 32, after %v: %v\n%s", i, len(v.urls), v.took, v.err, v.printed)
					}
				}
				for _, v := range w.Violations() {
					t.Error(v)
				}
				checkTurns(t, w, tc.delays)
			})
		})
	}
}

// checkTurns checks that visits of different crawls to an address are as far apart as the longer of their delays, and that no crawl
// has more than four turns while another, which has pages left, has none.
func checkTurns(t *testing.T, w *fetchtest.Web, delays []time.Duration) {
	t.Helper()
	var of []int
	var at []time.Time
	left := make([]int, len(delays))
	for _, v := range w.Visits() {
		var crawl int
		if _, err := fmt.Sscanf(v.Path, "/%d/", &crawl); err == nil { // robots.txt does not say whose it is
			of, at = append(of, crawl), append(at, v.At)
			left[crawl]++
		}
	}
	since := make([]int, len(delays)) // visits of others since its last
	for i, crawl := range of {
		if i > 0 && of[i-1] != crawl {
			if gap, least := at[i].Sub(at[i-1]), max(delays[crawl], delays[of[i-1]]); gap < least {
				t.Errorf("visit %d of crawl %d, %v after one of crawl %d: want %v", i, crawl, gap, of[i-1], least)
			}
		}
		left[crawl]--
		for other := range since {
			if since[other]++; other == crawl || left[other] == 0 {
				since[other] = 0
			}
			if since[other] > 4*(len(delays)-1) {
				t.Errorf("visit %d: crawl %d has had no turn for %d", i, other, since[other])
			}
		}
	}
}

// TestMannersOfRest: a host that asks one crawl to come back later is left alone by the other.
func TestMannersOfRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := fetchtest.Host{Name: "one.test", At: 1, Pages: []fetchtest.Page{{Path: "/"}}}
		for i := range 20 {
			p := fetchtest.Page{Path: fmt.Sprintf("/page-%c", 'a'+i)}
			if i%5 == 4 {
				p.Trouble = fetchtest.Trouble{Times: 1, RetryAfter: 40 * time.Second}
			}
			h.Pages = append(h.Pages, p)
			h.Pages[0].Links = append(h.Pages[0].Links, p.Path)
		}
		w := fetchtest.NewWeb(fetchtest.Politeness{Delay: time.Second}, h)
		const keys = "politeness: {delay: 1s, contact: me@example.org}"
		a, b := &visitor{seeds: []string{"http://one.test/"}, keys: keys}, &visitor{seeds: []string{"http://one.test/"}, keys: keys}
		together(t, w, a, b)
		for _, v := range []*visitor{a, b} {
			if v.err != nil || len(v.urls) != 21 || v.took < 160*time.Second {
				t.Errorf("%d pages after %v: %v\n%s", len(v.urls), v.took, v.err, v.printed)
			}
		}
		for _, v := range w.Violations() {
			t.Error(v)
		}
	})
}

// BenchmarkManners is what sharing costs a crawl that nobody else is beside: 50 hosts in memory, which ask for no delay.
func BenchmarkManners(b *testing.B) {
	w := fetchtest.Generate(fetchtest.Plan{Seed: 3, Hosts: 50, Addresses: 50, Pages: 20, Plain: true})
	n := fetchtest.NewNetwork()
	defer n.Close()
	w.Serve(n)
	folder := filepath.Join(b.TempDir(), "hosts")
	for _, tc := range []struct {
		name  string
		hosts *manners.Registry
	}{
		{"nothing", nil}, {"process", manners.New()}, {"folder", manners.Open(func() (string, error) { return folder, nil })},
	} {
		b.Run(tc.name, func(b *testing.B) {
			dir, pages := b.TempDir(), 0
			for i := 0; b.Loop(); i++ {
				v := visitor{seeds: w.Seeds(), keys: "politeness: {delay: 0s, contact: me@example.org}"}
				v.crawl(filepath.Join(dir, fmt.Sprint(i)), wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}, Hosts: tc.hosts})
				if v.err != nil || len(v.urls) == 0 {
					b.Fatalf("%d pages, %v\n%s", len(v.urls), v.err, v.printed)
				}
				pages += len(v.urls)
			}
			b.ReportMetric(float64(pages)/b.Elapsed().Seconds(), "pages/s")
		})
	}
}
