package iri_test

import (
	"errors"
	"testing"

	"orbweaver/rdf/iri"
)

// The examples of RFC 3986, sections 5.4.1 and 5.4.2, and what they leave open.
func TestResolve(t *testing.T) {
	for _, tc := range []struct{ base, ref, want string }{
		{"http://a/b/c/d;p?q", "g:h", "g:h"}, {"http://a/b/c/d;p?q", "g", "http://a/b/c/g"},
		{"http://a/b/c/d;p?q", "./g", "http://a/b/c/g"}, {"http://a/b/c/d;p?q", "g/", "http://a/b/c/g/"},
		{"http://a/b/c/d;p?q", "/g", "http://a/g"}, {"http://a/b/c/d;p?q", "//g", "http://g"},
		{"http://a/b/c/d;p?q", "?y", "http://a/b/c/d;p?y"}, {"http://a/b/c/d;p?q", "g?y", "http://a/b/c/g?y"},
		{"http://a/b/c/d;p?q", "#s", "http://a/b/c/d;p?q#s"}, {"http://a/b/c/d;p?q", "g#s", "http://a/b/c/g#s"},
		{"http://a/b/c/d;p?q", "g?y#s", "http://a/b/c/g?y#s"}, {"http://a/b/c/d;p?q", ";x", "http://a/b/c/;x"},
		{"http://a/b/c/d;p?q", "", "http://a/b/c/d;p?q"}, {"http://a/b/c/d;p?q", ".", "http://a/b/c/"},
		{"http://a/b/c/d;p?q", "..", "http://a/b/"}, {"http://a/b/c/d;p?q", "../g", "http://a/b/g"},
		{"http://a/b/c/d;p?q", "../..", "http://a/"}, {"http://a/b/c/d;p?q", "../../g", "http://a/g"},
		{"http://a/b/c/d;p?q", "../../../g", "http://a/g"}, {"http://a/b/c/d;p?q", "/./g", "http://a/g"},
		{"http://a/b/c/d;p?q", "/../g", "http://a/g"}, {"http://a/b/c/d;p?q", "g.", "http://a/b/c/g."},
		{"http://a/b/c/d;p?q", "..g", "http://a/b/c/..g"}, {"http://a/b/c/d;p?q", "./../g", "http://a/b/g"},
		{"http://a/b/c/d;p?q", "g/./h", "http://a/b/c/g/h"}, {"http://a/b/c/d;p?q", "g;x=1/../y", "http://a/b/c/y"},
		{"http://a/b/c/d;p?q", "g?y/../x", "http://a/b/c/g?y/../x"}, {"http://a/b/c/d;p?q", "g#s/../x", "http://a/b/c/g#s/../x"},
		{"http://a/b/c/d;p?q", "http:g", "http:g"}, {"http://a/b/c/d;p?q", "http://x/a/../b?/../#/..", "http://x/b?/../#/.."},
		{"http://a", "g", "http://a/g"}, {"http://a?q", "g", "http://a/g"}, {"http://a/b#f", "#g", "http://a/b#g"},
		{"urn:a:b", "#c", "urn:a:b#c"}, {"file:///a/b", "c", "file:///a/c"}, {"a:/b/c", "/..//d", "a:/.//d"},
		{"a:b", "p://://./x", "p://://x"},
	} {
		base, err := iri.ParseBase(tc.base)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := base.Resolve(tc.ref); got != tc.want || err != nil {
			t.Errorf("<%s> against <%s> is <%s>, %v; want <%s>", tc.ref, tc.base, got, err, tc.want)
		}
	}
}

func TestWithoutBase(t *testing.T) {
	var none iri.Base
	if got, err := none.Resolve("a:b"); got != "a:b" || err != nil {
		t.Errorf("absolute: %q, %v", got, err)
	}
	if _, err := none.Resolve("b"); !errors.Is(err, iri.ErrRelative) {
		t.Errorf("relative: %v", err)
	}
}

func TestCheck(t *testing.T) {
	for s, want := range map[string]bool{
		"http://e.org/é?q#f": true, "a+b-1.c:": true, "urn:x": true, "http://e.org/%zz": true,
		"": false, "x": false, "1a:b": false, ":a": false, "http://a b": false, "http://a/<": false,
		"http://a/\\": false, "http://a/\x7f": true, "http://a/\n": false, "http://a/\xff": false,
	} {
		if err := iri.Check(s); (err == nil) != want {
			t.Errorf("Check(%q) = %v", s, err)
		}
	}
}

func FuzzResolve(f *testing.F) {
	f.Add("http://a/b/c/d;p?q", "../../g/./h?x#y")
	f.Add("a:b", "//..")
	f.Fuzz(func(t *testing.T, b, ref string) {
		base, err := iri.ParseBase(b)
		if err != nil {
			return
		}
		got, err := base.Resolve(ref)
		if err != nil || !iri.IsAbsolute(got) {
			t.Fatalf("<%s> against <%s> is <%s>, %v", ref, b, got, err)
		}
		if again, _ := base.Resolve(got); again != got {
			t.Fatalf("<%s> resolves to <%s>", got, again)
		}
	})
}
