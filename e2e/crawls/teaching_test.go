//go:build e2e

package crawls_test

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/teach"
	"orbweaver/ledger"
)

// asked returns the URLs of pages.
func asked(pages []ledger.Line) (urls []string) {
	for _, p := range pages {
		urls = append(urls, p.URL)
	}
	return urls
}

// TestTeaching: whatever the focus, a crawl asks for pages that it was not told about, each once and the same every time; what the verdicts
// changed is what judging all pages with and without them says; and when they are withdrawn nothing is changed.
func TestTeaching(t *testing.T) {
	for name, focus := range map[string]string{
		"best_first": "focus: {best_first: {terms: [aircraft, wing, engine]}}", "keyword": "focus: {keyword: {terms: [aircraft, wing]}}",
		"ontology": toy.DemoFocus(t),
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			apptest.CrawlIn(t, folder, toy.DemoLines(t)+focus+"\nlimits: {requests: 120}\n")
			h := &inspect.Handle{Job: &job.Job{}, Dir: filepath.Join(folder, "crawl")}
			if none, err := h.Teaching(t.Context(), teach.TeachingQuery{}); err != nil || none.Pages != 0 || none.Outcomes == 0 {
				t.Fatalf("%+v, %v", none, err)
			}
			before := acceptedNow(t, h)
			first, err := h.Unsure(t.Context(), 10)
			again, err2 := h.Unsure(t.Context(), 10)
			if err != nil || err2 != nil || len(first) != 10 || !reflect.DeepEqual(first, again) {
				t.Fatalf("asked %v, %v, then %v, %v", asked(first), err, asked(again), err2)
			}
			words := []string{teach.SaidAbout, teach.SaidPart, teach.SaidNot, teach.SaidNot}
			var said, back []inspect.PageVerdict
			for i, url := range asked(first) {
				said = append(said, inspect.PageVerdict{URL: url, Said: words[i%len(words)]})
				back = append(back, inspect.PageVerdict{URL: url, Withdrawn: true})
			}
			if _, err := h.Verdicts(t.Context(), said); err != nil {
				t.Fatal(err)
			}
			checkTeaching(t, h, before)
			list, err := h.Given(t.Context(), teach.GivenQuery{Limit: 7})
			if err != nil || len(list.Verdicts) != 7 || list.Total != (teach.Said{About: 3, Part: 3, Not: 4}) || list.Verdicts[0].URL != said[9].URL {
				t.Errorf("%+v, %v", list, err)
			}
			if list, err = h.Given(t.Context(), teach.GivenQuery{Limit: 7, After: list.Next}); err != nil || len(list.Verdicts) != 3 || list.Next != 0 || list.Verdicts[2].Said != said[0].Said {
				t.Errorf("%+v, %v", list, err)
			}
			if _, err := h.Verdicts(t.Context(), back); err != nil {
				t.Fatal(err)
			}
			if now := acceptedNow(t, h); !reflect.DeepEqual(now, before) {
				t.Error("what was withdrawn changes something")
			}
		})
	}
}

// checkTeaching compares what is told of verdicts with the pages judged again.
func checkTeaching(t *testing.T, h *inspect.Handle, before map[string]bool) {
	t.Helper()
	now, taught := acceptedNow(t, h), teach.Teaching{Verdicts: teach.Said{About: 3, Part: 3, Not: 4}}
	for url, is := range now {
		taught.Pages++
		if before[url] {
			taught.Before++
		}
		if is {
			taught.After++
		}
		switch {
		case before[url] && !is:
			taught.FellOut++
		case !before[url] && is:
			taught.CameIn++
		}
	}
	got, err := h.Teaching(t.Context(), teach.TeachingQuery{})
	if err != nil || got.Verdicts != taught.Verdicts || got.Pages != taught.Pages || got.Before != taught.Before || got.After != taught.After ||
		got.FellOut != taught.FellOut || got.CameIn != taught.CameIn || len(got.Out) != min(50, got.FellOut) || len(got.In) != min(50, got.CameIn) {
		t.Errorf("%+v, %v; want %+v", got, err, taught)
	}
	if got.FellOut+got.CameIn == 0 || len(got.Words) == 0 || len(got.Against) == 0 || got.Words[0].Weight <= 0 || got.Against[0].Weight >= 0 {
		t.Errorf("nothing moved: %+v", got)
	}
	for _, m := range got.Out {
		if !before[m.URL] || now[m.URL] || m.Score >= m.Before {
			t.Errorf("fell out: %+v", m)
		}
	}
	some, err := h.Teaching(t.Context(), teach.TeachingQuery{Pages: 20})
	if err != nil || some.Pages == 0 || some.Pages > 20 {
		t.Errorf("of 20 stretches %d pages, %v", some.Pages, err)
	}
	next, err := h.Unsure(t.Context(), 1000)
	if err != nil || len(next) != len(now)-10 {
		t.Errorf("%d pages to ask about, want all %d without a verdict; %v", len(next), len(now)-10, err)
	}
	given, err := h.Given(t.Context(), teach.GivenQuery{Limit: 1000})
	for _, g := range given.Verdicts {
		if slices.Contains(asked(next), g.URL) || err != nil {
			t.Errorf("%s is asked again, %v", g.URL, err)
		}
	}
}

// acceptedNow returns the pages of a crawl as judged now.
func acceptedNow(t *testing.T, h *inspect.Handle) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for line, err := range h.PagesNow(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all[line.URL] = line.Accepted
	}
	return all
}
