package simulation

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver/eval/synth"
	"orbweaver/internal/console"
)

// crewed runs one crawl by several workers, and returns the URLs of the pages that their ledgers have, sorted.
func crewed(t *testing.T, s Simulation, workers int) (simulated, []string) {
	t.Helper()
	var urls []string
	s.after = func(c *crew) {
		for _, w := range c.workers {
			for o, err := range w.book.Outcomes(0) {
				if err != nil {
					t.Error(err)
				} else if o.Page != nil {
					urls = append(urls, o.Request.URL)
				}
			}
		}
	}
	web, err := synth.New(s.params(s.Pages[0]))
	if err != nil {
		t.Fatal(err)
	}
	r, err := simulate(t.Context(), &console.Console{Out: io.Discard, Err: io.Discard}, s, web, s.Focus[0], workers)
	if err != nil {
		t.Fatal(err)
	}
	if r.early > 0 || r.twice > 0 && r.kills == 0 {
		t.Errorf("%d workers: %d requests too early, %d pages twice", workers, r.early, r.twice)
	}
	slices.Sort(urls)
	return r, urls
}

// TestWorkersFindTheSame: to the end of what can be reached, any number of workers has the pages of one, also if a third of what they send is lost or
// arrives twice; no page is fetched twice, no host and no address is asked too early.
func TestWorkersFindTheSame(t *testing.T) {
	for _, focus := range []string{"keyword", "breadth_first"} {
		s := small(focus)
		s.Pages, s.Hosts, s.Requests = []int64{1000}, 40, 1_000_000
		whole, want := crewed(t, s, 1)
		for _, tc := range []struct {
			workers int
			courier Courier
		}{
			{2, Courier{}},
			{3, Courier{Latency: 5 * time.Millisecond}},
			{4, Courier{Latency: 3 * time.Second, Loss: 0.3, Repeats: 0.3}},
			{16, Courier{Latency: 50 * time.Millisecond, Loss: 0.1, Repeats: 0.1}},
		} {
			s.Courier = tc.courier
			got, urls := crewed(t, s, tc.workers)
			if !slices.Equal(urls, want) || got.end != whole.end {
				t.Errorf("%s, %+v: %d pages, want %d", focus, tc, len(urls), len(want))
			}
			if got.parcels == 0 || tc.courier.Loss > 0 && got.again == 0 {
				t.Errorf("%s, %+v: %d proposals, %d messages again", focus, tc, got.parcels, got.again)
			}
		}
	}
}

// TestWorkersKilled: workers that are killed at any moment, with what they had not flushed, and begin again have, in the end, the pages of one that
// never was; only requests in flight at a kill are made twice.
func TestWorkersKilled(t *testing.T) {
	s := small("breadth_first")
	s.Pages, s.Hosts, s.Requests = []int64{400}, 25, 1_000_000
	_, want := crewed(t, s, 1)
	seeds, twice, kills := uint64(6), 0, 0
	if os.Getenv("ORBWEAVER_EFFECT") == "all" {
		seeds = 200
	}
	for seed := range seeds {
		n := 2 + int(seed%4)
		s.Courier = Courier{Seed: seed, Latency: time.Duration(1+seed%7) * 20 * time.Millisecond, Loss: float64(seed%3) / 10, Repeats: float64(seed%2) / 5}
		s.Kills = 4 * (1 + int(seed%5))
		got, urls := crewed(t, s, n)
		if !slices.Equal(urls, want) || got.kills == 0 {
			t.Errorf("seed %d: after %d kills of %d workers %d pages, want %d", seed, got.kills, n, len(urls), len(want))
		}
		kills, twice = kills+got.kills, twice+got.twice
	}
	if t.Logf("%d of %d pages were requested again after %d kills", twice, int(seeds)*len(want), kills); twice > 4*kills {
		t.Error("more than what was in flight")
	}
}

// TestWorkersShareABudget: together, workers make as many requests as one may.
func TestWorkersShareABudget(t *testing.T) {
	s := small("ontology")
	for _, workers := range []int{1, 2, 7} {
		if r, _ := crewed(t, s, workers); r.requests != 200 {
			t.Errorf("%d workers made %d requests", workers, r.requests)
		}
	}
}

// TestWorkersAgain: the same flags give the same table.
func TestWorkersAgain(t *testing.T) {
	table := func() string {
		s := small("keyword", "ontology")
		s.Workers, s.Courier = []int{1, 4}, Courier{Latency: 20 * time.Millisecond, Loss: 0.2, Repeats: 0.2}
		var out bytes.Buffer
		if err := Run(t.Context(), &console.Console{Out: &out, Err: io.Discard}, s); err != nil {
			t.Fatal(err)
		}
		virtual, _, _ := strings.Cut(out.String(), "\n\n")
		return virtual
	}
	if first, second := table(), table(); first != second || !strings.Contains(first, "4 workers") {
		t.Errorf("first\n%s\nthen\n%s", first, second)
	}
}
