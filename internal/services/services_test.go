package services

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/kindtest"
	"orbweaver/internal/step"
)

// secretFile writes a file with a secret, and returns a key's value that names it.
func secretFile(t *testing.T, text string) crawlfile.Secret {
	return crawlfile.Secret{File: toy.Put(t, t.TempDir(), "secret", text)}
}

// TestReadSecret: a secret comes from the environment or a file; one that can't be had is an error that does not repeat it.
func TestReadSecret(t *testing.T) {
	t.Setenv("A_SECRET", "of env")
	t.Setenv("AN_EMPTY_SECRET", "")
	long := strings.Repeat("x", maxSecret)
	for _, tc := range []struct {
		name    string
		secret  crawlfile.Secret
		want    string
		problem string
	}{
		{"none", crawlfile.Secret{}, "", ""},
		{"environment", crawlfile.Secret{Env: "A_SECRET"}, "of env", ""},
		{"not in the environment", crawlfile.Secret{Env: "AN_EMPTY_SECRET"}, "", "sink.key.env: the environment has no AN_EMPTY_SECRET"},
		{"file", secretFile(t, "hidden\r\n\n"), "hidden", ""},
		{"no file", crawlfile.Secret{File: filepath.Join(t.TempDir(), "none")}, "", "sink.key.file: open "},
		{"an empty file", secretFile(t, "\n"), "", " is empty"},
		{"as large as may be", secretFile(t, long), long, ""},
		{"larger", secretFile(t, long+"x"), "", " is larger than 65536 bytes"},
		{"a line's end", secretFile(t, "hid\nden"), "", "sink.key: the secret holds a line's end"},
		{"DEL", secretFile(t, "hidden\x7f"), "", "control character"},
	} {
		got, err := ReadSecret(tc.secret, "sink.key")
		if string(got) != tc.want || (err != nil) != (tc.problem != "") {
			t.Errorf("%s: %.20q, %v", tc.name, got, err)
		}
		if err != nil && (!errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.problem) || strings.Contains(err.Error(), "hid")) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

// TestHidden: what must not be recorded is hidden as it is, in URLs and in forms.
func TestHidden(t *testing.T) {
	r := &reading{}
	if got := r.basic("me", "a b"); got != "Basic bWU6YSBi" {
		t.Errorf("%q", got)
	}
	r.hide("a b")
	r.hide("ab")
	if want := []string{"bWU6YSBi", "a b", "a+b", "a%20b", "ab"}; !slices.Equal(r.hidden, want) {
		t.Errorf("%q, want %q", r.hidden, want)
	}
}

// TestOpenAccess: every problem of every section is reported at its key; a crawl of an archive needs no secret.
func TestOpenAccess(t *testing.T) {
	none := crawlfile.Secret{Env: "NO_SECRET_AT_ALL"}
	not := toy.Put(t, t.TempDir(), "x.pem", "BEGIN CERTIFICATE")
	f := &crawlfile.Crawl{HTTP: []crawlfile.HTTP{
		{Hosts: []string{"a.test"}, Auth: &crawlfile.Auth{Bearer: &none}, Authorities: []string{not, not + ".none"}, Cookies: &crawlfile.Cookies{File: "one"}},
		{Hosts: []string{"b.test"}, Certificate: &crawlfile.Certificate{File: not}, Cookies: &crawlfile.Cookies{File: "two"}},
		{Hosts: []string{"c.test"}, Cookies: &crawlfile.Cookies{File: "one"}},
	}}
	_, err := OpenAccess("f.yaml", f, "")
	if !errors.Is(err, orbweaver.ErrInput) {
		t.Fatal(err)
	}
	problems := strings.Split(err.Error(), "\n")
	for i, want := range []string{"f.yaml: http[1].auth.bearer.env: ", "f.yaml: http[1].authorities: " + not + " holds no certificate", "f.yaml: http[1].authorities: open ",
		"f.yaml: http[2].certificate: ", "f.yaml: http[2].cookies.file: a crawl has one jar"} {
		if len(problems) != 5 || !strings.HasPrefix(problems[i], want) {
			t.Errorf("%d: %q, want %q", i, problems, want)
		}
	}
	f.Web = &crawlfile.Web{}
	if a, err := OpenAccess("f.yaml", f, ""); a != nil || err != nil {
		t.Errorf("of an archive: %v, %v", a, err)
	}
}

// TestLogouts: a link that ends a session matters at hosts whose sessions the crawl keeps, unless it is to be followed.
func TestLogouts(t *testing.T) {
	kept := crawlfile.HTTP{Hosts: []string{"a.test"}, Login: &crawlfile.Login{}}
	follows, jar, empty := kept, kept, kept
	follows.Logout = "follow"
	jar.Login, jar.Cookies = nil, &crawlfile.Cookies{File: "x"}
	empty.Login, empty.Cookies = nil, &crawlfile.Cookies{}
	for _, tc := range []struct {
		name string
		file crawlfile.Crawl
		at   map[string]bool // nil: nothing to look for
	}{
		{"a login", crawlfile.Crawl{HTTP: []crawlfile.HTTP{empty, kept}}, map[string]bool{"http://a.test/logout": true, "http://b.test/logout": false, "http://a.test/x": false}},
		{"cookies of a file", crawlfile.Crawl{HTTP: []crawlfile.HTTP{jar}}, map[string]bool{"http://a.test/logout": true}},
		{"no session", crawlfile.Crawl{HTTP: []crawlfile.HTTP{empty, {Hosts: []string{"a.test"}}}}, nil},
		{"to be followed", crawlfile.Crawl{HTTP: []crawlfile.HTTP{follows}}, nil},
		{"an archive", crawlfile.Crawl{HTTP: []crawlfile.HTTP{kept}, Web: &crawlfile.Web{}}, nil},
	} {
		is := Logouts(&tc.file)
		if (is != nil) != (tc.at != nil) {
			t.Errorf("%s: looks for links: %v", tc.name, is != nil)
			continue
		}
		for url, want := range tc.at {
			if _, got := is(url, ""); got != want {
				t.Errorf("%s: %s ends a session: %v", tc.name, url, got)
			}
		}
	}
}

// asked records the last request.
type asked struct{ last orbweaver.Request }

func (a *asked) Fetch(_ context.Context, r orbweaver.Request) (*step.Response, error) {
	a.last = r
	return nil, io.EOF
}

// TestAccepting: pages are asked for in the focus's media types, unless the request has its own or is for no page.
func TestAccepting(t *testing.T) {
	web := &asked{}
	for _, tc := range []struct {
		request orbweaver.Request
		want    string
	}{
		{orbweaver.Request{}, "text/turtle"}, {orbweaver.Request{Accept: "text/html"}, "text/html"}, {orbweaver.Request{Purpose: orbweaver.ForPage + 1}, ""},
	} {
		if _, err := (Accepting{web, "text/turtle"}).Fetch(t.Context(), tc.request); err != io.EOF || web.last.Accept != tc.want {
			t.Errorf("%+v: asked for %q, %v", tc.request, web.last.Accept, err)
		}
	}
	plain := kind.Registry{kindtest.Kind{}}.Schema().Focus("sightings", nil)
	if AcceptedBy(plain, web) != web || Answering(nil, web) != web {
		t.Error("a focus without media types changes requests")
	}
}

// TestOpenWeb: of several archives every one that cannot be read is reported; one without answers is none.
func TestOpenWeb(t *testing.T) {
	good := toy.WebOf(t, []toy.Answer{{URL: "http://a.test/"}})
	bad := []string{filepath.Join(t.TempDir(), "none1"), filepath.Join(t.TempDir(), "none2")}
	for _, tc := range []struct {
		name  string
		paths []string
		wants []string
	}{
		{"good", []string{good}, nil}, {"one", bad[:1], []string{"none1"}}, {"among others", []string{bad[0], good, bad[1]}, []string{"none1", "none2"}},
		{"empty", []string{t.TempDir()}, []string{" "}},
	} {
		web, err := OpenWeb(&crawlfile.Web{Archive: tc.paths}, 1<<20)
		if (err != nil) != (tc.wants != nil) || (web == nil) != (err != nil) {
			t.Errorf("%s: %v", tc.name, err)
		}
		for _, want := range tc.wants {
			if err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v lacks %q", tc.name, err, want)
			}
		}
		if err := CloseAll(web); err != nil {
			t.Error(err)
		}
	}
	together := errors.New("together")
	if err := EachAlone([]string{"a", "b"}, together, func(string) error { return nil }); err != together {
		t.Errorf("each alone is well: %v", err)
	}
	if err := EachAlone([]string{"a"}, together, func(string) error { return io.EOF }); !errors.Is(err, io.EOF) || errors.Is(err, together) {
		t.Errorf("%v", err)
	}
}
