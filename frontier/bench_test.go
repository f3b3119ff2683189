package frontier_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/frontier"
)

// BenchmarkAddNext measures a request's way in and out of an archive's frontier: one of a single
// host, and one of many.
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
				f.Done(turn.ID, orbweaver.Reply{})
			}
		})
	}
}

// BenchmarkOneAddress measures a turn where so many hosts share an address.
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
				f.Done(turn.ID, orbweaver.Reply{Started: now, Ended: now})
				w := orbweaver.Waiting{ID: next}
				w.URL, w.Score = turn.Host+"/", rng.Float64()
				f.Add(w)
				next++
			}
		})
	}
}

// BenchmarkRound measures choosing a round of 20 among 10 000 hosts, and ending it.
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

// BenchmarkMemory reports what a waiting request and a host hold, URLs and keys left out.
func BenchmarkMemory(b *testing.B) {
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	fill := func(requests, hosts uint64) float64 {
		names := make([]string, hosts)
		for i := range names {
			names[i] = fmt.Sprintf("http://host-%d.test", i)
		}
		w := orbweaver.Waiting{}
		before := heap()
		f := frontier.New(frontier.Options{})
		for id := range requests {
			w.ID, w.URL = id, names[id%hosts]
			f.Add(w)
		}
		held := heap() - before
		runtime.KeepAlive(f)
		runtime.KeepAlive(names)
		return held
	}
	for b.Loop() {
		one := fill(100_000, 1)
		b.ReportMetric(one/100_000, "B/request")
		b.ReportMetric((fill(100_000, 100_000)-one)/100_000, "B/host")
	}
}
