package robots_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jimsmart/grobotstxt"

	"orbweaver/fetch/robots"
)

// forAll is a file whose rules are for every crawler.
func forAll(rules ...string) string {
	return "User-agent: *\n" + strings.Join(rules, "\n") + "\n"
}

func TestUserAgent(t *testing.T) {
	file := []byte("User-agent: orbweaver\nDisallow: /a\nUser-agent: *\nDisallow: /b")
	for _, agent := range []string{
		"orbweaver", "Orbweaver/1.0 (+http://example.org/bot)", "orbweaver 2",
		"Mozilla/5.0 (compatible; OrbWeaver/1.0; +https://example.org/bot)",
	} {
		rules := robots.Parse(file, agent)
		if ok, _ := rules.Allows("/a"); ok {
			t.Errorf("%s: its own group was passed over", agent)
		}
		if ok, _ := rules.Allows("/b"); !ok {
			t.Errorf("%s: everybody's group was taken", agent)
		}
	}
	for _, agent := range []string{"", "/1.0", "weaver", "orbweaver-news", "Mozilla/5.0 (compatible; )"} {
		if ok, _ := robots.Parse(file, agent).Allows("/b"); ok {
			t.Errorf("%q is not everybody", agent)
		}
	}
}

func TestDisallowed(t *testing.T) {
	rules := robots.Disallowed("robots.txt: 503")
	if ok, why := rules.Allows("/x"); ok || why != "robots.txt: 503" {
		t.Errorf("%v, %q", ok, why)
	}
	if ok, _ := rules.Allows("/robots.txt"); !ok {
		t.Error("robots.txt itself must stay allowed, or it is never asked for again")
	}
	var none *robots.Rules
	if ok, _ := none.Allows("/x"); !ok || none.Len() != 0 {
		t.Error("no rules forbid")
	}
	if ok, _ := new(robots.Rules).Allows("/x"); !ok {
		t.Error("the zero value forbids")
	}
}

// naive decides as the RFC is read aloud: every rule is tried, by the matcher of another
// implementation.
func naive(rules []string, path string) (allowed bool) {
	best, allowed := 0, true
	for _, line := range rules {
		key, pattern, _ := strings.Cut(line, ": ")
		allow := key == "Allow"
		longer := len(pattern) > best || len(pattern) == best && allow
		if pattern != "" && longer && grobotstxt.Matches(path, pattern) {
			best, allowed = len(pattern), allow
		}
	}
	return allowed
}

// narrow maps any bytes to rules, or a path, over an alphabet so small that patterns and paths often
// meet.
func narrow(raw []byte, alphabet string) string {
	var b strings.Builder
	for _, c := range raw {
		b.WriteByte(alphabet[int(c)%len(alphabet)])
	}
	return b.String()
}

// checkIndexed compares Allows with the naive answer.
func checkIndexed(t *testing.T, rawRules, rawPath []byte) {
	t.Helper()
	var rules []string
	for i, pattern := range strings.Split(narrow(rawRules, "/ab*$?\n\n"), "\n") {
		rules = append(rules, []string{"Disallow: /", "Allow: /", "Disallow: "}[i%3]+pattern)
	}
	path := "/" + narrow(rawPath, "/ab?ab")
	want := naive(rules, path)
	got, line := robots.Parse([]byte(forAll(rules...)), "orbweaver").Allows(path)
	if got != want {
		t.Fatalf("Allows(%q) = %v by %q, want %v, of\n%s", path, got, line, want, strings.Join(rules, "\n"))
	}
}

// The index finds what trying every rule finds.
func TestIndexMissesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	bytes := func(n int) []byte {
		raw := make([]byte, random.IntN(n))
		for i := range raw {
			raw[i] = byte(random.Uint32())
		}
		return raw
	}
	for range 50_000 {
		checkIndexed(t, bytes(60), bytes(8))
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte("/a*b$"), []byte("ab"))
	f.Fuzz(checkIndexed)
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /*a*b$"), "/xayb")
	f.Add([]byte("\xef\xbbuseragent orbweaver\rCrawl-delay: 1e999\r\nAllow: /a?b=%3a*%2A%zz$"), "/a?b=:%2f*$%")
	f.Fuzz(func(t *testing.T, file []byte, path string) {
		rules := robots.Parse(file, "orbweaver")
		allowed, line := rules.Allows(path)
		if !allowed && !strings.HasPrefix(line, "Disallow: ") || allowed && strings.HasPrefix(line, "Disallow") {
			t.Errorf("%v by %q", allowed, line)
		}
		if line != "" && rules.Len() == 0 {
			t.Errorf("%q decided, of no rules", line)
		}
		if rules.Delay < 0 || rules.Delay > robots.MaxAge {
			t.Errorf("delay %v", rules.Delay)
		}
	})
}

// The work for a pattern of many parts is one pass over the path. Trying each place for each part
// would take these longer than the age of the world.
func TestHostilePatterns(t *testing.T) {
	path := "/" + strings.Repeat("a", 100_000)
	for _, pattern := range []string{
		"/*a*a*a*a*b", "/" + strings.Repeat("*a", 1000) + "b", strings.Repeat("*", 10_000) + "b",
		"/" + strings.Repeat("*a", 1000) + "$b", "/*" + strings.Repeat("a", 1000) + "b",
	} {
		rules := robots.Parse([]byte(forAll("Disallow: "+pattern)), "x")
		if ok, line := rules.Allows(path); !ok {
			t.Errorf("forbidden by %.20q", line)
		}
		if ok, _ := rules.Allows(path + "b"); ok == !strings.Contains(pattern, "$") {
			t.Errorf("%.20q does not match", pattern)
		}
	}
}

// Rules by the ten thousand, each of which the path nearly matches: the answer comes at a bounded cost,
// and is no. A path that they are not about, or a shorter one, is answered as ever.
func TestHostileFile(t *testing.T) {
	var file strings.Builder
	file.WriteString(forAll("Allow: /free/", "Disallow: /*/private"))
	for i := range 20_000 {
		fmt.Fprintf(&file, "Disallow: /*e%d\n", i)
	}
	rules := robots.Parse([]byte(file.String()), "x")
	for _, tc := range []struct {
		path string
		want bool
		line string
	}{
		{"/" + strings.Repeat("ea0123456789", 170), false, "robots.txt: more rules than can be tried"},
		{"/free/" + strings.Repeat("z", 2000), true, "Allow: /free/"},
		{"/" + strings.Repeat("z", 2000), true, ""},
		{"/e19999", false, "Disallow: /*e19999"},
		{"/x/private", false, "Disallow: /*/private"},
	} {
		if ok, line := rules.Allows(tc.path); ok != tc.want || line != tc.line {
			t.Errorf("%.20s: %v by %q", tc.path, ok, line)
		}
	}
}

func TestAllowsAllocatesNothing(t *testing.T) {
	rules := robots.Parse([]byte(forAll("Disallow: /a", "Allow: /a/*/c?x=http://", "Disallow: /*.pdf$", "Disallow: /caf\u00e9")), "x")
	for _, path := range []string{"/a/b", "/a/b/c?x=http://e", "/x.pdf", "/a/*$", "/b"} {
		if n := testing.AllocsPerRun(100, func() { rules.Allows(path) }); n != 0 {
			t.Errorf("%s: %v allocations", path, n)
		}
	}
}

// Shapes of files for the benchmarks: %d is a number.
func BenchmarkAllows(b *testing.B) {
	const path = "/shop/en/catalogue/furniture/garden-chairs/item-4711.html?colour=green&ref=list&page=2"
	for _, tc := range []struct {
		name, rule string
		rules      int
	}{
		{"prefixes", "Disallow: /dir%d/", 10},
		{"prefixes", "Disallow: /dir%d/", 1000},
		{"prefixes", "Disallow: /d%d/", 30_000},
		{"queries", "Disallow: /*?sort%d=", 1000},
		{"wildcards", "Disallow: /*/item-%d", 10},
		{"wildcards", "Disallow: /*/item-%d", 1000},
		{"wildcards", "Disallow: /*a*e*i*o%d", 1000},
		{"wildcards", "Disallow: *e%d", 30_000},
	} {
		b.Run(fmt.Sprintf("%s %q of %d", tc.name, tc.rule, tc.rules), func(b *testing.B) {
			var file strings.Builder
			file.WriteString("User-agent: *\n")
			for i := range tc.rules {
				fmt.Fprintf(&file, tc.rule+"\n", i)
			}
			rules := robots.Parse([]byte(file.String()), "orbweaver")
			if ok, line := rules.Allows(path); !ok && !strings.Contains(line, "item-4") && tc.rules <= 1000 {
				b.Fatal(line)
			}
			b.ReportAllocs()
			for b.Loop() {
				rules.Allows(path)
			}
		})
	}
	b.Run("encoded path", func(b *testing.B) {
		rules := robots.Parse([]byte(forAll("Disallow: /caf\u00e9")), "orbweaver")
		b.ReportAllocs()
		for b.Loop() {
			rules.Allows("/caf%c3%a9/menu")
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{20, 1000, 30_000} {
		var file strings.Builder
		file.WriteString("User-agent: *\nCrawl-delay: 1\n")
		for i := range n {
			fmt.Fprintf(&file, "Disallow: /d%d/\n", i*7919%n)
		}
		body := []byte(file.String())
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				robots.Parse(body, "orbweaver")
			}
		})
	}
}
