package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/focus/chance"
	"orbweaver/internal/step"
	"orbweaver/internal/tier"
	"orbweaver/ledger"
)

// A picky focus accepts pages whose address ends with an even digit.
type picky struct{ focus }

func (picky) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	even := (p.URL[len(p.URL)-1]-'0')%2 == 0
	j := orbweaver.Judgement{Score: 0.2, Accepted: even}
	if even {
		j.Score = 0.7
	}
	return j, nil
}

// evidenceOf reads the evidence that a crawl left.
func evidenceOf(t *testing.T, book *ledger.Ledger) *chance.Both {
	t.Helper()
	b, err := book.Chances()
	if err != nil {
		t.Fatal(err)
	}
	evidence, err := chance.ReadBoth(b)
	if err != nil {
		t.Fatal(err)
	}
	return evidence
}

// TestEvidence: links to pages count, failures as not accepted, a redirect once, at its end, and a duplicate by the
// judgement that it takes over; seeds do not count. Each chance rests on the outcomes before it.
func TestEvidence(t *testing.T) {
	w := web{
		"http://a/":   "http://a/2 .9\nhttp://a/none .8\nhttp://a/go .7\nhttp://a/back .6\nhttp://a/out .5\nhttp://a/3 .4\nhttp://a/8 .3",
		"http://a/2":  "",
		"http://a/go": "-> http://a/4", "http://a/4": "",
		"http://a/back": "-> http://a/2",
		"http://a/out":  "-> http://b/",
		"http://a/3":    "",
		"http://a/8":    "",
	}
	scope := func(url string) (bool, string) { return url != "http://b/", "" }
	var predicted, actual []float64
	crawlWith(t, t.TempDir(), func(cfg *engine.Config) {
		cfg.Focus, cfg.Fetch, cfg.Read, cfg.Scope, cfg.Duplicates = picky{}, w, reader{}, scope, sameText{cfg.Ledger.(*ledger.Ledger)}
		cfg.Observe = func(o orbweaver.Outcome, _ step.Progress) {
			predicted, actual = append(predicted, o.Predicted.Chance), append(actual, o.Actual.Chance)
		}
	}, func(book *ledger.Ledger) {
		var want chance.Both
		look := func(i int, score, led float64) { // led: the chance of the page; 0: none
			if p := want.Links.Chance(score); predicted[i] != p {
				t.Errorf("outcome %d: predicted %v, want %v", i+1, predicted[i], p)
			}
			if (actual[i] >= 0.5) != (led >= 0.5) || (actual[i] > 0) != (led > 0) {
				t.Errorf("outcome %d: a page of chance %v", i+1, actual[i])
			}
			want.Links.Add(score, led >= 0.5)
		}
		if len(predicted) != 9 || predicted[0] != 0 || actual[0] == 0 {
			t.Fatalf("%v, %v", predicted, actual)
		}
		look(1, 0.9, 1)   // a/2
		look(2, 0.8, 0)   // a/none
		look(4, 0.7, 1)   // a/4, to which a/go redirects
		look(5, 0.6, 1)   // a/back
		look(6, 0.5, 0)   // a/out
		look(7, 0.4, 0.1) // a/3
		look(8, 0.3, 1)   // a/8
		got := evidenceOf(t, book)
		for _, s := range []float64{0.1, 0.5, 0.9} {
			if got.Links.Chance(s) != want.Links.Chance(s) {
				t.Errorf("chance of %v: %v, want %v", s, got.Links.Chance(s), want.Links.Chance(s))
			}
		}
	})
}

// sameText finds http://a/8 to repeat http://a/2.
type sameText struct{ book *ledger.Ledger }

func (s sameText) Duplicate(p *orbweaver.Page) (before orbweaver.Outcome, near, ok bool) {
	if p.URL != "http://a/8" {
		return before, false, false
	}
	before, err := s.book.Outcome("http://a/2")
	return before, false, err == nil
}

// TestEvidenceSurvives: whichever commit the process is killed at, the resumed crawl predicts the same chances, of a
// focus that learns and of one that does not, and leaves the same evidence.
func TestEvidenceSurvives(t *testing.T) {
	w := randomWeb(60, 3)
	for _, fresh := range []func() orbweaver.Focus{
		func() orbweaver.Focus { return picky{} },
		func() orbweaver.Focus { return newCounting() },
	} {
		whole := t.TempDir()
		if _, err := (session{web: w, focus: fresh()}).run(t, whole); err != nil {
			t.Fatal(err)
		}
		want := remains(t, whole)
		for every := 1; every < 40; every += tier.Of(19, 7) {
			dir := t.TempDir()
			for {
				_, err := session{web: w, focus: fresh(), commits: every + 1, workers: 2}.run(t, dir)
				if err == nil {
					break
				}
				if !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
			}
			if got := remains(t, dir); got != want {
				t.Fatalf("%T killed every %d commits: another crawl", fresh(), every)
			}
		}
	}
}

// remains is pages.jsonl and the evidence of a crawl.
func remains(t *testing.T, dir string) string {
	t.Helper()
	lines, err := os.ReadFile(filepath.Join(dir, ledger.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	book, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	b, err := book.Chances()
	if err != nil || len(b) == 0 {
		t.Fatalf("%d bytes of evidence, %v", len(b), err)
	}
	return fmt.Sprintf("%s%x", lines, b)
}
