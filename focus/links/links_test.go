package links

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"orbweaver"
)

func TestTableIsAMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var s Table
	for _, n := range []int{5, 64, 3, 1000, 40} {
		targets := make([]string, n)
		for i := range targets {
			targets[i] = fmt.Sprintf("http://p.test/%d", rng.IntN(n))
		}
		last := map[string]int32{}
		s.clear(n)
		for i, target := range targets {
			want, again := last[target]
			if !again {
				want = -1
			}
			if got := s.put(target, int32(i), func(of int32) string { return targets[of] }); got != want {
				t.Fatalf("link %d of %d, to %s: %d before, want %d", i, n, target, got, want)
			}
			last[target] = int32(i)
		}
	}
}

// TestGroups: links that may be followed are grouped by target, in the order of the page.
func TestGroups(t *testing.T) {
	p := &orbweaver.Page{URL: "http://a.test/", Links: []orbweaver.Link{
		{To: "http://a.test/x", Anchor: "one"},
		{To: "http://a.test/", Anchor: "itself"},
		{To: "http://a.test/y", Anchor: "two"},
		{To: "", Anchor: "nowhere"},
		{To: "http://a.test/x", Anchor: "three"},
		{To: "http://a.test/z", Anchor: "forbidden", Rel: "nofollow"},
		{To: "http://a.test/x", Anchor: "four", Rel: "next"},
	}}
	var table Table
	for range 2 { // the table is reused
		var g Groups[string]
		g.Read(p, &table, func(read *Link[string], l *orbweaver.Link, again bool) {
			if read.Anchor = l.Anchor; !again {
				read.Path = "path of " + l.Anchor
			}
		})
		var got []string
		for _, first := range g.Targets {
			for l := range g.To(first) {
				got = append(got, p.Links[l.At].To+" "+l.Anchor+" "+l.Path)
			}
		}
		want := []string{
			"http://a.test/x one path of one", "http://a.test/x three path of one", "http://a.test/x four path of one",
			"http://a.test/y two path of two",
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %q", got)
		}
	}
}

type rank float64

func (r rank) Score() float64 { return float64(r) }

// TestBest: the first of the links that rank highest is the best.
func TestBest(t *testing.T) {
	p := &orbweaver.Page{URL: "http://a.test/"}
	for range 4 {
		p.Links = append(p.Links, orbweaver.Link{To: "http://a.test/x"})
	}
	var g Groups[string]
	g.Read(p, new(Table), func(*Link[string], *orbweaver.Link, bool) {})
	ranks := []rank{0.1, 0.7, 0.7, 0.2}
	best, top := Best(&g, g.Targets[0], func(l *Link[string]) rank { return ranks[l.At] })
	if best.At != 1 || top != 0.7 {
		t.Errorf("link %d, %v", best.At, top)
	}
}
