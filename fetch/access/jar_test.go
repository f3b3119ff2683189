package access

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"orbweaver"
)

const keyText = "0123456789abcdef0123456789abcdef\n"

func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestJarLasts: a jar with a key survives the session, sealed; with another key, damaged, or without a long key it does not open.
func TestJarLasts(t *testing.T) {
	dir := t.TempDir()
	file, key := filepath.Join(dir, "cookies.jar"), put(t, filepath.Join(dir, "key"), keyText)
	j, err := OpenJar(file, key, "")
	if err != nil {
		t.Fatal(err)
	}
	j.writes = true
	j.set("https://a.test/x/y", []string{"sid=secret-value; Max-Age=3600", "session=kept-too; Path=/", "old=gone; Expires=Thu, 01 Jan 2015 00:00:00 GMT"})
	j.end("https://a.test/login", "https://a.test/home")
	if err := j.Save(); err != nil {
		t.Fatal(err)
	}
	sealed, err := os.ReadFile(file)
	if err != nil || bytes.Contains(sealed, []byte("secret-value")) || bytes.Contains(sealed, []byte("a.test")) {
		t.Errorf("the file tells: %v", err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	again, err := OpenJar(file, key, "")
	if err != nil {
		t.Fatal(err)
	}
	if got := again.line("https://a.test/x/z"); got != "sid=secret-value; session=kept-too" {
		t.Errorf("kept %q", got)
	}
	if got := again.endOf("https://a.test/login"); got != "https://a.test/home" {
		t.Errorf("login ended at %q", got)
	}
	if _, err := OpenJar(file, put(t, filepath.Join(dir, "other"), strings.Repeat("x", 40)), ""); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "does not open it") {
		t.Errorf("another key: %v", err)
	}
	if _, err := OpenJar(file, put(t, filepath.Join(dir, "short"), "hunter2"), ""); !errors.Is(err, orbweaver.ErrInput) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a short key: %v", err)
	}
	sealed[len(sealed)-1] ^= 1
	put(t, file, string(sealed))
	if _, err := OpenJar(file, key, ""); err == nil {
		t.Error("a damaged jar opens")
	}
}

// TestJarBegins: a cookie file counts while it is newer than the jar.
func TestJarBegins(t *testing.T) {
	dir := t.TempDir()
	from := put(t, filepath.Join(dir, "c.txt"), "a.test\tFALSE\t/\tTRUE\t0\tsid\tfirst\n")
	file, key := filepath.Join(dir, "cookies.jar"), put(t, filepath.Join(dir, "key"), keyText)
	j, err := OpenJar(file, key, from)
	if err != nil {
		t.Fatal(err)
	}
	j.writes = true
	j.set("https://a.test/", []string{"sid=second; Path=/; Secure"})
	if err := j.Save(); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(from, old, old); err != nil {
		t.Fatal(err)
	}
	if j, err = OpenJar(file, key, from); err != nil || j.line("https://a.test/") != "sid=second" {
		t.Errorf("the jar is newer: %q, %v", j.line("https://a.test/"), err)
	}
	put(t, from, "a.test\tFALSE\t/\tTRUE\t0\tsid\tthird\n")
	soon := time.Now().Add(time.Hour)
	if err := os.Chtimes(from, soon, soon); err != nil {
		t.Fatal(err)
	}
	if err := j.Refresh(); err != nil || j.line("https://a.test/") != "sid=third" {
		t.Errorf("the file is newer: %q, %v", j.line("https://a.test/"), err)
	}
}

// TestJarBounds: a hostile host fills neither the jar nor a request.
func TestJarBounds(t *testing.T) {
	j, err := OpenJar("", "", "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 * maxOfHost {
		j.set("https://a.test/", []string{fmt.Sprintf("c%d=%s", i, strings.Repeat("x", 1000))})
	}
	j.set("https://a.test/", []string{"long=" + strings.Repeat("x", maxSetting)})
	if n := len(j.kept); n != maxOfHost {
		t.Errorf("%d cookies of one host", n)
	}
	if n := len(j.line("https://a.test/")); n > maxSent {
		t.Errorf("%d bytes are sent", n)
	}
	for i := range maxCookies {
		j.set(fmt.Sprintf("https://h%d.test/", i), []string{"a=b"})
	}
	if n := len(j.kept); n != maxCookies {
		t.Errorf("%d cookies", n)
	}
}

// TestSetting: what is sent after an answer with Set-Cookie headers, as RFC 6265bis has it.
func TestSetting(t *testing.T) {
	const at = "https://a.test/in/form"
	for _, tc := range []struct {
		name, from string
		lines      []string
		to, want   string
	}{
		{"a name and a value", at, []string{"a=b"}, "https://a.test/in/x", "a=b"},
		{"the path of the page", at, []string{"a=b"}, "https://a.test/", ""},
		{"no name", at, []string{"=v; Path=/"}, at, "v"},
		{"not even an equals sign", at, []string{"v; Path=/"}, at, "v"},
		{"no name, and an equals sign in the value", at, []string{"=a=b"}, at, "a=b"},
		{"no name after one", at, []string{"a=b", "v"}, at, "a=b; v"},
		{"no name twice", at, []string{"v", "=w"}, at, "w"},
		{"nothing", at, []string{"", "=", " ; Path=/"}, at, ""},
		{"a name alone", at, []string{"a="}, at, "a="},
		{"UTF-8", at, []string{"größe=ä€😀"}, at, "größe=ä€😀"},
		{"bytes of another encoding", at, []string{"a=\xe9"}, at, "a=\xe9"},
		{"blanks, commas and backslashes", at, []string{`a=b c,d\e"f`}, at, `a=b c,d\e"f`},
		{"quotes are part of the value", at, []string{`a="b c"`}, at, `a="b c"`},
		{"brackets in a name", at, []string{"a[0]=b", "c(d)=e"}, at, "a[0]=b; c(d)=e"},
		{"a blank in a name", at, []string{"a b=c"}, at, "a b=c"},
		{"blanks about both", at, []string{" a = b ; path = / "}, "https://a.test/", "a=b"},
		{"a control", at, []string{"a=b\x01", "c\x7f=d", "e=f\ng"}, at, ""},
		{"a tab", at, []string{"a=b\tc"}, at, "a=b\tc"},
		{"a path that is none", at, []string{"a=b; Path=x"}, "https://a.test/in/", "a=b"},
		{"the last of two paths", at, []string{"a=b; Path=/x; Path=/"}, "https://a.test/", "a=b"},
		{"a domain", at, []string{"a=b; Domain=.A.test; Path=/"}, "https://sub.a.test/", "a=b"},
		{"the domain of others", at, []string{"a=b; Domain=b.test; Path=/"}, "https://b.test/", ""},
		{"a public suffix", "https://a.co.uk/", []string{"a=b; Domain=co.uk"}, "https://a.co.uk/", ""},
		{"over", at, []string{"a=b", "a=c; Max-Age=0"}, at, ""},
		{"over by a date of another form", at, []string{"a=b", "a=c; Expires=Thu, 01-Jan-70 00:00:01 GMT"}, at, ""},
		{"a date in the order of C", at, []string{"a=b", "a=c; Expires=Thu Jan  1 00:00:01 1970"}, at, ""},
		{"a date that is none", at, []string{"a=b; Expires=soon"}, at, "a=b"},
		{"an age that is none, and a date", at, []string{"a=b; Max-Age=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT"}, at, ""},
		{"an age goes before a date", at, []string{"a=b; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"}, at, "a=b"},
		{"an age of too many digits", at, []string{"a=b; Max-Age=99999999999999999999"}, at, "a=b"},
		{"Secure over http", "http://a.test/", []string{"a=b; Secure"}, "https://a.test/", ""},
		{"Secure is not sent over http", "https://a.test/", []string{"a=b; Secure"}, "http://a.test/", ""},
		{"Secure on this machine", "http://127.0.0.1/", []string{"a=b; Secure"}, "http://127.0.0.1/", "a=b"},
		{"http beside one that is Secure", "http://a.test/", []string{"a=b"}, "https://a.test/", "a=b"},
		{"__Secure- with Secure", at, []string{"__Secure-a=b; Secure"}, at, "__Secure-a=b"},
		{"__Secure- without", at, []string{"__Secure-a=b"}, at, ""},
		{"__Secure- over http", "http://a.test/", []string{"__Secure-a=b; Secure"}, "https://a.test/", ""},
		{"__secure- in small letters", at, []string{"__secure-a=b"}, at, ""},
		{"__Host- with all it needs", at, []string{"__Host-a=b; Secure; Path=/"}, at, "__Host-a=b"},
		{"__Host- without Secure", at, []string{"__Host-a=b; Path=/"}, at, ""},
		{"__Host- of a path", at, []string{"__Host-a=b; Secure; Path=/in"}, at, ""},
		{"__Host- without a path", at, []string{"__Host-a=b; Secure"}, at, ""},
		{"__Host- of a domain", at, []string{"__Host-a=b; Secure; Path=/; Domain=a.test"}, at, ""},
		{"__Host- of an empty domain", at, []string{"__Host-a=b; Secure; Path=/; Domain="}, at, "__Host-a=b"},
		{"a value that looks like __Host-", at, []string{"=__Host-a=b; Path=/", "__Secure-c=d", "=__secure-c"}, at, ""},
	} {
		dir := t.TempDir()
		key := put(t, filepath.Join(dir, "key"), keyText)
		j, err := OpenJar(filepath.Join(dir, "jar"), key, "")
		if err != nil {
			t.Fatal(err)
		}
		j.writes = true
		j.set(tc.from, tc.lines)
		if got := j.line(tc.to); got != tc.want {
			t.Errorf("%s: %q is sent, not %q", tc.name, got, tc.want)
		}
		if err := j.Save(); err != nil {
			t.Fatal(err)
		}
		again, err := OpenJar(filepath.Join(dir, "jar"), key, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := again.line(tc.to); got != tc.want && !strings.Contains(tc.want, ";") && utf8.ValidString(tc.want) {
			t.Errorf("%s, kept in a file: %q is sent, not %q", tc.name, got, tc.want)
		}
	}
}

// TestSecureStays: a page over plain http takes no place of a Secure cookie.
func TestSecureStays(t *testing.T) {
	j, err := OpenJar("", "", "")
	if err != nil {
		t.Fatal(err)
	}
	j.set("https://a.test/", []string{"sid=good; Secure; Path=/"})
	j.set("http://a.test/", []string{"sid=bad; Path=/", "sid=bad; Path=/in", "other=ok; Path=/"})
	if got := j.line("https://a.test/in/"); got != "sid=good; other=ok" {
		t.Errorf("%q", got)
	}
}

func TestNetscape(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	for _, tc := range []struct {
		name, text string
		want       []setting
		err        string
	}{
		{"comments and empty lines", "# Netscape HTTP Cookie File\n\n  \n", nil, ""},
		{"a host alone", "a.test\tFALSE\t/p\tFALSE\t0\tn\tv\n", []setting{{"http://a.test/", "n=v; Path=/p"}}, ""},
		{"subdomains, https, http only, line ends of Windows", "#HttpOnly_.a.test\tTRUE\t/\tTRUE\t1900000000\tn\tv\r\n",
			[]setting{{"https://a.test/", "n=v; Path=/; Domain=a.test; Expires=Sun, 17 Mar 2030 17:46:40 GMT; HttpOnly; Secure"}}, ""},
		{"expired", "a.test\tFALSE\t/\tFALSE\t1700000000\tn\tv\n", nil, ""},
		{"no value", "a.test\tFALSE\t/\tFALSE\t0\tn\n", []setting{{"http://a.test/", "n=; Path=/"}}, ""},
		{"spaces for tabs", "a.test FALSE / FALSE 0 n v\n", nil, "f:1: has 1 fields"},
		{"no time", "#\na.test\tFALSE\t/\tFALSE\tsoon\tn\tsecret\n", nil, "f:2: the fifth field"},
		{"no name", "a.test\tFALSE\t/\tFALSE\t0\t\tv\n", []setting{{"http://a.test/", "=v; Path=/"}}, ""},
		{"a value in UTF-8, behind a byte order mark", "\ufeffa.test\tFALSE\t/\tFALSE\t0\tn\tStraße\n", []setting{{"http://a.test/", "n=Straße; Path=/"}}, ""},
		{"a semicolon", "a.test\tFALSE\t/\tFALSE\t0\tn\tse;secret\n", nil, "f:1: no cookie"},
	} {
		got, err := readNetscape("f", strings.NewReader(tc.text), now)
		if !slices.Equal(got, tc.want) || (err != nil) != (tc.err != "") || err != nil && (!strings.HasPrefix(err.Error(), tc.err) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %q, %v", tc.name, got, err)
		}
	}
}

func FuzzNetscape(f *testing.F) {
	f.Add("#HttpOnly_.a.test\tTRUE\t/\tTRUE\t1900000000\tn\tv\r\n")
	f.Add("a.test\tFALSE\t/\tFALSE\t1e308\tn\t\"v\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := readNetscape("f", strings.NewReader(text), time.Unix(0, 0))
		if err != nil && !errors.Is(err, orbweaver.ErrInput) {
			t.Fatal(err)
		}
		j, err := OpenJar("", "", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			j.keep(s.URL, s.Line)
			j.line(s.URL)
		}
	})
}

func FuzzJar(f *testing.F) {
	f.Add("https://a.test/x", "a=b; Max-Age=10; Domain=.a.test; Path=/")
	f.Add("http://127.0.0.1/", "a=\"b c\"; Expires=Sun, 17 Mar 2030 17:46:40 GMT")
	f.Fuzz(func(t *testing.T, at, line string) {
		j, err := OpenJar("", "", "")
		if err != nil {
			t.Fatal(err)
		}
		j.set(at, []string{line, line})
		j.line(at)
	})
}
