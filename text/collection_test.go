package text

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestStopWords(t *testing.T) {
	for _, tc := range []struct {
		lang, word string
		want       bool
	}{
		{"en", "the", true}, {"en-GB", "whenever", true}, {"", "themselves", true}, {"en", "yourselves", true},
		{"en", "don't", true}, {"en", "plane", false}, {"en", "", false}, {"en", "whatsoever", false},
		{"de", "the", false}, {"de", "und", false}, {"fr", "on", false}, {"en", strings.Repeat("a", 300), false},
	} {
		if got := StopWord(tc.lang, []byte(tc.word)); got != tc.want {
			t.Errorf("%q %q: %v", tc.lang, tc.word, got)
		}
	}
}

func TestStopWordsAllocateNothing(t *testing.T) {
	word := []byte("yourselves")
	if n := testing.AllocsPerRun(100, func() { StopWord("en", word) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestTerms(t *testing.T) {
	var c Counter
	long := strings.Repeat("x", maxTerm+1)
	for _, tc := range []struct {
		name, lang, title, text, want string
	}{
		{"stems in order of first occurrence, of all parts", "en", "Flying planes", "The plane flies.\n\nA sea", "fly:1 plane:2 fli:1 sea:1"},
		{"nothing", "en", "", "The of and", ""},
		{"the language's stems, no stop words", "de", "", "der Häuser", "der:1 haus:1"},
		{"a word without a stem is none", "en", "", "x s y", "x:1 y:1"},
		{"what is too long is no word", "en", long, long[1:], long[1:] + ":1"},
	} {
		terms, got, total := c.Count(tc.lang, tc.title, tc.text), "", 0
		for i, stem := range terms.Stems {
			got += fmt.Sprintf(" %s:%d", stem, terms.Counts[i])
			total += int(terms.Counts[i])
		}
		if got = strings.TrimSpace(got); got != tc.want || terms.Total != total {
			t.Errorf("%s: %q, total %d; want %q", tc.name, got, terms.Total, tc.want)
		}
	}
}

func TestTermsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range maxTerms + 100 {
		fmt.Fprintf(&b, "w%d ", i)
	}
	b.WriteString("w0 w7000")
	var c Counter
	terms := c.Count("en", b.String())
	if len(terms.Stems) != maxTerms || terms.Counts[0] != 2 || terms.Total != maxTerms+1 {
		t.Errorf("%d stems, the first %d times, %d in all", len(terms.Stems), terms.Counts[0], terms.Total)
	}
}

// collect returns a weighed collection of texts.
func collect(texts ...string) *Collection {
	var counter Counter
	c := &Collection{}
	for _, s := range texts {
		c.Add(counter.Count("en", s))
	}
	c.Weigh()
	return c
}

// TestCosines uses simple numbers: among four texts, a term of two weighs ln 2, a term of one ln 4, twice as
// much, and a term of all nothing.
func TestCosines(t *testing.T) {
	for _, tc := range []struct {
		name  string
		texts []string
		want  []float64 // with the first
	}{
		{"the same", []string{"sea ship", "ship sea", "moon", "sun"}, []float64{1, 1, 0, 0}},
		{"(1 2) and (1)", []string{"sea ship", "sea", "moon", "sun"}, []float64{1, 1 / math.Sqrt(5), 0, 0}},
		{"(1 2) and (1 2), other words", []string{"sea ship", "sea boat", "moon", "sun"}, []float64{1, 0.2, 0, 0}},
		{"counts weigh: (2 2) and (1)", []string{"sea sea ship", "sea", "moon", "sun"}, []float64{1, math.Sqrt2 / 2, 0, 0}},
		{"a word of every text is nothing", []string{"sea", "sea moon", "sea sun", "sea"}, []float64{0, 0, 0, 0}},
		{"one text is like nothing", []string{"sea"}, []float64{0}},
		{"no words", []string{"", "sea", "the"}, []float64{0, 0, 0}},
	} {
		got := collect(tc.texts...).Cosines(0)
		for i := range tc.want {
			if len(got) != len(tc.want) || math.Abs(got[i]-tc.want[i]) > 1e-6 {
				t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
				break
			}
		}
	}
}

// randomTexts returns texts of words with a Zipf distribution.
func randomTexts(n, words int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.2, 2, 20_000)
	texts := make([]string, n)
	for i := range texts {
		var b strings.Builder
		for range words {
			fmt.Fprintf(&b, "w%d ", zipf.Uint64())
		}
		texts[i] = b.String()
	}
	return texts
}

// naive implements the definition with maps and float64.
func naive(texts []string, a, b int) float64 {
	var counter Counter
	holding := map[string]float64{}
	vectors := make([]map[string]float64, len(texts))
	for i, s := range texts {
		vectors[i] = map[string]float64{}
		terms := counter.Count("en", s)
		for j, stem := range terms.Stems {
			vectors[i][stem] = float64(terms.Counts[j])
			holding[stem]++
		}
	}
	dot := func(a, b int) (sum float64) {
		for stem, n := range vectors[a] {
			idf := math.Log(float64(len(texts)) / holding[stem])
			sum += n * idf * vectors[b][stem] * idf
		}
		return sum
	}
	return dot(a, b) / math.Sqrt(dot(a, a)*dot(b, b))
}

// TestCosinesAreTheDefinition compares with the definition, and checks symmetry and independence of order.
func TestCosinesAreTheDefinition(t *testing.T) {
	texts := randomTexts(40, 300)
	c, back := collect(texts...), slices.Clone(texts)
	slices.Reverse(back)
	reversed := collect(back...)
	last := len(texts) - 1
	for a := 0; a < len(texts); a += 7 {
		cosines, mirrored := c.Cosines(a), reversed.Cosines(last-a)
		for b, got := range cosines {
			if want := naive(texts, a, b); math.Abs(got-want) > 1e-5 {
				t.Fatalf("%d and %d: %v, want %v", a, b, got, want)
			}
			if math.Abs(got-mirrored[last-b]) > 1e-6 || got != c.Cosines(b)[a] {
				t.Fatalf("%d and %d: %v, reversed %v, from the other %v", a, b, got, mirrored[last-b], c.Cosines(b)[a])
			}
		}
	}
}

func TestTheVocabularyIsBounded(t *testing.T) {
	c := &Collection{}
	batch := make([]string, maxTerms)
	counts := slices.Repeat([]int32{1}, maxTerms)
	for i := 0; i <= maxVocabulary; i += maxTerms {
		for j := range batch {
			batch[j] = fmt.Sprint(i + j)
		}
		c.Add(Terms{Stems: batch, Counts: counts, Total: maxTerms})
	}
	full := c.Add(Terms{Stems: []string{"beyond", "0"}, Counts: []int32{5, 1}, Total: 6})
	c.Weigh()
	if len(c.holding) != maxVocabulary {
		t.Errorf("%d stems", len(c.holding))
	}
	if likeness := c.Cosines(full)[0]; likeness <= 0 || len(c.texts[full]) != 1 {
		t.Errorf("a text with a known and an unknown stem: %v, %v", likeness, c.texts[full])
	}
}

func BenchmarkCosines(b *testing.B) {
	c := collect(randomTexts(4000, 1000)...)
	b.ReportAllocs()
	for b.Loop() {
		c.Cosines(7)
	}
}

func BenchmarkCount(b *testing.B) {
	s := randomTexts(1, 3000)[0]
	var c Counter
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		c.Count("en", s)
	}
}
