package spell_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"orbweaver/text/spell"
)

// taught returns a dictionary with the given counts of ordinary words.
func taught(opts spell.Options, counts map[string]int, order ...string) *spell.Dictionary {
	d := spell.New(opts)
	for _, word := range order {
		for range counts[word] {
			d.Add([]byte(word), true)
		}
	}
	return d
}

func TestCorrect(t *testing.T) {
	counts := map[string]int{
		"agreement": 100, "government": 120, "market": 200, "quiet": 60, "quite": 60, "international": 90,
		"running": 99, "spoken": 49, "rarely": 2, "known": 3, "straße": 70, "knife": 100,
	}
	order := strings.Fields("agreement government market quiet quite international running spoken rarely known straße knife")
	d := taught(spell.Options{}, counts, order...)
	d.Teach("marker")
	for range 100 {
		d.Add([]byte("reagan"), false)
	}
	for _, tc := range []struct{ name, word, want string }{
		{"a letter left out", "agrement", "agreement"},
		{"a letter doubled", "goverrnment", "government"},
		{"two letters exchanged", "amrket", ""}, // different first letter
		{"two letters exchanged inside", "makret", "market"},
		{"another letter in a short word", "mirket", ""},
		{"another letter in a long word", "agreememt", "agreement"},
		{"two changes in a long word", "interantonal", "international"},
		{"two changes in one not so long", "goverment", "government"},
		{"two changes, shorter", "agrememt", ""},
		{"three changes", "intrntionl", ""},
		{"a taught word", "marker", ""},
		{"itself", "market", ""},
		{"two as near", "quiett", ""}, // quiet has distance 1 and is a form of it
		{"as near to quiet as to quite", "quiete", ""},
		{"a form of the frequent word", "runnings", ""},
		{"not seen often enough", "spokken", ""},
		{"seen just often enough", "knnife", "knife"},
		{"a name is no correction", "reaagan", ""},
		{"too short", "kife", ""},
		{"letters beyond ASCII", "strraße", "straße"},
		{"nothing", "", ""},
		{"no UTF-8", "market\xff\xfe", ""},
		{"too long", strings.Repeat("market", 20), ""},
	} {
		got, changed := d.Correct([]byte(tc.word))
		if got != tc.want || changed != (tc.want != "") {
			t.Errorf("%s: %q became %q, not %q", tc.name, tc.word, got, tc.want)
		}
	}
}

// TestRatio: a misspelling seen twice requires a correction seen a hundred times; a word seen three times is
// known.
func TestRatio(t *testing.T) {
	for _, tc := range []struct {
		slips, frequent int
		want            bool
	}{{0, 49, false}, {0, 50, true}, {1, 50, true}, {2, 99, false}, {2, 100, true}, {3, 5000, false}} {
		d := taught(spell.Options{}, map[string]int{"markets": tc.frequent, "makrets": tc.slips}, "markets", "makrets")
		if _, got := d.Correct([]byte("makrets")); got != tc.want {
			t.Errorf("%d times against %d: %v", tc.slips, tc.frequent, got)
		}
	}
}

func TestDominance(t *testing.T) {
	for _, tc := range []struct {
		rival int
		want  string
	}{{100, "trading"}, {101, ""}} {
		d := taught(spell.Options{}, map[string]int{"trading": 1000, "training": tc.rival}, "trading", "training")
		if got, _ := d.Correct([]byte("traiding")); got != tc.want {
			t.Errorf("%d: %q", tc.rival, got)
		}
	}
}

func TestOrdinary(t *testing.T) {
	for _, tc := range []struct {
		text string // the word is between bars
		want bool
	}{
		{"|word|", true}, {"a |word| b", true}, {"(|word|)", true}, {"“|word|.”", true}, {"a |word|, b", true}, {"\n|wörd|\n", true},
		{"a |Word|", false}, {"|WORD|", false}, {"|woRd|", false}, {"|w0rd|", false}, {"|12|", false}, {"non-|word|", false},
		{"|word|-like", false}, {"www.|word|.com", false}, {"|word|@host", false}, {"a/|word|", false}, {"_|word|_", false},
		{"|don't| ", false}, {"|word|.....", true}, {"|词|", false}, {"$|word|", false},
	} {
		parts := strings.Split(tc.text, "|")
		src := strings.Join(parts, "")
		from := len(parts[0])
		if got := spell.Ordinary(src, from, from+len(parts[1])); got != tc.want {
			t.Errorf("%s: %v", tc.text, got)
		}
	}
}

// TestForgetting: a dictionary never exceeds its capacity, keeps frequent and taught words, and evicts
// deterministically.
func TestForgetting(t *testing.T) {
	make := func() *spell.Dictionary {
		d := taught(spell.Options{Words: 100}, map[string]int{"market": 100}, "market")
		d.Teach("lexicon")
		for i := range 10_000 {
			d.Add(fmt.Appendf(nil, "word%d", i), true)
			if d.Len() > 101 {
				t.Fatalf("%d words after %d", d.Len(), i)
			}
		}
		return d
	}
	a, b := make(), make()
	if !bytes.Equal(a.Append(nil), b.Append(nil)) {
		t.Error("the same words, another dictionary")
	}
	if got, _ := a.Correct([]byte("markket")); got != "market" {
		t.Errorf("the frequent word was forgotten: %q", got)
	}
	if _, changed := a.Correct([]byte("lexicon")); changed || a.Count([]byte("word9999")) != 1 || a.Count([]byte("word1")) != 0 {
		t.Error("the last and the taught are remembered, the first not")
	}
}

func TestOneWordOnly(t *testing.T) {
	d := spell.New(spell.Options{Words: 1})
	d.Add([]byte("one"), true)
	d.Add([]byte("two"), true)
	if d.Len() != 1 || d.Count([]byte("two")) != 1 {
		t.Errorf("%d words", d.Len())
	}
}

func TestSnapshot(t *testing.T) {
	d := taught(spell.Options{}, map[string]int{"market": 100, "other": 2}, "market", "other")
	d.Teach("lexicon")
	d.Teach("other")
	b := d.Append(nil)
	again := spell.New(spell.Options{})
	rest, err := again.Restore(append(b, "rest"...))
	if err != nil || string(rest) != "rest" || !bytes.Equal(again.Append(nil), b) {
		t.Fatalf("%q, %v", rest, err)
	}
	if got, _ := again.Correct([]byte("markket")); got != "market" {
		t.Errorf("%q", got)
	}
	again.Teach("lexicon")
	if again.Len() != d.Len() || !bytes.Equal(again.Append(nil), b) {
		t.Errorf("%d words, not %d", again.Len(), d.Len())
	}
	for n := range b {
		if _, err := again.Restore(b[:n]); !errors.Is(err, spell.ErrDamaged) {
			t.Errorf("%d bytes of %d: %v", n, len(b), err)
		}
	}
	if !bytes.Equal(again.Append(nil), b) {
		t.Error("a damaged snapshot changed the dictionary")
	}
}

func TestNoAllocation(t *testing.T) {
	d := taught(spell.Options{}, map[string]int{"market": 100, "government": 50}, "market", "government")
	for _, word := range []string{"market", "makret", "goverment", "unheard"} {
		b := []byte(word)
		if n := testing.AllocsPerRun(100, func() { d.Correct(b) }); n != 0 {
			t.Errorf("%s: %v allocations", word, n)
		}
	}
	b := []byte("market")
	if n := testing.AllocsPerRun(100, func() { d.Add(b, true) }); n != 0 {
		t.Errorf("Add: %v allocations", n)
	}
}

func FuzzCorrect(f *testing.F) {
	f.Add("market makret", []byte{1, 0})
	f.Add("straße strasse", []byte{1, 1, 6<<1 | 1, 'm', 'a', 'r', 'k', 'e', 't', 2, 1})
	f.Fuzz(func(t *testing.T, src string, snapshot []byte) {
		d := spell.New(spell.Options{Ratio: 1, Known: 2, MinLetters: 1, MinLettersOther: 1, MinLettersTwo: 1, Words: 50})
		if rest, err := d.Restore(snapshot); err == nil {
			// Numbers may have redundant bytes, so compare after another round trip.
			b := d.Append(nil)
			if again, err := spell.New(spell.Options{}).Restore(b); err != nil || len(again) != 0 || len(rest) > len(snapshot) {
				t.Fatalf("%v, %d bytes left", err, len(again))
			}
		}
		for _, word := range strings.Fields(src) {
			d.Add([]byte(word), spell.Ordinary(src, 0, len(word)))
			if to, changed := d.Correct([]byte(word)); changed && to == word {
				t.Fatalf("%q became itself", word)
			}
		}
	})
}
