package krs

import (
	"bytes"
	"errors"
	"testing"

	"orbweaver"
)

// TestRelearn: a page that a person finds relevant counts as a document of the corpus, one that is not changes nothing where the KRS came with
// a background; withdrawn, pages are judged as before, and a restored focus judges alike.
func TestRelearn(t *testing.T) {
	opts := Options{Snapshot: schema(t, topical, everyday)}
	f := focus(t, opts)
	score := func(f *Focus, text string) float64 { return judge(t, f, page(text)).Score }
	told := func(url, text string) orbweaver.Outcome {
		p := page(text)
		p.URL = url
		return orbweaver.Outcome{Request: orbweaver.Request{URL: url}, Page: p, Actual: judge(t, f, p)}
	}
	const surgery, football = "Surgery Scalpel Insulin day", "Football Insulin Diet hour"
	beforeSurgery, beforeFootball := score(f, "Surgery Scalpel hour"), score(f, "Football Diet Insulin")
	for i, url := range []string{"http://p.test/1", "http://p.test/2", "http://p.test/3"} {
		_, err := f.Relearn(t.Context(), told(url, surgery), 0.9)
		_, other := f.Relearn(t.Context(), told(url+"x", football), 0)
		if err = errors.Join(err, other); err != nil || len(f.told) != 2*(i+1) {
			t.Fatal(err, f.told)
		}
	}
	if s, n := score(f, "Surgery Scalpel hour"), f.Now().Background(); s <= beforeSurgery || n != int64(len(everyday)) {
		t.Errorf("surgery %v, then %v; %d documents of the background", beforeSurgery, s, n)
	}
	if j, err := f.Untaught(t.Context(), page("Surgery Scalpel hour")); err != nil || j.Score != beforeSurgery {
		t.Errorf("untaught: %v %v, before %v", j.Score, err, beforeSurgery)
	}
	if _, err := f.Relearn(t.Context(), told("http://p.test/3", surgery), 0); err != nil || len(f.told) != 6 {
		t.Errorf("another verdict on the same page: %v, %d", err, len(f.told))
	}
	var kept bytes.Buffer
	again := focus(t, opts)
	if err := errors.Join(f.Snapshot(&kept), again.Restore(bytes.NewReader(kept.Bytes()))); err != nil {
		t.Fatal(err)
	}
	var twice bytes.Buffer
	if err := again.Snapshot(&twice); err != nil || twice.String() != kept.String() || score(again, surgery) != score(f, surgery) {
		t.Errorf("restored: %v\n%s\n%s", err, kept.String(), twice.String())
	}
	for _, url := range []string{"http://p.test/1", "http://p.test/2", "http://p.test/3", "http://p.test/1x", "http://p.test/2x", "http://p.test/3x", "http://p.test/none"} {
		if _, err := again.Unlearn(t.Context(), url); err != nil {
			t.Fatal(err)
		}
	}
	if s, b := score(again, "Surgery Scalpel hour"), score(again, "Football Diet Insulin"); s != beforeSurgery || b != beforeFootball {
		t.Errorf("withdrawn: surgery %v, then %v; football %v, then %v", beforeSurgery, s, beforeFootball, b)
	}
}

// TestRelearnOfBackground: a few pages that are not relevant make no background, and join one of rejected pages.
func TestRelearnOfBackground(t *testing.T) {
	f := focus(t, Options{Snapshot: schema(t, topical, nil)})
	before := judge(t, f, page("Insulin River")).Score
	p := page("River Bridge day")
	if _, err := f.Relearn(t.Context(), orbweaver.Outcome{Request: orbweaver.Request{URL: p.URL}, Page: p, Actual: judge(t, f, p)}, 0); err != nil {
		t.Fatal(err)
	}
	if now := judge(t, f, page("Insulin River")).Score; now != before || f.Now().Background() != 0 {
		t.Errorf("%v, not %v", now, before)
	}
	pages, _ := web(2, 200)
	for _, p := range pages {
		if _, err := f.Learn(t.Context(), orbweaver.Outcome{Page: p, Actual: judge(t, f, p)}); err != nil {
			t.Fatal(err)
		}
	}
	rejected := f.Now().Background()
	if _, err := f.Unlearn(t.Context(), p.URL); err != nil || rejected < 32 || f.Now().Background() != rejected-1 {
		t.Errorf("%d documents, then %d, %v", rejected, f.Now().Background(), err)
	}
}
