package recrawl

import "time"

// A Budget allows so many requests in any 24 hours. It counts them in parts of five minutes: the oldest part counts until it is past as a
// whole, so that there are never more.
type Budget struct {
	requests int // 0: no limit
	parts    [parts + 1]part
	sum      int
}

// parts make a day.
const parts = 24 * 12

type part struct {
	n     int64 // number of the part, since 1970
	spent int
}

// NewBudget returns a budget of requests a day; 0: no limit.
func NewBudget(requests int) *Budget { return &Budget{requests: requests} }

func partOf(t time.Time) int64 { return t.Unix() / int64((Day / parts).Seconds()) }

// Spend counts a request, which may lie in the past day, in any order.
func (b *Budget) Spend(at time.Time) {
	n := partOf(at)
	p := &b.parts[n%(parts+1)]
	if p.n > n {
		return // older than a day
	}
	if p.n < n {
		b.sum -= p.spent
		*p = part{n: n}
	}
	p.spent++
	b.sum++
}

// Left is how many requests may be made now beside those that are on their way, of at most so many that are asked for.
func (b *Budget) Left(now time.Time, asked, out int) int {
	if b.requests == 0 {
		return asked
	}
	b.pass(now)
	return max(min(asked, b.requests-b.sum-out), 0)
}

// Next is when the next request may be made beside those that are on their way; now if one may at once.
func (b *Budget) Next(now time.Time, out int) time.Time {
	if b.Left(now, 1, out) > 0 {
		return now
	}
	first := partOf(now)
	for _, p := range b.parts {
		if p.spent > 0 {
			first = min(first, p.n)
		}
	}
	return time.Unix((first+parts+1)*int64((Day/parts).Seconds()), 0)
}

// pass drops the parts that are past.
func (b *Budget) pass(now time.Time) {
	last := partOf(now) - parts
	for i := range b.parts {
		if p := &b.parts[i]; p.n < last {
			b.sum -= p.spent
			*p = part{}
		}
	}
}
