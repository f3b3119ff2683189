package inspect_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
	"orbweaver/internal/teach"
)

// explained is the explanation of a URL.
func explained(t *testing.T, h *inspect.Handle, url string) *inspect.Explanation {
	t.Helper()
	x, err := h.Explain(t.Context(), url)
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	return x
}

// TestExplain: what became of a URL, in a word, a rule and a sentence.
func TestExplain(t *testing.T) {
	for _, tc := range []struct {
		crawl, url, kind, rule, why string
	}{
		{whole, "a.test", inspect.KindPage, "", "It was fetched, as request 1: 200, text/html, "},
		{whole, "http://a.test/old", inspect.KindRedirect, "", "as request 4, and leads to http://a.test/two (301), which was followed."},
		{whole, "http://a.test/away", inspect.KindUnfollowed, "out.test", "which was not followed: the crawl file's scope excludes it by out.test."},
		{whole, "http://a.test/missing", inspect.KindFailed, "", "gave no page: fetch http://a.test/missing: absent."},
		{whole, "http://a.test/gone", inspect.KindFailed, "", "gave no page: fetch http://a.test/gone: status 404."},
		{whole, "http://a.test/no", inspect.KindNoFollow, "", "2 pages link to it, but each asks that the link be not followed (nofollow)."},
		{whole, "http://a.test/secret", inspect.KindRobots, "Disallow: /secret", "A page links to it, but robots.txt forbids it: Disallow: /secret."},
		{whole, "http://a.test/one/deeper", inspect.KindDeep, "", "but only from pages 2 links from a seed: limits.depth is 2."},
		{whole, "http://out.test/x", inspect.KindScope, "out.test", "A page links to it, but the crawl file's scope excludes it by out.test."},
		{whole, "http://out.test/never", inspect.KindUnlinked, "out.test", "No page that was fetched links to it; and the crawl file's scope"},
		{whole, "http://a.test/never", inspect.KindUnlinked, "", "No page that was fetched links to it."},
		{cut, "http://a.test/old", inspect.KindWaiting, "", "It waits, at rank 1 of 8; the crawl ended before: limit of requests."},
		{cut, "http://b.test/", inspect.KindWaiting, "", "It waits, at rank 5 of 8 (1 of its host); the crawl ended"},
		{cut, "http://a.test/copy", inspect.KindWaiting, "", "It waits, at rank 7 of 8 (6 of its host); the crawl ended"},
		{cut, "http://a.test/one/deeper", inspect.KindUnlinked, "", "No page that was fetched links to it."},
	} {
		x := explained(t, rested(t, tc.crawl), tc.url)
		if x.Kind != tc.kind || x.Rule != tc.rule || !strings.Contains(x.Why, tc.why) {
			t.Errorf("%s, %s: %s by %q: %s\nwant %s by %q: …%s", tc.crawl, tc.url, x.Kind, x.Rule, x.Why, tc.kind, tc.rule, tc.why)
		}
	}
	for _, url := range []string{"", "http://", "mailto:x@a.test", "http://u:p@a.test/"} {
		if x, err := rested(t, whole).Explain(t.Context(), url); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%q: %+v, %v", url, x, err)
		}
	}
}

// TestExplainTheWay: the pages between a seed and a URL, or between a seed and the nearest page that links to it.
func TestExplainTheWay(t *testing.T) {
	h := rested(t, whole)
	for url, want := range map[string]string{
		"http://a.test/":            "/ 1 0",
		"http://a.test/one/deep":    "/ 1 0, /one 2 1, /one/deep 11 2",
		"http://a.test/one/deeper":  "/ 1 0, /one 2 1, /one/deep 11 2",
		"http://a.test/no":          "/ 1 0",
		"http://a.test/no-such-url": "",
	} {
		var got []string
		for _, hop := range explained(t, h, url).Chain {
			got = append(got, fmt.Sprint(short(hop.URL), " ", hop.N, " ", hop.Depth))
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s: %s, want %s", url, s, want)
		}
	}
	if x := explained(t, h, "http://a.test/old"); x.Leads == nil || x.Leads.URL != "http://a.test/two" || x.Leads.N != 3 {
		t.Errorf("/old leads to %+v", x.Leads)
	}
	x := explained(t, h, "http://a.test/no")
	if l := x.Links; l == nil || l.Pages != 2 || l.NoFollow != 2 || l.Open != 0 || l.Deep != 0 || l.More || len(l.Examples) != 2 {
		t.Errorf("links to /no: %+v", x.Links)
	}
	if x := explained(t, h, "http://a.test/"); !x.Seed || explained(t, h, "http://a.test/one").Seed {
		t.Error("the seed, and that alone, is one")
	}
}

// TestExplainWhatResembles: the first other page of the same bytes, and the known URLs nearest to one that no page has.
func TestExplainWhatResembles(t *testing.T) {
	h := rested(t, whole)
	for url, want := range map[string]string{"http://a.test/copy": "/two 3", "http://a.test/two": "/copy 10", "http://a.test/one": ""} {
		got := ""
		if same := explained(t, h, url).SameBytes; same != nil {
			got = fmt.Sprint(short(same.URL), " ", same.N)
		}
		if got != want {
			t.Errorf("the same as %s: %s, want %s", url, got, want)
		}
	}
	for url, want := range map[string]string{"http://a.test/tw": "http://a.test/two", "http://c.b.test/x": "http://c.b.test/", "http://a.test/one/dee": "http://a.test/one/deep"} {
		if x := explained(t, h, url); len(x.Nearest) != 3 || x.Nearest[0] != want || x.Kind != inspect.KindUnlinked {
			t.Errorf("nearest to %s: %s, want %s first", url, x.Nearest, want)
		}
	}
	if x := explained(t, rested(t, cut), "http://a.test/note.tx"); len(x.Nearest) == 0 || x.Nearest[0] != "http://a.test/note.txt" {
		t.Errorf("nearest to /note.tx: %s, want one that waits", x.Nearest)
	}
}

// TestExplainASpentHost: a host is spent from as many pages on as the crawl file allows, and not before.
func TestExplainASpentHost(t *testing.T) {
	h := changeable(t, cut)
	for most, want := range map[int]string{2: "budget-spent", 3: "budget-spent", 4: "idle"} {
		file, err := h.Job.Schema().LoadRun(filepath.Join(rested(t, cut).Dir, crawlfolder.RunFile))
		if err != nil {
			t.Fatal(err)
		}
		file.Limits.PerHost = int64(most)
		file.Output = h.Dir
		if err := crawlfolder.Make(file); err != nil {
			t.Fatal(err)
		}
		if x := explained(t, h, "http://a.test/copy"); x.Host.State != want {
			t.Errorf("limits.per_host %d of a host with 3 pages: %s, want %s", most, x.Host.State, want)
		}
		if x := explained(t, h, "http://b.test/"); x.Host.State != "idle" {
			t.Errorf("limits.per_host %d of a host without pages: %s", most, x.Host.State)
		}
	}
}

// TestExplainAVerdict: what a person said last of a page holds, until it is withdrawn.
func TestExplainAVerdict(t *testing.T) {
	h := changeable(t, cut)
	for _, step := range []struct {
		give inspect.PageVerdict
		want string
	}{
		{inspect.PageVerdict{URL: "a.test/one", Relevant: true}, "about"},
		{inspect.PageVerdict{URL: "http://a.test/one", Said: teach.SaidNot}, "not"},
		{inspect.PageVerdict{URL: "http://a.test/one", Said: teach.SaidPart}, "part"},
		{inspect.PageVerdict{URL: "http://a.test/one", Withdrawn: true}, ""},
	} {
		if taken, err := h.Verdicts(t.Context(), []inspect.PageVerdict{step.give}); err != nil || len(taken) != 1 || taken[0].After != 3 {
			t.Fatalf("%+v: %+v, %v", step.give, taken, err)
		}
		x := explained(t, h, "http://a.test/one")
		if v := x.Outcome; v.Said != step.want || (v.Verdict == nil) != (step.want == "") || v.Verdict != nil && *v.Verdict != (step.want != "not") {
			t.Errorf("after %+v: %q, %v", step.give, v.Said, v.Verdict)
		}
		if other := explained(t, h, "http://a.test/two").Outcome; other.Verdict != nil {
			t.Errorf("%+v is a verdict on /two too", step.give)
		}
	}
	given := []inspect.PageVerdict{{URL: "http://a.test/", Relevant: true}, {URL: "http://a.test/copy", Relevant: true}, {URL: "http://a.test/two", Relevant: true}}
	if taken, err := h.Verdicts(t.Context(), given); !errors.Is(err, orbweaver.ErrInput) || len(taken) != 1 {
		t.Errorf("one that was not judged among three: %+v, %v", taken, err)
	}
	if explained(t, h, "http://a.test/").Outcome.Verdict == nil {
		t.Error("the verdict before the wrong one does not stand")
	}
}
