package recrawl_test

import (
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/frontier"
	"orbweaver/internal/recrawl"
	"orbweaver/internal/step"
	"orbweaver/internal/tier"
)

// A web is one whose pages change as Poisson processes, at rates of a power law.
type web struct {
	random *rand.Rand
	pages  []webPage
	delays []time.Duration
	last   []time.Time // of each host, the last request
	tight  int         // requests that came too soon
	asked  int
}

type webPage struct {
	host    int
	rate    float64
	worth   float64
	changes time.Time // next
	visited time.Time
	fresh   float64 // days in which the copy was up to date
}

var begin = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

func newWeb(pages, hosts int, seed uint64) *web {
	w := &web{random: rand.New(rand.NewPCG(seed, 1)), delays: make([]time.Duration, hosts), last: make([]time.Time, hosts)}
	pace := make([]float64, hosts)
	for h := range hosts {
		pace[h] = math.Exp(w.random.NormFloat64()) // of a host's pages some rates are alike
		w.delays[h] = time.Duration(1+w.random.IntN(30)) * time.Second
		if h%50 == 7 {
			w.delays[h] = 4 * time.Hour // six requests a day
		}
	}
	for range pages {
		host := int(float64(hosts) * math.Pow(w.random.Float64(), 2))
		rate := 0.01 * math.Pow(w.random.Float64(), -1/0.9) * pace[host] // Pareto: half of the pages change less than once in two months, some many times a day
		p := webPage{host: host, rate: min(rate, 50), worth: 0.05 + 0.95*w.random.Float64(), visited: begin}
		p.changes = begin.Add(w.wait(p.rate))
		w.pages = append(w.pages, p)
	}
	return w
}

func (w *web) wait(rate float64) time.Duration {
	return time.Duration(min(w.random.ExpFloat64()/rate, 3000) * float64(recrawl.Day))
}

// ask visits a page and reports whether it changed.
func (w *web) ask(i int, now time.Time) (changed bool) {
	p := &w.pages[i]
	w.asked++
	if last := w.last[p.host]; !last.IsZero() && now.Sub(last) < w.delays[p.host] {
		w.tight++
	}
	w.last[p.host] = now
	changed = !p.changes.After(now)
	w.count(p, now)
	p.visited = now
	if changed {
		p.changes = now.Add(w.wait(p.rate))
	}
	return changed
}

func (w *web) count(p *webPage, now time.Time) {
	until := now
	if p.changes.Before(until) {
		until = p.changes
	}
	if until.After(p.visited) {
		p.fresh += until.Sub(p.visited).Hours() / 24
	}
}

// freshness ends the simulation and returns the share of worth that was up to date.
func (w *web) freshness(end time.Time) float64 {
	var worth, fresh float64
	for i := range w.pages {
		p := &w.pages[i]
		w.count(p, end)
		worth += p.worth
		fresh += p.worth * p.fresh / (end.Sub(begin).Hours() / 24)
	}
	return fresh / worth
}

func (w *web) name(host int) string { return fmt.Sprintf("http://h%d.test", host) }

// watch lets a schedule visit the pages through a frontier until end.
func (w *web) watch(t *testing.T, opts recrawl.Options, end time.Time) (*recrawl.Schedule, map[int]int) {
	opts.Delay = func(host string) time.Duration {
		var h int
		fmt.Sscanf(host, "http://h%d.test", &h)
		return w.delays[h]
	}
	s := recrawl.New(opts, begin)
	turns := frontier.New(frontier.Options{Live: true, Robots: true, Connections: 1, Delay: time.Second})
	for i := range w.pages {
		host := w.name(w.pages[i].host)
		s.Put(recrawl.Page{ID: uint64(i + 1), Host: host, Group: host, Worth: w.pages[i].worth, Record: recrawl.Record{Last: begin}}, begin)
	}
	spent := map[int]int{} // requests by day
	now := begin.Add(recrawl.Day)
	for now.Before(end) {
		for _, id := range s.Due(now, 1000) {
			url := fmt.Sprintf("%s/%d", w.name(w.pages[id-1].host), id)
			turns.Add(step.Waiting{ID: id, Proposal: orbweaver.Proposal{Request: orbweaver.Request{URL: url}, Judgement: orbweaver.Judgement{Score: w.pages[id-1].worth}}})
		}
		next := s.Next(now)
		for {
			turn, wait, ok := turns.Next(now)
			if !ok {
				if wait >= 0 && now.Add(wait).Before(next) {
					next = now.Add(max(wait, time.Millisecond))
				}
				break
			}
			switch turn.Task {
			case step.TakeAddress:
				turns.Located(turn, "10.0.0.1:"+turn.Host, "", now)
			case step.TakeRobots:
				var h int
				fmt.Sscanf(turn.For, "http://h%d.test", &h)
				turns.Done(turn.ID, step.Reply{})
				turns.RobotsKnown(turn.For, w.delays[h], "fetched", now)
			case step.TakeRequest:
				result := recrawl.Same
				if w.ask(int(turn.ID-1), now) {
					result = recrawl.Changed
				}
				spent[int(now.Sub(begin)/recrawl.Day)]++
				turns.Done(turn.ID, step.Reply{Started: now, Ended: now})
				s.Visited(turn.ID, recrawl.Visit{At: now, Result: result})
				next = now.Add(time.Millisecond)
			}
		}
		now = next
	}
	return s, spent
}

// known returns the weighted freshness that frequencies give in the long run.
func (w *web) known(frequency func(p webPage) float64) float64 {
	var worth, fresh float64
	for _, p := range w.pages {
		worth += p.worth
		fresh += p.worth * recrawl.Fresh(p.rate, frequency(p))
	}
	return fresh / worth
}

// fixed visits each page at its own fixed interval, whatever the hosts' delays.
func (w *web) fixed(frequency func(p webPage) float64, end time.Time) float64 {
	var all visits
	for i := range w.pages {
		if f := frequency(w.pages[i]); f > 0 {
			every := time.Duration(float64(recrawl.Day) / f)
			all = append(all, visit{begin.Add(time.Duration(w.random.Float64() * float64(every))), every, i})
		}
	}
	heap.Init(&all)
	for all[0].at.Before(end) {
		w.ask(all[0].page, all[0].at)
		all[0].at = all[0].at.Add(all[0].every)
		heap.Fix(&all, 0)
	}
	return w.freshness(end)
}

type visit struct {
	at    time.Time
	every time.Duration
	page  int
}

type visits []visit

func (v visits) Len() int           { return len(v) }
func (v visits) Less(i, j int) bool { return v[i].at.Before(v[j].at) }
func (v visits) Swap(i, j int)      { v[i], v[j] = v[j], v[i] }
func (v *visits) Push(x any)        { *v = append(*v, x.(visit)) }
func (v *visits) Pop() any          { panic("nothing is taken") }

// TestYear: 10 000 pages on 500 hosts in a year of virtual time, 1000 requests a day. What a schedule keeps up to date that learns the rates by its
// visits is at least nine tenths of the optimum with known rates, and more than what fixed intervals and visits in proportion to
// known rates do. No host is asked before its delay has passed, and no day has more requests than it may.
func TestYear(t *testing.T) {
	tier.Long(t, "simulates a year of visits")
	const pages, hosts, requests, seed = 10_000, 500, 1000, 7
	end := begin.Add(366 * recrawl.Day)
	learned := newWeb(pages, hosts, seed)
	s, spent := learned.watch(t, recrawl.Options{Requests: requests, Explore: 0.1, Least: time.Hour, Seed: 1}, end)
	got := learned.freshness(end)
	for day, n := range spent {
		if n > requests {
			t.Errorf("day %d has %d requests, more than %d", day, n, requests)
		}
	}
	if learned.tight > 0 {
		t.Errorf("%d requests came before the delay of their host had passed", learned.tight)
	}
	demands := make([]recrawl.Demand, pages)
	caps := make([]float64, hosts)
	for h, d := range learned.delays {
		caps[h] = float64(recrawl.Day) / float64(d)
	}
	var sum, weighted float64
	for i, p := range learned.pages {
		demands[i] = recrawl.Demand{Rate: p.rate, Worth: p.worth, Host: p.host}
		sum += p.rate
		weighted += p.rate * p.worth
	}
	frequencies, _ := recrawl.Allocate(demands, recrawl.Limits{Budget: requests, Most: 24, Caps: caps}, 0)
	best := map[webPage]float64{}
	for i, p := range newWeb(pages, hosts, seed).pages {
		best[p] = frequencies[i]
	}
	ways := []struct {
		name      string
		frequency func(p webPage) float64
	}{
		{"the optimum with known rates", func(p webPage) float64 { return best[p] }},
		{"fixed intervals", func(webPage) float64 { return requests / float64(pages) }},
		{"in proportion to known rates", func(p webPage) float64 { return requests * p.rate / sum }},
		{"in proportion to known rates and worth", func(p webPage) float64 { return requests * p.rate * p.worth / weighted }},
	}
	var optimum float64
	for i, way := range ways {
		fresh := newWeb(pages, hosts, seed)
		expected, found := fresh.known(way.frequency), 0.0
		if found = fresh.fixed(way.frequency, end); i == 0 {
			optimum = max(expected, found)
		} else if got <= max(expected, found) {
			t.Errorf("%s keep %.3f up to date, the schedule %.3f", way.name, max(expected, found), got)
		}
		t.Logf("%-40s %.4f in the long run, %.4f in this year, %d requests", way.name, expected, found, fresh.asked)
	}
	f := s.Figures(end)
	t.Logf("%-40s %.4f, %.3f of the optimum, %d requests; it estimates %.4f now and %.4f in the long run", "the schedule", got, got/optimum, learned.asked, f.Weighted, f.Planned)
	if got < 0.9*optimum {
		t.Errorf("the schedule keeps %.4f up to date, less than nine tenths of %.4f", got, optimum)
	}
}
