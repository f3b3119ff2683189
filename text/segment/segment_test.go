package segment

import (
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"
)

// pieces returns a text's tokens separated by blanks, sentences by " / ".
func pieces(s *Segmenter, text string) string {
	tokens, sentences := s.Append(text, nil, nil)
	var all []string
	for _, sentence := range sentences {
		var words []string
		for _, t := range tokens[sentence.First:sentence.End] {
			words = append(words, t.Of(text))
		}
		all = append(all, strings.Join(words, " "))
	}
	return strings.Join(all, " / ")
}

func TestTokens(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"nothing", " \n\n\t ", ""},
		{"words and stops", "Tides rise, then fall; twice a day.", "Tides rise , then fall ; twice a day ."},
		{"clitics", "don't we'll it's I'd've can't", "do n't we 'll it 's I 'd 've ca n't"},
		{"clitics with curly apostrophes", "don’t the sea’s", "do n’t the sea ’s"},
		{"clitics in capitals", "DON'T IT'S", "DO N'T IT 'S"},
		{"names with apostrophes", "O'Hara Shi'ite o'clock", "O'Hara Shi'ite o'clock"},
		{"two words in one", "cannot gonna Gotta dunno", "can not gon na Got ta du n no"},
		{"clitics without apostrophes", "dont doesnt im", "do nt does nt i m"},
		{"possessive plural", "the sailors' boats", "the sailors ' boats"},
		{"quotes", "\"Yes,\" he said 'so' ``now'' “there”", "\" Yes , \" he said ' so ' `` now '' “ there ”"},
		{"brackets", "(one) [two] {three} date(s)", "( one ) [ two ] { three } date ( s )"},
		{"ellipses", "so...and then… well..", "so ... and then … well .."},
		{"runs", "---- ** == what?! no!!!", "---- ** == what ?! / no !!!"},
		{"currencies", "$5 $3.50 US$20 €7 £1,000 5$", "$ 5 $ 3.50 US$ 20 € 7 £ 1,000 5 $"},
		{"percent", "5% 7.5%,", "5 % 7.5 % ,"},
		{"URLs", "see http://a.test/x?y=1&z=(2). www.b.test, (https://c.test/d)", "see http://a.test/x?y=1&z=(2) . www.b.test , ( https://c.test/d )"},
		{"hosts", "tides.org/map. and tides.org, a.b.co.uk", "tides.org/map . and tides.org , a.b.co.uk"},
		{"e-mail addresses", "<jo.doe@sea.test>, mailto:x@y.test.", "< jo.doe@sea.test > , mailto:x@y.test ."},
		{"files", "tide-table_2.PDF and .doc", "tide-table_2.PDF and .doc"},
		{"handles and tags", "@moon #tide #1 (@x)", "@moon #tide # 1 ( @x )"},
		{"emoticons", "fine :) or ;-) :-( (ok:) <3", "fine :) or ;-) :-( ( ok :) <3"},
		{"abbreviations", "Mr. Moon vs. Dr. Sea, etc. (e.g. U.S. ships)", "Mr. Moon vs. Dr. Sea , etc. ( e.g. U.S. ships )"},
		{"an abbreviation's dot ends the sentence", "In the U.S. The sea etc.", "In the U.S . / The sea etc ."},
		{"initials", "J. K. Moon", "J. K. Moon"},
		{"a blank forgotten", "Dr.Moon came.Then left", "Dr. Moon came . / Then left"},
		{"numbers", "1,000 3.14 .5 1,234.56 +44", "1,000 3.14 .5 1,234.56 +44"},
		{"dates and times", "9/11 3/8/00 2000-01-31 5:30 1/2 3-4", "9/11 3/8/00 2000-01-31 5:30 1 / 2 3 - 4"},
		{"telephones", "555-1234 202-555-1234 202.555.1234 (202)", "555-1234 202-555-1234 202.555.1234 ( 202 )"},
		{"units", "5km 7pm 10mm 3rd 1990s 60's", "5 km 7 pm 10 mm 3rd 1990s 60's"},
		{"hyphens", "well-known low-lying e-mail non-tidal co-op", "well - known low - lying e-mail non-tidal co-op"},
		{"slashes", "and/or ebb/flow", "and / or ebb / flow"},
		{"dashes", "ebb--flow ebb—flow ebb – flow", "ebb -- flow ebb — flow ebb – flow"},
		{"ampersands", "A&E PG&E's Sun&Moon", "A&E PG&E 's Sun & Moon"},
		{"years cut short", "'05 'em", "'05 'em"},
		{"white space of all kinds", "a\u00a0b\u2003c\u0085d", "a b c d"},
		{"letters of all kinds", "Çağ Ökonomie naïve приливы 潮汐", "Çağ Ökonomie naïve приливы 潮汐"},
		{"no UTF-8", "a\xff\xfeb", "a \xff \xfe b"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := pieces(For("en"), tc.text); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestOtherLanguages(t *testing.T) {
	if got := pieces(For("de-AT"), "Mir geht's gut. Nr. 5 im Mai."); got != "Mir geht's gut . / Nr. 5 im Mai ." {
		t.Error(got)
	}
}

func TestSentences(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"stops", "It rose. It fell! Why? No one knows.", "It rose . / It fell ! / Why ? / No one knows ."},
		{"quotes after the stop", "\"It fell.\" She wept. (So did I.) He left.", "\" It fell . \" / She wept . / ( So did I . ) / He left ."},
		{"a quote that goes on", "\"Why?\" he asked.", "\" Why ? \" he asked ."},
		{"an ellipsis that goes on", "It fell... and rose.", "It fell ... and rose ."},
		{"titles", "Ask Dr. Moon. He knows.", "Ask Dr. Moon . / He knows ."},
		{"a number's dot", "It is 3.5 m. No more.", "It is 3.5 m . / No more ."},
		{"a heading", "Tides\n\nThey rise", "Tides / They rise"},
		{"a list", "- ebb\n- flow\nslack water", "- ebb / - flow / slack water"},
		{"blocks parted by lines of blanks", "ebb\n \t\n\n\nflow", "ebb / flow"},
		{"a wrapped paragraph", "The sea rises and falls twice a day since the\nmoon draws the water and the earth turns beneath\nit. Nobody is to blame for it, but one may ask\nwhy.",
			"The sea rises and falls twice a day since the moon draws the water and the earth turns beneath it . / Nobody is to blame for it , but one may ask why ."},
		{"a list of two long lines", "The sea rises and falls twice a day since the moon\nDraws the water", "The sea rises and falls twice a day since the moon / Draws the water"},
		{"a wrapped paragraph where another was wrapped", strings.Repeat("The sea rises and falls twice a day since the\nmoon draws the water and the earth turns beneath\n\n", 2) + "Nobody but Jonas Moonfield, the master of these\nSeven Seas",
			strings.Repeat("The sea rises and falls twice a day since the moon draws the water and the earth turns beneath / ", 2) + "Nobody but Jonas Moonfield , the master of these Seven Seas"},
		{"East Asian stops", "潮来。潮去！为何？", "潮来 。 / 潮去 ！ / 为何 ？"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := pieces(For(""), tc.text); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

// check checks tokens and sentences against the promises of Append.
func check(t *testing.T, text string, tokens []Token, sentences []Sentence) {
	t.Helper()
	at := 0
	for _, token := range tokens {
		if int(token.Start) < at || token.End <= token.Start || int(token.End) > len(text) {
			t.Fatalf("token %v after %d in %.80q", token, at, text)
		}
		isWhite(t, text[at:token.Start])
		if strings.IndexFunc(token.Of(text), unicode.IsSpace) >= 0 {
			t.Fatalf("white space in %q", token.Of(text))
		}
		at = int(token.End)
	}
	isWhite(t, text[at:])
	next := int32(0)
	for _, s := range sentences {
		if s.First != next || s.End <= s.First {
			t.Fatalf("sentence %v after %d in %.80q", s, next, text)
		}
		next = s.End
	}
	if int(next) != len(tokens) {
		t.Fatalf("%d tokens, but sentences of %d, in %.80q", len(tokens), next, text)
	}
}

func isWhite(t *testing.T, s string) {
	t.Helper()
	if i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) }); i >= 0 {
		t.Fatalf("%q is in no token", s)
	}
}

// Each text would take minutes if time were not linear.
func TestHostile(t *testing.T) {
	const size = 1 << 17
	both := []*Segmenter{For("en"), taught(t).Segmenter()}
	for _, unit := range []string{"a", ".", "a.", "a-", "-", "'", "a'", "n't", "'ll", "(", "((a", "a@", "@", "a+", "1/", "1-", "1.", "$", "US$",
		"http://", "www.a", "a,", "a&", "\"", ":-", "=", "U.S. ", "etc.", "A. ", ") ", "! ", "a\n", "\n", " ", "\n \n", "é", "’", "’s", "…", "\xff", "潮。",
		"ab cd\n", "aaaaaaaa.b ", "#a", ".com", "<>", "_", "1:", "A b. "} {
		text := strings.Repeat(unit, size/len(unit))
		for _, s := range both {
			tokens, sentences := s.Append(text, nil, nil)
			check(t, text, tokens, sentences)
		}
	}
}

func TestAppendGoesOn(t *testing.T) {
	tokens, sentences := For("en").Append("Ebb. Flow.", []Token{{7, 9}}, []Sentence{{0, 1}})
	if len(tokens) != 5 || tokens[0] != (Token{7, 9}) || len(sentences) != 3 || sentences[1] != (Sentence{1, 3}) || sentences[2] != (Sentence{3, 5}) {
		t.Error(tokens, sentences)
	}
}

func TestNoAllocationPerToken(t *testing.T) {
	text := strings.Repeat("Mr. Moon doesn't e-mail U.S. ships: \"Why?\" See tides.org etc. (5km) \n\n", 100)
	for _, s := range []*Segmenter{For("en"), taught(t).Segmenter()} {
		tokens, sentences := s.Append(text, nil, nil)
		if n := testing.AllocsPerRun(5, func() { s.Append(text, tokens[:0], sentences[:0]) }); n > 5 {
			t.Errorf("%v allocations", n)
		}
	}
}

func TestShared(t *testing.T) {
	s := taught(t).Segmenter()
	text := "Mr. Moon doesn't know. Ask Dr. Sea"
	want := pieces(s, text)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				if got := pieces(s, text); got != want {
					t.Error(got)
				}
			}
		})
	}
	all.Wait()
}

func FuzzAppend(f *testing.F) {
	for _, s := range []string{"Mr. Moon (e.g. U.S.) didn't. \"Why?\"", "a\xff.b 5:30-6/7 x@y.z http://a?", "’s…。！ A.B. c", "it's\n\n- a\nb"} {
		f.Add(s)
	}
	english, french, learned := For("en"), For("fr"), taught(f).Segmenter()
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range []*Segmenter{english, french, learned} {
			tokens, sentences := s.Append(text, nil, nil)
			check(t, text, tokens, sentences)
			if !utf8.ValidString(text) {
				continue
			}
			for _, token := range tokens {
				if !utf8.ValidString(token.Of(text)) {
					t.Fatalf("%q is half a character", token.Of(text))
				}
			}
		}
	})
}
