// Package simulation crawls generated webs in virtual time, and prints the results of each focus as a
// table, CSV and a chart. Equal Simulations have equal results, apart from the measured costs in real time
// and memory.
package simulation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/eval/synth"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/kind"
)

// Simulation describes the crawls to simulate: every focus on every size of web.
type Simulation struct {
	Kinds    kind.Registry // kinds of focus
	Pages    []int64       // sizes of the webs, in pages
	Hosts    int           // hosts of each web; 0: one per hundred pages
	Focus    []string      // kinds of focus, by their keys in a crawl file
	Requests int64         // request budget of a crawl; 0: by Share
	Share    float64       // request budget as a share of the pages of the web
	Delay    time.Duration // between two requests to a host or an address
	Latency  time.Duration // maximum latency of half of the hosts
	Sitemaps bool          // every host has a sitemap of its pages, which is requested
	Workers  []int         // numbers of workers that share a crawl; none: one
	Courier  Courier       // what carries messages between them
	Kills    int           // of workers that are killed, one after the other, and begin again
	Unshared bool          // each worker learns by itself
	Seed     uint64
	after    func(*crew) // sees the ledgers at the end of a crawl; for tests
	CSV, SVG string      // output files; empty: none
}

// Run runs every crawl in virtual time and prints each result when its crawl ends, and at the end the
// costs. If ctx ends, Run omits the current crawl and still reports those before it.
func Run(ctx context.Context, con *console.Console, s Simulation) error {
	if err := s.check(); err != nil {
		return err
	}
	var all []simulated
	headSimulated(con)
	for _, pages := range s.Pages {
		web, err := synth.New(s.params(pages))
		if err != nil {
			return err
		}
		for _, focus := range s.Focus {
			for _, workers := range s.crews() {
				r, err := simulate(ctx, con, s, web, focus, workers)
				if err != nil {
					return errors.Join(fmt.Errorf("simulate %s on %d pages: %w", focus, pages, err), concludeSimulated(con, s, all))
				}
				printSimulated(con, r)
				all = append(all, r)
			}
		}
	}
	return concludeSimulated(con, s, all)
}

// concludeSimulated prints the costs and writes the files.
func concludeSimulated(con *console.Console, s Simulation, all []simulated) error {
	if len(all) == 0 {
		return nil
	}
	printCosts(con, all)
	var problems []error
	if s.CSV != "" {
		problems = append(problems, atomicfile.WriteFile(s.CSV, csvOfSimulated(all), 0o666))
	}
	if s.SVG != "" {
		problems = append(problems, atomicfile.WriteFile(s.SVG, drawSimulated(all), 0o666))
	}
	return errors.Join(problems...)
}

// check lists the problems of a simulation. They wrap ErrInput.
func (s *Simulation) check() error {
	var problems []error
	want := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Errorf(format+" (%w)", append(args, orbweaver.ErrInput)...))
		}
	}
	for _, focus := range s.Focus {
		want(slices.Contains(s.simulatedFocuses(), focus), "focus: %q is none of %s", focus, strings.Join(s.simulatedFocuses(), ", "))
	}
	for _, pages := range s.Pages {
		p := s.params(pages)
		if _, err := synth.New(p); err != nil {
			problems = append(problems, err)
		}
	}
	want(s.Hosts >= 0, "hosts: %d is below 0", s.Hosts)
	want(s.Requests >= 0, "requests: %d is below 0", s.Requests)
	want(s.Requests > 0 || s.Share > 0 && s.Share <= 1, "requests: a share of %v is not between 0 and 1", s.Share)
	want(s.Delay >= 0 && s.Delay <= 24*time.Hour, "delay: %v is not between 0 and 24h", s.Delay)
	want(s.Latency >= 0 && s.Latency <= time.Minute, "latency: %v is not between 0 and 1m", s.Latency)
	for _, n := range s.Workers {
		want(n >= 1 && n <= mostWorkers, "workers: %d is not between 1 and %d", n, mostWorkers)
	}
	for name, share := range map[string]float64{"loss": s.Courier.Loss, "repeats": s.Courier.Repeats} {
		want(share >= 0 && share <= 0.9, "%s: a share of %v is not between 0 and 0.9", name, share)
	}
	want(s.Kills >= 0 && s.Kills <= mostKills, "kills: %d is not between 0 and %d", s.Kills, mostKills)
	want(s.Courier.Latency >= 0 && s.Courier.Latency <= time.Minute, "courier's latency: %v is not between 0 and 1m", s.Courier.Latency)
	want(len(s.Pages) > 0 && len(s.Focus) > 0, "nothing to simulate: no size, or no focus")
	return errors.Join(problems...)
}

// mostWorkers bounds the workers of a crawl: each has a ledger.
const mostWorkers = 256

// mostKills bounds the kills of a crawl.
const mostKills = 10_000

// crews returns the numbers of workers.
func (s *Simulation) crews() []int {
	if len(s.Workers) == 0 {
		return []int{1}
	}
	return s.Workers
}

// params returns the parameters of a web of this many pages.
func (s *Simulation) params(pages int64) synth.Params {
	p := synth.Defaults(pages)
	p.Seed, p.Latency.Median = s.Seed, s.Latency.Seconds()
	if s.Hosts > 0 {
		p.Hosts = s.Hosts
	}
	return p
}

// budget returns the request budget of a crawl of a web.
func (s *Simulation) budget(pages int64) int64 {
	if s.Requests > 0 {
		return s.Requests
	}
	return max(1, int64(math.Round(s.Share*float64(pages))))
}

// simulatedFocuses returns the keys of kinds that need only the target's words.
func (s *Simulation) simulatedFocuses() (keys []string) {
	for _, one := range s.Kinds {
		if _, ok := one.(kind.Simulated); ok {
			keys = append(keys, one.Traits().Key)
		}
	}
	return keys
}

// simulatedFocus creates a focus on a web's target, from knowledge that a user might have. folder receives
// the ontology.
func (s *Simulation) simulatedFocus(ctx context.Context, key string, web *synth.Web, folder string) (orbweaver.Focus, error) {
	focus := s.Kinds.Schema().Kind(key)
	section, err := focus.(kind.Simulated).Simulate(web, synth.Target, folder)
	if err != nil {
		return nil, err
	}
	in, err := focus.(kind.Kind).New(ctx, section, &kind.Env{})
	if err != nil {
		return nil, err
	}
	return in.Focus(), in.Close()
}
