package weburl

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	for _, tc := range []struct{ name, raw, want string }{
		{"as it is", "http://a.test/b?c", "http://a.test/b?c"},
		{"host in lower case, path as written", "http://A.Test/B", "http://a.test/B"},
		{"an empty path is a slash", "https://a.test", "https://a.test/"},
		{"the scheme's own port goes", "https://a.test:443/", "https://a.test/"},
		{"another port stays", "https://a.test:80/", "https://a.test:80/"},
		{"the fragment goes", "http://a.test/b#c", "http://a.test/b"},
		{"an empty query stays", "http://a.test/?", "http://a.test/?"},
		{"dot segments are resolved", "http://a.test/b/./c/../d", "http://a.test/b/d"},
		{"never above the root", "http://a.test/../b", "http://a.test/b"},
		{"white space around goes", " \n http://a.test/ \t", "http://a.test/"},
		{"internationalised names are encoded", "http://bücher.test/ü", "http://xn--bcher-kva.test/%C3%BC"},
		{"addresses are written one way", "http://0x7f.1/", "http://127.0.0.1/"},
		{"upper-case scheme", "HTTP://a.test/", "http://a.test/"},
	} {
		if got, err := Canonical(tc.raw); got != tc.want || err != nil {
			t.Errorf("%s: %q gives %q, %v; want %q", tc.name, tc.raw, got, err, tc.want)
		}
	}
}

func TestCanonicalRefusesAndNames(t *testing.T) {
	for _, raw := range []string{
		"", "a.test", "/a", "mailto:x@a.test", "ftp://a.test/", "javascript:void(0)", "http://", "http://a b/",
		"http://a.test:99999/", "http://1.2.3.4.5/", "file:///etc/passwd", "data:text/html,x",
		"http://a.test/" + strings.Repeat("x", MaxLength),
		"http://a.test/" + strings.Repeat("ü", MaxLength/4), // short as given, long when encoded
	} {
		got, err := Canonical(raw)
		if err == nil {
			t.Errorf("%.60q gives %.60q", raw, got)
			continue
		}
		if head := raw[:min(len(raw), 20)]; !strings.Contains(err.Error(), head) {
			t.Errorf("%.60q: the error does not name it: %v", raw, err)
		}
	}
}

// TestWHATWG runs the standard's own test data, which the library keeps in its source, as far as it
// concerns http(s) and no fragment.
func TestWHATWG(t *testing.T) {
	exceptions := 0
	for _, tc := range standardCases(t) {
		if tc.Base != nil && !strings.HasPrefix(*tc.Base, "http") {
			continue
		}
		got, err := resolveCase(tc.Base, tc.Input)
		want, _, _ := strings.Cut(tc.Href, "#")
		if scheme, rest, ok := strings.Cut(want, "://"); ok { // a user name and password are left out
			authority, _, _ := strings.Cut(rest, "/")
			want = scheme + "://" + rest[strings.LastIndexByte(authority, '@')+1:]
		}
		if !strings.HasPrefix(want, "http:") && !strings.HasPrefix(want, "https:") {
			want = ""
		}
		if want == "" && err == nil || want != "" && got != want {
			exceptions++
			t.Logf("input %q, base %v: got %q, %v; want %q", tc.Input, tc.Base, got, err, want)
		}
	}
	if exceptions > 0 {
		t.Errorf("%d cases differ from the standard", exceptions)
	}
}

// A standardCase is one case of urltestdata.json.
type standardCase struct {
	Input string
	Base  *string
	Href  string
}

// standardCases reads the test data from the library's source, as far as that is on this machine.
func standardCases(t *testing.T) []standardCase {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/nlnwa/whatwg-url").Output()
	if err != nil {
		t.Skip("the go command does not find the source of github.com/nlnwa/whatwg-url: ", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "testdata", "urltestdata.json"))
	if err != nil {
		t.Skip("no test data of the WHATWG URL Standard: ", err)
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	var cases []standardCase
	for _, r := range raw {
		var c standardCase
		if json.Unmarshal(r, &c) == nil { // comments are strings
			cases = append(cases, c)
		}
	}
	if len(cases) < 500 {
		t.Fatalf("only %d cases", len(cases))
	}
	return cases
}

// resolveCase resolves as a caller would.
func resolveCase(base *string, input string) (string, error) {
	if base == nil || *base == "" {
		return Bare(input)
	}
	b, err := NewBase(*base)
	if err != nil {
		return "", err
	}
	return b.Resolve(input)
}

func TestHosts(t *testing.T) {
	for _, tc := range []struct{ url, host, name, domain string }{
		{"http://a.test/b", "http://a.test", "a.test", "a.test"},
		{"https://www.a.test:8443/b?c=http://d.test/", "https://www.a.test:8443", "www.a.test", "a.test"},
		{"http://u:p@a.test:81/", "http://a.test:81", "a.test", "a.test"},
		{"http://news.bbc.co.uk/", "http://news.bbc.co.uk", "news.bbc.co.uk", "bbc.co.uk"},
		{"http://co.uk/", "http://co.uk", "co.uk", "co.uk"},
		{"http://me.github.io/", "http://me.github.io", "me.github.io", "me.github.io"},
		{"http://a.test./", "http://a.test.", "a.test.", "a.test"},
		{"http://127.0.0.1:80/", "http://127.0.0.1:80", "127.0.0.1", "127.0.0.1"},
		{"http://[::1]:81/", "http://[::1]:81", "[::1]", "[::1]"},
		{"http://localhost/", "http://localhost", "localhost", "localhost"},
		{"nonsense", "", "", ""},
	} {
		name := Hostname(tc.url)
		if got := Host(tc.url); got != tc.host {
			t.Errorf("%s: host %q, want %q", tc.url, got, tc.host)
		}
		if name != tc.name {
			t.Errorf("%s: host name %q, want %q", tc.url, name, tc.name)
		}
		if got := PayLevelDomain(name); got != tc.domain {
			t.Errorf("%s: pay-level domain %q, want %q", tc.url, got, tc.domain)
		}
	}
}

func TestTarget(t *testing.T) {
	for _, tc := range [][3]string{
		{"http://a.test/b/c", "../d?e#f", "http://a.test/d?e"}, {"http://a.test/", "HTTPS://B.test", "https://b.test/"},
		{"http://a.test/", "", ""}, {"http://a.test/", "mailto:x@a.test", ""}, {"a.test", "/b", ""},
	} {
		if got := Target(tc[0], tc[1]); got != tc[2] {
			t.Errorf("%s from %s: %q, want %q", tc[1], tc[0], got, tc[2])
		}
	}
}
