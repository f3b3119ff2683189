package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Each row's spellings look alike, so that they are the same words.
func TestAlike(t *testing.T) {
	for _, tc := range []struct {
		name, words string
		spellings   []string
	}{
		{"decomposed", "café", []string{"café", "cafe\u0301", "CAFÉ", "CAFE\u0301"}},
		{"two marks in either order", "ậ", []string{"ậ", "a\u0323\u0302", "a\u0302\u0323", "\u1ea1\u0302"}},
		{"Hangul in letters", "한국어", []string{"한국어", norm.NFD.String("한국어")}},
		{"ligatures", "officer", []string{"officer", "oﬃcer", "oﬀicer", "Oﬃcer"}},
		{"full width", "officer 42", []string{"ｏｆｆｉｃｅｒ　４２", "ＯＦＦＩＣＥＲ ４２"}},
		{"half width", "ガス", []string{"ガス", "ｶﾞｽ", norm.NFD.String("ガス")}},
		{"soft hyphen", "airplane", []string{"air\u00adplane", "\u00adair\u00ad\u00adplane\u00ad"}},
		{"zero width", "airplane", []string{"air\u200bplane", "air\u2060plane", "air\u200c\u200dplane", "\ufeffair\ufeffplane\u200e"}},
		{"shapeless within a letter", "café", []string{"cafe\u200d\u0301"}},
		{"apostrophes", "don't", []string{"don't", "don’t", "donʼt", "don‘t", "don＇t", "don′t", "don´t", "don’\u200bt"}},
		{"possessives", "plane wing", []string{"plane's wing", "plane’s wing", "planeʼs wing", "plane′s wing"}},
		{"hyphens", "x ray", []string{"x-ray", "x‐ray", "x‑ray", "x–ray", "x−ray", "x－ray", "x﹣ray"}},
		{"signs of full width", "c++ c#", []string{"Ｃ＋＋ Ｃ＃", "C++ C#"}},
		{"a number of full width", "1,000 1.5", []string{"１，０００ １．５"}},
		{"a comma of full width", "一 二", []string{"一，二"}},
		{"a sigma at the end", "οδοσ", []string{"οδος", "ΟΔΟΣ"}},
		{"a dotted capital", "istanbul", []string{"İstanbul", "I\u0307stanbul", "i\u0307stanbul"}},
		{"Angstrom and Kelvin", "å k", []string{"Å K", "Å K"}},
		{"Arabic as PDF writes it", "سلام", []string{"سلام", "ﺳﻼم"}},
		{"radicals", "水", []string{"⽔", "水"}},
		{"units in one sign", "5 km", []string{"5 ㎞"}},
		{"Roman numerals", "viii", []string{"Ⅷ", "VIII"}},
		{"mathematical letters", "ab", []string{"𝐀𝑏"}},
		{"subscripts", "co2", []string{"CO₂"}},
		{"superscripts and symbols divide", "m java", []string{"m² Java™"}},
		{"emoji", "a b", []string{"a ❤️‍🔥 b", "a👩‍💻b"}},
		{"Khmer words parted", "ភាសា ខ្មែរ", []string{"ភាសា\u200bខ្មែរ"}},
		{"long s and joined i", "das ijs", []string{"daſ ĳs"}},
	} {
		for _, s := range tc.spellings {
			if got := wordsOf(s); got != tc.words {
				t.Errorf("%s: %q: got %q, want %q", tc.name, s, got, tc.words)
			}
		}
	}
}

func TestKey(t *testing.T) {
	for want, spellings := range map[string][]string{
		"café":          {"cafe\u0301", "CAFÉ", "ca\u00adfé"},
		"x-ray officer": {"X‑ray oﬃcer", "x–ray\u00a0officer"},
		"don't":         {"donʼt", "Don’t"},
	} {
		for _, s := range spellings {
			if got := Key(s); got != want {
				t.Errorf("%q: got %q, want %q", s, got, want)
			}
		}
	}
}

// A match is told by its place in the text as it was given.
func TestMatchesKeepTheirPlaces(t *testing.T) {
	l := NewLexicon([]Phrase{
		{Text: "officer", ID: 1}, {Text: "cafe\u0301", ID: 2}, {Text: "B５２", ID: 3}, {Text: "Don’t Panic", ID: 4},
		{Text: "ﬂight oﬃcer", ID: 5}, {Text: "Ärzte", Lang: "de", ID: 6}, {Text: "東京", ID: 7},
	})
	for _, tc := range []struct{ lang, text, want string }{
		{"en", "An oﬃcer, an o\u00adfficer and an ｏｆｆｉｃｅｒ.", "1:oﬃcer 1:o\u00adfficer 1:ｏｆｆｉｃｅｒ"},
		{"en", "x cafe\u0301. café, “cafés” \u200bcafe\u0301\u200b!", "2:cafe\u0301 2:café 2:cafés 2:cafe\u0301"},
		{"en", "the Ｂ52 and the B\u200d52, no b52", "3:Ｂ52 3:B\u200d52"},
		{"en", "so Don't Panic, or Donʼt Panic", "4:Don't Panic 4:Donʼt Panic"},
		{"en", "the flight officers' ﬂag", "5:flight officers"},
		{"de", "die A\u0308rzte, die Aerzte und die Ärzte", "6:A\u0308rzte 6:Aerzte 6:Ärzte"},
		{"ja", "これは⽇本の東\u200d京。", "7:東\u200d京"},
	} {
		m := l.Matcher(tc.lang)
		var got []string
		for _, f := range m.Match(tc.text) {
			got = append(got, string(rune('0'+m.IDs(f.Form)[0]))+":"+tc.text[f.Start:f.End])
		}
		if s := strings.Join(got, " "); s != tc.want {
			t.Errorf("%s: got %q, want %q", tc.text, s, tc.want)
		}
		m.Release()
	}
}

func TestNormalTextIsNotCopied(t *testing.T) {
	kinds() // made once
	for _, s := range []string{"ASCII alone", "it’s “quoted” – naïve…", "ПРИВЕТ 東京タワー，한국어", "x² ½ ™ ❤️ हिन्दी"} {
		if n := testing.AllocsPerRun(5, func() { normalise(s, nil) }); n > 0 {
			t.Errorf("%q: %v allocations", s, n)
		}
	}
}

func FuzzNormalise(f *testing.F) {
	for _, s := range []string{"cafe\u0301 oﬃcer", "\u0301\u200b\u00ad", "１，０\xff", "한\u200d\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		form, edits := normalise(s, nil)
		at, from := 0, 0
		for _, e := range edits {
			if e.at < at || e.to < e.at || e.from < from || e.end <= e.from || form[at:e.at] != s[from:e.from] {
				t.Fatalf("%q: %v of %q", s, edits, form)
			}
			at, from = e.to, e.end
		}
		if form[at:] != s[from:] {
			t.Fatalf("%q: %v of %q", s, edits, form)
		}
		nfc, _ := normalise(norm.NFC.String(s), nil)
		nfd, _ := normalise(norm.NFD.String(s), nil)
		if nfc != nfd && !strings.ContainsFunc(s, func(r rune) bool { return shapeless(r) || r == utf8.RuneError }) {
			t.Fatalf("%q: %q composed, %q decomposed", s, nfc, nfd)
		}
		if len(form) > 20*len(s) {
			t.Fatalf("%d bytes become %d", len(s), len(form))
		}
	})
}

func BenchmarkNormalise(b *testing.B) {
	for name, s := range map[string]string{
		"ascii":       strings.Repeat("The quick brown fox jumps over the dog. ", 500),
		"typographic": strings.Repeat("It’s a “quick” brown fox – over the dog… ", 500),
		"russian":     strings.Repeat("Быстрая бурая лиса прыгает через собаку. ", 300),
		"hindi":       strings.Repeat("हिन्दी भाषा में लिखा गया एक वाक्य। ", 200),
		"decomposed":  norm.NFD.String(strings.Repeat("Über die Ärzte möchte ich größeres hören. ", 500)),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			var edits []edit
			for b.Loop() {
				_, edits = normalise(s, edits)
			}
		})
	}
}
