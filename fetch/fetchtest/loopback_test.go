package fetchtest

import (
	"context"
	"net"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// overTCP lets a crawler of the test dial loopback only.
func overTCP(t *testing.T) *crawler {
	c := polite(t, nil, 0)
	c.dial = func(ctx context.Context, host string) (net.Conn, error) {
		host = strings.Replace(host, "localhost", "127.0.0.1", 1)
		if !strings.HasPrefix(host, "127.0.0.") {
			t.Errorf("%s is no loopback address", host)
			return nil, net.ErrClosed
		}
		return new(net.Dialer).DialContext(ctx, "tcp", host)
	}
	c.at = func(host string) string { return strings.Replace(host, "localhost", "127.0.0.1", 1) }
	return c
}

func TestLoopback(t *testing.T) {
	p := Plan{Seed: 1, Hosts: 21, Pages: 5, Addresses: 20, Plain: true}
	w := Generate(p)
	bases := ListenLoopback(t, w)
	if len(bases) != 21 || !strings.HasPrefix(bases[19], "http://127.0.0.20:") || !strings.HasPrefix(bases[20], "http://localhost:") {
		t.Fatalf("bases %v", bases)
	}
	c := overTCP(t)
	c.crawl(w.Seeds()...)
	if got := w.Violations(); len(got) > 0 {
		t.Errorf("%q", got)
	}
	if got, want := w.Pages(), w.Allowed(); !slices.Equal(got, want) || len(want) != p.Hosts*p.Pages {
		t.Errorf("served %d pages, %d are allowed:\n%s", len(got), len(want), difference(got, want))
	}
}

// What fails, leads elsewhere or is hidden does so over TCP as in memory.
func TestTroubleOverLoopback(t *testing.T) {
	w := NewWeb(Politeness{Retries: 2},
		Host{Name: "a.test", Robots: Robots{At: []string{"//b.test/rules"}, Disallow: []string{"/no/"}}, Pages: []Page{
			{Path: "/", Links: []string{"/busy", "/cut", "/cut short", "/never", "/no/1", "/to", "//nowhere.invalid/", "/slow"}},
			{Path: "/busy", Trouble: Trouble{Times: 2}}, {Path: "/cut", Trouble: Trouble{Times: 2, Cut: true}},
			{Path: "/cut short", Redirect: "/after", Trouble: Trouble{Times: 1, Cut: true}}, {Path: "/after"},
			{Path: "/never", Trouble: Trouble{Times: -1, Cut: true}}, {Path: "/no/1"},
			{Path: "/to", Redirect: "//b.test/"}, {Path: "/slow", Slow: time.Millisecond},
		}},
		Host{Name: "b.test", At: 1, Robots: Robots{Trouble: Trouble{Times: 1, Cut: true}}, Pages: []Page{
			{Path: "/", Links: []string{"//a.test/no/1"}}, {Path: "/listed1", Listed: true}, {Path: "/listed2", Listed: true}}})
	bases := ListenLoopback(t, w)
	overTCP(t).crawl(bases[0] + "/")
	if got := w.Violations(); len(got) > 0 {
		t.Errorf("%q", got)
	}
	if got, want := w.Pages(), w.AllowedFrom(bases[0]+"/"); !slices.Equal(got, want) || len(want) != 8 {
		t.Errorf("served %d pages, %d are allowed:\n%s", len(got), len(want), difference(got, want))
	}
	tries := map[string]int{}
	for _, v := range w.Visits() {
		tries[v.Path]++
	}
	if tries["/busy"] != 3 || tries["/cut"] != 3 || tries["/cut short"] != 2 || tries["/never"] != 3 || tries["/no/1"] != 0 {
		t.Errorf("tries: %v", tries)
	}
}

func TestToleranceForgivesThatMuch(t *testing.T) {
	for _, tc := range []struct {
		name      string
		tolerance time.Duration
		blamed    bool
	}{{"a second", time.Second, true}, {"an hour", time.Hour, false}} {
		w := NewWeb(Politeness{Delay: time.Hour, Tolerance: tc.tolerance}, Host{Name: "a.test"})
		base, err := url.Parse(ListenLoopback(t, w)[0])
		if err != nil {
			t.Fatal(err)
		}
		c := overTCP(t)
		for range 2 {
			c.ask(base.JoinPath("/robots.txt"))
		}
		if got := len(w.Violations()) > 0; got != tc.blamed {
			t.Errorf("tolerance of %s: blamed is %v, want %v: %q", tc.name, got, tc.blamed, w.Violations())
		}
	}
}
