package crawl_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
)

// TestRemove: what is removed is in no list, no search, no statement, no explanation, no suggestion and no export of the crawl, nor in the
// archive that it reads; verdicts on it are withdrawn; what is left is as it was, and goes on.
func TestRemove(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "crawl")
	c := planes(t, folder, 120)
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	const host, page, other = "skylines.example", "http://skylines.example/types/a320.html", "http://contrails.example/log/a220"
	if _, err := c.Verdicts(ctx, crawl.Verdict{URL: page}, crawl.Verdict{URL: other, Relevant: true}); err != nil {
		t.Fatal(err)
	}
	if found, err := c.Search(ctx, crawl.SearchQuery{Words: "airbus", Top: 100, Rank: "bm25"}); err != nil || len(found.Hits) == 0 {
		t.Fatal(found, err)
	}
	before, err := c.Pages(ctx, crawl.PageQuery{Failed: true})
	if err != nil {
		t.Fatal(err)
	}
	order := crawl.RemovalQuery{Preview: true}
	order.Patterns, order.Reason = []string{host}, "asked by the owner"
	preview, err := c.Remove(ctx, order)
	if err != nil || preview.Pages < 5 || preview.Verdicts != 1 || len(preview.Examples) == 0 {
		t.Fatalf("%+v %v", preview, err)
	}
	order.Preview = false
	removed, err := c.Remove(ctx, order)
	if err != nil || removed.Removed != preview.Removed || removed.Done.IsZero() || removed.Records < removed.Pages {
		t.Fatalf("%+v %v", removed, err)
	}

	after, err := c.Pages(ctx, crawl.PageQuery{Failed: true})
	if err != nil || after.Total != before.Total-removed.Requests {
		t.Fatalf("%d pages of %d are left, and %d were removed (%v)", after.Total, before.Total, removed.Requests, err)
	}
	found, err := c.Search(ctx, crawl.SearchQuery{Words: "airbus", Top: 100, Rank: "bm25"})
	if err != nil || len(found.Hits) == 0 {
		t.Fatal(found, err)
	}
	for _, h := range found.Hits {
		if strings.Contains(h.URL, host) {
			t.Error("found:", h.URL)
		}
	}
	if x, err := c.Explain(ctx, page); err != nil || x.Kind != "removed" || x.Outcome != nil || x.Chain != nil {
		t.Errorf("%+v %v", x, err)
	}
	if _, err := c.Evidence(ctx, page); !errors.Is(err, orbweaver.ErrAbsent) {
		t.Error("its text can be read:", err)
	}
	archived, err := c.Archived()
	if err != nil {
		t.Fatal(err)
	}
	defer archived.Close()
	if _, err := archived.Get(ctx, page); !errors.Is(err, orbweaver.ErrAbsent) {
		t.Error("its archived bytes can be read:", err)
	}
	list, err := c.Suggestions(ctx)
	for _, s := range list {
		if strings.Contains(strings.Join(s.Examples, " "), host) {
			t.Error("an example of a suggestion:", s.Examples)
		}
	}
	if text, failed := os.ReadFile(filepath.Join(folder, "decisions.jsonl")); errors.Join(err, failed) != nil || strings.Contains(string(text), host) || !strings.Contains(string(text), other) {
		t.Errorf("decisions.jsonl: %s %v %v", text, err, failed)
	}
	if r, err := crawl.Check(ctx, folder); err != nil || len(r.Faults) > 0 {
		t.Errorf("%+v %v", r, err)
	}
	if all, err := c.Removals(); err != nil || len(all) != 1 || all[0].Reason != order.Reason {
		t.Error(all, err)
	}

	c = planes(t, folder, 160) // more requests
	if _, err := c.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if more, err := c.Pages(ctx, crawl.PageQuery{Host: host, Failed: true}); err != nil || more.Total > 0 {
		t.Errorf("%d pages were asked for again (%v)", more.Total, err)
	}
	if r, err := crawl.Check(ctx, folder); err != nil || len(r.Faults) > 0 {
		t.Errorf("%+v %v", r, err)
	}
}

// TestRemoveRefuses: a removal needs patterns that can be read, and a crawl that rests.
func TestRemoveRefuses(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "crawl")
	c := planes(t, folder, 100_000)
	ctx, stop := context.WithCancel(t.Context())
	running := make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		for e := range c.Events(ctx) {
			if e.Kind == crawl.Begin {
				close(running)
				break
			}
		}
	}()
	go func() {
		_, err := c.Run(ctx)
		ended <- err
	}()
	<-running
	order := crawl.RemovalQuery{}
	order.Patterns = []string{"skylines.example"}
	if _, err := c.Remove(t.Context(), order); !errors.Is(err, orbweaver.ErrBusy) {
		t.Errorf("of a running crawl: %v", err)
	}
	stop()
	<-ended
	for _, patterns := range [][]string{nil, {"/(/"}, {"*.example"}} {
		order.Patterns = patterns
		if _, err := c.Remove(t.Context(), order); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%q: %v", patterns, err)
		}
	}
}
