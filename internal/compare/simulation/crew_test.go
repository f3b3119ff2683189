package simulation

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"orbweaver/eval/synth"
	"orbweaver/internal/console"
)

// crewed runs one crawl by several workers.
func crewed(t *testing.T, s Simulation, workers int) simulated {
	t.Helper()
	web, err := synth.New(s.params(s.Pages[0]))
	if err != nil {
		t.Fatal(err)
	}
	r, err := simulate(t.Context(), &console.Console{Out: io.Discard, Err: io.Discard}, s, web, s.Focus[0], workers)
	if err != nil {
		t.Fatal(err)
	}
	if r.early > 0 || r.twice > 0 {
		t.Errorf("%d workers: %d requests too early, %d pages twice", workers, r.early, r.twice)
	}
	return r
}

// TestWorkersFindTheSame: to the end of what can be reached, any number of workers has the pages of one, also if a third of what they send is lost or
// arrives twice; no page is fetched twice, no host and no address is asked too early.
func TestWorkersFindTheSame(t *testing.T) {
	for _, focus := range []string{"keyword", "breadth_first"} {
		s := small(focus)
		s.Pages, s.Hosts, s.Requests = []int64{1000}, 40, 1_000_000
		want := crewed(t, s, 1)
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
			got := crewed(t, s, tc.workers)
			if got.sum != want.sum || got.end != want.end || got.requests < want.requests {
				t.Errorf("%s, %+v: %+v, want %+v", focus, tc, got.end, want.end)
			}
			if got.parcels == 0 || tc.courier.Loss > 0 && got.again == 0 {
				t.Errorf("%s, %+v: %d proposals, %d messages again", focus, tc, got.parcels, got.again)
			}
		}
	}
}

// TestWorkersShareABudget: together, workers make as many requests as one may.
func TestWorkersShareABudget(t *testing.T) {
	s := small("ontology")
	for _, workers := range []int{1, 2, 7} {
		if r := crewed(t, s, workers); r.requests != 200 {
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
