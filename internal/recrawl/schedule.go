package recrawl

import (
	"cmp"
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Options say how a Schedule spends its requests. Either Requests or Times is set.
type Options struct {
	Requests int           // a day; 0: no limit
	Times    Times         // of rounds, in which all pages are due; nil: each page is due by its own rate
	Explore  float64       // share of the requests for new pages and for pages whose rate is unknown
	Least    time.Duration // shortest time between two visits of a page; above 0
	Seed     uint64
	// Delay is the shortest time between two requests to a host, at present. May be nil: there is none.
	Delay func(host string) time.Duration
}

// A Page is what a schedule is told of a page that was fetched.
type Page struct {
	ID    uint64
	Host  string
	Group string  // pages whose rates are alike, such as those of one directory of a host
	Worth float64 // of its copy being up to date, from 0 to 1
	Record
}

// A Record is what is kept of the visits of a page.
type Record struct {
	Last    time.Time // of the last visit that told whether the page changed, or of its first fetch
	Tried   time.Time // of the last visit, whatever came of it
	Failed  int       // visits in a row without an answer
	Gone    int       // visits in a row that found it gone
	History History
}

// A Visit is what a visit found.
type Visit struct {
	At       time.Time
	Result   Result
	Modified time.Time // of a page that changed: when it last did, if the server says; else zero
}

// A Result is what a visit found of a page.
type Result uint8

// The results.
const (
	Same    Result = iota // as it was
	Changed               // changed, or back
	Failed                // no usable answer
	Gone                  // not there
	Left                  // it redirects now: it is visited no more
)

// maxGone is how often a page that is gone is looked for again.
const maxGone = 10

// An entry is a page in a schedule.
type entry struct {
	Page
	host, group int
	estimate    Estimate
	frequency   float64   // visits a day; 0: none
	next        float64   // when it is due, in seconds since 1970; infinite: never
	taken       bool      // its visit is under way
	hinted      time.Time // of a change since the last visit, by a sitemap or feed
	denied      time.Time // when one told of none
	place       int       // in the heap; -1: not there
}

// A Schedule says which pages of a crawl are due. It is for one goroutine.
type Schedule struct {
	opts    Options
	budget  *Budget
	random  *rand.Rand
	entries map[uint64]*entry
	heap    dues
	hosts   names
	groups  names
	hints   []hints // by host
	priors  []Prior // by group
	all     Prior
	price   float64
	visits  int       // since frequencies were set
	refit   time.Time // when frequencies are set anew; zero: at the next look

	out     map[uint64]struct{} // requests that are due and were not made yet
	offers  offers
	unknown []*entry // whose rates are to be explored, longest unvisited first
	credit  float64  // requests for exploration
	since   time.Time
	round   time.Time // next round
	last    time.Time // when the last one began
	queue   []*entry  // of the round, best first
}

// New returns an empty schedule. The first round, if there are any, begins at Times.Next(last), last being when the last one began.
func New(opts Options, last time.Time) *Schedule {
	s := &Schedule{
		opts: opts, budget: NewBudget(opts.Requests), random: rand.New(rand.NewPCG(opts.Seed, 0)), entries: map[uint64]*entry{}, all: anyRate(), out: map[uint64]struct{}{},
		hosts: names{index: map[string]int{}}, groups: names{index: map[string]int{}}, offers: offers{known: map[uint64]bool{}},
	}
	if opts.Times != nil {
		s.last, s.round = last, opts.Times.Next(last)
	}
	return s
}

// names numbers names.
type names struct {
	index map[string]int
	list  []string
}

func (n *names) of(name string) int {
	i, ok := n.index[name]
	if !ok {
		i = len(n.list)
		n.index[name], n.list = i, append(n.list, name)
	}
	return i
}

// Put adds a page, or replaces what is known of it. Its visits of the last day count as spent.
func (s *Schedule) Put(p Page, now time.Time) {
	s.offers.drop(p.ID)
	old, known := s.entries[p.ID]
	e := &entry{Page: p, host: s.hosts.of(p.Host), group: s.groups.of(p.Group), place: -1}
	for len(s.hints) < len(s.hosts.list) {
		s.hints = append(s.hints, hints{})
	}
	for len(s.priors) < len(s.groups.list) {
		s.priors = append(s.priors, s.all)
	}
	if known {
		s.leave(old)
	} else {
		s.spent(p.Record, now)
	}
	e.estimate = s.priors[e.group].Of(e.History)
	s.entries[p.ID] = e
	s.plan(e, s.frequency(e))
}

// Spent notes that a request was made in an earlier session, if that was in the last day.
func (s *Schedule) Spent(at, now time.Time) {
	if now.Sub(at) < Day {
		s.budget.Spend(at)
	}
}

// spent counts the visits of the last day that a record tells of.
func (s *Schedule) spent(r Record, now time.Time) {
	at := r.Last
	if r.Tried.After(at) {
		if now.Sub(r.Tried) < Day {
			s.budget.Spend(r.Tried)
		}
	}
	for i := len(r.History) - 1; i >= 0 && now.Sub(at) < Day; i-- {
		s.budget.Spend(at)
		at = at.Add(-days(r.History[i].Days))
	}
}

// Remove forgets a page.
func (s *Schedule) Remove(id uint64) {
	if e, ok := s.entries[id]; ok {
		s.leave(e)
		delete(s.entries, id)
	}
	s.offers.drop(id)
}

// Offer adds a request that was never made, with its rank. One that is ahead is due before all else.
func (s *Schedule) Offer(id uint64, score float64, ahead bool) { s.offers.add(id, score, ahead) }

// SetWorth changes what a page is worth.
func (s *Schedule) SetWorth(id uint64, worth float64) {
	if e, ok := s.entries[id]; ok && e.Worth != worth {
		e.Worth = worth
		s.plan(e, s.frequency(e))
	}
}

// Round is when the last round began; zero: there are no rounds.
func (s *Schedule) Round() time.Time { return s.last }

// Has reports whether a page is in the schedule.
func (s *Schedule) Has(id uint64) bool {
	_, ok := s.entries[id]
	return ok
}

// Due returns requests that are due, at most so many: pages to visit, and offers. They count as spent until they are made (Made, Visited).
func (s *Schedule) Due(now time.Time, most int) (due []uint64) {
	if !now.Before(s.refit) || s.visits > len(s.entries)/4 {
		s.Refit(now)
	}
	s.earn(now)
	take := func(id uint64) {
		s.out[id] = struct{}{}
		due = append(due, id)
	}
	visit := func(e *entry) {
		s.leave(e)
		e.taken = true
		take(e.ID)
	}
	left := s.budget.Left(now, most, len(s.out))
	for ; left > 0 && len(s.offers.ahead) > 0; left-- {
		take(s.offers.first())
	}
	for left > 0 && s.credit >= 1 {
		e, id := s.explore(now)
		if e == nil && id == 0 {
			break
		}
		if e != nil {
			visit(e)
		} else {
			take(id)
		}
		s.credit--
		left--
	}
	for ; left > 0; left-- {
		e := s.pop(now)
		if e == nil {
			break
		}
		visit(e)
	}
	return due
}

// Made notes that a request was made, whatever came of it. Visited does so too.
func (s *Schedule) Made(id uint64, at time.Time) {
	delete(s.out, id)
	s.budget.Spend(at)
}

// Dropped notes that a request is not made: a page is due later, an offer no more.
func (s *Schedule) Dropped(id uint64) {
	delete(s.out, id)
	if e, ok := s.entries[id]; ok {
		e.taken = false
		s.plan(e, e.frequency)
	}
}

// pop returns the next page that is due; nil: none is.
func (s *Schedule) pop(now time.Time) *entry {
	if s.opts.Times == nil {
		if len(s.heap) > 0 && s.heap[0].next <= seconds(now) {
			return s.heap[0]
		}
		return nil
	}
	for len(s.queue) > 0 {
		e := s.queue[0]
		s.queue = s.queue[1:]
		if !e.taken && s.entries[e.ID] == e {
			return e
		}
	}
	return nil
}

// earn adds to what exploration may spend, and begins the round whose time has come.
func (s *Schedule) earn(now time.Time) {
	if s.opts.Times != nil && !now.Before(s.round) {
		s.beginRound(now)
	}
	if s.opts.Requests == 0 {
		return
	}
	most := s.opts.Explore * float64(s.opts.Requests)
	if !s.since.IsZero() {
		s.credit += most * now.Sub(s.since).Hours() / 24
	}
	s.credit = min(s.credit, max(most/24, 1))
	s.since = now
}

// fewest new requests in a round without a limit of requests.
const fewestNew = 10

// beginRound queues all pages, those first whose visit is worth most.
func (s *Schedule) beginRound(now time.Time) {
	s.last, s.round = now, s.opts.Times.Next(now)
	s.queue = s.queue[:0]
	gain := map[uint64]float64{}
	for _, e := range s.entries {
		if !e.taken && !e.over() {
			s.queue = append(s.queue, e)
			gain[e.ID] = e.Worth * (1 - Upto(e.estimate.Rate, now.Sub(e.Last).Hours()/24))
		}
	}
	slices.SortFunc(s.queue, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(gain[b.ID], gain[a.ID]), cmp.Compare(a.ID, b.ID))
	})
	if s.opts.Requests == 0 {
		s.credit = max(fewestNew, s.opts.Explore*float64(len(s.entries)))
	}
}

// over reports whether a page is visited no more.
func (e *entry) over() bool { return e.Gone > maxGone }

// explore returns what is explored next: a page, or an offer. Which of the two is drawn, if there are both.
func (s *Schedule) explore(now time.Time) (e *entry, offer uint64) {
	if s.opts.Times == nil {
		for len(s.unknown) > 0 && (s.unknown[0].taken || s.entries[s.unknown[0].ID] != s.unknown[0]) {
			s.unknown = s.unknown[1:]
		}
	} else {
		s.unknown = nil
	}
	switch {
	case len(s.unknown) > 0 && now.Sub(s.unknown[0].Last) >= s.opts.Least && (len(s.offers.heap) == 0 || s.random.IntN(2) == 0):
		e = s.unknown[0]
		s.unknown = s.unknown[1:]
		return e, 0
	case len(s.offers.heap) > 0:
		return nil, s.offers.best()
	}
	return nil, 0
}

// Next is when Due may have more, at the earliest after now.
func (s *Schedule) Next(now time.Time) time.Time {
	next := now.Add(Day)
	sooner := func(t time.Time) {
		if t.Before(next) {
			next = t
		}
	}
	if !s.round.IsZero() {
		sooner(s.round)
	}
	if len(s.heap) > 0 && s.opts.Times == nil && s.heap[0].next < seconds(next) {
		sooner(time.UnixMilli(int64(math.Ceil(s.heap[0].next * 1000))))
	}
	if (len(s.offers.heap) > 0 || len(s.unknown) > 0) && s.opts.Requests > 0 && s.opts.Explore > 0 {
		explored := now.Add(days(max(1-s.credit, 0) / (s.opts.Explore * float64(s.opts.Requests))))
		if len(s.offers.heap) == 0 {
			if may := s.unknown[0].Last.Add(s.opts.Least); explored.Before(may) {
				explored = may
			}
		}
		sooner(explored)
	}
	if len(s.queue) > 0 || len(s.offers.ahead) > 0 || len(s.offers.heap) > 0 && s.credit >= 1 {
		sooner(now)
	}
	if allowed := s.budget.Next(now, len(s.out)); next.Before(allowed) {
		next = allowed
	}
	if !next.After(now) {
		next = now.Add(time.Millisecond)
	}
	return next
}

// Visited notes a visit, and returns what is to be kept of the page; false: the schedule does not know it.
func (s *Schedule) Visited(id uint64, v Visit) (Record, bool) {
	s.Made(id, v.At)
	s.visits++
	e, ok := s.entries[id]
	if !ok {
		return Record{}, false
	}
	e.taken = false
	s.leave(e)
	e.Tried = v.At
	passed := v.At.Sub(e.Last).Hours() / 24
	switch v.Result {
	case Failed:
		e.Failed++
	case Gone:
		e.Gone++
		e.Last, e.Failed = v.At, 0
	case Left:
		delete(s.entries, id)
		return e.Record, true
	default:
		i := Interval{Days: passed, Changed: v.Result == Changed, Age: -1}
		if i.Changed && v.Modified.After(e.Last) && v.At.Sub(v.Modified) > dynamic {
			i.Age = v.At.Sub(v.Modified).Hours() / 24
		}
		if e.Gone > 0 { // how it changed meanwhile is not known
			i.Days = 0
		}
		s.judge(e, i.Changed)
		e.Last, e.Failed, e.Gone = v.At, 0, 0
		if i.Days > 0 {
			e.History = e.History.add(i)
		}
	}
	e.estimate = s.priors[e.group].Of(e.History)
	s.plan(e, s.frequency(e))
	return e.Record, true
}

// dynamic is how young a page must not be to be believed: servers that make pages as they are asked for say that each is new.
const dynamic = 2 * time.Minute

// frequency is how often a page is visited at the present price.
func (s *Schedule) frequency(e *entry) float64 {
	if s.price <= 0 {
		return s.most()
	}
	return Frequency(e.estimate.Rate, e.Worth, s.price, s.most())
}

func (s *Schedule) most() float64 { return float64(Day) / float64(s.opts.Least) }

// First and longest wait for a page that gave no answer or is gone.
const (
	firstWait = time.Hour
	lastWait  = 7 * Day
)

// plan sets when a page is due.
func (s *Schedule) plan(e *entry, frequency float64) {
	e.frequency = frequency
	interval := math.Inf(1)
	if frequency > 0 {
		interval = Day.Seconds() / frequency
	}
	e.next = seconds(e.Last) + interval
	if len(e.History) == 0 && e.Failed == 0 { // pages of one crawl are not all due at once
		e.next = seconds(e.Last) + interval*phase(e.ID)
	}
	s.heed(e)
	e.next = max(e.next, seconds(e.Last.Add(s.opts.Least)))
	wait := func(first time.Duration, times int) time.Duration {
		return min(first<<min(times-1, 20), lastWait)
	}
	switch {
	case e.Gone > maxGone:
		e.next = math.Inf(1)
	case e.Failed > 0:
		e.next = max(e.next, seconds(e.Tried.Add(wait(firstWait, e.Failed))))
	case e.Gone > 0:
		e.next = seconds(e.Tried.Add(wait(firstWait, e.Gone)))
	}
	s.leave(e)
	s.enter(e)
}

// enter puts a page that is due some time into the heap.
func (s *Schedule) enter(e *entry) {
	if !e.taken && !math.IsInf(e.next, 1) {
		heap.Push(&s.heap, e)
	}
}

// phase is a number from 0 to 1, the same for the same page.
func phase(id uint64) float64 {
	id *= 0x9e3779b97f4a7c15
	id ^= id >> 29
	return float64(id*0xbf58476d1ce4e5b9>>11) / (1 << 53)
}

// leave takes a page out of the heap.
func (s *Schedule) leave(e *entry) {
	if e.place >= 0 {
		heap.Remove(&s.heap, e.place)
	}
}

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

func days(d float64) time.Duration { return time.Duration(min(d, 1e5) * float64(Day)) }

// dues is a heap of pages, the next one first.
type dues []*entry

func (d dues) Len() int { return len(d) }
func (d dues) Less(i, j int) bool {
	return d[i].next < d[j].next || d[i].next == d[j].next && d[i].ID < d[j].ID
}
func (d dues) Swap(i, j int) {
	d[i], d[j] = d[j], d[i]
	d[i].place, d[j].place = i, j
}
func (d *dues) Push(x any) {
	e := x.(*entry)
	e.place = len(*d)
	*d = append(*d, e)
}
func (d *dues) Pop() any {
	last := len(*d) - 1
	e := (*d)[last]
	*d, e.place = (*d)[:last], -1
	return e
}
