package recrawl

import (
	"cmp"
	"math"
	"slices"
	"time"

	"orbweaver/internal/order"
)

// Refit learns the priors of groups anew from all estimates, and sets the frequencies of all pages by them. Due does so once a week, and as soon as
// there were as many visits as a quarter of the pages.
func (s *Schedule) Refit(now time.Time) {
	s.refit, s.visits = now.Add(7*Day), 0
	all := s.sorted()
	s.learn(all)
	caps := make([]float64, len(s.hosts.list))
	for h, host := range s.hosts.list {
		if s.opts.Delay != nil {
			if d := s.opts.Delay(host); d > 0 {
				caps[h] = hostShare * float64(Day) / float64(d)
			}
		}
	}
	s.setUnknown(all)
	demands := make([]Demand, len(all))
	for i, e := range all {
		demands[i] = Demand{Rate: e.estimate.Rate, Worth: e.Worth, Host: e.host}
		if e.Gone > 0 {
			demands[i].Worth = 0
		}
	}
	frequencies, price := Allocate(demands, Limits{Budget: s.spending(), Most: s.most(), Caps: caps}, s.price)
	s.price = price
	for i, e := range all {
		s.plan(e, frequencies[i])
	}
}

// hostShare is how much of the requests that a host's delay allows visits may take.
const hostShare = 0.8

// sorted returns all pages in an order that does not depend on the map.
func (s *Schedule) sorted() []*entry {
	all := make([]*entry, 0, len(s.entries))
	for _, e := range s.entries {
		all = append(all, e)
	}
	order.By(all, func(a, b *entry) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// likeness is how many pages of a group are worth as much as the rest of the crawl in what is taken for its rates.
const likeness = 3

// learn fits the priors, and estimates anew where they moved.
func (s *Schedule) learn(all []*entry) {
	var whole moments
	groups := make([]moments, len(s.priors))
	for _, e := range all {
		if len(e.History) > 0 {
			whole.add(e.estimate)
			groups[e.group].add(e.estimate)
		}
	}
	s.all = whole.prior()
	moved := make([]bool, len(groups))
	for g := range groups {
		if p := groups[g].towards(whole, likeness).prior(); !p.near(s.priors[g]) {
			s.priors[g], moved[g] = p, true
		}
	}
	for _, e := range all {
		if moved[e.group] {
			e.estimate = s.priors[e.group].Of(e.History)
		}
	}
}

// Pages are explored until they have so many visits, and then while their rates may be low enough for a visit to be worth it.
const (
	knownFrom = 3
	doubt     = 1.5 // standard deviations
)

// setUnknown lists the pages whose rates are to be explored.
func (s *Schedule) setUnknown(all []*entry) {
	s.unknown = s.unknown[:0:0]
	for _, e := range all {
		if e.Gone > 0 || e.Failed > 0 || e.taken || e.Worth <= 0 {
			continue
		}
		lowest := e.estimate.Rate * math.Exp(-doubt*e.estimate.Spread)
		if s.price > 0 && (len(e.History) < knownFrom || e.frequency == 0 && s.price*lowest < e.Worth) {
			s.unknown = append(s.unknown, e)
		}
	}
	order.Stably(s.unknown, func(a, b *entry) int { return a.Last.Compare(b.Last) })
}

// spending is how many visits a day are given to pages by their rates: what the budget leaves beside exploration. Without a budget each page gets
// as many as it may.
func (s *Schedule) spending() float64 {
	if s.opts.Requests == 0 {
		return math.Inf(1)
	}
	per := float64(s.opts.Requests)
	explored := min(s.opts.Explore*per, float64(len(s.unknown)+len(s.offers.heap)))
	return per*parts/(parts+1) - explored
}

// Figures say how up to date a crawl is, as the model has it.
type Figures struct {
	Pages    int     `json:"pages"`             // that are visited
	Gone     int     `json:"gone,omitempty"`    // of these, not there at the last visit
	Unknown  int     `json:"unknown,omitempty"` // of these, visited fewer than three times since the first fetch
	Never    int     `json:"never,omitempty"`   // of these, that change too often for what they are worth: no visit keeps them up to date
	Fresh    float64 `json:"fresh"`             // expected share of pages whose copy is up to date now
	Weighted float64 `json:"weighted"`          // the same, weighted by worth
	Age      float64 `json:"age"`               // mean of the expected age of copies, in days: time since the first change that they lack
	Planned  float64 `json:"planned,omitempty"` // Weighted in the long run, at the frequencies of now
	Spent    int     `json:"spent"`             // requests in the last 24 hours
	Rate     float64 `json:"rate"`              // median of the estimated rates of change, a day
}

// Figures returns the figures of a moment.
func (s *Schedule) Figures(now time.Time) Figures {
	s.budget.pass(now)
	f := Figures{Pages: len(s.entries), Spent: s.budget.sum}
	var worth, pages, planned float64
	var rates []float64
	for _, e := range s.sorted() {
		if e.Gone > 0 {
			f.Gone++
			continue
		}
		passed := now.Sub(e.Last).Hours() / 24
		fresh := Upto(e.estimate.Rate, passed)
		pages++
		worth += e.Worth
		f.Fresh += fresh
		f.Weighted += e.Worth * fresh
		f.Age += Age(e.estimate.Rate, passed)
		planned += e.Worth * Fresh(e.estimate.Rate, e.frequency)
		rates = append(rates, e.estimate.Rate)
		if len(e.History) < knownFrom {
			f.Unknown++
		}
		if e.frequency == 0 {
			f.Never++
		}
	}
	if pages > 0 {
		f.Fresh, f.Age = f.Fresh/pages, f.Age/pages
		slices.Sort(rates)
		f.Rate = rates[len(rates)/2]
	}
	if worth > 0 {
		f.Weighted, f.Planned = f.Weighted/worth, planned/worth
	}
	if s.opts.Times != nil {
		f.Planned, f.Never = 0, 0
	}
	return f
}

// An Upcoming is a page with its next visit.
type Upcoming struct {
	ID     uint64
	At     time.Time // not before now
	Rate   float64   // changes a day, estimated
	Visits int       // that the estimate rests on
	Every  time.Duration
	Last   time.Time
}

// Upcoming returns the next visits, at most so many, the first one first.
func (s *Schedule) Upcoming(now time.Time, most int) []Upcoming {
	var all []Upcoming
	for _, e := range s.sorted() {
		at := s.round
		u := Upcoming{ID: e.ID, Rate: e.estimate.Rate, Visits: len(e.History), Last: e.Last}
		if s.opts.Times == nil {
			if e.place < 0 {
				continue
			}
			at = time.UnixMilli(int64(e.next * 1000))
			if e.frequency > 0 {
				u.Every = days(1 / e.frequency).Round(time.Minute)
			}
		}
		if u.At = at; at.Before(now) {
			u.At = now
		}
		all = append(all, u)
	}
	order.Stably(all, func(a, b Upcoming) int { return a.At.Compare(b.At) })
	return all[:min(most, len(all))]
}
