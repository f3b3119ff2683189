package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func wordsOf(s string) string {
	var words []string
	var scan Scanner
	for scan.Reset(s); scan.Next(); {
		w := string(scan.Word())
		if scan.NewBlock() {
			w = "|" + w
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

func TestWords(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"punctuation alone", " . -- ' , \n", ""},
		{"lower case", "The Boeing 747", "the boeing 747"},
		{"letters and digits together", "A340, x86-64", "a340 x86 64"},
		{"hyphens divide", "object-oriented state‑of-the-art", "object oriented state of the art"},
		{"underscores divide", "marc_ehrig", "marc ehrig"},
		{"the possessive is left out", "the plane's wings, Plane’s", "the plane wings plane"},
		{"plural possessive", "planes' wings", "planes wings"},
		{"clitics stay", "don't WE'LL they’ve", "don't we'll they've"},
		{"elision divides", "l'avion d’Artagnan O'Reilly", "l avion d artagnan o reilly"},
		{"a quoted word", "'plane' 'tis", "plane tis"},
		{"numbers", "1,000 and 1.1 and 3.", "1,000 and 1.1 and 3"},
		{"lists of letters are no numbers", "a.b,c", "a b c"},
		{"names with signs", "C++ and C# but not 1++ or a+b, c##", "c++ and c# but not 1 or a b c"},
		{"beyond ASCII", "ÄRZTE naïve ПРИВЕТ", "ärzte naïve привет"},
		{"marks belong to letters", "cafe\u0301s", "cafés"},
		{"soft hyphen", "air\u00adplane", "airplane"},
		{"no spaces", "東京タワー abc", "東 京 タワー abc"},
		{"Han inside Latin", "x東y", "x 東 y"},
		{"no UTF-8", "a\xffb \xc3", "a b"},
		{"a line break is no block", "a\nb", "a b"},
		{"a blank line is", "a\n \t\r\nb\n\n\nc", "a |b |c"},
		{"a line of punctuation is not blank", "a\n.\nb", "a b"},
		{"blank line at the start", "\n\na", "|a"},
	} {
		if got := wordsOf(tc.in); got != tc.want {
			t.Errorf("%s: %q: got %q, want %q", tc.name, tc.in, got, tc.want)
		}
	}
}

func TestOffsets(t *testing.T) {
	const s = "Ein «Flugzeug's» 東京"
	var got []string
	var scan Scanner
	for scan.Reset(s); scan.Next(); {
		got = append(got, s[scan.Start():scan.End()])
	}
	if want := "Ein,Flugzeug's,東,京"; strings.Join(got, ",") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLongWordIsCut(t *testing.T) {
	var scan Scanner
	scan.Reset(strings.Repeat("ä", 5000) + " b")
	scan.Next()
	if n := len(scan.Word()); n > maxWord || !utf8.Valid(scan.Word()) {
		t.Errorf("kept %d bytes, valid %v", n, utf8.Valid(scan.Word()))
	}
	if scan.Next(); string(scan.Word()) != "b" {
		t.Errorf("then %q", scan.Word())
	}
}

// TestPlainWordsAreReadAlike compares reading eight bytes at a time with one at a time, for words of all
// lengths, with every byte after and within them.
func TestPlainWordsAreReadAlike(t *testing.T) {
	const letters = "Ab9zZ0aYxW8kQq7Lm1No"
	for n := 1; n <= len(letters); n++ {
		for c := range 256 {
			for _, in := range []string{
				letters[:n], letters[:n] + string([]byte{byte(c)}), letters[:n] + string([]byte{byte(c)}) + "bc1 and more words",
				string([]byte{byte(c)}) + letters[:n],
			} {
				var fast, slow Scanner
				fast.Reset(in)
				for slow.Reset(in); slow.skip(); {
					slow.start = slow.pos
					slow.read()
					if !fast.Next() || string(fast.Word()) != string(slow.word) || fast.Start() != slow.start || fast.End() != slow.pos {
						t.Fatalf("%q: %q at %d:%d, want %q at %d:%d", in, fast.Word(), fast.Start(), fast.End(), slow.word, slow.start, slow.pos)
					}
					if fast.key != keyOf(slow.word) || fast.plain && len(slow.word) > maxKey {
						t.Fatalf("%q: key %x of %q", in, fast.key, slow.word)
					}
				}
				if fast.Next() {
					t.Fatalf("%q: %q is no word", in, fast.Word())
				}
			}
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, s := range []string{"a's b++ 東京 c'", "1.2,3", "\u00ad’", "x\n\ny", "'ll l'l", "a#b", "\xff'\xc3s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var scan Scanner
		end := 0
		for scan.Reset(s); scan.Next(); {
			if scan.Start() < end || scan.End() <= scan.Start() || scan.End() > len(s) {
				t.Fatalf("%q: word at %d:%d after %d", s, scan.Start(), scan.End(), end)
			}
			if len(scan.Word()) == 0 || len(scan.Word()) > maxWord || !utf8.Valid(scan.Word()) {
				t.Fatalf("%q: word %q", s, scan.Word())
			}
			end = scan.End()
		}
		// Segmentation is idempotent: the words of a word are the word itself.
		if once := strings.ReplaceAll(wordsOf(s), "|", ""); strings.ReplaceAll(wordsOf(once), "|", "") != once && !strings.ContainsAny(once, "'ıſK") {
			t.Fatalf("%q: %q is cut into %q", s, once, wordsOf(once))
		}
	})
}
