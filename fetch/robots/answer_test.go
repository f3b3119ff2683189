package robots_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/robots"
)

// RFC 9309, section 2.3.1, a row each.
func TestJudge(t *testing.T) {
	file := []byte("User-agent: *\nDisallow: /x\nDisallow: /z")
	wrapped := func(f orbweaver.Failure) error { return fmt.Errorf("fetch http://h/robots.txt: %w", f) }
	const all, none, some = "all", "none", "some" // of / and /x, what is allowed
	for _, tc := range []struct {
		name    string
		answer  robots.Answer
		allowed string
		passing bool
		why     string
	}{
		{"found", robots.Answer{Status: 200, Body: file}, some, false, "200, 2 rules"},
		{"found, one rule", robots.Answer{Status: 200, Body: file[:26]}, some, false, "200, 1 rule"},
		{"found, empty", robots.Answer{Status: 200}, all, false, "200, no rules"},
		{"a delay of an hour", robots.Answer{Status: 200, Body: append(file[:len(file):len(file)], "\nCrawl-delay: 3600"...)}, some, false, "200, 2 rules"},
		{"a delay that no crawl waits for", robots.Answer{Status: 200, Body: append(file[:len(file):len(file)], "\nCrawl-delay: 3601"...)}, none, false, "200, Crawl-delay of 1h0m1s: nothing is allowed"},
		{"found, a page in its place", robots.Answer{Status: 200, Body: []byte("<html>no")}, all, false, "200, no rules"},
		{"any 2xx", robots.Answer{Status: 299, Body: file}, some, false, "299, 2 rules"},
		{"found after redirects", robots.Answer{Status: 200, Body: file, Hops: 5}, some, false, "200, 2 rules"},
		{"redirected to nowhere", robots.Answer{Status: 302}, all, false, "302 to nowhere: everything is allowed"},
		{"redirected a sixth time", robots.Answer{Status: 301, Redirect: "http://h/r", Hops: 5}, all, false, "redirected too often: everything is allowed"},
		{"not modified since never", robots.Answer{Status: 304}, none, true, "304: nothing is allowed"},
		{"not there", robots.Answer{Status: 404, Body: file}, all, false, "404: everything is allowed"},
		{"not for us", robots.Answer{Status: 401}, all, false, "401: everything is allowed"},
		{"the first of 4xx", robots.Answer{Status: 400}, all, false, "400: everything is allowed"},
		{"the last of 4xx", robots.Answer{Status: 499}, all, false, "499: everything is allowed"},
		{"not there, with a broken body", robots.Answer{Status: 404, Err: wrapped(orbweaver.ErrMalformed)}, all, false, "404: everything is allowed"},
		{"too many questions", robots.Answer{Status: 429, Body: file}, none, true, "429: nothing is allowed"},
		{"the first of 5xx", robots.Answer{Status: 500, Body: file}, none, true, "500: nothing is allowed"},
		{"overloaded", robots.Answer{Status: 503, Err: wrapped(orbweaver.ErrTimeout)}, none, true, "503: nothing is allowed"},
		{"the last of 5xx", robots.Answer{Status: 599}, none, true, "599: nothing is allowed"},
		{"no status there is", robots.Answer{Status: 999, Body: file}, none, true, "999: nothing is allowed"},
		{"not yet an answer", robots.Answer{Status: 103}, none, true, "103: nothing is allowed"},
		{"no answer in time", robots.Answer{Err: wrapped(orbweaver.ErrTimeout)}, none, true, "timeout: nothing is allowed"},
		{"no connection", robots.Answer{Err: wrapped(orbweaver.ErrConnect)}, none, true, "connect: nothing is allowed"},
		{"no address", robots.Answer{Err: wrapped(orbweaver.ErrNoHost)}, none, true, "no-such-host: nothing is allowed"},
		{"no HTTP", robots.Answer{Err: wrapped(orbweaver.ErrMalformed)}, none, true, "malformed: nothing is allowed"},
		{"no reason", robots.Answer{Err: errors.New("?")}, none, true, "error: nothing is allowed"},
		{"no answer and no error", robots.Answer{}, none, true, "no answer: nothing is allowed"},
		{"where we must not go", robots.Answer{Err: wrapped(orbweaver.ErrPrivate)}, none, false, "private: nothing is allowed"},
		{"not in the archive", robots.Answer{Err: wrapped(orbweaver.ErrAbsent)}, all, false, "absent: everything is allowed"},
		{"a broken coding", robots.Answer{Status: 200, Body: file, Err: wrapped(orbweaver.ErrMalformed)}, none, false, "200, malformed: nothing is allowed"},
		{"cut on its way", robots.Answer{Status: 200, Body: file, Err: wrapped(orbweaver.ErrCut)}, none, true, "200, cut-short: nothing is allowed"},
		{"too large to be told", robots.Answer{Status: 200, Body: file, Err: wrapped(orbweaver.ErrTooLarge)}, none, false, "200, too-large: nothing is allowed"},
		{"too large, but enough is known", robots.Answer{Status: 200, Body: append(file[:len(file):len(file)], strings.Repeat("\n", robots.MaxSize)...), Err: wrapped(orbweaver.ErrTooLarge)}, some, false, "200, 2 rules"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := robots.Judge(tc.answer, "orbweaver")
			if v.Next != "" || v.Passing != tc.passing || v.Why != tc.why {
				t.Errorf("%+v", v)
			}
			root, _ := v.Rules.Allows("/")
			x, line := v.Rules.Allows("/x")
			if root != (tc.allowed != none) || x != (tc.allowed == all) {
				t.Errorf("allowed: / %v, /x %v by %q", root, x, line)
			}
			if what, ok := strings.CutSuffix(tc.why, ": nothing is allowed"); ok && line != "robots.txt: "+what {
				t.Errorf("forbidden by %q", line)
			}
			if (v.Rules == nil) != strings.HasSuffix(tc.why, ": everything is allowed") {
				t.Errorf("rules %v", v.Rules)
			}
		})
	}
}

// A file that five redirects lead to is read, even on another host; one that six lead to is not.
func TestRedirects(t *testing.T) {
	for hops := range 8 {
		v := robots.Judge(robots.Answer{Status: 307, Redirect: "https://other/r.txt", Hops: hops}, "orbweaver")
		want := robots.Verdict{Next: "https://other/r.txt", Why: "307 to https://other/r.txt"}
		if hops >= 5 {
			want = robots.Verdict{Why: "redirected too often: everything is allowed"}
		}
		if v != want {
			t.Errorf("after %d: %+v", hops, v)
		}
	}
}
