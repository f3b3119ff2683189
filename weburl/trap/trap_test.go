package trap

import (
	"fmt"
	"strings"
	"testing"
)

func TestRules(t *testing.T) {
	for _, tc := range []struct{ url, rule string }{
		{"http://a/", ""},
		{"http://a", ""},
		{"mailto:x@a", ""},
		{"http://a/wiki/Aircraft_engine", ""},
		{"http://a/2019/05/12/a-landing-gear-of-its-own", ""},
		{"http://a/01/01/01/", ""},
		{"http://a/a/a/a/b.html", ""},
		{"http://a/en/en/index.html", ""},
		{"http://a/news/news/news/", PathRepetition},
		{"http://a/x/news/y/news/z/news/w/news", PathRepetition},
		{"http://a/ab/cd/ab/cd/ab/cd/", PathRepetition},
		{"http://a/ab/cd/ab/cd/", ""},
		{"http://a/ab/1/2/ab/1/2/ab/1/2", PathRepetition},
		{"http://a/1/2/1/2/1/2", ""},
		{"http://a/" + strings.Repeat("x/y", 700), LongURL},
		{"http://a" + strings.Repeat("/", 40), ""},
		{"http://a/" + segments(31), DeepPath},
		{"http://a/" + segments(30), ""},
		{"http://a/?" + strings.Repeat("a=1&", 20) + "a=1", ManyParameters},
		{"http://a/cal/9999/12", Calendar},
		{"http://a/cal?month=0001-01", Calendar},
		{"http://a/cal?year=2200&month=3", Calendar},
		{"http://a/1850/03/", ""},
		{"http://a/paper/2400/13", ""},
	} {
		ok, rule := New(Options{}).Admit(tc.url)
		if rule != tc.rule || ok != (tc.rule == "") {
			t.Errorf("%.80s: %v %q, want %q", tc.url, ok, rule, tc.rule)
		}
	}
}

// segments makes a path of different ones.
func segments(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "p%d/", i)
	}
	return b.String()
}

// TestPairs asks for a second URL after a first.
func TestPairs(t *testing.T) {
	const id = "0123456789abcdef0123456789abcdef"
	for _, tc := range []struct{ first, second, rule string }{
		{"http://a/x;jsessionid=A1", "http://a/x;jsessionid=B2", SessionID},
		{"http://a/x;jsessionid=A1", "http://a/y;jsessionid=A1", ""},
		{"http://a/x;v=1", "http://a/x;v=2", ""},
		{"http://a/x?PHPSESSID=1&p=2", "http://a/x?p=2&PHPSESSID=3", SessionID},
		{"http://a/x?sid=" + id, "http://a/x?sid=f" + id, SessionID},
		{"http://a/x?sid=1", "http://a/x?sid=2", ""},
		{"http://a/x?s=shoes", "http://a/x?s=hats", ""},
		{"http://a/(S(abcdef))/x", "http://a/(S(fedcba))/x", SessionID},
		{"http://a/Boeing_(aircraft)", "http://a/Airbus_(aircraft)", ""},
		{"http://a/x?b=1&a=2", "http://a/x?a=2&b=1", Permutation},
		{"http://a/x?b=1&a=2", "http://a/x?a=1&b=2", ""},
		{"http://a/x?b=1&a=2", "http://b/x?a=2&b=1", ""},
	} {
		g := New(Options{})
		g.Admit(tc.first)
		if ok, rule := g.Admit(tc.second); rule != tc.rule || ok != (tc.rule == "") {
			t.Errorf("%s, then %s: %v %q, want %q", tc.first, tc.second, ok, rule, tc.rule)
		}
	}
}

// endless are sites without end, each a URL for every number, and how many of it are admitted.
func endless() map[string]struct {
	url  func(i int) string
	most int
} {
	type site = struct {
		url  func(i int) string
		most int
	}
	return map[string]site{
		"months":   {func(i int) string { return fmt.Sprintf("http://a/cal/%d/%d", 1990+i/12, 1+i%12) }, 366},
		"days":     {func(i int) string { return fmt.Sprintf("http://a/cal?d=2%03d-%02d-%02d", i/336, 1+i/28%12, 1+i%28) }, 366},
		"weeks":    {func(i int) string { return fmt.Sprintf("http://a/cal?week=%d&year=%d", i%52, 1990+i/52) }, 366},
		"sessions": {func(i int) string { return fmt.Sprintf("http://a/x?PHPSESSID=%d", i) }, 1},
		"nested":   {func(i int) string { return "http://a/" + strings.Repeat("shop/cart/", i) }, 3},
		"facets":   {func(i int) string { return fmt.Sprintf("http://a/s?c=%d&p=%d&q=%d", i, i, i) }, 1000},
		"values":   {func(i int) string { return fmt.Sprintf("http://a/s?q=%d", i) }, 20_000},
		"sites of facets": {func(i int) string {
			return fmt.Sprintf("http://a/s%d?c=%d&p=%d&q=%d", i%100, i, i, i)
		}, 5000},
		"items": {func(i int) string { return fmt.Sprintf("http://a/item/%d", i) }, 30_000},
	}
}

// TestEndless: sites without end are given as much as their budgets, whether the guard was interrupted
// or not; a site of numbered items is none of them.
func TestEndless(t *testing.T) {
	for name, site := range endless() {
		g, again := New(Options{}), New(Options{})
		admitted := 0
		for i := range 30_000 {
			if name == "nested" && i > 1000 {
				break // each URL is longer than the one before
			}
			if i == 200 {
				for j := 199; j >= 0; j-- {
					if ok, _ := New(Options{}).Admit(site.url(j)); ok && j < admitted {
						again.Note(site.url(j))
					}
				}
			}
			ok, rule := g.Admit(site.url(i))
			if ok {
				admitted++
			}
			if i < 200 {
				continue
			}
			if ok2, rule2 := again.Admit(site.url(i)); ok2 != ok || rule2 != rule {
				t.Fatalf("%s, %d: %v %q without an interruption, %v %q with one", name, i, ok, rule, ok2, rule2)
			}
		}
		if admitted > site.most || admitted < site.most*9/10 {
			t.Errorf("%s: %d were admitted, want %d", name, admitted, site.most)
		}
	}
}

func FuzzAdmit(f *testing.F) {
	for _, seed := range []string{"http://a/b/c;d=e?f=g&h", "http://a/(S(x))/2020-01", "http://a/?year=2020&month=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, url string) {
		g, again := New(Options{}), New(Options{})
		first, rule := g.Admit(url)
		if first != (rule == "") {
			t.Errorf("%q: %v and %q", url, first, rule)
		}
		if first {
			again.Note(url)
			ok, rule := g.Admit(url)
			if ok2, rule2 := again.Admit(url); ok2 != ok || rule2 != rule {
				t.Errorf("%q: a second time %v %q, after a note %v %q", url, ok, rule, ok2, rule2)
			}
		}
	})
}

func BenchmarkAdmit(b *testing.B) {
	for name, url := range map[string]string{
		"plain": "http://www.example.org/wiki/Aircraft_engine.html",
		"query": "http://www.example.org/list?category=aircraft&page=7",
	} {
		b.Run(name, func(b *testing.B) {
			g := New(Options{Values: 1 << 30, Queries: 1 << 30})
			b.ReportAllocs()
			for b.Loop() {
				g.Admit(url)
			}
		})
	}
}
