package item

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"orbweaver/text/spell"
)

// read returns a draft of an English text.
func read(body string) Draft {
	var r Reader
	return r.Read(body, "", "en")
}

// shownGrams returns the pairs and triples of a draft as displayed.
func shownGrams(d Draft) (shown []string) {
	for i := range d.grams {
		shown = append(shown, d.shown(&d.grams[i]))
	}
	return shown
}

func TestRead(t *testing.T) {
	for _, tc := range []struct {
		name, body, title, lang string
		words, grams            []string
	}{
		{"stop words divide", "trade and the oil market", "", "en", []string{"trade", "and", "the", "oil", "market"}, []string{"oil market"}},
		{"but one of", "the Bank of England cut rates", "", "en", []string{"the", "Bank", "of", "England", "cut", "rates"},
			[]string{"Bank of England", "England cut", "Bank of England cut", "cut rates", "England cut rates"}},
		{"of alone is no bridge", "made of of wood, of wood", "", "en", []string{"made", "of", "wood"}, nil},
		{"signs divide", "oil, gas. coal (peat) tar", "", "en", []string{"oil", "gas", "coal", "peat", "tar"}, nil},
		{"hyphens join, lines too", "high-speed\n  rail\n\nline", "", "en", []string{"high", "speed", "rail", "line"},
			[]string{"high-speed", "speed rail", "high-speed rail"}},
		{"numbers are no words", "1987 profit 3.5 loss x tax", "", "en", []string{"profit", "loss", "tax"}, nil},
		{"case is that of the smallest", "Oil OPEC oil Opec", "", "en", []string{"oil", "OPEC"},
			[]string{"Oil OPEC", "OPEC oil", "Oil OPEC oil", "OPEC oil Opec"}},
		{"the possessive is left out", "the company's plan", "", "en", []string{"the", "company", "plan"}, []string{"company's plan"}},
		{"the title comes behind", "oil price", "PRICE WAR", "en", []string{"oil", "price", "WAR"}, []string{"oil price", "PRICE WAR"}},
		{"other languages have no stop words", "der Preis der Welt", "", "de", []string{"der", "Preis", "Welt"},
			[]string{"der Preis", "Preis der", "der Preis der", "der Welt", "Preis der Welt"}},
		{"nothing", "", "", "", nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var r Reader
			d := r.Read(tc.body, tc.title, tc.lang)
			var words []string
			for _, w := range d.words {
				words = append(words, w.surface)
			}
			if !reflect.DeepEqual(words, tc.words) {
				t.Errorf("words %q, not %q", words, tc.words)
			}
			if grams := shownGrams(d); !reflect.DeepEqual(grams, tc.grams) {
				t.Errorf("grams %q, not %q", grams, tc.grams)
			}
		})
	}
}

// TestReadInParallel: a draft depends on the document alone.
func TestReadInParallel(t *testing.T) {
	var r Reader
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for k := range 50 {
				body := fmt.Sprintf("Crude oil number%d rose as prices of number%d fell", i, k)
				if got := r.Read(body, "Oil", "en"); !reflect.DeepEqual(got, read2(body)) {
					t.Errorf("%q: %+v", body, got)
				}
			}
		})
	}
	wait.Wait()
}

func read2(body string) Draft {
	var r Reader
	return r.Read(body, "Oil", "en")
}

func TestReadIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 2 * maxTokens {
		fmt.Fprintf(&b, "w%dx%d ", i%30_000, i%7)
	}
	d := read(b.String())
	if d.length != maxTokens || len(d.words) != maxWords || len(d.grams) > maxGrams {
		t.Errorf("%d tokens, %d words, %d grams", d.length, len(d.words), len(d.grams))
	}
	if long := read(strings.Repeat("x", 1000) + " word"); len(long.words) != 1 {
		t.Errorf("%d words, one too long", len(long.words))
	}
}

func TestLack(t *testing.T) {
	s := NewState(Options{})
	for _, tc := range []struct {
		body string
		want Lack
	}{
		{"", NoText}, {"…", NoText}, {"12 345 6.7 a", NoLetters}, {"the and of 12", StopWords}, {"s", NoLetters}, {"word", ""},
	} {
		taken := s.Take(read(tc.body))
		if taken.Lack != tc.want || (len(taken.Terms) == 0) != (tc.want != "") {
			t.Errorf("%q: %q, %v", tc.body, taken.Lack, taken.Terms)
		}
		if weighed := s.Weigh(read(tc.body)); weighed.Lack != tc.want {
			t.Errorf("%q weighed: %q", tc.body, weighed.Lack)
		}
	}
	if got := s.Weigh(read("never heard")); got.Lack != Strange || got.Unknown != 1 { // never is a stop word
		t.Errorf("%+v", got)
	}
	if s.N() != 1 {
		t.Errorf("%d items; those without terms are none", s.N())
	}
}

func TestWeights(t *testing.T) {
	s := NewState(Options{})
	s.Take(read("market"))
	s.Take(read("market; price"))
	got := s.Take(read("price; price; market"))
	market, price := (1+0.0)*math.Log(1+3.0/3), (1+math.Log(2))*math.Log(1+3.0/2)
	want := []Term{{1, market}, {2, price}}
	if !reflect.DeepEqual(got.Terms, want) || got.Length != 3 {
		t.Errorf("%+v, not %v", got, want)
	}
	if again := s.Weigh(read("price; price; market; unheard")); !reflect.DeepEqual(again.Terms, want) || again.Unknown != 1 {
		t.Errorf("weighed %+v, not %v", again, want)
	}
}

// TestForms: words with one stem are one term, displayed in its most frequent form.
func TestForms(t *testing.T) {
	s := NewState(Options{})
	for _, body := range []string{"Rates", "rate", "rates", "rating; rates", "rates"} {
		s.Take(read(body))
	}
	if shown, ok := s.Text(1); shown != "rates" || !ok {
		t.Errorf("%q", shown)
	}
	if _, ok := s.Text(99); ok {
		t.Error("there is no term 99")
	}
}

func TestCap(t *testing.T) {
	s := NewState(Options{Terms: 2})
	s.Take(read("oil; gas; oil; gas"))
	got := s.Take(read("coal; oil; gas; gas; wind; sun"))
	if shown := s.texts(heaviest(got.Terms, 9)); !reflect.DeepEqual(shown, []string{"gas", "oil"}) {
		t.Errorf("%q: what is met once and nowhere else comes last", shown)
	}
	for i := 1; i < len(got.Terms); i++ {
		if got.Terms[i-1].ID >= got.Terms[i].ID {
			t.Errorf("%v is not sorted", got.Terms)
		}
	}
}

// TestCollocation: a pair becomes a term with the item that makes it frequent enough. So does a triple, whose
// pairs then are no separate terms.
func TestCollocation(t *testing.T) {
	s := NewState(Options{})
	for i := range 200 { // other words, as a background
		s.Take(read(fmt.Sprintf("word%d, other%d, filler%d", i, i%50, i%70)))
	}
	for i := range 6 {
		got := s.texts(s.Take(read("prime minister: the capital account surplus")).Terms)
		for _, tc := range []struct {
			term string
			from int
		}{{"prime minister", 4}, {"capital account surplus", 4}, {"capital account", 99}, {"account surplus", 99}} {
			if has := slices.Contains(got, tc.term); has != (i >= tc.from) {
				t.Errorf("item %d: %q: %v", i, got, has)
			}
		}
	}
}

// TestPairBesideTriple: a pair that often occurs outside a triple is a term besides the triple.
func TestPairBesideTriple(t *testing.T) {
	s := NewState(Options{})
	for i := range 200 {
		s.Take(read(fmt.Sprintf("word%d, other%d, filler%d", i, i%50, i%70)))
	}
	for range 10 {
		s.Take(read("capital account surplus"))
		s.Take(read("capital account"))
	}
	got := s.texts(s.Take(read("capital account surplus")).Terms)
	if !slices.Contains(got, "capital account") || slices.Contains(got, "account surplus") {
		t.Errorf("%q", got)
	}
}

// TestMeasures checks values computed by hand.
func TestMeasures(t *testing.T) {
	for _, tc := range []struct{ k, a, b, n, npmi, llr float64 }{
		{10, 10, 10, 1000, 1, 2 * (1000*math.Log(1000) - 10*math.Log(10) - 990*math.Log(990))}, // always together
		{1, 10, 100, 1000, 0, 0},                               // as by chance
		{1, 100, 100, 1000, math.Log(0.1) / math.Log(1000), 0}, // less than by chance
		{100, 100, 100, 100, 1, 0},                             // nothing else
	} {
		if got := npmi(tc.k, tc.a, tc.b, tc.n); math.Abs(got-tc.npmi) > 1e-9 {
			t.Errorf("npmi %v: %v", tc, got)
		}
		if got := logLikelihood(tc.k, tc.a, tc.b, tc.n); math.Abs(got-tc.llr) > 1e-6 {
			t.Errorf("LLR %v: %v", tc, got)
		}
	}
	// The definition by observed and expected counts: 2 Σ O ln(O/E).
	k, a, b, n := 7.0, 20.0, 30.0, 500.0
	var want float64
	for _, cell := range [][2]float64{{k, a * b / n}, {a - k, a * (n - b) / n}, {b - k, (n - a) * b / n}, {n - a - b + k, (n - a) * (n - b) / n}} {
		want += 2 * cell[0] * math.Log(cell[0]/cell[1])
	}
	if got := logLikelihood(k, a, b, n); math.Abs(got-want) > 1e-9 {
		t.Errorf("%v, not %v", got, want)
	}
}

func TestSpelling(t *testing.T) {
	learned := func(opts Options, lang string) *State {
		s := NewState(opts)
		var r Reader
		for range 60 {
			s.Take(r.Read("a government market which", "", lang))
		}
		return s
	}
	for _, tc := range []struct {
		name, body, lang string
		opts             Options
		want             []Correction
	}{
		{"slips", "the goverment’s plan, the goverment and the governmetn", "en", Options{},
			[]Correction{{"governmetn", "government"}}}, // a possessive is not an ordinary word
		{"what is written again and again", "goverment, goverment, goverment", "en", Options{}, nil},
		{"twice", "goverment, goverment", "en", Options{}, []Correction{{"goverment", "government"}}},
		{"a name", "the Goverment", "en", Options{}, nil},
		{"a name elsewhere", "the Goverment goverment", "en", Options{}, nil},
		{"as written", "goverment", "en", Options{AsWritten: true}, nil},
		{"an unknown language", "goverment", "", Options{}, nil},
		{"another language", "goverment", "de", Options{}, nil},
	} {
		learnedFrom := "en"
		if tc.lang == "" {
			learnedFrom = ""
		}
		s := learned(tc.opts, learnedFrom)
		var r Reader
		if got := s.Weigh(r.Read(tc.body, "", tc.lang)); !reflect.DeepEqual(got.Corrected, tc.want) {
			t.Errorf("%s: %v, not %v", tc.name, got.Corrected, tc.want)
		}
	}
	s := learned(Options{}, "en")
	right, wrong := s.Take(read("the government plan")), s.Take(read("the goverment plan"))
	if right.Terms[0].ID != wrong.Terms[0].ID || len(right.Terms) != len(wrong.Terms) {
		t.Errorf("%v, %v", right.Terms, wrong.Terms)
	}
	if shown, _ := s.Text(wrong.Terms[0].ID); shown != "government" {
		t.Errorf("%q", shown)
	}
}

// TestFrequentWords: in a language without a stop word list, frequent words are stop words, per language.
func TestFrequentWords(t *testing.T) {
	s := NewState(Options{})
	var r Reader
	for i := range 40 {
		s.Take(r.Read(fmt.Sprintf("und wort%d", i), "", "de"))
		s.Take(r.Read(fmt.Sprintf("market und%d", i), "", "en"))
	}
	got := s.Take(r.Read("und market", "", "de"))
	if shown := s.texts(got.Terms); !reflect.DeepEqual(shown, []string{"market"}) {
		t.Errorf("%q", shown)
	}
	if got := s.Take(r.Read("und", "", "de")); got.Lack != StopWords {
		t.Errorf("%+v", got)
	}
	if got := s.Take(r.Read("market", "", "en")); got.Lack != "" {
		t.Errorf("%+v: English has a list", got)
	}
}

func TestLanguagesAreBounded(t *testing.T) {
	s := NewState(Options{Languages: 2})
	var r Reader
	for _, lang := range []string{"de", "fr", "es", strings.Repeat("x", 100), "fr"} {
		if got := s.Take(r.Read("wort, mot, palabra", "", lang)); len(got.Terms) != 3 {
			t.Errorf("%s: %+v", lang, got)
		}
	}
	if len(s.languages) != 2 {
		t.Errorf("%d languages", len(s.languages))
	}
}

// TestWeighLearnsNothing: Weigh does not change the State.
func TestWeighLearnsNothing(t *testing.T) {
	s := NewState(Options{})
	for range 60 {
		s.Take(read("prime minister, the government"))
	}
	before := s.Digest()
	s.Weigh(read("the goverment, prime minister, never heard"))
	if s.Digest() != before {
		t.Error("weighing taught something")
	}
}

// stream returns texts with recurring words, pairs and misspellings.
func stream(n int) (drafts []Draft) {
	for i := range n {
		drafts = append(drafts, read(fmt.Sprintf("Prime minister number%d of group%d on trade policy, policy%d; goverment government", i, i%13, i%7)))
	}
	return drafts
}

// TestSnapshot: a restored State equals the original and continues identically.
func TestSnapshot(t *testing.T) {
	s := NewState(Options{})
	for _, d := range stream(150) {
		s.Take(d)
	}
	var b bytes.Buffer
	if err := s.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	again := NewState(Options{})
	if err := again.Restore(bytes.NewReader(b.Bytes())); err != nil || again.Digest() != s.Digest() {
		t.Fatalf("%v, %s, not %s", err, again.Digest(), s.Digest())
	}
	for _, d := range stream(30) {
		if one, other := s.Take(d), again.Take(d); !reflect.DeepEqual(one, other) {
			t.Fatalf("%+v, not %+v", other, one)
		}
	}
	if again.Digest() != s.Digest() {
		t.Error("they went apart")
	}
	fresh := NewState(Options{})
	empty := fresh.Digest()
	for n := 0; n < b.Len(); n += 1 + b.Len()/200 {
		damaged := bytes.Clone(b.Bytes())
		damaged[n] ^= 1
		for _, bad := range [][]byte{damaged, b.Bytes()[:n]} {
			if err := fresh.Restore(bytes.NewReader(bad)); !errors.Is(err, ErrDamaged) || fresh.Digest() != empty {
				t.Fatalf("byte %d of %d: %v", n, b.Len(), err)
			}
		}
	}
}

// TestForgetting: tables stay within their bounds, frequent words are kept, no number is reused, and eviction
// is deterministic.
func TestForgetting(t *testing.T) {
	opts := Options{MaxWords: 1, MaxGrams: 1, Spelling: spell.Options{Words: 1000}} // the minimum
	a, b := NewState(opts), NewState(opts)
	const market = 1 // its number
	for i := range 120 {
		var body strings.Builder
		body.WriteString("market, ")
		for k := range 800 {
			fmt.Fprintf(&body, "w%dx%d ", i, k)
		}
		d := read(body.String())
		one, other := a.Take(d), b.Take(d)
		if !reflect.DeepEqual(one, other) {
			t.Fatalf("item %d: they differ", i)
		}
		if a.words > 4*maxWords || len(a.phrases) > 4*maxGrams {
			t.Fatalf("item %d: %d words, %d phrases", i, a.words, len(a.phrases))
		}
	}
	if shown, _ := a.Text(market); shown != "market" {
		t.Errorf("the frequent word is %q", shown)
	}
	if _, ok := a.Text(2); ok || a.next != 1+1+120*800 {
		t.Errorf("the first rare word is still there, or numbers were used again: %d", a.next)
	}
	if a.Digest() != b.Digest() {
		t.Error("digests differ")
	}
	var snapshot bytes.Buffer
	if err := a.Snapshot(&snapshot); err != nil || NewState(opts).Restore(&snapshot) != nil {
		t.Errorf("%v, or what was forgotten cannot be restored", err)
	}
}

func FuzzTake(f *testing.F) {
	f.Add("Prime minister of the goverment", "A title", "en")
	f.Add("der Preis\n\nder Welt 词典", "", "de")
	f.Add("\xff\xfe a'b İİ ßß", "of of of", "")
	f.Fuzz(func(t *testing.T, body, title, lang string) {
		var r Reader
		s := NewState(Options{MinCount: 1, MinItems: 1, Spelling: spell.Options{Ratio: 1, MinLetters: 1, MinLettersOther: 1}})
		for range 3 {
			d := r.Read(body, title, lang)
			got := s.Take(d)
			if (got.Lack == "") != (len(got.Terms) > 0) || len(got.Terms) > 25 {
				t.Fatalf("%+v", got)
			}
			for _, term := range got.Terms {
				if _, ok := s.Text(term.ID); !ok || !(term.Weight > 0) || math.IsInf(term.Weight, 0) {
					t.Fatalf("%+v", term)
				}
			}
			stand(t, s, d, body, title)
		}
		var b bytes.Buffer
		again := NewState(s.opts)
		if err := s.Snapshot(&b); err != nil || again.Restore(&b) != nil || again.Digest() != s.Digest() {
			t.Fatal("not restored")
		}
	})
}

func FuzzRestore(f *testing.F) {
	s := NewState(Options{})
	for _, d := range stream(12) {
		s.Take(d)
	}
	f.Add(s.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) { // after the checksum
		s := NewState(Options{})
		d := decoder{b: b}
		d.state(s)
		if d.failed {
			return
		}
		s.indexUnits()
		s.indexPhrases()
		s.Take(read("Prime minister number1 of group1 on trade policy; goverment"))
	})
}
