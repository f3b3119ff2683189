package ontology

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"orbweaver"
	kb "orbweaver/kb/ontology"
)

// shared returns what a focus shares.
func shared(tb testing.TB, f *Focus) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := f.Share(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// sameCounts compares counts up to rounding and order.
func sameCounts(tb testing.TB, who string, got, want *counts) {
	tb.Helper()
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	if got.Pages != want.Pages || !maps.Equal(got.DF, want.DF) || !bytes.Equal(got.Accept.Append(nil), want.Accept.Append(nil)) {
		tb.Errorf("%s: %d pages, %v, want %d, %v", who, got.Pages, got.DF, want.Pages, want.DF)
	}
	if got.Telling.Pages != want.Telling.Pages || !near(got.Telling.Sum, want.Telling.Sum) || len(got.Telling.Entities) != len(want.Telling.Entities) {
		tb.Errorf("%s: telling %+v, want %+v", who, got.Telling, want.Telling)
	}
	for iri, one := range want.Telling.Entities {
		if two := got.Telling.Entities[iri]; two.Pages != one.Pages || !near(two.Sum, one.Sum) || !near(two.Rest, one.Rest) {
			tb.Errorf("%s: %s tells %+v, want %+v", who, iri, two, one)
		}
	}
	if got.words.pages != want.words.pages || !near(got.words.sum, want.words.sum) || len(got.words.list) != len(want.words.list) {
		tb.Errorf("%s: %d words of %d pages, want %d of %d", who, len(got.words.list), got.words.pages, len(want.words.list), want.words.pages)
	}
	for i := range want.words.list {
		one := &want.words.list[i]
		if two := got.words.find([]byte(one.stem())); two == nil || two.pages != one.pages || !near(two.sum, one.sum) {
			tb.Errorf("%s: word %s is %+v, want %+v", who, one.stem(), two, one)
		}
	}
}

// TestShare: however outcomes are split among workers, and however often these share, in the end each has the counts that one worker has of all
// outcomes; also after a snapshot.
func TestShare(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	var outcomes []orbweaver.Outcome
	for i := range 60 {
		o := requested(fmt.Sprint("http://p.test/", i), rng.Float64(), "always", []string{"airship", "weather", "balloon"}[rng.IntN(3)], fmt.Sprint("word", string(rune('a'+rng.IntN(9)))))
		o.Page.Text = randomText(rng, 5+rng.IntN(30))
		outcomes = append(outcomes, o)
	}
	opts := options(t, kb.Total, "Airplane")
	opts.IDF, opts.Telling, opts.Paper.Satisfied = Learned, true, false
	whole := focus(t, opts)
	for i := range outcomes {
		judgedAndLearnt(t, whole, outcomes[i])
	}
	for _, n := range []int{2, 3, 5} {
		workers := make([]*Focus, n)
		for i := range workers {
			workers[i] = focus(t, opts)
		}
		all := map[int][]byte{}
		for _, o := range outcomes {
			i := rng.IntN(n)
			judgedAndLearnt(t, workers[i], o)
			if rng.IntN(3) == 0 {
				all[i] = shared(t, workers[i])
			}
			if k := rng.IntN(n); rng.IntN(3) == 0 {
				take(t, workers[k], k, all)
			}
			if k := rng.IntN(n); rng.IntN(6) == 0 {
				workers[k] = restored(t, opts, workers[k])
			}
		}
		for i, f := range workers {
			all[i] = shared(t, f)
		}
		for i, f := range workers {
			take(t, f, i, all)
			want := whole.counted()
			want.Accept, want.Telling = f.counted().Accept, f.counted().Telling // judged by what each knew
			sameCounts(t, fmt.Sprintf("worker %d of %d", i, n), f.counted(), want)
			sameCounts(t, fmt.Sprintf("restored %d of %d", i, n), restored(t, opts, f).counted(), f.counted())
			if i > 0 {
				sameCounts(t, fmt.Sprintf("worker %d beside 0 of %d", i, n), f.counted(), workers[0].counted())
			}
			if f.counted().Telling.Pages != 60 {
				t.Errorf("telling of %d pages", f.counted().Telling.Pages)
			}
		}
	}
}

// judgedAndLearnt judges and learns a page.
func judgedAndLearnt(tb testing.TB, f *Focus, o orbweaver.Outcome) {
	tb.Helper()
	p := *o.Page
	p.Findings = nil
	score := o.Actual.Score
	if o.Actual, _ = judged(tb, f, &p); score > 0 {
		o.Actual.Score = score
	}
	o.Page = &p
	if _, err := f.Learn(tb.Context(), o); err != nil {
		tb.Fatal(err)
	}
}

// take gives a worker what the others share.
func take(tb testing.TB, f *Focus, self int, all map[int][]byte) {
	tb.Helper()
	of := map[string][]byte{}
	for i, body := range all {
		if i != self {
			of[fmt.Sprint(i)] = body
		}
	}
	if _, err := f.Take(tb.Context(), of); err != nil {
		tb.Fatal(err)
	}
}

// restored returns a focus with the snapshot of another, whose snapshot is the same again.
func restored(tb testing.TB, opts Options, f *Focus) *Focus {
	tb.Helper()
	var a, b bytes.Buffer
	again := focus(tb, opts)
	err := errors.Join(f.Snapshot(&a), again.Restore(bytes.NewReader(a.Bytes())), again.Snapshot(&b))
	if err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
		tb.Fatalf("restored: %v", err)
	}
	return again
}

// TestSharedWordRanks: a word that led a worker to relevant pages raises links with it that wait at another.
func TestSharedWordRanks(t *testing.T) {
	f, other := focus(t, options(t, kb.Total, "Airplane")), focus(t, options(t, kb.Total, "Airplane"))
	for i := range 5 {
		judgedAndLearnt(t, other, requested(fmt.Sprint("http://p.test/", i), 0.9, "airship"))
		judgedAndLearnt(t, other, requested(fmt.Sprint("http://p.test/not", i), 0.1, "weather"))
	}
	lesson, err := f.Take(t.Context(), map[string][]byte{"other": shared(t, other)})
	_, lift := f.words.best(stemList("airship"))
	if err != nil || !slices.Contains(lesson.Stale, keyPrefix+"airship") || lift < 0.2 {
		t.Errorf("lift %v, stale %v, %v", lift, lesson.Stale, err)
	}
	if lesson, err := f.Take(t.Context(), nil); err != nil || f.words.find([]byte("airship")) != nil || f.others != nil {
		t.Errorf("taken back: %v, %v", lesson, err)
	}
}

// FuzzTake: whatever a worker shares is taken or refused, and what is refused changes nothing.
func FuzzTake(f *testing.F) {
	opts := options(f, kb.Total, "Airplane")
	opts.IDF, opts.Telling, opts.Paper.Satisfied = Learned, true, false
	one := focus(f, opts)
	for i := range 5 {
		o := requested(fmt.Sprint("http://p.test/", i), 0.9, "airship")
		o.Page.Text = "airplane glider wing"
		judgedAndLearnt(f, one, o)
	}
	f.Add(shared(f, one))
	f.Add([]byte(`{"pages":3,"df":{"x":4}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		two := focus(t, opts)
		before := shared(t, two)
		_, err := two.Take(t.Context(), map[string][]byte{"x": body})
		if err != nil && !errors.Is(err, orbweaver.ErrDamaged) {
			t.Errorf("%v", err)
		}
		if after := shared(t, two); !bytes.Equal(before, after) {
			t.Errorf("its own is %s, before %s", after, before)
		}
		restored(t, opts, two)
	})
}

// TestShareRounds: what is left after others' sums are taken off again can be read, whatever was lost by rounding.
func TestShareRounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 4))
	some := func(words ...string) *counts {
		c := newCounts()
		for range 1 + rng.IntN(9) {
			c.words.learn(stemList(words[rng.IntN(len(words))]), rng.Float64())
		}
		return c
	}
	for range 2000 {
		one, two, three := some("always"), some("always", "other"), some("other")
		own := one.plus(two, 1).plus(three, 1).plus(two.plus(three, 1), -1)
		b, err := own.encoded()
		if err == nil {
			_, err = decoded(b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
