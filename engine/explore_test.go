package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/ledger"
)

// journal returns the bytes of pages.jsonl, and how many of its lines were drawn.
func journal(t *testing.T, dir string) (text []byte, drawn int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, ledger.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	return text, bytes.Count(text, []byte(`"explored":true`))
}

// TestExploreIsRepeated: the same requests are drawn, whatever the number of workers and however often the crawl is
// killed, in rounds and without; so many as the share says.
func TestExploreIsRepeated(t *testing.T) {
	w := randomWeb(200, 3)
	for _, fresh := range []func() orbweaver.Focus{
		func() orbweaver.Focus { return newCounting() },
		func() orbweaver.Focus { return merging{} },
		func() orbweaver.Focus { return rounds{size: 9} },
	} {
		s := session{web: w, explore: engine.Explore{Share: .25, Seed: 7}, turns: frontier.Options{HostPages: 40}}
		run := func(workers, every int) ([]byte, int) {
			dir := t.TempDir()
			for {
				s.focus, s.workers, s.commits = fresh(), workers, every
				_, err := s.run(t, dir)
				if err == nil {
					return journal(t, dir)
				}
				if !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
			}
		}
		want, drawn := run(1, 0)
		requests := bytes.Count(want, []byte("\n"))
		if share := float64(drawn) / float64(requests); share < .15 || share > .35 {
			t.Errorf("%T: %d of %d requests are random", fresh(), drawn, requests)
		}
		for _, tc := range [][2]int{{32, 0}, {3, 5}, {1, 30}} {
			if got, _ := run(tc[0], tc[1]); !bytes.Equal(got, want) {
				t.Errorf("%T, %d workers, killed every %d commits: another crawl", fresh(), tc[0], tc[1])
			}
		}
		s.explore.Share = 0
		if got, drawn := run(1, 0); drawn > 0 || bytes.Equal(got, want) {
			t.Errorf("%T: without a share %d requests are random", fresh(), drawn)
		}
	}
}

// TestExploreIsUniform: over many seeds, each of ten waiting links is drawn as often as any other, whatever its score
// (chi-square with 9 degrees of freedom: 27.88 is exceeded once in a thousand; the seeds are fixed).
func TestExploreIsUniform(t *testing.T) {
	w, body := web{}, strings.Builder{}
	for i := range 10 {
		url := fmt.Sprintf("http://%c/%d", 'a'+i%3, i)
		fmt.Fprintf(&body, "%s .%d\n", url, i)
		w[url] = ""
	}
	w["http://a/"] = body.String()
	counts, all := map[string]int{}, 0
	for seed := range int64(600) {
		dir := t.TempDir()
		s := session{web: w, focus: focus{}, limits: engine.Limits{Requests: 2}, explore: engine.Explore{Share: .5, Seed: seed}, memory: true}
		if _, err := s.run(t, dir); err != nil {
			t.Fatal(err)
		}
		for l, err := range ledger.Lines(filepath.Join(dir, ledger.JournalFile)) {
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case l.N == 1 && l.Explored:
				t.Fatal("a seed was drawn")
			case l.N == 2 && l.Explored:
				counts[l.URL]++
				all++
			case l.N == 2 && l.URL != "http://a/9":
				t.Fatalf("%s is neither the best nor drawn", l.URL)
			}
		}
	}
	chi := 0.0
	for url := range w {
		if expected := float64(all) / 10; url != "http://a/" {
			chi += (float64(counts[url]) - expected) * (float64(counts[url]) - expected) / expected
		}
	}
	if t.Logf("%d of 600 drawn, chi-square %.1f: %v", all, chi, counts); all < 251 || all > 349 || chi > 27.88 {
		t.Errorf("%d of 600 seeds draw, not about half, or not uniformly: chi-square %.1f", all, chi)
	}
}

// TestExploreRedirects: what a drawn link leads to in the end is of the sample too, and goes ahead undrawn.
func TestExploreRedirects(t *testing.T) {
	w := web{
		"http://a/": "http://a/old .1\nhttp://a/x .9", "http://a/old": "-> http://a/new", "http://a/new": "",
		"http://a/x": "http://a/y .5", "http://a/y": "",
	}
	for seed := range int64(200) {
		dir := t.TempDir()
		s := session{web: w, focus: focus{}, explore: engine.Explore{Share: .5, Seed: seed}, memory: true}
		if _, err := s.run(t, dir); err != nil {
			t.Fatal(err)
		}
		var hop ledger.Line
		for l, err := range ledger.Lines(filepath.Join(dir, ledger.JournalFile)) {
			if err != nil {
				t.Fatal(err)
			}
			if hop.Redirect != "" && (l.URL != hop.Redirect || l.Explored != hop.Explored) {
				t.Fatalf("seed %d: after %+v comes %+v", seed, hop, l)
			}
			hop = l
		}
	}
}
