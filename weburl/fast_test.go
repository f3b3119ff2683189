package weburl

import (
	"strings"
	"testing"

	"github.com/nlnwa/whatwg-url/url"
)

// oracle answers as the library alone would.
func oracle(base, ref string) (string, error) {
	var parsed *url.Url
	if base != "" {
		u, err := url.Parse(base)
		if err != nil {
			return "", err
		}
		parsed = u
	}
	return standard(trim(ref), parsed, true)
}

// checkFast holds what the fast path accepts against the oracle.
func checkFast(t *testing.T, base, ref string) {
	t.Helper()
	if fast, ok := appendAbsolute(nil, trim(ref)); ok {
		want, err := oracle("", ref)
		if err != nil || string(fast) != want {
			t.Errorf("absolute %q: fast %q, standard %q, %v", ref, fast, want, err)
		}
	}
	b, err := NewBase(base)
	if err != nil || len(ref) > MaxLength {
		return
	}
	got, gotErr := b.Resolve(ref)
	want, wantErr := oracle(b.String(), ref)
	if got != want || (gotErr == nil) != (wantErr == nil) {
		t.Errorf("base %q, reference %q: got %q, %v; standard %q, %v", base, ref, got, gotErr, want, wantErr)
	}
	if gotErr == nil {
		checkCanonical(t, got)
	}
}

// checkCanonical says that canonical form is a fixed point, and that its parts are found in it.
func checkCanonical(t *testing.T, canonical string) {
	t.Helper()
	again, err := Canonical(canonical)
	if err != nil || again != canonical {
		t.Errorf("canonical form of %q is %q, %v", canonical, again, err)
	}
	if Hostname(canonical) == "" || !strings.Contains(Host(canonical), Hostname(canonical)) {
		t.Errorf("%q: host %q, host name %q", canonical, Host(canonical), Hostname(canonical))
	}
}

// spellings are references that tempt a hand-written parser.
func spellings() []string {
	return []string{
		"", "#", "#top", "?", "?q=a b", "?q=1#x", "/", "//", "///", "/a", "/a/../b", "/../..", "a", "./a", "../a",
		"../../../a", "a/..", "a/.", "a/./b", "a/b/../../c", "..", ".", "a//../b", "//../b", "a/%2e%2e/b",
		"%2E", ".%2e", "%2e.", "%2e%2E/x", ".htaccess", "..a", "...", "a;b=c", "a:b", "a b", "a\tb", "java\nscript:x",
		"javascript:void(0)", "mailto:x@a.test", "tel:1", "data:,x", "HTTP://A.test", "http:a", "http:/a", "http:///a",
		"https:a", "https://b.test", "http://b.test:80/", "https://b.test:443/", "http://b.test:443/",
		"http://b.test:8080", "http://b.test:08080", "http://b.test:", "http://b.test:99999", "http://b.test:0/",
		"//b.test/x", "//B.Test:80", "//b.test?x", "//b.test#x", "http://b.test?x", "http://b.test\\x", "\\x",
		"http://1.2.3.4/", "http://0x7f.1/", "http://127.1", "http://[::1]:80/", "http://b..test/", "http://.b/",
		"http://b.test./", "http://xn--a/", "http://xn--bcher-kva.test/", "http://bücher.test/ü?ü", "http://a_b.test/",
		"http://-a.test/", "http://ab--c.test/", "http://u:p@b.test/", "http://@b.test/", "http://b.test/a|b^c`d{e}",
		"http://b.test/\"<>", "http://b.test/?'\"<>`{}|^", "http://b.test/%", "http://b.test/%zz", "http://b.test/a%20b",
		"http://b.test/\xff", "http://b.test/\x00", " http://b.test/ ", "http://b.test/ #x", "http://%62.test/",
		"http://0.0.0.0/", "http://255.255.255.255:80/x", "http://256.1.1.1/", "http://1.2.3/", "http://1.2.3.4.5/", "http://01.2.3.4/",
		"http://1.2.3.4./", "http://1..3.4/", "http://1.2.3.04/", "http://1.2.3.1000/", "http://1.2.3.a/", "http://00.0.0.0/", "//10.0.0.1/x",
		"http://b.1/", "http://b.1a/", "http://1a/", "http://a", "http://a.b-/", "ftp://b.test/", "://x", ":", "1:x", "+:x",
		"http://b.test/a/b/c/./../../g", "mid/content=5/../6", "http://b.test/..%2f", "%2e%2", "a/%2", "//b.test:",
	}
}

func TestFastPathIsTheStandard(t *testing.T) {
	for _, base := range []string{
		"http://a.test/b/c/d;p?q", "https://a.test", "http://a.test:8080/x/", "http://u:p@a.test/x/y", "http://[::1]/a/b?c/d",
		"http://a.test//x//y",
	} {
		for _, ref := range spellings() {
			checkFast(t, base, ref)
		}
	}
}

func FuzzResolve(f *testing.F) {
	for _, ref := range spellings() {
		f.Add("http://a.test/b/c/d;p?q", ref)
		f.Add(ref, "../x/./y?z")
	}
	f.Fuzz(checkFast)
}

func TestResolveAllocatesItsAnswerAlone(t *testing.T) {
	b := mustBase(t, "http://a.test/wiki/Start.html")
	for _, ref := range []string{"Other.html", "../x/y?z=1", "/a/b", "https://b.test/c#d", "//b.test/c"} {
		if n := testing.AllocsPerRun(100, func() { _, _ = b.Resolve(ref) }); n > 1 {
			t.Errorf("%q: %v allocations", ref, n)
		}
	}
}

func mustBase(t testing.TB, absolute string) *Base {
	t.Helper()
	b, err := NewBase(absolute)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func BenchmarkResolve(b *testing.B) {
	base := mustBase(b, "http://a.test/wiki/Start.html")
	for _, bench := range []struct{ name, ref string }{
		{"relative", "../wiki/Some_other_page.html#section"},
		{"absolute", "https://www.example.test/wiki/Some_other_page.html"},
		{"standard", "/wiki/Bücher und mehr.html"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = base.Resolve(bench.ref)
			}
		})
	}
}
