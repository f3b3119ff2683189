package text

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// draw returns a text of that many words of a vocabulary, the first one most frequent.
func draw(rng *rand.Rand, words int) []string {
	zipf := rand.NewZipf(rng, 1.3, 4, 5000)
	all := make([]string, words)
	for i := range all {
		all[i] = fmt.Sprintf("w%dx", zipf.Uint64())
	}
	return all
}

func TestSimhashIsOfWords(t *testing.T) {
	const s = "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, " +
		"it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the season of " +
		"Darkness, it was the spring of hope, it was the winter of despair; Straße, ΑΘΗΝΑ, naïve, 東京, internationalisation"
	want := Simhash(s)
	for _, same := range []string{
		strings.ToUpper(strings.ReplaceAll(s, "ß", "SS")), strings.ReplaceAll(s, " ", "\n\n  "), strings.ReplaceAll(s, ",", " — "),
		"…" + strings.ReplaceAll(s, " ", "\u00a0") + "!", strings.ReplaceAll(s, "東京", "東 京"), strings.ReplaceAll(s, "times", "ti\u00admes"),
	} {
		if got := Simhash(strings.ReplaceAll(same, "STRASSE", "STRAßE")); got != want {
			t.Errorf("%x, want %x: %q", got, want, same)
		}
	}
	if got := Simhash(strings.Replace(s, "worst of", "of worst", 1)); got == want || bits.OnesCount64(got^want) > 16 {
		t.Errorf("two words exchanged: %x, from %x", got, want)
	}
	if want != 0xabb387e401fdd165 {
		t.Errorf("%#x: not what it was", want)
	}
}

func TestShortTextsHaveNoSimhash(t *testing.T) {
	for _, s := range []string{"", "…", strings.Repeat("one — ", 49), strings.Repeat("東", 49)} {
		if got := Simhash(s); got != 0 {
			t.Errorf("%q: %x", s, got)
		}
	}
	for _, s := range []string{strings.Repeat("one — ", 50), strings.Repeat("東", 50)} {
		if Simhash(s) == 0 {
			t.Errorf("%q: 0", s)
		}
	}
}

// TestSimhashIsTheDefinition compares with the definition by shingles and bits, for texts of all kinds of
// characters and lengths.
func TestSimhashIsTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	pieces := strings.Split("a|Bc|d9|word|longer|internationalisations|"+strings.Repeat("endless", 20)+"|é|naïve|Straße|ΑΘΗΝΑ|e\u0301|東京|"+
		"\u00ad|'|.|—|\xff| | | | |\n", "|")
	for range 2000 {
		var b strings.Builder
		for range rng.IntN(300) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		if got, want := Simhash(b.String()), simhash(b.String()); got != want {
			t.Fatalf("%q: %x, want %x", b.String(), got, want)
		}
	}
}

// simhash is the definition.
func simhash(s string) uint64 {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, string(word))
		}
		word = nil
	}
	for i, r := range s {
		_, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			end()
		case alone(r):
			end()
			word = []rune{r}
			end()
		case wordRune(r), len(word) > 0 && unicode.IsMark(r):
			word = append(word, unicode.ToLower(r))
		case !shapeless(r):
			end()
		}
	}
	end()
	if len(words) < minSimhash {
		return 0
	}
	var counts [64]int
	hash := func(w string) uint64 { h, _ := hashWord(w, 0); return h }
	for i := 2; i < len(words); i++ {
		a, b, c := hash(words[i-2]), hash(words[i-1]), hash(words[i])
		x := blend(a+bits.RotateLeft64(b, 23), c+bits.RotateLeft64(b, 47))
		for k := range counts {
			counts[k] += int(x>>k&1)*2 - 1
		}
	}
	var all uint64
	for k, n := range counts {
		if n > 0 {
			all |= 1 << k
		}
	}
	return max(1, all)
}

// TestNearTextsHaveNearSimhashes changes one word in a thousand, and compares unrelated texts of one
// vocabulary.
func TestNearTextsHaveNearSimhashes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	const texts = 1000
	near, far, least := 0, 0, 64
	var before uint64
	for range texts {
		words := draw(rng, 1000)
		one := Simhash(strings.Join(words, " "))
		words[rng.IntN(len(words))] = "changed"
		if bits.OnesCount64(one^Simhash(strings.Join(words, " "))) <= 3 {
			near++
		}
		if before != 0 {
			d := bits.OnesCount64(one ^ before)
			far += d
			least = min(least, d)
		}
		before = one
	}
	mean := float64(far) / (texts - 1)
	t.Logf("one word of 1000 changed: %.1f%% within 3 bits; others: %.1f bits apart, at least %d", 100*float64(near)/texts, mean, least)
	if near < 850 || mean < 30 || mean > 34 || least < 10 {
		t.Errorf("%d of %d near texts are within 3 bits; others are %.1f bits apart, at least %d", near, texts, mean, least)
	}
}

func TestSimhashDoesNotAllocate(t *testing.T) {
	s := article(20_000) + " naïve"
	if n := testing.AllocsPerRun(20, func() { Simhash(s) }); n != 0 {
		t.Errorf("%v allocations a text", n)
	}
}

func FuzzSimhash(f *testing.F) {
	f.Add("a b c", uint8(20))
	f.Add("東京x\u00adé ", uint8(60))
	f.Fuzz(func(t *testing.T, s string, times uint8) {
		s = strings.Repeat(s, int(times))
		if got, want := Simhash(s), simhash(s); got != want {
			t.Fatalf("%q: %x, want %x", s, got, want)
		}
	})
}

func BenchmarkSimhash(b *testing.B) {
	s := article(16_000) // 2 500 words
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		Simhash(s)
	}
}
