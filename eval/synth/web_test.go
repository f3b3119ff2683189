package synth

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"orbweaver"
)

func newWeb(t testing.TB, p Params) *Web {
	t.Helper()
	w, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestShuffleIsABijection(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 7, 16, 17, 1000, 4096} {
		s, seen, moved := newShuffle(n, dice(n)), map[int64]bool{}, 0
		for x := range n {
			y := s.to(x)
			if y < 0 || y >= n || seen[y] || s.from(y) != x {
				t.Fatalf("of %d: %d goes to %d, from where %d came", n, x, y, s.from(y))
			}
			if seen[y] = true; y != x {
				moved++
			}
		}
		if n > 100 && moved < int(n)*9/10 {
			t.Errorf("of %d only %d moved", n, moved)
		}
	}
}

func TestHostsShareThePages(t *testing.T) {
	for _, z := range []zipf{
		newZipf(1, 1, 1), newZipf(10, 10, 1), newZipf(5000, 50, 1), newZipf(5000, 50, 0), newZipf(5000, 500, 0.7),
		newZipf(20_000, 300, 2), newZipf(5000, 4999, 1.5), newZipf(20_000, 10_000, 3),
	} {
		page := int64(0)
		for h := range z.hosts {
			if z.start(h) != page {
				t.Fatalf("%v: host %d starts at %d, and the one before ends at %d", z, h, z.start(h), page)
			}
			for ; page < z.start(h+1); page++ {
				if z.host(page) != h {
					t.Fatalf("%v: page %d is of host %d, want %d", z, page, z.host(page), h)
				}
			}
			if page == z.start(h) {
				t.Fatalf("%v: host %d has no page", z, h)
			}
		}
		if page != z.pages {
			t.Errorf("%v: %d pages are of some host", z, page)
		}
	}
	big := newZipf(1e7, 1e5, 1) // ranks 1 and 10 differ by a factor of about 10
	first, tenth := big.start(1)-big.start(0), big.start(10)-big.start(9)
	if ratio := float64(first) / float64(tenth); ratio < 6 || ratio > 12 {
		t.Errorf("the first host has %d pages, the tenth %d", first, tenth)
	}
}

func TestTopicsHaveTheirShares(t *testing.T) {
	p := Defaults(100_000)
	w, counts := newWeb(t, p), make([]int, p.Topics)
	for page := range p.Pages {
		counts[w.Topic(page)]++
	}
	for topic, n := range counts {
		if math.Abs(float64(n)/float64(p.Pages)-0.02) > 0.001 {
			t.Errorf("topic %d has %d pages", topic, n)
		}
		d := dice(topic)
		for range 20 {
			if page, ok := w.about(topic, &d); !ok || w.Topic(page) != topic {
				t.Fatalf("page %d is drawn for topic %d and is about %d", page, topic, w.Topic(page))
			}
		}
	}
}

// TestAddresses: pages and addresses correspond one to one.
func TestAddresses(t *testing.T) {
	w := newWeb(t, Defaults(3000))
	kinds := map[Kind]int{}
	for page := range w.Pages {
		for _, url := range []string{w.URL(page), w.address(page, w.run(w.Host(page)), w.moved(page))} {
			place := w.Find(url)
			if kinds[place.Kind]++; place.Page != page || place.Host != w.Host(page) || place.Kind < Document {
				t.Fatalf("page %d is at %s, where %+v is", page, url, place)
			}
		}
		if w.Find(w.URL(page)).Kind != Document {
			t.Errorf("%s is no document", w.URL(page))
		}
	}
	if kinds[Old] < 50 {
		t.Errorf("%d pages moved", kinds[Old])
	}
	for _, url := range []string{
		"", "http://h0.example", "http://h0.example/", "http://h0.example/p/", "http://h00.example/p/1",
		"http://h-1.example/p/1", "http://h30.example/p/0", "http://h0.example/p/01", "http://h0.example/p/999999",
		"http://h0.example/p/-1", "http://h0.example/r/0", "http://h0.example/x/0", "https://h0.example/p/1",
	} {
		if place := w.Find(url); place.Kind != Nothing {
			t.Errorf("%s is %+v", url, place)
		}
	}
	if place := w.Find("http://h7.example/robots.txt"); place != (Place{Kind: Robots, Host: 7}) {
		t.Errorf("robots.txt is %+v", place)
	}
}

// TestEverythingIsReached follows all links from page 0.
func TestEverythingIsReached(t *testing.T) {
	w := newWeb(t, Defaults(3000))
	seen, queue := map[int64]bool{0: true}, []int64{0}
	for len(queue) > 0 {
		page := queue[0]
		queue = queue[1:]
		if fate := w.Fate(page); fate == Missing || fate == Forbidden {
			continue
		}
		for _, l := range w.Page(page).Links {
			if to := w.Find(l.To).Page; !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	if len(seen) != 3000 {
		t.Errorf("%d of 3000 pages are reached", len(seen))
	}
}

func TestFatesHaveTheirShares(t *testing.T) {
	w := newWeb(t, Defaults(30_000))
	var fates [4]int
	relevant := int64(0)
	for page := range w.Pages {
		fate := w.Fate(page)
		fates[fate]++
		if w.Topic(page) == 0 && fate < Missing {
			relevant++
		}
	}
	for fate, share := range map[Fate]float64{Duplicate: 0.05, Missing: 0.03, Forbidden: 0.03} {
		if got := float64(fates[fate]) / 30_000; got < share*0.75 || got > share*1.1 { // of the leaves
			t.Errorf("fate %d has a share of %v", fate, got)
		}
	}
	if w.Relevant() != relevant {
		t.Errorf("%d are relevant, want %d", w.Relevant(), relevant)
	}
}

// TestLinksLikeTheirTopicAndHost: OnHost and OnTopic increase the share of such links.
func TestLinksLikeTheirTopicAndHost(t *testing.T) {
	stay := func(onHost, onTopic float64) (host, topic float64) {
		p := Defaults(20_000)
		p.OnHost, p.OnTopic = onHost, onTopic
		w, n := newWeb(t, p), 0.0
		for page := int64(0); page < p.Pages; page += 97 {
			for to := range w.targetsOf(page, w.run(w.Host(page))) {
				if n++; w.Host(to) == w.Host(page) {
					host++
				}
				if w.Topic(to) == w.Topic(page) {
					topic++
				}
			}
		}
		return host / n, topic / n
	}
	fewHost, fewTopic := stay(0.2, 0.2)
	moreHost, moreTopic := stay(0.8, 0.8)
	if moreHost < fewHost+0.3 || moreTopic < fewTopic+0.3 {
		t.Errorf("on host %.2f and %.2f, on topic %.2f and %.2f", fewHost, moreHost, fewTopic, moreTopic)
	}
}

func TestSpreads(t *testing.T) {
	d, below, within := dice(1), 0, 0
	for range 10_000 {
		x := d.draw(Spread{10, 0.5})
		if x < 10 {
			below++
		}
		if math.Abs(math.Log(x/10)) < 0.5 {
			within++
		}
	}
	if below < 4800 || below > 5200 || within < 6600 || within > 7050 { // 50 % and 68.3 %
		t.Errorf("%d of 10000 below the median, %d within one sigma", below, within)
	}
}

func TestSeedDecides(t *testing.T) {
	p := Defaults(2000)
	one, same := newWeb(t, p), newWeb(t, p)
	p.Seed = 2
	other := newWeb(t, p)
	at, differ := time.Unix(1e9, 0), 0
	for page := int64(0); page < p.Pages; page += 41 {
		a, b := one.HTML(nil, page), same.HTML(nil, page)
		if !slices.Equal(a, b) || one.Latency(one.Host(page), at) != same.Latency(same.Host(page), at) {
			t.Fatalf("page %d is another", page)
		}
		if !slices.Equal(a, other.HTML(nil, page)) {
			differ++
		}
	}
	if differ < 40 || !slices.Equal(one.Seeds(5), same.Seeds(5)) || len(one.Seeds(5)) != 6 {
		t.Errorf("%d pages differ under another seed; seeds %v", differ, one.Seeds(5))
	}
}

func TestHostsAreTheirOwn(t *testing.T) {
	w := newWeb(t, Defaults(200_000))
	polite, addresses, quick := 0, map[string]bool{}, 0
	at := time.Unix(1e9, 0)
	for host := range w.Hosts {
		if delay := w.CrawlDelay(host); delay > 0 {
			polite++
			if want := fmt.Sprintf("User-agent: *\nDisallow: /x/\nCrawl-delay: %d\n", delay/time.Second); w.RobotsTxt(host) != want {
				t.Errorf("robots.txt: %q", w.RobotsTxt(host))
			}
		}
		addresses[w.Address(host)] = true
		if w.Latency(host, at) < 200*time.Millisecond {
			quick++
		}
	}
	if polite < 150 || polite > 250 || len(addresses) < 700 || len(addresses) > 1000 || quick < 900 || quick > 1100 {
		t.Errorf("of 2000 hosts %d ask for a delay, %d are quick; %d addresses", polite, quick, len(addresses))
	}
}

func TestBadParams(t *testing.T) {
	for name, spoil := range map[string]func(*Params){
		"no pages":          func(p *Params) { p.Pages = 0 },
		"too many hosts":    func(p *Params) { p.Hosts = 1001 },
		"one topic":         func(p *Params) { p.Topics = 1 },
		"share above 1":     func(p *Params) { p.OnHost = 1.1 },
		"not a number":      func(p *Params) { p.Target = math.NaN() },
		"all are missing":   func(p *Params) { p.Missing, p.Forbidden = 0.6, 0.6 },
		"spread below zero": func(p *Params) { p.Links.Sigma = -1 },
		"no section":        func(p *Params) { p.Section = 0 },
		"nobody at home":    func(p *Params) { p.Sharing = 0 },
	} {
		p := Defaults(1000)
		if spoil(&p); true {
			if _, err := New(p); !errors.Is(err, orbweaver.ErrInput) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
