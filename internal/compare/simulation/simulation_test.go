package simulation

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/eval/synth"
	"orbweaver/internal/console"
	"orbweaver/internal/kind/all"
)

// small is a simulation that takes a second.
func small(focus ...string) Simulation {
	return Simulation{
		Kinds: all.Kinds(), Pages: []int64{2000}, Focus: focus, Share: 0.1, Delay: time.Second, Latency: 200 * time.Millisecond, Seed: 1,
	}
}

// simulateOne runs one crawl.
func simulateOne(t *testing.T, s Simulation, p synth.Params) simulated {
	t.Helper()
	web, err := synth.New(p)
	if err != nil {
		t.Fatal(err)
	}
	r, err := simulate(t.Context(), &console.Console{Out: io.Discard, Err: io.Discard}, s, web, s.Focus[0], 1)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSimulateAgain: the same flags give the same table; another seed gives another web.
func TestSimulateAgain(t *testing.T) {
	table := func(s Simulation) string {
		var out bytes.Buffer
		if err := Run(t.Context(), &console.Console{Out: &out, Err: io.Discard}, s); err != nil {
			t.Fatal(err)
		}
		virtual, costs, found := strings.Cut(out.String(), "\n\n")
		if !found || strings.Count(virtual, "\n") != 4 || strings.Count(costs, "\n") != 4 {
			t.Fatalf("want two tables, have\n%s", &out)
		}
		return virtual
	}
	s := small("breadth_first", "keyword", "ontology")
	first, second := table(s), table(s)
	if first != second {
		t.Errorf("first\n%s\nthen\n%s", first, second)
	}
	if s.Seed = 2; table(s) == first {
		t.Error("another seed changes nothing")
	}
}

// TestSimulatedFocus: a focus on the topic finds more of it than breadth-first.
func TestSimulatedFocus(t *testing.T) {
	blind := simulateOne(t, small("breadth_first"), synth.Defaults(2000))
	for _, focus := range []string{"keyword", "ontology"} {
		r := simulateOne(t, small(focus), synth.Defaults(2000))
		if r.requests != 200 || r.end.pages < 150 || r.recall(r.end) > 1 {
			t.Errorf("%s: %+v", focus, r)
		}
		if r.end.harvest() < 1.2*blind.end.harvest() {
			t.Errorf("%s harvests %.3f, breadth_first %.3f", focus, r.end.harvest(), blind.end.harvest())
		}
	}
}

// TestSimulatedDelays: no host or address gets a request before its delay, also if its Crawl-delay is
// longer; the delay dominates the time of a crawl with few hosts.
func TestSimulatedDelays(t *testing.T) {
	p := synth.Defaults(2000)
	p.Wishes = []synth.Wish{{Share: 0.5, Delay: 7 * time.Second}}
	s := small("breadth_first")
	r := simulateOne(t, s, p)
	if r.early != 0 || r.hosts < 10 {
		t.Errorf("%d of %d requests, to %d hosts, came too early", r.early, r.requests, r.hosts)
	}
	p.Hosts, p.Wishes = 1, nil
	s.Requests = 100
	r = simulateOne(t, s, p)
	if least := 99 * time.Second; r.early != 0 || r.virtual < least || r.virtual > 3*least || r.busy > 1.5 {
		t.Errorf("100 requests to one host took %v, %d too early, %.1f hosts busy", r.virtual, r.early, r.busy)
	}
}

// TestEarlyIsNoticed: the count that TestSimulatedDelays checks is not always 0.
func TestEarlyIsNoticed(t *testing.T) {
	p := synth.Defaults(2000)
	p.Sharing, p.Wishes = 20, nil // one address
	web, err := synth.New(p)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1e9, 0)
	for _, tc := range []struct {
		name   string
		first  int
		second int
		gap    time.Duration
		early  int
	}{
		{"a delay apart", 3, 3, time.Second, 0},
		{"too early for the host", 3, 3, time.Second - 1, 1},
		{"too early for the address", 3, 4, time.Second - 1, 1},
	} {
		s := newSynthetic(web, engine.NewVirtual(at), time.Second)
		s.note(tc.first, at, 0)
		if s.note(tc.second, at.Add(tc.gap), 0); s.early != tc.early {
			t.Errorf("%s: %d", tc.name, s.early)
		}
	}
}

// TestSimulateFiles: each file holds one row or point per crawl.
func TestSimulateFiles(t *testing.T) {
	s := small("random", "best_first")
	folder := t.TempDir()
	s.Pages, s.CSV, s.SVG = []int64{500, 1000}, filepath.Join(folder, "s.csv"), filepath.Join(folder, "s.svg")
	if err := Run(t.Context(), &console.Console{Out: io.Discard, Err: io.Discard}, s); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(s.CSV)
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll(); err != nil || len(rows) != 5 || rows[4][0] != "1000" || rows[4][1] != "best_first" {
		t.Errorf("%v: %q", err, rows)
	}
	drawing, err := os.ReadFile(s.SVG)
	if err != nil || !bytes.Contains(drawing, []byte("<svg")) || !bytes.Contains(drawing, []byte("random: recall")) {
		t.Errorf("%v: %.200s", err, drawing)
	}
}

// TestSimulateInterrupted: no files are left, and the error reports the interruption.
func TestSimulateInterrupted(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	ctx, cancel := context.WithCancel(t.Context())
	s := small("breadth_first")
	s.Pages = []int64{500, 20_000}
	var out bytes.Buffer
	a := &console.Console{Out: cancelAfter{&out, "\n      500", cancel}, Err: io.Discard}
	if err := Run(ctx, a, s); !errors.Is(err, console.ErrInterrupted) {
		t.Errorf("%v", err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("%v: left are %v", err, entries)
	}
	if _, costs, _ := strings.Cut(out.String(), "\n\n"); !strings.Contains(costs, "500 breadth_first") || strings.Contains(out.String(), "20000") {
		t.Errorf("messages is\n%s", &out)
	}
}

// cancelAfter is a writer that cancels a context when it sees certain words.
type cancelAfter struct {
	*bytes.Buffer
	words  string
	cancel func()
}

func (c cancelAfter) Write(p []byte) (int, error) {
	n, err := c.Buffer.Write(p)
	if strings.Contains(c.String(), c.words) {
		c.cancel()
	}
	return n, err
}

func TestSimulateNonsense(t *testing.T) {
	for name, spoil := range map[string]func(*Simulation){
		"a focus that is none": func(s *Simulation) { s.Focus = []string{"oracle"} },
		"no focus":             func(s *Simulation) { s.Focus = nil },
		"no page":              func(s *Simulation) { s.Pages = []int64{0} },
		"more hosts than pages": func(s *Simulation) {
			s.Hosts = 3000
		},
		"no request":     func(s *Simulation) { s.Share = 0 },
		"negative delay": func(s *Simulation) { s.Delay = -1 },
	} {
		s := small("keyword")
		spoil(&s)
		if err := Run(t.Context(), &console.Console{Out: io.Discard, Err: io.Discard}, s); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSimulateSitemaps: with sitemaps, a crawl without a limit requests the one of each host, and still finds everything.
func TestSimulateSitemaps(t *testing.T) {
	s := small("breadth_first")
	s.Share = 1
	p := s.params(2000)
	p.Hosts = 20
	s.Requests = 10_000
	without := simulateOne(t, s, p)
	s.Sitemaps = true
	with := simulateOne(t, s, p)
	if with.recall(with.end) != 1 || with.early > 0 {
		t.Errorf("recall %v with sitemaps, %d requests too early", with.recall(with.end), with.early)
	}
	if extra := with.requests - without.requests; extra < 20 {
		t.Errorf("%d more requests with 20 sitemaps", extra)
	}
}
