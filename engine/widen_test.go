package engine

import (
	"testing"

	"orbweaver/internal/step"
)

// TestWiden: requests beyond the workers are begun while few pages wait for a processor, within what the crawl has seen and may still ask.
func TestWiden(t *testing.T) {
	for _, c := range []struct {
		name            string
		pages           int64 // that wait for a processor
		requests, limit int64
		before, want    int
		workers, atMost int
	}{
		{name: "idle", requests: 10_000, want: 384, workers: 128, atMost: 512},
		{name: "idle, at the beginning", requests: 100, want: 25, workers: 128, atMost: 512},
		{name: "idle, near the end", requests: 10_000, limit: 10_200, want: 50, workers: 128, atMost: 512},
		{name: "busy", pages: 200, requests: 10_000, before: 300, want: 0, workers: 128, atMost: 512},
		{name: "in between", pages: 100, requests: 10_000, before: 300, want: 300, workers: 128, atMost: 512},
		{name: "the file says how many", requests: 10_000, want: 0, workers: 128},
	} {
		l := &live{beyond: c.before, c: &Crawl{
			cfg:      Config{Workers: c.workers, MostWorkers: c.atMost, Load: &step.Load{}, Limits: Limits{Requests: c.limit}},
			progress: step.Progress{Requests: c.requests},
		}}
		l.c.cfg.Load.Add(c.pages)
		for range 1000 {
			l.widen()
		}
		if l.beyond != c.want {
			t.Errorf("%s: %d beyond the workers, want %d", c.name, l.beyond, c.want)
		}
	}
}
