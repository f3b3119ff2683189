package weburl

import (
	"errors"
	"strings"
	"testing"
)

// TestCredentials: what a person writes with a password is refused and not repeated, what a stranger wrote loses it.
func TestCredentials(t *testing.T) {
	for _, raw := range []string{
		"http://user:s3cret@a.test/x", "https://s3cret@a.test/x", "HTTP://user:s3cret@A.test/x", "http:user:s3cret@a.test/x",
		"http:\\\\user:s3cret@a.test/x", "http://us%65r:%733cret:s3cret@a.test/x", " http://u:s3cret@@a.test/x ", "http:/u:s3cret@a.test/x",
	} {
		got, err := Canonical(raw)
		if !errors.Is(err, ErrCredentials) {
			t.Errorf("%s gives %q, %v", raw, got, err)
		} else if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: the error repeats it: %v", raw, err)
		}
		bare, err := Bare(raw)
		if err != nil || !strings.HasSuffix(bare, "://a.test/x") {
			t.Errorf("%s is bare %q, %v", raw, bare, err)
		}
		if linked, err := mustBase(t, "http://b.test/").Resolve(raw); linked != bare || err != nil {
			if !strings.HasPrefix(raw, "http:user") && !strings.HasPrefix(raw, "http:/u") { // relative to one of its scheme
				t.Errorf("a link to %s leads to %q, %v", raw, linked, err)
			}
		}
	}
	if b := mustBase(t, "http://user:s3cret@a.test/x"); b.String() != "http://a.test/x" {
		t.Errorf("base %s", b)
	}
	for _, raw := range []string{"http://user:s3cret@a.test:99999/", "http://user:s3/cret@a.test/", "user:s3cret@a.test", "ftp://user:s3cret@a.test/", "http://user:s3#cret@a.test/x y"} {
		if got, err := Canonical(raw); err == nil || strings.Contains(err.Error(), "cret") {
			t.Errorf("%s gives %q, %v", raw, got, err)
		}
	}
}

func TestRedacted(t *testing.T) {
	for _, tc := range [][2]string{
		{"no address at all", "no address at all"},
		{"me@example.org", "me@example.org"},
		{"mailto:me@example.org", "mailto:me@example.org"},
		{"http://a.test/?to=http://u:p@b.test/", "http://a.test/?to=http://u:p@b.test/"},
		{"contact: me@example.org", "contact: me@example.org"},
		{`parse "http://u:p@a.test:x/": invalid port, http://a.test/@b and https://q@c.test`, `parse "http://***@a.test:x/": invalid port, http://a.test/@b and https://***@c.test`},
		{"http://a.test/~@x?y=@z", "http://a.test/~@x?y=@z"},
		{"http://a.test:80/@x", "http://a.test:80/@x"},
		{"http://[::1]/@x", "http://[::1]/@x"},
		{"(http://u:p/q@a.test/)", "(http://***@a.test/)"},
		{"u:p@a.test/x", "***@a.test/x"},
		{"/home/me/http:/u:p@a.test/x", "/home/me/http:/***@a.test/x"},
	} {
		if got := Redacted(tc[0]); got != tc[1] {
			t.Errorf("%s\nbecomes %s\nwant    %s", tc[0], got, tc[1])
		}
	}
}

// FuzzRedacted: what is hidden once stays as it is.
func FuzzRedacted(f *testing.F) {
	f.Add("http://u:p@a.test/ https:\\\\x@y")
	f.Fuzz(func(t *testing.T, text string) {
		once := Redacted(text)
		if twice := Redacted(once); twice != once {
			t.Errorf("%q becomes %q, then %q", text, once, twice)
		}
	})
}
