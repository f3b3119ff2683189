package linkeddata

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"orbweaver"
)

// TestHostsWithinAClass: hosts are distinguished within a class, and no class falls below the next.
func TestHostsWithinAClass(t *testing.T) {
	links := []string{"http://bad.test/1.ttl", "http://new.test/1.ttl", "http://good.test/1.ttl", "http://good.test/2", "http://bad.test/2"}
	for _, tc := range []struct {
		order HostOrder
		want  []int // links, best first
	}{
		{HostsFound, []int{0, 1, 2, 3, 4}},
		{HostsGreedy, []int{2, 1, 0, 3, 4}},
		{HostsBandit, []int{1, 2, 0, 3, 4}},
	} {
		f := newFocus(t, func(o *Options) { o.Hosts = tc.order })
		for i := range 40 {
			learn(t, f, answer(orbweaver.Request{URL: fmt.Sprintf("http://bad.test/%d.html", i)}, "text/html"))
			learn(t, f, answer(orbweaver.Request{URL: fmt.Sprintf("http://good.test/%d.ttl", i)}, "text/turtle"))
		}
		_, plan := decide(t, f, page("http://a.test/p", links...))
		for i, at := range tc.want {
			q := plan[at]
			if i > 0 && q.Score > plan[tc.want[i-1]].Score {
				t.Errorf("order %d: %s", tc.order, brief(plan))
			}
			if math.Abs(weight(q.Reasons)-q.Score) > 1e-12 || scoreOf(q.Class)-q.Score > hostBand || q.Score <= scoreFailed {
				t.Errorf("order %d: %+v", tc.order, q)
			}
		}
	}
}

// TestBanditTriesAgain: a host that returned nothing is tried again after many requests to others.
func TestBanditTriesAgain(t *testing.T) {
	f := newFocus(t, func(o *Options) { o.Hosts = HostsBandit })
	for i := range 4 {
		learn(t, f, orbweaver.Outcome{Request: orbweaver.Request{URL: fmt.Sprintf("http://poor.test/%d", i)}, Err: orbweaver.ErrStatus})
	}
	everything, turn := 0, 0
	for i := 0; turn == 0 && i < 10_000; i++ {
		mediaType := "text/html"
		if i%4 > 0 {
			mediaType = "text/turtle"
		}
		for _, key := range learn(t, f, answer(orbweaver.Request{URL: fmt.Sprintf("http://rich.test/%d", i)}, mediaType)) {
			if key == "*" {
				everything++
			}
		}
		j := f.Rerank(nil, follow(t, f, page("http://a.test/p", "http://poor.test/x"), "http://poor.test/x"))
		k := f.Rerank(nil, follow(t, f, page("http://a.test/p", "http://rich.test/x"), "http://rich.test/x"))
		if i > 3 && j.Score > k.Score {
			turn = i
		}
	}
	if turn < 10 || everything > 14 {
		t.Errorf("its turn comes after %d; all was ranked again %d times", turn, everything)
	}
}

func TestHostOrders(t *testing.T) {
	for name, want := range map[string]HostOrder{"found": HostsFound, "greedy": HostsGreedy, "bandit": HostsBandit} {
		if o, ok := ParseHostOrder(name); !ok || o != want {
			t.Errorf("%s: %v", name, o)
		}
	}
	if _, ok := ParseHostOrder("best"); ok {
		t.Error("best is no order")
	}
	for _, change := range []func(*Options){
		func(o *Options) { o.Hosts = HostsBandit + 1 },
		func(o *Options) { o.Method, o.Hosts = NonFocused, HostsGreedy },
	} {
		opts := DefaultOptions()
		change(&opts)
		if _, err := New(opts); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%+v: %v", opts.Hosts, err)
		}
	}
}
