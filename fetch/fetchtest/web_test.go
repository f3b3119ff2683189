package fetchtest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/weburl"
)

// plan has every feature of a generated web, with hosts that share addresses.
func plan(seed uint64) Plan {
	return Plan{
		Seed: seed, Hosts: 17, Pages: 9, Addresses: 12, Latency: 7 * time.Millisecond,
		Politeness: Politeness{Delay: time.Second, Retries: 2},
	}
}

// inBubble crawls a generated web in virtual time.
func inBubble(t *testing.T, p Plan, forget func(c *crawler), check func(t *testing.T, w *Web)) {
	synctest.Test(t, func(t *testing.T) {
		n := NewNetwork()
		defer n.Close()
		w := Generate(p)
		w.Serve(n)
		c := polite(t, n, p.Politeness.Delay)
		forget(c)
		c.crawl(w.Seeds()...)
		check(t, w)
	})
}

func TestAPoliteCrawlerGetsAllThatIsAllowedAndIsNotBlamed(t *testing.T) {
	for seed := range uint64(5) {
		inBubble(t, plan(seed), func(*crawler) {}, func(t *testing.T, w *Web) {
			if got := w.Violations(); len(got) > 0 {
				t.Errorf("seed %d: %d violations: %s", seed, len(got), strings.Join(got[:min(5, len(got))], "\n"))
			}
			got, want := w.Pages(), w.Allowed()
			if !slices.Equal(got, want) {
				t.Errorf("seed %d: served %d pages, %d are allowed:\n%s", seed, len(got), len(want), difference(got, want))
			}
			if again := w.Repeated(); len(again) > 0 {
				t.Errorf("seed %d: served again: %v", seed, again)
			}
		})
	}
}

// difference names what is in one list alone.
func difference(got, want []string) string {
	var b strings.Builder
	for _, u := range got {
		if !slices.Contains(want, u) {
			fmt.Fprintln(&b, "only served: ", u)
		}
	}
	for _, u := range want {
		if !slices.Contains(got, u) {
			fmt.Fprintln(&b, "only allowed:", u)
		}
	}
	return b.String()
}

// Each manner that is forgotten is found, and nobody is blamed for another one.
func TestEachBreachIsFound(t *testing.T) {
	for _, tc := range []struct {
		name   string
		forget func(c *crawler)
		want   []string
	}{
		{"no delay at hosts", func(c *crawler) { c.hostDelay, c.crawlDelay, c.addressDelay = false, false, false },
			[]string{"gap at address", "gap at host"}},
		{"no delay at addresses", func(c *crawler) { c.addressDelay = false }, []string{"gap at address"}},
		{"delay a nanosecond short", func(c *crawler) { c.delay -= time.Nanosecond },
			[]string{"gap at address", "gap at host"}},
		{"Crawl-delay not read", func(c *crawler) { c.crawlDelay = false }, []string{"gap at host"}},
		{"robots.txt never asked for", func(c *crawler) { c.robotsFirst, c.rules, c.crawlDelay = false, false, false },
			[]string{"before robots.txt"}},
		{"robots.txt asked for and not obeyed", func(c *crawler) { c.rules = false }, []string{"forbidden by"}},
		{"Retry-After not read", func(c *crawler) { c.retryAfter = false }, []string{"Retry-After"}},
		{"without a name", func(c *crawler) { c.agent = false }, []string{"no User-Agent"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inBubble(t, plan(1), tc.forget, func(t *testing.T, w *Web) {
				if got := kinds(w.Violations()); !slices.Equal(got, tc.want) {
					t.Errorf("found %q, want %q", got, tc.want)
				}
			})
		})
	}
}

func TestRequestsInFlightTogetherAreFound(t *testing.T) {
	for _, tc := range []struct {
		name        string
		urls        []string
		connections int
		want        []string
	}{
		{"one after the other", []string{"http://a.test/slow"}, 1, nil},
		{"two at a host", []string{"http://a.test/slow", "http://a.test/slow"}, 1,
			[]string{"in flight at address", "in flight at host"}},
		{"two at hosts of one address", []string{"http://a.test/slow", "http://b.test/slow"}, 1, []string{"in flight at address"}},
		{"two at hosts of two addresses", []string{"http://a.test/slow", "http://c.test/slow"}, 1, nil},
		{"two where two may be", []string{"http://a.test/slow", "http://a.test/slow"}, 2, nil},
		{"three where two may be", []string{"http://a.test/slow", "http://a.test/slow", "http://a.test/slow"}, 2,
			[]string{"in flight at address", "in flight at host"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := NewNetwork()
				defer n.Close()
				slow := []Page{{Path: "/slow", Slow: time.Second}}
				w := NewWeb(Politeness{Connections: tc.connections}, Host{Name: "a.test", Pages: slow},
					Host{Name: "b.test", Pages: slow}, Host{Name: "c.test", At: 1, Pages: slow})
				w.Serve(n)
				c := polite(t, n, 0)
				for _, host := range []string{"a.test", "b.test", "c.test"} {
					c.ask(&url.URL{Scheme: "http", Host: host, Path: "/robots.txt"})
				}
				for _, raw := range tc.urls {
					u, _ := url.Parse(raw)
					go c.ask(u)
				}
				synctest.Wait()
				if got := kinds(w.Violations()); !slices.Equal(got, tc.want) {
					t.Errorf("found %q, want %q", w.Violations(), tc.want)
				}
				<-time.After(2 * time.Second)
				c.ask(&url.URL{Scheme: "http", Host: "a.test", Path: "/slow"})
				if got := kinds(w.Violations()); !slices.Equal(got, tc.want) {
					t.Errorf("later on found %q, want %q", w.Violations(), tc.want)
				}
			})
		})
	}
}

// A client that gives up and asks again has one request in flight.
func TestWhoLeavesIsNoLongerInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := NewNetwork()
		defer n.Close()
		w := NewWeb(Politeness{}, Host{Name: "a.test", Latency: time.Millisecond, Pages: []Page{{Path: "/slow", Slow: time.Hour}}})
		w.Serve(n)
		c := polite(t, n, 0)
		c.ask(&url.URL{Scheme: "http", Host: "a.test", Path: "/robots.txt"})
		for range 2 {
			conn, err := c.dial(t.Context(), "a.test")
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(conn, "GET /slow HTTP/1.1\r\nHost: a.test\r\nUser-Agent: x\r\n\r\n")
			<-time.After(time.Second)
			conn.Close()
		}
		<-time.After(time.Second)
		if got := w.Violations(); len(got) > 0 {
			t.Error(got)
		}
		if visits := w.Visits(); len(visits) != 3 || visits[1].Status != 0 || visits[2].Status != 0 {
			t.Errorf("visits: %+v", visits)
		}
	})
}

// answer asks a handler directly.
func answer(w *Web, rawURL string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, rawURL, nil)
	r.Header.Set("User-Agent", "x")
	rec := httptest.NewRecorder()
	w.ServeHTTP(rec, r)
	return rec
}

// served returns a web whose hosts answer to their names, for asking its handler.
func served(w *Web) *Web {
	for _, h := range w.hosts {
		w.answer(h, h.Name)
	}
	return w
}

func TestRobotsAreKnownWhenTheyAreAnswered(t *testing.T) {
	for _, tc := range []struct {
		name   string
		robots Robots
		asked  []string
		want   []string // of a request for /p and one for /no/p
	}{
		{"not asked for", Robots{Disallow: []string{"/no/"}}, nil, []string{"before robots.txt"}},
		{"answered", Robots{Disallow: []string{"/no/"}}, []string{"a.test/robots.txt"}, []string{"forbidden by"}},
		{"absent, which allows all", Robots{Disallow: []string{"/no/"}, Status: 404}, []string{"a.test/robots.txt"}, nil},
		{"forbidden itself, which allows all", Robots{Disallow: []string{"/no/"}, Status: 403}, []string{"a.test/robots.txt"}, nil},
		{"in error", Robots{Status: 500}, []string{"a.test/robots.txt"}, []string{"before robots.txt"}},
		{"refused once", Robots{Trouble: Trouble{Times: 1}}, []string{"a.test/robots.txt"}, []string{"before robots.txt"}},
		{"refused once, then answered", Robots{Trouble: Trouble{Times: 1}}, []string{"a.test/robots.txt", "a.test/robots.txt"}, nil},
		{"refused always", Robots{Trouble: Trouble{Times: -1}}, []string{"a.test/robots.txt", "a.test/robots.txt"}, []string{"before robots.txt"}},
		{"redirected and not followed", Robots{At: []string{"//b.test/r"}}, []string{"a.test/robots.txt"}, []string{"before robots.txt"}},
		{"redirected and followed", Robots{At: []string{"//b.test/r"}, Disallow: []string{"/no/"}},
			[]string{"a.test/robots.txt", "b.test/r"}, []string{"forbidden by"}},
		{"redirected twice", Robots{At: []string{"/r", "//b.test/r"}}, []string{"a.test/robots.txt", "a.test/r"}, []string{"before robots.txt"}},
		{"redirected twice and followed", Robots{At: []string{"/r", "//b.test/r"}, Status: 404},
			[]string{"a.test/robots.txt", "a.test/r", "b.test/r"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := served(NewWeb(Politeness{}, Host{Name: "a.test", Robots: tc.robots, Pages: []Page{{Path: "/p"}, {Path: "/no/p"}}},
				Host{Name: "b.test"}))
			for _, u := range tc.asked {
				answer(w, "http://"+u)
			}
			if got := w.Violations(); len(got) > 0 {
				t.Fatalf("robots.txt itself: %q", got)
			}
			answer(w, "http://a.test/p")
			answer(w, "http://a.test/no/p")
			if got := kinds(w.Violations()); !slices.Equal(got, tc.want) {
				t.Errorf("found %q, want %q", w.Violations(), tc.want)
			}
		})
	}
}

func TestGaps(t *testing.T) {
	const s = time.Second
	hosts := []Host{
		{Name: "a.test"}, {Name: "b.test"},
		{Name: "slow.test", At: 1, Robots: Robots{Delay: 5 * s, Trouble: Trouble{Times: 1, RetryAfter: s}}},
	}
	for _, tc := range []struct {
		name string
		asks []string        // URLs
		at   []time.Duration // after the one before
		want []string
	}{
		{"the delay", []string{"a.test/robots.txt", "a.test/1"}, []time.Duration{0, s}, nil},
		{"under it", []string{"a.test/robots.txt", "a.test/1"}, []time.Duration{0, s - 1}, []string{"gap at address", "gap at host"}},
		{"over it, then under it", []string{"a.test/robots.txt", "a.test/1", "a.test/2"}, []time.Duration{0, 9 * s, s - 1},
			[]string{"gap at address", "gap at host"}},
		{"the delay at an address", []string{"a.test/robots.txt", "b.test/robots.txt"}, []time.Duration{0, s}, nil},
		{"under it at an address", []string{"a.test/robots.txt", "b.test/robots.txt"}, []time.Duration{0, s - 1}, []string{"gap at address"}},
		{"other addresses", []string{"a.test/robots.txt", "slow.test/robots.txt"}, []time.Duration{0, 0}, nil},
		{"Crawl-delay while it is not known", []string{"slow.test/robots.txt", "slow.test/robots.txt"}, []time.Duration{0, s}, nil},
		{"Crawl-delay when it is", []string{"slow.test/robots.txt", "slow.test/robots.txt", "slow.test/1"},
			[]time.Duration{0, s, 5 * s}, nil},
		{"under it", []string{"slow.test/robots.txt", "slow.test/robots.txt", "slow.test/1"},
			[]time.Duration{0, s, 5*s - 1}, []string{"gap at host"}},
		{"before Retry-After", []string{"slow.test/robots.txt", "slow.test/robots.txt"}, []time.Duration{0, s - 1},
			[]string{"Retry-After", "gap at address", "gap at host"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := served(NewWeb(Politeness{Delay: s}, hosts...))
				for i, u := range tc.asks {
					<-time.After(tc.at[i])
					answer(w, "http://"+u)
				}
				if got := kinds(w.Violations()); !slices.Equal(got, tc.want) {
					t.Errorf("found %q, want %q", w.Violations(), tc.want)
				}
			})
		})
	}
}

func TestForbiddenInOtherSpellings(t *testing.T) {
	for path, forbidden := range map[string]bool{
		"/no/x": true, "/%6Eo/x": true, "/no%2Fx": true, "/no": false, "/nox": false, "/yes/no/x": false,
		"/find?q=1": true, "/find": false, "/find%3Fq=1": true,
	} {
		w := served(NewWeb(Politeness{}, Host{Name: "a.test", Robots: Robots{Disallow: []string{"/no/", "/find?"}}}))
		answer(w, "http://a.test/robots.txt")
		answer(w, "http://a.test"+path)
		if got := len(w.Violations()) > 0; got != forbidden {
			t.Errorf("%s: forbidden is %v, want %v", path, got, forbidden)
		}
	}
}

func TestViolationsAreBounded(t *testing.T) {
	w := served(NewWeb(Politeness{}, Host{Name: "a.test"}))
	for range maxViolations + 7 {
		answer(w, "http://a.test/")
	}
	got := w.Violations()
	if len(got) != maxViolations+1 || got[maxViolations] != "and 7 more" {
		t.Errorf("%d violations, the last of them %q", len(got), got[len(got)-1])
	}
}

func TestWhatAHostAnswers(t *testing.T) {
	w := served(NewWeb(Politeness{},
		Host{Name: "a.test", Robots: Robots{Disallow: []string{"/no/"}, Delay: 1500 * time.Millisecond}, Pages: []Page{
			{Path: "/", Links: []string{"/x?a&b", "//b.test/y", "//c.test/z", "//B.test:80/y"}},
			{Path: "/to", Redirect: "//b.test/y"}, {Path: "/json", Type: "application/json", Body: "{}"},
			{Path: "/é", Listed: true}, {Path: "/2", Listed: true}, {Path: "/gone", Status: 410},
			{Path: "/busy", Trouble: Trouble{Times: 1, RetryAfter: time.Minute}},
		}}, Host{Name: "b.test"}))
	for _, tc := range []struct {
		url    string
		status int
		header string
		body   string
	}{
		{"http://a.test/robots.txt", 200, "Content-Type: text/plain", "\nUser-agent: *\nDisallow: /no/\nCrawl-delay: 1.5\n\nSitemap: http://a.test/sitemap.xml\n"},
		{"http://a.test/", 200, "Content-Type: text/html; charset=utf-8", `<a href="/x?a&amp;b">`},
		{"http://A.test:80/", 200, "", `<a href="http://b.test/y">`},
		{"http://a.test/?", 200, "", `<a href="http://c.test/z">`},
		{"http://a.test", 200, "", `<a href="http://B.test:80/y">`},
		{"http://a.test/to", 301, "Location: http://b.test/y", ""},
		{"http://a.test/json", 200, "Content-Type: application/json", "{}"},
		{"http://a.test/sitemap.xml", 200, "Content-Type: application/xml", "<loc>http://a.test/sitemap-2.xml.gz</loc>"},
		{"http://a.test/sitemap-1.xml", 200, "", "<loc>http://a.test/%C3%A9</loc>"},
		{"http://a.test/sitemap-2.xml.gz", 200, "Content-Type: application/gzip", "\x1f\x8b"},
		{"http://a.test/%C3%A9", 200, "", "a.test/é"},
		{"http://a.test/gone", 410, "", ""},
		{"http://a.test/nothing", 404, "", ""},
		{"http://a.test/busy", 503, "Retry-After: 60", ""},
		{"http://a.test/busy", 200, "", "a.test/busy"},
		{"http://other.test/", 421, "", ""},
	} {
		rec := answer(w, tc.url)
		if rec.Code != tc.status {
			t.Errorf("%s: status %d, want %d", tc.url, rec.Code, tc.status)
		}
		name, value, _ := strings.Cut(tc.header, ": ")
		if got := rec.Header().Get(name); got != value {
			t.Errorf("%s: %s is %q, want %q", tc.url, name, got, value)
		}
		if !strings.Contains(rec.Body.String(), tc.body) {
			t.Errorf("%s: no %q in %q", tc.url, tc.body, rec.Body.String())
		}
	}
	if got := w.Asked(); got["a.test"] != 15 || len(got) != 1 {
		t.Errorf("asked %v", got)
	}
	if got, want := w.Pages(), []string{"http://a.test/", "http://a.test/%C3%A9", "http://a.test/busy", "http://a.test/json"}; !slices.Equal(got, want) {
		t.Errorf("pages %v, want %v", got, want)
	}
}

func TestAllowed(t *testing.T) {
	w := served(NewWeb(Politeness{Retries: 1},
		Host{Name: "a.test", Robots: Robots{Disallow: []string{"/no/"}}, Pages: []Page{
			{Path: "/", Links: []string{"1", "/no/1", "/to", "/toward", "/loop", "/once", "/twice", "/never", "/404", "//d.test/"}},
			{Path: "/1", Links: []string{"//b.test/"}}, {Path: "/no/1", Links: []string{"/behind"}}, {Path: "/behind"},
			{Path: "/to", Redirect: "/2"}, {Path: "/2"}, {Path: "/toward", Redirect: "/no/1"},
			{Path: "/loop", Redirect: "/loop"}, {Path: "/once", Trouble: Trouble{Times: 1}},
			{Path: "/twice", Trouble: Trouble{Times: 2}}, {Path: "/never", Trouble: Trouble{Times: -1, Cut: true}},
			{Path: "/alone"}, {Path: "/listed", Listed: true}, {Path: "/no/listed", Listed: true},
		}},
		Host{Name: "b.test", Robots: Robots{Disallow: []string{"/no/"}, Status: 404}, Pages: []Page{
			{Path: "/", Links: []string{"/no/1"}}, {Path: "/no/1", Links: []string{"//c.test/"}}}},
		Host{Name: "c.test", Robots: Robots{Trouble: Trouble{Times: -1}}, Pages: []Page{{Path: "/"}}},
		Host{Name: "d.test", Robots: Robots{Status: 500}, Pages: []Page{{Path: "/"}}},
		Host{Name: "e.test", Pages: []Page{{Path: "/"}}},
	))
	want := []string{
		"http://a.test/", "http://a.test/1", "http://a.test/2", "http://a.test/listed", "http://a.test/once",
		"http://b.test/", "http://b.test/no/1",
	}
	if got := w.AllowedFrom("http://a.test/"); !slices.Equal(got, want) {
		t.Errorf("allowed %v, want %v", got, want)
	}
	if got := w.Allowed(); !slices.Equal(got, append(want, "http://e.test/")) {
		t.Errorf("from all seeds: %v", got)
	}
}

func TestGeneratedWebs(t *testing.T) {
	p := plan(3)
	w := served(Generate(p))
	allowed := w.Allowed()
	for _, u := range allowed {
		if canonical, err := weburl.Canonical(u); err != nil || canonical != u {
			t.Errorf("%s is not canonical: %q, %v", u, canonical, err)
		}
	}
	if !slices.Equal(allowed, served(Generate(p)).Allowed()) {
		t.Error("the same plan gives another web")
	}
	if closed := strings.Join(allowed, "\n"); strings.Contains(closed, name(7)) || !strings.Contains(closed, name(15)) {
		t.Error("of hosts 7 and 15, the second one alone may be crawled")
	}
	for _, feature := range []string{"/private/1", "/find", "/query?q=a&n=1", "/end%20of%20chain", "/busy", "/cut", "/slow", "/listed3"} {
		if !slices.ContainsFunc(allowed, func(u string) bool { return strings.HasSuffix(u, feature) }) {
			t.Errorf("no host has %s", feature)
		}
	}
	p.Plain = true
	if got, want := len(served(Generate(p)).Allowed()), p.Hosts*p.Pages; got != want {
		t.Errorf("%d pages of a plain web, want %d", got, want)
	}
}

func TestImpossibleWebsAreRefused(t *testing.T) {
	for name, hosts := range map[string][]Host{
		"two hosts of a name":      {{Name: "a.test"}, {Name: "A.test"}},
		"two pages of a path":      {{Name: "a.test", Pages: []Page{{Path: "/1"}, {Path: "/1"}}}},
		"a page at robots.txt":     {{Name: "a.test", Pages: []Page{{Path: "/robots.txt"}}}},
		"robots.txt from nowhere":  {{Name: "a.test", Robots: Robots{At: []string{"//b.test/r"}}}},
		"robots.txt to robots.txt": {{Name: "a.test", Robots: Robots{At: []string{"//b.test/robots.txt"}}}, {Name: "b.test"}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("taken for possible")
				}
			}()
			NewWeb(Politeness{}, hosts...)
		})
	}
}

// A thousand hosts, asked by a goroutine each: what a test of politeness costs before the crawler does.
func BenchmarkThousandHosts(b *testing.B) {
	n := NewNetwork()
	defer n.Close()
	w := Generate(Plan{Hosts: 1000, Pages: 10, Plain: true})
	w.Serve(n)
	client := through(n)
	requests := 0
	for b.Loop() {
		var all sync.WaitGroup
		for i := range 1000 {
			all.Go(func() {
				for _, path := range []string{"/robots.txt", "/", "/p1", "/p2", "/p3"} {
					if answer, err := client.Get("http://" + name(i) + path); err == nil {
						io.Copy(io.Discard, answer.Body)
						answer.Body.Close()
					}
				}
			})
		}
		all.Wait()
		requests += 5000
	}
	if len(w.Visits()) != requests {
		b.Fatalf("%d requests arrived of %d", len(w.Visits()), requests)
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(requests)*1e6, "µs/request")
}

func BenchmarkAllowed(b *testing.B) {
	w := served(Generate(Plan{Hosts: 1000, Pages: 10}))
	for b.Loop() {
		w.Allowed()
	}
}
