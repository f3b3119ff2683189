package ontology

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"orbweaver"
	"orbweaver/focus/inlinks"
	kb "orbweaver/kb/ontology"
)

// requested is the outcome of a page that was requested by words and has a score.
func requested(url string, score float64, words ...string) orbweaver.Outcome {
	note := append(inlinks.One(0.5).Append(nil), stemList(words...)...)
	return orbweaver.Outcome{
		Request: orbweaver.Request{URL: url, Note: note}, Page: &orbweaver.Page{URL: url, Lang: "en"},
		Actual: orbweaver.Judgement{Score: score},
	}
}

// TestRelearn: a person who finds pages irrelevant that score well takes the lift from the words that led to them, and a withdrawal gives it
// back.
func TestRelearn(t *testing.T) {
	f := focus(t, options(t, kb.Total, "Airplane"))
	learn := func(o orbweaver.Outcome) {
		t.Helper()
		if _, err := f.Learn(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	for _, url := range []string{"a", "b", "c", "d"} {
		learn(requested("http://p.test/"+url, 0.9, "airship"))
		learn(requested("http://p.test/not"+url, 0.1, "weather"))
	}
	worth := func() float64 {
		score, ok := f.Worth(append(inlinks.One(0.2).Append(nil), stemList("airship")...))
		if !ok {
			t.Fatal("no worth")
		}
		return score
	}
	first, base := worth(), inlinks.One(0.2).Score()
	var stale []string
	for _, url := range []string{"a", "b", "c", "d"} {
		lesson, err := f.Relearn(t.Context(), requested("http://p.test/"+url, 0.9, "airship"), 0)
		if err != nil {
			t.Fatal(err)
		}
		stale = append(stale, lesson.Stale...)
	}
	if now := worth(); now > base+1e-9 || first < base+0.1 || !slices.Contains(stale, keyPrefix+"airship") {
		t.Errorf("worth %v, then %v; stale %v", first, now, stale)
	}
	if _, err := f.Relearn(t.Context(), requested("http://p.test/a", 0.9, "airship"), 1); err != nil {
		t.Fatal(err)
	}
	if now := worth(); now <= base {
		t.Errorf("with one found relevant: %v", now)
	}
	for _, url := range []string{"a", "b", "c", "d", "unknown"} {
		if _, err := f.Unlearn(t.Context(), "http://p.test/"+url); err != nil {
			t.Fatal(err)
		}
	}
	if now := worth(); math.Abs(now-first) > 1e-9 {
		t.Errorf("withdrawn: %v, not %v", now, first)
	}
}

// TestRelearnRestored: any verdicts and withdrawals leave sums that a snapshot restores, and the restored focus takes the others back alike.
func TestRelearnRestored(t *testing.T) {
	random := rand.New(rand.NewPCG(26, 1))
	f := focus(t, options(t, kb.Total, "Airplane"))
	var outcomes []orbweaver.Outcome
	for i := range 60 {
		o := requested("http://p.test/"+string(rune('A'+i)), random.Float64(), []string{"airship", "glider", "rare" + string(rune('A'+i))}[i%3])
		outcomes = append(outcomes, o)
		if _, err := f.Learn(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	for step := range 400 {
		o := outcomes[random.IntN(len(outcomes))]
		var err error
		if random.IntN(3) == 0 {
			_, err = f.Unlearn(t.Context(), o.Request.URL)
		} else {
			_, err = f.Relearn(t.Context(), o, float64(random.IntN(2)))
		}
		if err != nil {
			t.Fatal(err)
		}
		if step%40 != 0 {
			continue
		}
		text := snapshotOf(t, f)
		again := focus(t, options(t, kb.Total, "Airplane"))
		if err := again.Restore(bytes.NewReader([]byte(text))); err != nil {
			t.Fatalf("after %d verdicts: %v", step, err)
		}
		if snapshotOf(t, again) != text {
			t.Fatalf("after %d verdicts the restored focus is another", step)
		}
		f = again
	}
}
