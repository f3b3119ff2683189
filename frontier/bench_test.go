package frontier_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"orbweaver/frontier"
	"orbweaver/internal/step"
)

// BenchmarkAddNext measures adding and leasing a request of an archive, with one host and with many.
func BenchmarkAddNext(b *testing.B) {
	for _, hosts := range []uint64{1, 10_000} {
		b.Run(fmt.Sprintf("hosts=%d", hosts), func(b *testing.B) {
			names := make([]string, hosts)
			for i := range names {
				names[i] = fmt.Sprintf("h%d", i)
			}
			f := frontier.New(frontier.Options{})
			rng := rand.New(rand.NewPCG(5, 6))
			next := uint64(0)
			add := func() {
				f.Add(entry{ID: next, Host: names[next%hosts], Score: rng.Float64()}.waiting())
				next++
			}
			for range 100_000 {
				add()
			}
			for b.Loop() {
				add()
				turn, _, _ := f.Next(time.Time{})
				f.Done(turn.ID, step.Reply{})
			}
		})
	}
}

// BenchmarkOneAddress measures a turn when many hosts share an address.
func BenchmarkOneAddress(b *testing.B) {
	for _, hosts := range []uint64{10, 1000, 100_000} {
		b.Run(fmt.Sprintf("hosts=%d", hosts), func(b *testing.B) {
			f := frontier.New(frontier.Options{Live: true, Delay: time.Millisecond, Connections: 1})
			rng := rand.New(rand.NewPCG(1, 1))
			for id := range hosts {
				f.Add(entry{ID: id, Host: fmt.Sprintf("h%d", id), Score: rng.Float64()}.waiting())
				turn, _, _ := f.Next(start())
				f.Located(turn, "192.0.2.1:80", "", start())
			}
			now, next := start(), hosts
			for b.Loop() {
				now = now.Add(time.Millisecond)
				turn, _, ok := f.Next(now)
				if !ok {
					b.Fatal("no turn")
				}
				f.Done(turn.ID, step.Reply{Started: now, Ended: now})
				w := step.Waiting{ID: next}
				w.URL, w.Score = turn.Host+"/", rng.Float64()
				f.Add(w)
				next++
			}
		})
	}
}

// BenchmarkRound measures selecting a round of 20 among 10 000 hosts, and ending it.
func BenchmarkRound(b *testing.B) {
	f := frontier.New(frontier.Options{})
	rng := rand.New(rand.NewPCG(5, 6))
	for id := range uint64(100_000) {
		f.Add(entry{ID: id, Host: fmt.Sprintf("h%d", id%10_000), Score: rng.Float64()}.waiting())
	}
	for b.Loop() {
		f.Select(20)
		f.Unselect()
	}
}

// heapNow returns the live bytes of the heap.
func heapNow() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// named returns the URLs of that many hosts.
func named(hosts uint64) []string {
	names := make([]string, hosts)
	for i := range names {
		names[i] = fmt.Sprintf("http://host-%d.test", i)
	}
	return names
}

// fill adds requests, spread over hosts, and returns the peak of the heap.
func fill(f *frontier.Frontier, requests uint64, names []string) (peak float64) {
	rng := rand.New(rand.NewPCG(7, 7))
	w := step.Waiting{}
	for id := range requests {
		w.ID, w.URL, w.Score = id+1, names[rng.Uint64N(uint64(len(names)))], rng.Float64()
		f.Add(w)
		if id%(requests/50) == 0 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, float64(m.HeapAlloc))
		}
	}
	return peak
}

// sizes runs a benchmark with a million requests, or with ten million if -bench names 10M.
func sizes(b *testing.B, run func(b *testing.B, requests uint64)) {
	b.Run("1M", func(b *testing.B) { run(b, 1_000_000) })
	b.Run("10M", func(b *testing.B) {
		if !strings.Contains(flag.Lookup("test.bench").Value.String(), "10M") {
			b.Skip("-bench 10M")
		}
		run(b, 10_000_000)
	})
}

// BenchmarkMemory reports the bytes of a waiting request at a thousand hosts, without URLs and keys; the peak
// of the heap, including garbage; and the bytes of a host.
func BenchmarkMemory(b *testing.B) {
	sizes(b, func(b *testing.B, requests uint64) {
		for b.Loop() {
			names := named(1000)
			before := heapNow()
			f := frontier.New(frontier.Options{})
			peak := fill(f, requests, names) - before
			b.ReportMetric((heapNow()-before)/float64(requests), "B/request")
			b.ReportMetric(peak/1e6, "MB-peak")
			runtime.KeepAlive(f)
		}
	})
	b.Run("hosts", func(b *testing.B) {
		for b.Loop() {
			names := named(100_000)
			before := heapNow()
			f := frontier.New(frontier.Options{})
			fill(f, 100_000, names)
			b.ReportMetric((heapNow()-before)/float64(f.Hosts()), "B/host")
			runtime.KeepAlive(f)
			runtime.KeepAlive(names)
		}
	})
	b.Run("keys", func(b *testing.B) {
		for b.Loop() {
			words := named(20_000)
			w := step.Waiting{}
			rng := rand.New(rand.NewPCG(7, 7))
			var held [2]float64
			for i := range held {
				before := heapNow()
				f := frontier.New(frontier.Options{})
				for id := range uint64(500_000) {
					w.ID, w.URL = id, "http://a/"
					if w.Keys = w.Keys[:0]; i == 1 {
						for range 6 {
							w.Keys = append(w.Keys, words[rng.IntN(1+rng.IntN(len(words)))])
						}
					}
					f.Add(w)
				}
				held[i] = heapNow() - before
				runtime.KeepAlive(f)
			}
			b.ReportMetric((held[1]-held[0])/6/500_000, "B/key")
		}
	})
}

// BenchmarkOffers measures adding requests at a thousand hosts.
func BenchmarkOffers(b *testing.B) {
	sizes(b, func(b *testing.B, requests uint64) {
		names := named(1000)
		for b.Loop() {
			fill(frontier.New(frontier.Options{}), requests, names)
		}
		b.ReportMetric(float64(requests)*float64(b.N)/b.Elapsed().Seconds(), "adds/s")
	})
}

// BenchmarkRescore measures changing the scores of a million waiting requests, at once and one by one.
func BenchmarkRescore(b *testing.B) {
	const n = 1_000_000
	ids, scores := make([]uint64, n), make([]float64, n)
	for _, hosts := range []uint64{1, 1000} {
		f := frontier.New(frontier.Options{})
		fill(f, n, named(hosts))
		rng := rand.New(rand.NewPCG(8, 8))
		again := func() {
			for i := range ids {
				ids[i], scores[i] = uint64(i+1), rng.Float64()
			}
		}
		b.Run(fmt.Sprintf("all/hosts=%d", hosts), func(b *testing.B) {
			for b.Loop() {
				again()
				f.RescoreAll(ids, scores)
			}
		})
		b.Run(fmt.Sprintf("each/hosts=%d", hosts), func(b *testing.B) {
			for b.Loop() {
				again()
				for i, id := range ids {
					f.Rescore(id, scores[i])
				}
			}
		})
	}
}

// BenchmarkSpill measures adding and leasing a million requests with a tenth of the memory they need, by way
// of the file.
func BenchmarkSpill(b *testing.B) {
	names := named(100)
	for b.Loop() {
		file, err := os.Create(filepath.Join(b.TempDir(), "spill"))
		if err != nil {
			b.Fatal(err)
		}
		f := frontier.New(frontier.Options{
			Memory: 10_500_000, Spill: func() (frontier.Spill, error) { return file, nil },
		})
		fill(f, 1_000_000, names)
		for f.Len() > 0 {
			turn, _, ok := f.Next(time.Time{})
			if !ok {
				b.Fatal(f.Err())
			}
			f.Done(turn.ID, step.Reply{})
		}
		info, err := file.Stat()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Size())/1e6, "MB-file")
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*1000, "ns/request") // of a million
}
