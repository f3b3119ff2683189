package manners

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// noon is when the tests begin.
const noon = int64(1_700_000_000) * second

const second = int64(time.Second)

// everyone is alive.
func everyone(int64) bool { return true }

// TestAlone: a crawl alone at a place has every turn that it asks for, whatever it told of the place.
func TestAlone(t *testing.T) {
	var r record
	for i := range int64(20) {
		now := noon + i*second/3
		if w, ok := r.claim(claimant{1, 1, second}, now, everyone); !ok || w.due != now {
			t.Fatalf("turn %d is refused w.due %d", i, w.due-now)
		}
		if i%3 > 0 {
			r.take(1, note{start: now, delay: second, rest: now + 60*second}, true)
		}
	}
}

// TestBetweenCrawls: when a crawl is told to come again after what another did at a place.
func TestBetweenCrawls(t *testing.T) {
	turn := holder{member: 1, process: 1, since: noon, delay: second}
	for _, tc := range []struct {
		name  string
		r     record
		delay int64
		at    int64 // after noon
		want  int64 // after noon; that of at: a turn
	}{
		{"after a start, the same delay", record{last: start{noon, second, 1}}, second, second / 2, second},
		{"after a start, a longer one", record{last: start{noon, second, 1}}, 5 * second, second / 2, 5 * second},
		{"after a start, a shorter one", record{last: start{noon, 5 * second, 1}}, second, second / 2, 5 * second},
		{"when it is over", record{last: start{noon, second, 1}}, second, second, second},
		{"after its own start", record{last: start{noon, second, 2}}, second, second / 2, second / 2},
		{"after a start that a wrong clock has put into the future", record{last: start{noon + 99*second, second, 1}}, second, 0, second},
		{"after a start that was told after who asks read the clock", record{last: start{noon + second/50, second, 1}}, second, 0, second + second/50},
		{"in a turn that was given after who asks read the clock", record{holder: holder{member: 1, process: 1, since: noon + second/50, delay: second}}, second, 0, second + second/50},
		{"in a turn", record{holder: turn}, second, second / 2, second},
		{"in a turn that takes longer", record{holder: turn}, second, 2 * second, 2*second + second/4},
		{"in a turn without delays", record{holder: holder{member: 1, process: 1, since: noon}}, 0, 0, 0},
		{"in its own turn", record{holder: holder{member: 2, process: 1, since: noon, delay: second}}, second, 0, 0},
		{"in a turn of a process that has ended", record{holder: holder{member: 1, process: 9, since: noon, delay: second}}, 3 * second, second, 4 * second},
		{"in a turn without an end", record{holder: turn}, second, maxHold + second, maxHold + 2*second},
		{"while the place rests", record{rest: rest{noon + 30*second, 1}}, second, 0, 30 * second},
		{"while it rests for itself", record{rest: rest{noon + 30*second, 2}}, second, 0, 0},
		{"while it rests for years", record{rest: rest{noon + 1e9*second, 1}}, second, 0, maxRest},
		{"behind one who waits", record{queue: [queued]waiter{{1, noon - second, noon + second}}}, second, 0, second + second/4},
		{"behind one who has not come", record{queue: [queued]waiter{{1, noon - second, noon + second}}}, second, 3 * second, 3 * second},
		{"before one who asked later", record{queue: [queued]waiter{{1, noon, noon + second}, {2, noon - second, noon}}}, second, 0, 0},
	} {
		r := tc.r
		w, ok := r.claim(claimant{2, 1, tc.delay}, noon+tc.at, func(process int64) bool { return process != 9 })
		if got := w.due - noon; got != tc.want || ok != (tc.want == tc.at) {
			t.Errorf("%s: %v, %v, want %v", tc.name, time.Duration(got), ok, time.Duration(tc.want))
		}
	}
}

// TestAnyRecord: whatever a record says, a crawl has a turn within hours, if nobody else asks.
func TestAnyRecord(t *testing.T) {
	random := rand.New(rand.NewPCG(25, 4))
	extremes := []int64{0, 1, -1, 2, noon, noon - second, noon + second, noon + 1e9*second, math.MaxInt64, math.MinInt64}
	for range 20_000 {
		var r record
		r.words(func(w *int64) {
			if *w = extremes[random.IntN(len(extremes))]; random.IntN(4) == 0 {
				*w = int64(random.Uint64())
			}
		})
		was, now := r, noon
		for {
			w, ok := r.claim(claimant{2, 1, second}, now, func(process int64) bool { return process%2 == 0 })
			if ok {
				break
			}
			if w.due <= now || w.due > noon+4*3600*second {
				t.Fatalf("%+v: at %v until %v", was, time.Duration(now-noon), time.Duration(w.due-noon))
			}
			now = w.due
		}
	}
}

// TestTurnInVain: a crawl that had to hand its turn back, as another place kept it from starting, is before one that asked later.
func TestTurnInVain(t *testing.T) {
	r, times := &Registry{store: memory{}}, func(seconds int) time.Time { return time.Unix(1e9+int64(seconds), 0) }
	one, two, three := r.Join(nil), r.Join(nil), r.Join(nil)
	for _, step := range []struct {
		of   *Member
		at   int
		want bool
		then func()
	}{
		{one, 0, true, func() { one.Release("host", times(0), time.Second) }},
		{two, 0, false, nil},
		{two, 1, true, func() { two.Release("host", time.Time{}, 5*time.Second) }},
		{three, 2, false, nil},
		{two, 6, true, func() { two.Release("host", times(6), time.Second) }},
		{three, 7, true, func() { three.Release("host", time.Time{}, 0) }},
		{one, 8, true, nil},
	} {
		if _, ok := step.of.Claim("host", time.Second, times(step.at)); ok != step.want {
			t.Errorf("at %d: %v, not %v", step.at, ok, step.want)
		}
		if step.then != nil {
			step.then()
		}
	}
}

// TestClockJumps: a clock that is put back or forward keeps nobody waiting for longer than a delay.
func TestClockJumps(t *testing.T) {
	for _, jump := range []int64{-24 * 3600 * second, -5 * second, 24 * 3600 * second} {
		var r record
		if _, ok := r.claim(claimant{1, 1, second}, noon, everyone); !ok {
			t.Fatal("the first is refused")
		}
		r.take(1, note{start: noon, delay: second}, true)
		now := noon + jump
		if w, ok := r.claim(claimant{2, 1, second}, now, everyone); !ok && w.due > now+second {
			t.Errorf("by %v: until %v", time.Duration(jump), time.Duration(w.due-now))
		} else if _, ok = r.claim(claimant{2, 1, second}, max(w.due, now), everyone); !ok {
			t.Errorf("by %v: it still waits", time.Duration(jump))
		}
	}
}

// A walker is a crawl in a simulation.
type walker struct {
	id, delay, takes int64
	next             int64 // when it asks again, or its turn ends
	began            int64 // of its turn
	busy             bool
	turns            int
}

// TestTurns: crawls of any delays that ask a place for an hour are as far apart as the longer of their delays, never there at the same
// time, and each has its share of the turns.
func TestTurns(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 25))
		walkers := make([]*walker, 2+random.IntN(3))
		for i := range walkers {
			walkers[i] = &walker{
				id: int64(i + 1), delay: second * (1 + random.Int64N(5)), takes: second/100 + random.Int64N(second), next: noon + random.Int64N(second),
			}
		}
		if turns := walk(t, walkers, noon+3600*second); turns.most > turns.least*5/4+3 {
			t.Errorf("seed %d: %s: between %d and %d turns", seed, describe(walkers), turns.least, turns.most)
		}
	}
}

// walk lets crawls ask one place until a time, and returns how many turns they had at least, and at most.
func walk(t *testing.T, walkers []*walker, end int64) (turns struct{ least, most int }) {
	t.Helper()
	var r record
	var last *walker
	var lastAt int64
	at := make([]int64, len(walkers)+1) // own starts
	for {
		w := slices.MinFunc(walkers, func(a, b *walker) int { return cmp.Compare(a.next, b.next) })
		now := w.next
		if now > end {
			break
		}
		if w.busy {
			w.busy, w.next = false, max(now, now-w.takes/2+w.delay)
			at[w.id] = now - w.takes/2
			r.take(w.id, note{start: at[w.id], delay: w.delay}, true)
			if gap := at[w.id] - lastAt; last != nil && last != w && gap < max(w.delay, last.delay) {
				t.Errorf("%s: %v between crawls %d and %d", describe(walkers), time.Duration(gap), last.id, w.id)
			}
			last, lastAt = w, at[w.id]
			continue
		}
		given, ok := r.claim(claimant{w.id, 1, w.delay}, now, everyone)
		if w.next = given.due; ok {
			for _, other := range walkers {
				if other.busy {
					t.Errorf("%s: crawls %d and %d at the same time", describe(walkers), other.id, w.id)
				}
			}
			w.busy, w.began, w.next = true, now, now+w.takes
			w.turns++
		}
	}
	few := func(a, b *walker) int { return cmp.Compare(a.turns, b.turns) }
	turns.least, turns.most = slices.MinFunc(walkers, few).turns, slices.MaxFunc(walkers, few).turns
	return turns
}

// describe describes the crawls of a simulation.
func describe(walkers []*walker) (text string) {
	for _, w := range walkers {
		text += fmt.Sprintf("[every %v, takes %v: %d turns] ", time.Duration(w.delay), time.Duration(w.takes), w.turns)
	}
	return text
}

// TestPages: records of more places than a page holds are found as long as they matter, and what is damaged is not found.
func TestPages(t *testing.T) {
	m := memory{}
	k := keyOf("http://one.test")
	var others []key // on the same page
	for i := 0; len(others) < slots; i++ {
		if other := keyOf(fmt.Sprintf("http://other-%d.test", i)); other.page() == k.page() {
			others = append(others, other)
		}
	}
	set := func(k key, at int64) {
		if err := m.update(k, func(r *record) { *r = record{last: start{at, second, 7}, queue: [queued]waiter{5: {1, 2, 3}}} }); err != nil {
			t.Fatal(err)
		}
	}
	get := func(k key) record {
		_, r := m[k.page()].find(k)
		return r
	}
	for i, other := range others[1:] {
		set(other, noon+int64(i)*second)
	}
	set(k, noon+100*second)
	want := record{last: start{noon + 100*second, second, 7}, queue: [queued]waiter{5: {1, 2, 3}}}
	if got := get(k); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	set(others[0], noon+200*second) // takes the place of the oldest
	for i, other := range append(others, k) {
		if found := get(other) != (record{}); found != (i != 1) {
			t.Errorf("place %d: found is %v", i, found)
		}
	}
	slot, _ := m[k.page()].find(k)
	for i := range slotSize {
		m[k.page()].slot(slot)[i] ^= 0x10
		if got := get(k); got != (record{}) {
			t.Errorf("byte %d is damaged: %+v", i, got)
		}
		m[k.page()].slot(slot)[i] ^= 0x10
	}
}
