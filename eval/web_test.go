package eval

import (
	"math/rand"
	"strconv"
	"testing"
)

// smallWeb is seed → hub → {far, moved}, moved ⇒ again ⇒ goal (redirects), island → goal, and a
// link to a page that answers 404.
func smallWeb() *Web {
	w := NewWeb()
	w.Add("seed", 200, "", []string{"hub", "hub", "dead", "nowhere"})
	w.Add("hub", 200, "", []string{"far", "moved"})
	w.Add("far", 203, "", []string{"hub"})
	w.Add("moved", 301, "again", nil)
	w.Add("again", 302, "goal", nil)
	w.Add("goal", 200, "", nil)
	w.Add("island", 200, "", []string{"goal", "seed"})
	w.Add("dead", 404, "", []string{"island"})
	w.Add("loop", 302, "loop", nil)
	w.Add("seed", 200, "", []string{"loop"})
	w.Freeze()
	w.Freeze()
	return w
}

func TestWebReachable(t *testing.T) {
	w := smallWeb()
	if w.Documents() != 5 || w.Relevant(only{"goal", "dead", "moved", "island", "unheard"}) != 2 {
		t.Errorf("%d documents, want seed, hub, far, goal, island", w.Documents())
	}
	for _, tc := range []struct {
		name  string
		seeds []string
		want  string
	}{
		{"over links and redirects, not out of failures", []string{"seed"}, "seed hub far goal "},
		{"from what is outside the web: nothing", []string{"unheard"}, ""},
		{"from a redirect", []string{"moved"}, "goal "},
		{"a loop of redirects ends", []string{"loop"}, ""},
		{"from several", []string{"goal", "far", "goal"}, "hub far goal "},
	} {
		set := w.Reachable(tc.seeds)
		got, n := "", 0
		for _, url := range []string{"seed", "hub", "far", "moved", "again", "goal", "island", "dead", "loop", "unheard"} {
			if set.Has(url) {
				got += url + " "
				n++
			}
		}
		if got != tc.want || set.Len() != n {
			t.Errorf("%s: %q (%d), want %q", tc.name, got, set.Len(), tc.want)
		}
	}
	if n := w.Reachable([]string{"seed"}).Relevant(only{"goal", "island"}); n != 1 {
		t.Errorf("%d relevant can be reached, want goal alone", n)
	}
}

func TestWebDistances(t *testing.T) {
	d := smallWeb().Distances(only{"goal", "dead"})
	for url, want := range map[string]int{
		"goal": 0, "again": 0, "moved": 0, "hub": 1, "island": 1, "seed": 2, "far": 2,
		"dead": -1, "loop": -1, "nowhere": -1, "unheard": -1,
	} {
		got, ok := d.Distance(url)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%s is %d (%v) away, want %d", url, got, ok, want)
		}
	}
}

func TestDistancesAfterFinding(t *testing.T) {
	d := smallWeb().Distances(only{"goal", "hub"})
	d.Found("far") // not relevant: changes nothing
	if n, ok := d.Distance("hub"); n != 0 || !ok {
		t.Errorf("hub is %d (%v) away, want 0", n, ok)
	}
	d.Found("hub")
	d.Found("hub")
	for url, want := range map[string]int{"hub": 1, "seed": 2, "far": 2, "goal": 0} {
		if n, ok := d.Distance(url); n != want || !ok {
			t.Errorf("after finding hub, %s is %d (%v) away, want %d", url, n, ok, want)
		}
	}
	d.Found("goal")
	if n, ok := d.Distance("seed"); ok {
		t.Errorf("with all found, seed is %d away", n)
	}
}

func TestWebIsFrozen(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Add after Freeze went unnoticed")
		}
	}()
	smallWeb().Add("late", 200, "", nil)
}

// TestDistancesAgreeWithRelaxation compares the search with Bellman and Ford's on random webs.
func TestDistancesAgreeWithRelaxation(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 50 {
		const n = 30
		w := NewWeb()
		links, hops := [n][]int{}, [n]int{}
		for i := range n {
			hops[i] = -1
			if r.Intn(4) == 0 {
				hops[i] = r.Intn(n)
				w.Add(strconv.Itoa(i), 301, strconv.Itoa(hops[i]), nil)
				continue
			}
			var to []string
			for range r.Intn(3) {
				j := r.Intn(n)
				links[i], to = append(links[i], j), append(to, strconv.Itoa(j))
			}
			w.Add(strconv.Itoa(i), 200, "", to)
		}
		w.Freeze()
		truth := only{"3", "17"}
		got := w.Distances(truth)
		for i, want := range relaxed(links[:], hops[:], truth) {
			d, ok := got.Distance(strconv.Itoa(i))
			if ok != (want < n) || ok && d != want {
				t.Fatalf("%d is %d (%v) away, want %d", i, d, ok, want)
			}
		}
	}
}

func relaxed(links [][]int, hops []int, truth Truth) []int {
	n := len(links)
	distance := make([]int, n)
	for i := range distance {
		distance[i] = n
		if hops[i] < 0 && truth.Relevant(strconv.Itoa(i)) {
			distance[i] = 0
		}
	}
	for range n {
		for i := range distance {
			if hops[i] >= 0 {
				distance[i] = min(distance[i], distance[hops[i]])
			}
			for _, j := range links[i] {
				distance[i] = min(distance[i], distance[j]+1)
			}
		}
	}
	return distance
}
