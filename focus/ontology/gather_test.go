package ontology

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	kb "orbweaver/kb/ontology"
)

// gathered returns a focus that gathered what others have learned, again and again the same.
func gathered(tb testing.TB, opts Options, workers ...*Focus) *Focus {
	tb.Helper()
	var all *Focus
	for range 3 {
		again, snapshots := focus(tb, opts), map[string][]byte{}
		for i, w := range workers {
			snapshots[fmt.Sprint("worker", i)] = []byte(snapshotOf(tb, w))
		}
		if err := again.Gather(tb.Context(), snapshots); err != nil {
			tb.Fatal(err)
		}
		if all != nil && snapshotOf(tb, again) != snapshotOf(tb, all) {
			tb.Fatal("gathered again it is another")
		}
		all = again
	}
	return restored(tb, opts, all)
}

// scored are outcomes of pages on five hosts, with scores and the words of links; of some the text names no target.
func scored(rng *rand.Rand, n int) (all []orbweaver.Outcome) {
	for i := range n {
		host := rng.IntN(5)
		o := requested(fmt.Sprintf("http://host%d.test/%d", host, i), rng.Float64(), "always", fmt.Sprint("word", string(rune('a'+rng.IntN(9)))))
		var b strings.Builder
		if rng.IntN(3) > 0 {
			b.WriteString(randomText(rng, 5+rng.IntN(20)))
			fmt.Fprintf(&b, "plane host%d term%d common pilot ", host, rng.IntN(40))
		}
		for range 20 {
			fmt.Fprintf(&b, "term%d ", rng.IntN(40))
		}
		if o.Page.Text = b.String(); rng.IntN(4) == 0 {
			o.Page.Title = fmt.Sprintf("Term%d", rng.IntN(40))
		}
		all = append(all, o)
	}
	return all
}

// TestGather: however pages are split among workers, and whether these took of each other, what is gathered of all is what one worker counts that has learned all
// pages.
func TestGather(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	outcomes := scored(rng, 200)
	opts := options(t, kb.Total, "Airplane")
	opts.IDF, opts.Telling, opts.Paper.Satisfied = Learned, true, false
	whole := focus(t, opts)
	for _, o := range outcomes {
		judgedAndLearnt(t, whole, o)
	}
	for _, n := range []int{1, 2, 4} {
		workers, all := make([]*Focus, n), map[int][]byte{}
		for i := range workers {
			workers[i] = focus(t, opts)
		}
		for _, o := range outcomes {
			i := rng.IntN(n)
			judgedAndLearnt(t, workers[i], o)
			all[i] = shared(t, workers[i])
			if k := rng.IntN(n); n > 1 && rng.IntN(9) == 0 {
				take(t, workers[k], k, all)
			}
		}
		f := gathered(t, opts, workers...)
		if n == 1 && snapshotOf(t, f) != snapshotOf(t, workers[0]) {
			t.Error("gathered of one worker it is another")
		}
		want := whole.counted()
		want.Telling = f.counted().Telling // by what each knew
		sameCounts(t, fmt.Sprintf("%d workers", n), f.counted(), want)
		for i, one := range whole.telling.list {
			if f.telling.pages != whole.telling.pages || f.telling.list[i].Pages != one.Pages {
				t.Errorf("%d workers: entity %d tells of %d pages, want %d", n, i, f.telling.list[i].Pages, one.Pages)
			}
		}
		sameGaps(t, fmt.Sprintf("%d workers", n), f.gaps, whole.gaps)
		if got, want := listed(suggestions(t, f)), listed(suggestions(t, whole)); n == 1 && got != want {
			t.Errorf("suggested %s, want %s", got, want)
		}
	}
}

// sameGaps compares what does not depend on when a word was met first.
func sameGaps(t *testing.T, who string, got, want *gaps) {
	t.Helper()
	if got.near != want.near || got.far != want.far || got.pages != want.pages || got.texts != want.texts || got.nearby != want.nearby {
		t.Errorf("%s: %d near, %d far, masses %v, %v, %v, want %d, %d, %v, %v, %v",
			who, got.near, got.far, got.pages, got.texts, got.nearby, want.near, want.far, want.pages, want.texts, want.nearby)
	}
	pages := func(g *gaps) map[string]int64 {
		all := map[string]int64{}
		for _, h := range g.hosts {
			all[h.name] = h.pages
		}
		return all
	}
	if a, b := pages(got), pages(want); fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("%s: hosts %v, want %v", who, a, b)
	}
	if len(got.wordsOf) != len(want.wordsOf) || len(got.pairsOf) != len(want.pairsOf) || len(want.pairsOf) == 0 {
		t.Errorf("%s: %d words, %d pairs, want %d, %d", who, len(got.wordsOf), len(got.pairsOf), len(want.wordsOf), len(want.pairsOf))
	}
	for i := range want.wordsOf {
		one, slot := &want.wordsOf[i], want.words.slots[i]
		at := got.words.find(slot.key)
		if at < 0 || got.words.slots[at] != slot {
			t.Errorf("%s: %q counts otherwise than %v", who, one.form, slot)
			continue
		}
		two := &got.wordsOf[at]
		if !strings.EqualFold(two.form, one.form) && two.form != "" {
			t.Errorf("%s: %q is written %q", who, one.form, two.form)
		}
		if strings.HasPrefix(one.form, "host") && !strings.Contains(one.form, " ") && two.form != "" && two.at.host >= 0 && got.hosts[two.at.host].name != one.form+".test" {
			t.Errorf("%s: %q is at %s", who, one.form, got.hosts[two.at.host].name)
		}
		if two.examples != nil && (two.examples[0] == "" || len(slices.Compact(slices.Sorted(slices.Values(given(two.examples))))) != len(given(two.examples))) {
			t.Errorf("%s: examples %q", who, two.examples)
		}
	}
	for i, p := range want.pairsOf {
		if at := got.pairs.find(p.key()); at < 0 || got.pairs.slots[at] != want.pairs.slots[i] || got.pairsOf[at].pair != p.pair || got.pairsOf[at].text.met != p.text.met {
			t.Errorf("%s: pair %v counts otherwise", who, p.pair)
		}
	}
}

// TestGatherWord: what two workers know of a word adds up as it would at one; the pages of a worker that never met it come before.
func TestGatherWord(t *testing.T) {
	opts := options(t, kb.Total, "Airplane")
	one, two := focus(t, opts), focus(t, opts)
	learn := func(f *Focus, url, text string, score float64) {
		t.Helper()
		if _, err := f.Learn(t.Context(), orbweaver.Outcome{Page: &orbweaver.Page{URL: url, Text: text, Lang: "en"}, Actual: orbweaver.Judgement{Score: score}}); err != nil {
			t.Fatal(err)
		}
	}
	learn(one, "http://a.test/1", "plane Hangar", 1)
	learn(one, "http://a.test/2", "plane Hangar", 1)
	learn(one, "http://a.test/3", "plane Hangar mast", 1)
	learn(two, "http://b.test/1", "plane airliner hangar", 1)
	learn(two, "http://b.test/2", "plane airliner hangar", 1)
	learn(two, "http://b.test/3", "plane airliner hangar", 1)
	learn(two, "http://b.test/4", "plane airliner hangar", 1)
	f := gathered(t, opts, one, two)
	at := f.gaps.words.find(keyOf("hangar"))
	if at < 0 {
		t.Fatal("no hangar")
	}
	w, slot := f.gaps.wordsOf[at], f.gaps.words.slots[at]
	airliner, _ := f.Ontology().Find("http://example.org/CommercialAirplane")
	if slot.count != 7 || w.form != "hangar" || w.votes != 1 || w.most() != int32(airliner) || w.text.met != f.gaps.texts {
		t.Errorf("%+v, %+v", slot, w)
	}
	if f.gaps.hosts[w.at.host].name != "b.test" || w.at.votes != 1 || w.at.met != 4 || w.at.since != 0 {
		t.Errorf("at %+v", w.at)
	}
	if got := given(w.examples); !slices.Equal(got, []string{"http://a.test/2", "http://a.test/3", "http://b.test/2"}) {
		t.Errorf("examples %q", got)
	}
	at = f.gaps.words.find(keyOf("mast"))
	if w := f.gaps.wordsOf[at]; w.form != "" || w.text.before != f.gaps.texts.less(w.text.met) || f.gaps.words.slots[at].count != 1 {
		t.Errorf("met once: %+v", w)
	}
}

// TestGatherFull: where sketches are full, a count is wrong by at most what it says.
func TestGatherFull(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	opts := options(t, kb.Total, "Airplane")
	for _, n := range []int{2, 4} {
		workers := make([]*Focus, n)
		for i := range workers {
			workers[i] = focus(t, opts)
			workers[i].gaps.words, workers[i].gaps.pairs = newSketch(20), newSketch(3)
		}
		whole := focus(t, opts)
		for _, o := range scored(rng, 150) {
			judgedAndLearnt(t, whole, o)
			judgedAndLearnt(t, workers[rng.IntN(n)], o)
		}
		all := workers[0].gaps
		for _, w := range workers[1:] {
			var err error
			if all, err = all.merge(w.gaps); err != nil {
				t.Fatal(err)
			}
		}
		if len(all.words.slots) != 20 || len(all.wordsOf) != 20 || len(all.pairsOf) != 3 {
			t.Errorf("%d words, %d pairs", len(all.words.slots), len(all.pairsOf))
		}
		for of, both := range map[string][2]*sketch{"word": {all.words, whole.gaps.words}, "pair": {all.pairs, whole.gaps.pairs}} {
			for _, slot := range both[0].slots {
				truth := both[1].slots[both[1].find(slot.key)].count
				if slot.support() > truth || truth > slot.count || slot.support() < 1 {
					t.Errorf("%s: %d pages, counted %+v", of, truth, slot)
				}
			}
		}
		for i := range all.wordsOf {
			w := &all.wordsOf[i]
			if since := all.texts.less(w.text.before); w.text.met.on > since.on || w.text.met.off > since.off {
				t.Errorf("%q was met on %v of %v", w.form, w.text.met, since)
			}
		}
	}
}

// TestGatherDamaged: what can't be read, or is of another ontology, changes nothing.
func TestGatherDamaged(t *testing.T) {
	opts := options(t, kb.Total, "Airplane")
	one, two := taught(t, opts, "plane hangar", "plane mast hangar"), taught(t, opts, "plane mast", "jet engine plane")
	fine, before := snapshotOf(t, two), snapshotOf(t, one)
	foreign := strings.ReplaceAll(fine, "http://example.org/Airplane", "http://example.org/Airplany")
	decided := strings.Replace(fine, `"version":3`, `"version":3,"decided":["0123abcd"]`, 1)
	if foreign == fine || decided == fine {
		t.Fatalf("nothing changed in %q", fine)
	}
	for name, bad := range map[string]string{
		"none": "", "cut short": fine[:len(fine)-3], "more": fine + "x", "no snapshot": "{}\n", "another ontology": foreign, "another decision": decided,
	} {
		err := one.Gather(t.Context(), map[string][]byte{"a": []byte(fine), "b": []byte(bad)})
		if !errors.Is(err, orbweaver.ErrDamaged) || snapshotOf(t, one) != before {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := one.Gather(t.Context(), nil); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Errorf("of nobody: %v", err)
	}
	huge := two.gaps
	huge.pages = mass{maxMass, maxMass}
	if err := one.Gather(t.Context(), map[string][]byte{"a": []byte(snapshotOf(t, two)), "b": []byte(snapshotOf(t, two))}); !errors.Is(err, orbweaver.ErrDamaged) || snapshotOf(t, one) != before {
		t.Errorf("more pages than can be: %v", err)
	}
}

// FuzzGather: whatever snapshots there are, they are gathered to what can be read again, or refused.
func FuzzGather(f *testing.F) {
	opts := options(f, kb.Total, "Airplane")
	one := []byte(snapshotOf(f, taught(f, opts, "plane hangar", "plane mast hangar")))
	f.Add(one, []byte(snapshotOf(f, taught(f, opts, "plane mast", "jet engine plane"))))
	f.Add(one, one)
	f.Fuzz(func(t *testing.T, a, b []byte) {
		two := focus(t, opts)
		if err := two.Gather(t.Context(), map[string][]byte{"a": a, "b": b}); err != nil {
			if !errors.Is(err, orbweaver.ErrDamaged) || !bytes.Equal([]byte(snapshotOf(t, two)), []byte(snapshotOf(t, focus(t, opts)))) {
				t.Errorf("%v", err)
			}
			return
		}
		restored(t, opts, two)
	})
}
