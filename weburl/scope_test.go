package weburl

import (
	"strings"
	"testing"
)

func TestPatterns(t *testing.T) {
	for _, tc := range []struct {
		pattern, url string
		want         bool
	}{
		{"boeing.com", "http://boeing.com/", true},
		{"boeing.com", "https://www.boeing.com:8080/a", true},
		{"boeing.com", "http://notboeing.com/", false},
		{"boeing.com", "http://boeing.com.evil.test/", false},
		{"boeing.com", "http://evil.test/boeing.com", false},
		{"Boeing.COM", "http://www.boeing.com/", true},
		{"bücher.test", "http://xn--bcher-kva.test/", true},
		{"a.test:81", "http://a.test:81/", true},
		{"a.test:81", "http://www.a.test:81/", true},
		{"a.test:81", "http://a.test/", false},
		{"127.0.0.1", "http://127.0.0.1:9000/", true},
		{"a.test/b*", "http://a.test/b", true},
		{"a.test/b*", "http://www.a.test/bc/d?e", true},
		{"a.test/b*", "http://a.test/cb", false},
		{"a.test/b*", "http://ba.test/b", false},
		{"a.test/b", "http://a.test/b", true},
		{"a.test/b", "http://a.test/b/c", false},
		{"a.test/", "http://a.test/", true},
		{"a.test/", "http://a.test/b", false},
		{"a.test/*.pdf", "http://a.test/b/c.pdf", true},
		{"a.test/*.pdf", "http://a.test/b/c.pdf?d", false},
		{"a.test/*/x/*", "http://a.test/1/2/x/3", true},
		{"a.test/*/x/*", "http://a.test/x/3", false},
		{"a.test/*a*a", "http://a.test/a", false},
		{"a.test/ü*", "http://a.test/%C3%BCber", true},
		{"https://a.test", "http://a.test/", false},
		{"https://a.test", "https://a.test/b", true},
		{"https://a.test/b*", "https://a.test/b/c", true},
		{`/\.pdf$/`, "http://a.test/b.pdf", true},
		{`/\.pdf$/`, "http://a.test/b.pdfx", false},
		{`/^https:/`, "https://a.test/", true},
	} {
		s, err := CompileScope(nil, nil, []string{tc.pattern})
		if err != nil {
			t.Errorf("%q: %v", tc.pattern, err)
			continue
		}
		got, rule := s.Allows(tc.url)
		if got != tc.want || got && rule != tc.pattern {
			t.Errorf("%q, %s: %v by %q, want %v", tc.pattern, tc.url, got, rule, tc.want)
		}
	}
}

func TestOrderOfScope(t *testing.T) {
	s, err := CompileScope(
		[]string{"a.test/in*", "b.test"},
		[]string{"a.test/in/not*", "/secret/", "www.b.test"},
		[]string{"a.test", "b.test", "c.test"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		url  string
		ok   bool
		rule string
	}{
		{"http://a.test/in/x", true, "a.test/in*"},
		{"http://a.test/in/not/x", false, "a.test/in/not*"},
		{"http://a.test/out", false, ""},
		{"http://b.test/secret", false, "/secret/"},
		{"http://www.b.test/", false, "www.b.test"},
		{"http://w.b.test/", true, "b.test"},
		{"http://c.test/", false, ""},
		{"http://d.test/secret", false, ""},
	} {
		if ok, rule := s.Allows(tc.url); ok != tc.ok || rule != tc.rule {
			t.Errorf("%s: %v by %q, want %v by %q", tc.url, ok, rule, tc.ok, tc.rule)
		}
	}
}

func TestScopeOfNothingAllowsAll(t *testing.T) {
	empty, err := CompileScope(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Scope{nil, empty} {
		if ok, rule := s.Allows("http://a.test/"); !ok || rule != "" {
			t.Errorf("%v by %q", ok, rule)
		}
	}
}

func TestAllProblemsOfAScopeComeAtOnce(t *testing.T) {
	wrong := []string{"", "/(/", "//", "*.a.test", "ftp://a.test", "a b.test", "a*.test", "/a"}
	_, err := CompileScope(wrong[:2], wrong[2:4], append(wrong[4:], "fine.test"))
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != len(wrong) {
		t.Fatalf("%d problems, want %d:\n%v", len(lines), len(wrong), err)
	}
	for i, list := range []string{"include", "include", "exclude", "exclude", "hosts", "hosts", "hosts", "hosts"} {
		if !strings.Contains(lines[i], list) || !strings.Contains(lines[i], wrong[i]) {
			t.Errorf("problem %d names neither %q nor %q: %s", i, list, wrong[i], lines[i])
		}
	}
}

func FuzzCompileScope(f *testing.F) {
	f.Add("a.test/*b*c", "http://a.test/xbyc")
	f.Add(`/x+/`, "http://a.test/x")
	f.Add("http://[::1]:8/*", "http://[::1]:8/")
	f.Fuzz(func(t *testing.T, pattern, url string) {
		s, err := CompileScope([]string{pattern}, nil, nil)
		if err != nil {
			return
		}
		if ok, rule := s.Allows(url); ok && rule != strings.TrimSpace(pattern) {
			t.Errorf("%q, %q: allowed by %q", pattern, url, rule)
		}
	})
}

func BenchmarkAllows(b *testing.B) {
	s, err := CompileScope([]string{"a.test/wiki/*"}, []string{"boeing.com", `/\.pdf$/`}, []string{"a.test", "b.test"})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Allows("http://www.a.test/wiki/Some_page.html")
	}
}
