package access

import (
	"crypto/x509"
	"net/http"
	"net/url"
	"slices"
	"testing"
)

// entryOf returns the headers of an entry as text.
func entryOf(e Entry) (lines []string) {
	for _, f := range e.Fields {
		lines = append(lines, f.Name+": "+f.Value)
	}
	return lines
}

func newAccess(t *testing.T, sections ...Section) *Access {
	t.Helper()
	jar, err := OpenJar("", "", "")
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(sections, jar)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestFor(t *testing.T) {
	a := newAccess(t,
		Section{Hosts: []string{"https://api.example.org/v1/*"}, Authorization: "Bearer one"},
		Section{Hosts: []string{"example.org"}, Authorization: "Basic two", Headers: []Field{{"X-Key", "k", true}, {"Accept-Language", "de", false}}},
		Section{Hosts: []string{"http://intranet.test", `/^https?:\/\/wiki\.test\//`}, Headers: []Field{{"X-Key", "own", true}}},
		Section{Hosts: []string{"example.org", "intranet.test"}, Headers: []Field{{"x-key", "later", false}, {"X-More", "m", false}}},
	)
	var withheld []string
	a.Withheld = func(host string) { withheld = append(withheld, host) }
	for _, tc := range []struct {
		name, url string
		want      []string
	}{
		{"the first section with a setting counts", "https://api.example.org/v1/x", []string{"Authorization: Bearer one", "X-Key: k", "Accept-Language: de", "X-More: m"}},
		{"another path, another section", "https://api.example.org/v2/x", []string{"X-Key: k", "Accept-Language: de", "Authorization: Basic two", "X-More: m"}},
		{"no secret over plain http", "http://example.org/", []string{"Accept-Language: de", "x-key: later", "X-More: m"}},
		{"but where the pattern names it", "http://intranet.test/a", []string{"X-Key: own", "X-More: m"}},
		{"a pattern of http is not one of https", "https://intranet.test/a", []string{"x-key: later", "X-More: m"}},
		{"an expression over the whole URL", "http://wiki.test/", []string{"X-Key: own"}},
		{"a host that ends in the same letters", "https://notexample.org/", nil},
		{"a host with the name in its path", "https://evil.test/https://wiki.test/", nil},
		{"a host with the name before it", "https://example.org.evil.test/", nil},
	} {
		if got := entryOf(a.For(tc.url)); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %s: %q, want %q", tc.name, tc.url, got, tc.want)
		}
	}
	a.For("http://example.org/again")
	if !slices.Equal(withheld, []string{"http://example.org"}) {
		t.Errorf("told of %q", withheld)
	}
	if e := (*Access)(nil).For("https://example.org/"); e.Fields != nil {
		t.Error(e)
	}
}

func TestRoute(t *testing.T) {
	near, far := &url.URL{Scheme: "socks5", Host: "near.test"}, &url.URL{Scheme: "http", Host: "far.test"}
	pool := x509.NewCertPool()
	a := newAccess(t, Section{Hosts: []string{"a.test"}, Proxy: near}, Section{Hosts: []string{"a.test", "b.test"}, Proxy: far, Authorities: pool})
	for at, want := range map[string]Route{"https://a.test/": {Proxy: near, Authorities: pool}, "https://b.test/": {Proxy: far, Authorities: pool}, "https://c.test/": {}} {
		if got := a.For(at).Route; got != want {
			t.Errorf("%s: %v, want %v", at, got, want)
		}
	}
}

// TestTook: cookies of a section go back to its hosts alone, are in no header that is handed out, and nothing is kept for others.
func TestTook(t *testing.T) {
	a := newAccess(t, Section{Hosts: []string{"a.test", "http://plain.test"}, Cookies: true}, Section{Hosts: []string{"open.test"}, Cookies: true, Archive: true})
	take := func(from, line string) http.Header {
		h := http.Header{"Set-Cookie": {line}, "X": {"y"}}
		a.Took(a.For(from), from, "", h)
		return h
	}
	if h := take("https://www.a.test/in/form", "sid=1; Domain=a.test; Path=/; Secure; HttpOnly"); len(h) != 1 {
		t.Errorf("handed out: %v", h)
	}
	take("https://www.a.test/in/form", "here=2")
	take("https://www.a.test/", "foreign=3; Domain=b.test")
	take("https://www.a.test/", "all=4; Domain=test")
	take("http://www.a.test/", "forced=5; Path=/")
	take("http://plain.test/", "plain=6")
	if h := take("https://b.test/", "b=7"); len(h) != 2 {
		t.Errorf("no section: %v", h)
	}
	if h := take("https://open.test/", "o=8"); len(h) != 2 {
		t.Errorf("archived: %v", h)
	}
	for at, want := range map[string]string{
		"https://www.a.test/in/next": "here=2; sid=1",
		"https://a.test/":            "sid=1",
		"http://a.test/":             "",
		"https://b.test/":            "",
		"https://other.test/":        "",
		"http://plain.test/x":        "plain=6",
		"https://open.test/":         "o=8",
	} {
		got := ""
		for _, f := range a.For(at).Fields {
			got += f.Value
		}
		if got != want {
			t.Errorf("%s gets %q, want %q", at, got, want)
		}
	}
	take("https://www.a.test/out", "sid=; Domain=a.test; Path=/; Max-Age=0")
	if e := a.For("https://a.test/"); e.Fields != nil {
		t.Errorf("after its end: %v", e.Fields)
	}
}
