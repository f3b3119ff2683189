package recrawl

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func near(a, b, within float64) bool {
	return math.Abs(a-b) <= within*math.Max(math.Abs(a), math.Abs(b))
}

// TestEstimate: the estimators of Cho and Garcia-Molina on histories that can be checked by hand.
func TestEstimate(t *testing.T) {
	if got := Regular(10, 6, 1); !near(got, -math.Log(4.5/10.5), 1e-12) { // their example: 6 changes in 10 days
		t.Errorf("6 of 10: %v", got)
	}
	weak := Prior{Shape: 1e-9, Scale: 1e-9}
	same := func(n int, days float64, changed bool) (h History) {
		for range n {
			h = append(h, Interval{Days: days, Changed: changed, Age: -1})
		}
		return h
	}
	for _, tc := range []struct {
		name string
		h    History
		want float64
	}{
		{"half of the visits, a day apart", append(same(5, 1, true), same(5, 1, false)...), math.Ln2},
		{"the same, a week apart", append(same(5, 7, true), same(5, 7, false)...), math.Ln2 / 7},
		{"one change in two days, at a known time half a day before", History{{Days: 2, Changed: true, Age: 0.5}}, 2},
		{"two intervals of different length, exp(r) = 1+1/2 for 1 and 2", History{{Days: 1, Changed: true, Age: -1}, {Days: 2, Age: -1}}, math.Log(1.5)},
	} {
		if got := weak.Of(tc.h).Rate; !near(got, tc.want, 1e-5) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
	p := Prior{Shape: 2, Scale: 8}
	if got := p.Of(nil).Rate; !near(got, 0.25, 1e-6) {
		t.Errorf("without visits: %v", got)
	}
	for _, h := range []History{same(32, 1, true), same(32, 1e-4, true), same(32, 1e5, false), {{Days: 1e-4, Changed: true, Age: 0}}} {
		if got := weak.Of(h); !(got.Rate >= minRate/1.01 && got.Rate <= maxRate*1.01) || math.IsNaN(got.Spread) {
			t.Errorf("%v: %v", h[0], got)
		}
	}
}

// TestPrior: from pages whose rates are drawn from a gamma distribution, its mean and shape come back.
func TestPrior(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	var rates []float64
	for range 3000 { // gamma of shape 3 and scale 6 days, as a sum of exponentials
		rates = append(rates, (random.ExpFloat64()+random.ExpFloat64()+random.ExpFloat64())/6)
	}
	var histories []History
	for _, rate := range rates {
		var h History
		for range 10 {
			h = h.add(Interval{Days: 2, Changed: random.Float64() > math.Exp(-rate*2), Age: -1})
		}
		histories = append(histories, h)
	}
	p := anyRate()
	for range 20 {
		var m moments
		for _, h := range histories {
			m.add(p.Of(h))
		}
		p = m.prior()
	}
	if mean := p.Shape / p.Scale; !near(mean, 0.5, 0.1) || !near(p.Shape, 3, 0.35) {
		t.Errorf("mean %v and shape %v, want 0.5 and 3", mean, p.Shape)
	}
	if got := digamma(1); !near(got, -0.5772156649, 1e-6) {
		t.Errorf("ψ(1) = %v", got)
	}
}

// TestAllocate: no other division of the budget is better, hosts get no more than their caps, and a page that changes too often gets nothing.
func TestAllocate(t *testing.T) {
	// The example of Cho and Garcia-Molina (2000), table 2: five pages that change 1 to 5 times a day, five visits a day.
	var five []Demand
	for i := range 5 {
		five = append(five, Demand{Rate: float64(i + 1), Worth: 1})
	}
	got, _ := Allocate(five, Limits{Budget: 5, Most: 1000}, 0)
	for i, want := range []float64{1.15, 1.36, 1.35, 1.14, 0} {
		if math.Abs(got[i]-want) > 0.01 {
			t.Errorf("the page that changes %d times a day gets %.3f visits, want %.2f", i+1, got[i], want)
		}
	}
	random := rand.New(rand.NewPCG(1, 1))
	demands := make([]Demand, 200)
	for i := range demands {
		demands[i] = Demand{Rate: math.Exp(3 * random.NormFloat64()), Worth: random.Float64(), Host: i % 4}
	}
	limits := Limits{Budget: 50, Most: 24, Caps: []float64{0, 2, 1000, 8}}
	value := func(f []float64) (v float64) {
		for i, d := range demands {
			v += d.Worth * Fresh(d.Rate, f[i])
		}
		return v
	}
	f, price := Allocate(demands, limits, 0)
	var all float64
	hosts := make([]float64, 4)
	for i := range f {
		all += f[i]
		hosts[demands[i].Host] += f[i]
	}
	if !near(all, 50, 1e-3) || hosts[1] > 2.001 || hosts[3] > 8.001 || price <= 0 {
		t.Errorf("%v visits in all, by host %v", all, hosts)
	}
	best := value(f)
	for range 2000 { // moves a visit between two pages of one host
		i, j := random.IntN(50)*4, random.IntN(50)*4
		h := random.IntN(4)
		i, j = i+h, j+h
		d := min(f[i], 0.1)
		if i == j || f[j]+d > limits.Most {
			continue
		}
		f[i], f[j] = f[i]-d, f[j]+d
		if v := value(f); v > best+1e-6 {
			t.Fatalf("moving %v from page %d to page %d raises the value from %v to %v", d, i, j, best, v)
		}
		f[i], f[j] = f[i]+d, f[j]-d
	}
	if f, _ := Allocate(demands, Limits{Budget: math.Inf(1), Most: 24}, 0); f[0] != 24 {
		t.Errorf("without a budget a page gets %v", f[0])
	}
	if f, _ := Allocate(nil, limits, 0); len(f) != 0 {
		t.Error("no pages get visits")
	}
}

// TestBudget: never more in any 24 hours, whenever requests are made.
func TestBudget(t *testing.T) {
	b, at := NewBudget(5), time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	var made []time.Time
	random := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		if b.Left(at, 1, 0) > 0 {
			made = append(made, at)
			b.Spend(at)
		}
		if next := b.Next(at, 0); next.After(at) && b.Left(next, 1, 0) == 0 {
			t.Fatalf("at %v nothing is left at the time it says, %v", at, next)
		} else {
			at = next
		}
		at = at.Add(time.Duration(random.IntN(int(time.Hour))))
	}
	for i := range made {
		if i >= 5 && made[i].Sub(made[i-5]) < Day {
			t.Errorf("six requests between %v and %v", made[i-5], made[i])
		}
	}
	if days := made[len(made)-1].Sub(made[0]) / Day; len(made) < 4*int(days) {
		t.Errorf("%d requests in %d days", len(made), days)
	}
}

// TestHints: a sitemap's times make pages due, and let them rest once they proved right.
func TestHints(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	s := New(Options{Requests: 1000, Least: time.Hour}, now)
	s.Put(Page{ID: 1, Host: "h", Group: "g", Worth: 1, Record: Record{Last: now}}, now)
	s.Put(Page{ID: 2, Host: "h", Group: "g", Worth: 1, Record: Record{Last: now}}, now)
	visit := func(id uint64, r Result) {
		s.Visited(id, Visit{At: now, Result: r})
	}
	for range 4 {
		now = now.Add(6 * time.Hour)
		s.Hint(1, now.Add(-time.Minute), now)
		if e := s.entries[1]; e.next > seconds(now) {
			t.Fatalf("a page that changed is due at %v", e.next-seconds(now))
		}
		visit(1, Changed)
	}
	e := s.entries[2]
	before := e.next
	now = time.UnixMilli(int64(before*1000) - 60_000)
	if s.Hint(2, now.Add(-1000*time.Hour), now); e.next <= before {
		t.Error("a page of which a host that was right tells no change is due as before")
	}
	for range 10 {
		now = now.Add(6 * time.Hour)
		s.Hint(2, now.Add(-time.Minute), now)
		visit(2, Same)
	}
	now = now.Add(2 * time.Hour)
	if s.Hint(2, now.Add(-time.Minute), now); e.next <= seconds(now) && e.frequency < 12 {
		t.Error("a host that tells of changes that are none makes pages due")
	}
	s.Hint(99, now, now) // unknown
}

// TestTimes: durations and cron expressions.
func TestTimes(t *testing.T) {
	from := time.Date(2030, 3, 30, 12, 0, 0, 0, time.UTC) // a Saturday; the clocks of Berlin change in the night that follows
	for _, tc := range []struct{ text, zone, want string }{
		{"36h", "", "2030-04-01T00:00:00Z"},
		{"0 3 * * *", "UTC", "2030-03-31T03:00:00Z"},
		{"0 3 * * *", "Europe/Berlin", "2030-03-31T01:00:00Z"},
		{"*/20 8-10 * * mon", "UTC", "2030-04-01T08:00:00Z"},
		{"@monthly", "UTC", "2030-04-01T00:00:00Z"},
		{"0 0 29 2 *", "UTC", "2032-02-29T00:00:00Z"},
		{"0 12 13 * fri", "UTC", "2030-04-05T12:00:00Z"}, {"0 12 */2 * fri", "UTC", "2030-03-31T12:00:00Z"}, {"0 12 * * 5", "UTC", "2030-04-05T12:00:00Z"},
		{"5/25 * * APR-may *", "UTC", "2030-04-01T00:05:00Z"}, {"59 23 ? 1,12 0", "UTC", "2030-12-01T23:59:00Z"}, {"30 2 * * *", "Europe/Berlin", "2030-04-01T00:30:00Z"},
		{"0 0 * * *", "America/Santiago", "2030-03-31T03:00:00Z"}, {"0 0 8 9 *", "America/Santiago", "2031-09-08T03:00:00Z"},
		{"0 0 31 2 *", "UTC", ""}, {"60 * * * *", "UTC", ""}, {"1s", "", ""}, {"TZ=UTC 0 3 * * *", "", ""}, {"TZ=0", "", ""}, {"", "", ""},
		{"0 3 * * *", "Atlantis", ""}, {"@every 1ns", "", ""}, {"* * *", "", ""}, {"-5h", "", ""}, {"@reboot", "", ""},
		{"5-1 * * * *", "", ""}, {"*/0 * * * *", "", ""}, {"1- * * * *", "", ""}, {"0 0 0 * *", "", ""}, {"0 0 * janfeb *", "", ""}, {"0 0 * * anf", "", ""}, {"1,,2 * * * *", "", ""}, {"-1 * * * *", "", ""},
	} {
		times, err := ParseTimes(tc.text, tc.zone)
		if got := ""; err == nil {
			if got = times.Next(from).UTC().Format(time.RFC3339); got != tc.want {
				t.Errorf("%q in %q: %s, want %s", tc.text, tc.zone, got, tc.want)
			}
		} else if tc.want != "" {
			t.Errorf("%q in %q: %v", tc.text, tc.zone, err)
		}
	}
}

func FuzzParseTimes(f *testing.F) {
	for _, s := range []string{"0 3 * * *", "24h", "@daily", "*/5 1-3,7 ? jan-mar mon#1", "TZ=", "CRON_TZ=UTC * * * * *"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		times, err := ParseTimes(text, "UTC")
		if err != nil {
			return
		}
		from := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
		if next := times.Next(from); !next.IsZero() && !next.After(from) {
			t.Errorf("%q: %v is not after %v", text, next, from)
		}
	})
}
