package gate

import (
	"fmt"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/robots"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/step"
)

// TestRulesAreBounded: with many hosts, the rules of few are in memory, and evicted rules are reread correctly, whatever
// the answer was.
func TestRulesAreBounded(t *testing.T) {
	const hosts, room = 3000, 100_000
	g, err := New(crawlfile.Scope{}, nil, true, "orbweaver")
	if err != nil {
		t.Fatal(err)
	}
	g.Spill(t.TempDir())
	g.hosts.budget, g.hosts.known.Recent = room, 50
	whole, err := New(crawlfile.Scope{}, nil, true, "orbweaver")
	if err != nil {
		t.Fatal(err)
	}
	filler := strings.Repeat("# what nobody reads\n", 100)
	for n := range hosts {
		host := fmt.Sprintf("http://h%d.test", n)
		response := &step.Response{Status: 200}
		payload, problem := fmt.Appendf(nil, "%sUser-agent: *\nDisallow: /%d\nCrawl-delay: %d\n", filler, n, n%60), error(nil)
		switch n % 10 {
		case 7:
			response.Status = 404
		case 8:
			response, problem = nil, fmt.Errorf("fetch: %w", orbweaver.ErrPrivate)
		case 9:
			response.Status = 301
		}
		for _, g := range []*Gate{g, whole} {
			g.Answer(host, robots.MaxHops, response, payload, problem)
		}
		if g.hosts.size > room || g.hosts.known.InMemory() > 200 || len(g.hosts.recent) != g.hosts.order.Len() {
			t.Fatalf("after %d hosts: %d bytes of rules, %d hosts in memory", n, g.hosts.size, g.hosts.known.InMemory())
		}
	}
	if len(whole.hosts.recent) != hosts || len(g.hosts.recent) > room/hostCost {
		t.Errorf("%d and %d hosts have their rules in memory", len(whole.hosts.recent), len(g.hosts.recent))
	}
	for n := range hosts {
		for _, path := range []string{fmt.Sprintf("/%d", n), "/x"} {
			url := fmt.Sprintf("http://h%d.test%s", n, path)
			ok, line := g.Admits(url)
			if wantOK, want := whole.Admits(url); ok != wantOK || line != want {
				t.Fatalf("%s: %t by %q, not %t by %q", url, ok, line, wantOK, want)
			}
		}
		host := fmt.Sprintf("http://h%d.test", n)
		rules, known := g.Rules(host)
		if want, _ := whole.Rules(host); !known || (rules == nil) != (want == nil) || rules != nil && rules.Delay != want.Delay {
			t.Fatalf("%s: %+v, not %+v", host, rules, want)
		}
	}
	if _, known := g.Rules("http://new.test"); known {
		t.Error("a host that was not met is known")
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
}

// TestRulesAreReadAgain: over an archive, evicted rules are read from it again.
func TestRulesAreReadAgain(t *testing.T) {
	const hosts = 50
	b, reads := newRulebook(), 0
	b.budget = 5 * hostCost
	rulesOf := func(host string) *robots.Rules {
		return robots.Parse([]byte("User-agent: *\nDisallow: /"+host+"\n"), "orbweaver")
	}
	b.read = func(host string) (*robots.Rules, int) { reads++; return rulesOf(host), 10 }
	for n := range hosts {
		host := fmt.Sprintf("h%d", n)
		if _, known := b.get(host, "orbweaver"); known {
			t.Fatalf("%s, which is new, is known", host)
		}
		b.put(host, rulesOf(host), robots.Answer{Status: 200})
	}
	for n := range hosts {
		host := fmt.Sprintf("h%d", n)
		rules, known := b.get(host, "orbweaver")
		if ok, _ := rules.Allows("/" + host); !known || ok || b.order.Len() > 5 {
			t.Errorf("%s: known %t, allowed %t; %d in memory", host, known, ok, b.order.Len())
		}
	}
	if reads < hosts-5 {
		t.Errorf("%d hosts were read again", reads)
	}
}
