package addresses

import (
	"fmt"
	"testing"
	"time"
)

// TestThroughput: an address that several want is used about as fast as its delay allows, and each has its share.
func TestThroughput(t *testing.T) {
	for _, delay := range []time.Duration{100 * time.Millisecond, time.Second, 5 * time.Second} {
		const took, latency, answer = 2 * time.Minute, 5 * time.Millisecond, 60 * time.Millisecond
		r := newRoom(t, "a", "b", "c")
		turns, free, ends := map[string]int{}, map[string]time.Time{}, map[string]time.Time{}
		all := 0
		for end := r.now.Add(took); r.now.Before(end); r.now = r.now.Add(latency) {
			road := []Letter{}
			for _, name := range []string{"a", "b", "c"} {
				x := r.workers[name]
				if at, flies := ends[name]; flies && !r.now.Before(at) {
					x.Release("192.0.2.1:80", at.Add(-answer/2), r.now)
					free[name] = at.Add(delay - answer/2)
					delete(ends, name)
				}
				if _, flies := ends[name]; !flies && !r.now.Before(free[name]) {
					if until, ok := x.Claim("192.0.2.1:80", delay, r.now); ok {
						turns[name]++
						all++
						ends[name] = r.now.Add(answer)
					} else {
						free[name] = until
					}
				}
				letters, _ := x.Letters(r.now)
				road = append(road, letters...)
			}
			for _, l := range road {
				if err := r.workers[l.To].Take(l.Body, r.now.Add(latency)); err != nil {
					t.Fatal(err)
				}
			}
		}
		most := int(took / delay)
		t.Logf("delay %v: %d of %d turns: %v", delay, all, most, turns)
		if all < most*7/10 || all > most+1 {
			t.Errorf("delay %v: %d turns of %d", delay, all, most)
		}
		for name, n := range turns {
			if n < all/5 {
				t.Errorf("delay %v: %s had %d turns of %d", delay, name, n, all)
			}
		}
	}
}

// A spread is the Crew of a worker where each worker has a third of the desks.
type spread struct{ name string }

func (spread) Desk(address string) (string, uint64) {
	return string('a' + address[len(address)-1]%3), 1
}

func (s spread) Open(address string) (Desk, bool) {
	owner, _ := s.Desk(address)
	return Desk{Epoch: 1}, owner == s.name
}

// TestCost: addresses that one worker alone asks cost few letters, however many they are.
func TestCost(t *testing.T) {
	const delay, pause, took = 500 * time.Millisecond, 20 * time.Millisecond, 20 * time.Second
	names := []string{"a", "b", "c"}
	now, workers := time.Unix(1e9, 0), map[string]*Exchange{}
	for _, name := range names {
		workers[name] = New(name, "1", times(), spread{name}, now)
	}
	free := make([]time.Time, 300) // they are begun one after another
	for n := range free {
		free[n] = now.Add(time.Duration(n) * 11 * time.Millisecond)
	}
	letters, size, turns := 0, 0, 0
	for began := now; now.Sub(began) < took; now = now.Add(pause) {
		for n := range free {
			x, address := workers[names[n%3]], fmt.Sprintf("192.0.2.%d:%d", n, 80+n/3)
			if now.Before(free[n]) {
				continue
			}
			until, ok := x.Claim(address, delay, now)
			if free[n] = until; ok {
				x.Release(address, now, now)
				free[n], turns = now.Add(delay), turns+1
			}
		}
		for _, name := range names {
			all, _ := workers[name].Letters(now)
			for _, l := range all {
				letters, size = letters+1, size+len(l.Body)
				if err := workers[l.To].Take(l.Body, now); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	seconds := int(took.Seconds())
	t.Logf("%d turns, %d letters and %d bytes a second", turns/seconds, letters/seconds, size/seconds)
	if letters > 60*seconds || turns < 540*seconds {
		t.Errorf("%d letters, %d turns in %d s", letters, turns, seconds)
	}
}
