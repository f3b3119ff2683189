package text

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

func phrases() []Phrase {
	return []Phrase{
		{Text: "plane", Lang: "", ID: 1}, {Text: "jet", Lang: "en", ID: 1}, {Text: "Flugzeug", Lang: "de", ID: 1},
		{Text: "jet engine", Lang: "", ID: 2},
		{Text: "jet engine maker", Lang: "", ID: 3},
		{Text: "engine", Lang: "", ID: 4},
		{Text: "Plane", Lang: "", ID: 5}, {Text: "planes", Lang: "", ID: 5},
		{Text: "object-oriented programming", Lang: "", ID: 6},
		{Text: "samolot", Lang: "pl", ID: 1},
		{Text: "...", Lang: "", ID: 7},
	}
}

// found formats matches as "text=ids".
func found(m *Matcher, s string) string {
	var out []string
	for _, match := range m.Match(s) {
		out = append(out, fmt.Sprintf("%s=%v", s[match.Start:match.End], m.IDs(match.Form)))
	}
	return strings.Join(out, "; ")
}

func TestMatch(t *testing.T) {
	l := NewLexicon(phrases())
	for _, tc := range []struct{ name, lang, in, want string }{
		{"none", "en", "a bird", ""},
		{"empty", "en", "", ""},
		{"stems match, once an id", "en", "The planes' wings", "planes=[1 5]"},
		{"longest wins", "en", "jet engines, jets, jet engine makers", "jet engines=[2]; jets=[1]; jet engine makers=[3]"},
		{"back to the last full phrase", "en", "jet engine of a maker", "jet engine=[2]"},
		{"a block ends a match", "en", "jet\n\nengine", "jet=[1]; engine=[4]"},
		{"a line does not", "en", "jet\nengine", "jet\nengine=[2]"},
		{"hyphens are alike", "en", "Object oriented-programming", "Object oriented-programming=[6]"},
		{"no hits inside words", "en", "aeroplane planetary jetty", ""},
		{"unknown language is English", "", "jets", "jets=[1]"},
		{"German words on German pages", "de", "Flugzeuge und jets", "Flugzeuge=[1]"},
		{"but not on English ones", "en", "Flugzeuge", ""},
		{"untagged ones serve all", "de", "eine engine", "engine=[4]"},
		{"a language without stemmer", "pl", "samolot samoloty plane planes", "samolot=[1]; plane=[1]; planes=[5]"},
		{"an invented language", "xx-YY", "samolot plane", "plane=[1]"},
	} {
		m := l.Matcher(tc.lang)
		if got := found(m, tc.in); got != tc.want {
			t.Errorf("%s: %q: got %q, want %q", tc.name, tc.in, got, tc.want)
		}
		m.Release()
	}
	if len(l.tables) != 4 {
		t.Errorf("%d tables, want en, de, pl and one for the rest", len(l.tables))
	}
}

func TestTokensAndText(t *testing.T) {
	m := NewLexicon(phrases()).Matcher("en")
	defer m.Release()
	if got := m.Match("the planes, the jet"); len(got) != 2 || m.Tokens() != 4 {
		t.Fatalf("%d matches in %d words", len(got), m.Tokens())
	} else if m.Label(got[0].Form, 5) != "planes" || m.Label(got[1].Form, 1) != "jet" {
		t.Errorf("forms %q and %q", m.Label(got[0].Form, 5), m.Label(got[1].Form, 1))
	}
}

func TestLongPhrasesAndBlocks(t *testing.T) {
	longest, tooLong := strings.Repeat("a ", maxPhrase), strings.Repeat("b ", maxPhrase+1)
	m := NewLexicon([]Phrase{{Text: longest, Lang: "", ID: 1}, {Text: tooLong, Lang: "", ID: 2}, {Text: "c", Lang: "", ID: 3}}).Matcher("")
	defer m.Release()
	if got := m.Match(longest + tooLong); len(got) != 1 || m.IDs(got[0].Form)[0] != 1 {
		t.Errorf("got %v", got)
	}
	if got := len(m.Match(strings.Repeat("c ", 3*maxBlock+5))); got != 3*maxBlock+5 {
		t.Errorf("%d matches in a block of many words", got)
	}
}

// TestMatchAgainstNaive compares with the definition: the longest phrase at each word, then continue after
// it.
func TestMatchAgainstNaive(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) []string {
		words := make([]string, n)
		for i := range words {
			words[i] = string(rune('a' + rng.IntN(4)))
		}
		return words
	}
	for range 300 {
		var ps []Phrase
		known := map[string]bool{}
		for i := range 12 {
			p := strings.Join(draw(1+rng.IntN(4)), " ")
			ps = append(ps, Phrase{Text: p, Lang: "", ID: int32(i)})
			known[p] = true
		}
		words := draw(60)
		var want []string
		for i := 0; i < len(words); {
			n := min(4, len(words)-i)
			for n > 0 && !known[strings.Join(words[i:i+n], " ")] {
				n--
			}
			if n == 0 {
				i++
				continue
			}
			want = append(want, strings.Join(words[i:i+n], " "))
			i += n
		}
		m := NewLexicon(ps).Matcher("pl")
		s := strings.Join(words, " ")
		var got []string
		for _, match := range m.Match(s) {
			got = append(got, s[match.Start:match.End])
		}
		if strings.Join(got, ",") != strings.Join(want, ",") {
			t.Fatalf("%q: got %q, want %q", s, got, want)
		}
	}
}

// TestMatchIsByStemAlone looks up each word of the official vocabulary in lexicons of some of them: the
// caches that avoid stemming must not change the result.
func TestMatchIsByStemAlone(t *testing.T) {
	words := vocabulary(t)["porter.voc.txt"]
	stemmer := newStemmer("en", 0)
	for _, every := range []int{3, 100, 4000} {
		var ps []Phrase
		stems := map[string]bool{}
		for i := 0; i < len(words); i += every {
			ps = append(ps, Phrase{Text: words[i], Lang: "en", ID: int32(i)})
			var scan Scanner
			for scan.Reset(words[i]); scan.Next(); {
				stems[stemmer.compute(string(scan.Word()))] = true
			}
		}
		m := NewLexicon(ps).Matcher("en")
		for range 2 { // the second time from the cache
			for _, w := range words {
				if strings.Contains(w, "'") {
					continue
				}
				if got, want := len(m.Match(w)) == 1, stems[stemmer.compute(w)]; got != want {
					t.Fatalf("one word in %d: %q found: %v, want %v", every, w, got, want)
				}
			}
		}
	}
}

func TestLongWordsAreRemembered(t *testing.T) {
	const long, longer = "donaudampfschiffahrt", "donaudampfschiffahrtsgesellschaft"
	m := NewLexicon([]Phrase{{Text: long, Lang: "", ID: 1}, {Text: longer, Lang: "", ID: 2}, {Text: "sixteenletterwor", Lang: "", ID: 3}}).Matcher("pl")
	for range 2 {
		got := found(m, "Donaudampfschiffahrt, donaudampfschiffahrten sixteenletterwor sixteenletterword "+longer)
		if want := "Donaudampfschiffahrt=[1]; sixteenletterwor=[3]; " + longer + "=[2]"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestLexiconIsShared(t *testing.T) {
	l := NewLexicon(phrases())
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 100 {
				m := l.Matcher([]string{"en", "de", "pl", "xx"}[i%4])
				if got := found(m, "an engine"); got != "engine=[4]" {
					t.Errorf("got %q", got)
				}
				m.Release()
			}
		})
	}
	all.Wait()
}

func TestMatchDoesNotAllocate(t *testing.T) {
	m := NewLexicon(phrases()).Matcher("en")
	s := strings.Repeat("The Plane's jet engine, an Ärzte's object-oriented thing. ", 50)
	m.Match(s)
	if n := testing.AllocsPerRun(20, func() { m.Match(s) }); n != 0 {
		t.Errorf("%v allocations a text", n)
	}
}

// unsifted returns a matcher of the same lexicon that reads every word.
func unsifted(m *Matcher) *Matcher {
	t := m.table
	return newMatcher(&table{lang: t.lang, folded: t.folded, stems: t.stems, aliases: t.aliases, first: t.first, next: t.next,
		nodes: t.nodes, forms: t.forms, careful: t.careful})
}

// alike compares the results of two matchers for a text.
func alike(t *testing.T, fast, slow *Matcher, s string) {
	t.Helper()
	if got, want := fast.Match(s), slow.Match(s); !slices.Equal(got, want) || fast.Tokens() != slow.Tokens() {
		t.Fatalf("%q: %v of %d words, want %v of %d", s, got, fast.Tokens(), want, slow.Tokens())
	}
}

func TestTextsAreSifted(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	l := NewLexicon(append(phrases(), Phrase{Text: "internationalisations", Lang: "", ID: 10}, Phrase{Text: "1.5 engine", Lang: "", ID: 11}, Phrase{Text: "東京", Lang: "", ID: 12}))
	pieces := strings.Split("jet|jets|Engine|maker|makers|plane's|PLANES|a|Object-Oriented|programming|internationalisations|"+
		"internationalisationsandmoreofthemandmoreofthemandmoreofthemandmoreofthem|1.5|1,000|c++|don't|l'avion|Ärzte|東京|je\u00adt|"+
		"jet\u0301|\xff|—|…|.|,|'|’s| | | | | | | | | |\n|\n\n|\n \n|\u00a0|\u2028", "|")
	fast := l.Matcher("en")
	slow := unsifted(fast)
	for range 3000 {
		var b strings.Builder
		for range rng.IntN(60) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
			if rng.IntN(3) > 0 {
				b.WriteByte(' ')
			}
		}
		alike(t, fast, slow, b.String())
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("jet engine", "a jet engine\n\nplane", "en")
	f.Add("東京", "x東京y", "ja")
	f.Add("AIDS", "AIDS of aids.\n\nAids OF", "en")
	f.Add("Ärzte", "Die Ärzte, ärzte, Aerzte", "de")
	f.Add("طائرة", "والطائرات", "ar")
	f.Add("비행기", "비행기가", "ko")
	f.Fuzz(func(t *testing.T, phrase, s, lang string) {
		l := NewLexicon(append(phrases(), Phrase{Text: phrase, Lang: "", ID: 9}))
		m := l.Matcher(lang)
		defer m.Release()
		alike(t, m, unsifted(m), s)
		end := 0
		for _, match := range m.Match(s) {
			if match.Start < end || match.End <= match.Start || match.End > len(s) || len(m.IDs(match.Form)) == 0 {
				t.Fatalf("match %v after %d", match, end)
			}
			end = match.End
		}
		m = NewFoldedLexicon([]Phrase{{Text: phrase, ID: 9}}).Matcher(lang)
		var words Scanner
		if words.Reset(phrase); words.Next() && len(m.Match(phrase)) == 0 && strings.Count(wordsOf(phrase), " ") < maxPhrase && !strings.Contains(wordsOf(phrase), "|") {
			t.Fatalf("%q does not hold itself", phrase)
		}
	})
}

// article returns an English-like text of about n bytes, with a Zipf distribution of words.
func article(n int) string {
	rng := rand.New(rand.NewPCG(3, 4))
	zipf := rand.NewZipf(rng, 1.1, 2, 20000)
	syllables := strings.Fields("the air plane of in ter na tion al com pu ting and to ment re la ship ing ed s er o")
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		w := zipf.Uint64()
		for k := uint64(0); k == 0 || w > 0 && k < 4; k++ {
			b.WriteString(syllables[w%uint64(len(syllables))])
			w /= uint64(len(syllables))
		}
		switch {
		case i%200 == 0:
			b.WriteString(".\n\n")
		case i%15 == 0:
			b.WriteString(". The ")
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func BenchmarkScan(b *testing.B) {
	s := article(100_000)
	b.SetBytes(int64(len(s)))
	var scan Scanner
	for b.Loop() {
		for scan.Reset(s); scan.Next(); {
		}
	}
}

// BenchmarkMatchPlain uses a lexicon of lower-case words, which only needs stems.
func BenchmarkMatchPlain(b *testing.B) {
	var ps []Phrase
	words := strings.Fields(strings.ToLower(article(3000)))
	for i := range 200 {
		ps = append(ps, Phrase{Text: strings.Join(words[2*i:2*i+1+i%2], " "), ID: int32(i)})
	}
	m := NewLexicon(ps).Matcher("en")
	s := article(100_000)
	m.Match(s)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		m.Match(s)
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, n := range []int{200, 150_000} {
		var ps []Phrase
		words := strings.Fields(article(n * 15))
		for i := range n {
			ps = append(ps, Phrase{Text: strings.Join(words[2*i:2*i+1+i%2], " "), ID: int32(i)})
		}
		b.Run(fmt.Sprintf("phrases=%d", n), func(b *testing.B) {
			m := NewLexicon(ps).Matcher("en")
			s := article(100_000)
			m.Match(s)
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				m.Match(s)
			}
		})
	}
}
