package text

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/internal/tier"
)

// vocabulary reads the files of the official Porter vocabulary, by name.
func vocabulary(t *testing.T) map[string][]string {
	f, err := os.Open(realdata.File(t, "porter-vocabulary.tar.gz"))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]string{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(h.Name)] = strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	}
}

func TestPorterVocabulary(t *testing.T) {
	files := vocabulary(t)
	words, want := files["porter.voc.txt"], files["porter.output.txt"]
	if len(words) != len(want) || len(words) < 20000 {
		t.Fatalf("%d words, %d stems", len(words), len(want))
	}
	wrong := 0
	s := NewStemmer("en")
	for i, w := range words {
		if got := s.Stem([]byte(w)); got != want[i] {
			wrong++
			t.Logf("%s: got %s, want %s", w, got, want[i])
		}
		if got := s.Stem([]byte(w)); got != want[i] {
			t.Fatalf("%s: the cache says %s, want %s", w, got, want[i])
		}
	}
	t.Logf("%d of %d right", len(words)-wrong, len(words))
	if wrong > 0 {
		t.Errorf("%d of %d wrong", wrong, len(words))
	}
}

// TestStemsStartAsWordsDo checks the assumption of starts: over the official vocabulary, all words of up to
// three letters and digits, all of these with all of Porter's endings, and those of up to two letters, with
// the last optionally doubled, with two endings.
func TestStemsStartAsWordsDo(t *testing.T) {
	s := newStemmer("en", 0)
	check := func(word string) {
		var only starts
		stem := s.compute(word)
		if got := string(appendPorter(nil, []byte(word))); got != stem {
			t.Fatalf("%s: Porter's stem is %q, want %q", word, got, stem)
		}
		if only.add(stem); len(word) <= maxKey && !(only.begins.has(keyOf([]byte(word)).low) && only.admit(keyOf([]byte(word)).low)) {
			t.Fatalf("%s has the stem %s, but is not admitted", word, stem)
		}
	}
	endings := strings.Fields("s es ies sses ed eed ing y e ate ble ize ational tional enci anci izer abli alli entli eli " +
		"ousli ization ation ator alism iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness " +
		"al ance ence er ic able ible ant ement ment ent ion sion tion ou ism iti ous ive ll ying yed yly")
	var begin func(prefix string)
	begin = func(prefix string) {
		letters := "abcdefghijklmnopqrstuvwxyz019"
		if len(prefix) > 0 {
			letters = "abdeilnstyz1" // letters of each kind that the algorithm distinguishes
		}
		for _, c := range letters {
			p := prefix + string(c)
			check(p)
			for i, e := range endings {
				check(p + e)
				if len(p) == 3 && p[1] != p[2] || i%tier.Of(8, 1) != 0 {
					continue
				}
				for _, more := range endings {
					check(p + e + more)
				}
			}
			if len(p) < 3 {
				begin(p)
			}
		}
	}
	begin("")
	for _, w := range vocabulary(t)["porter.voc.txt"] {
		if !strings.ContainsRune(w, '\'') {
			check(w)
		}
	}
}

func TestStemsByLanguage(t *testing.T) {
	for _, tc := range []struct{ lang, word, want string }{
		{"", "flying", "fly"},
		{"en", "relational", "relat"},
		{"en-GB", "airplanes", "airplan"},
		{"de", "flugzeuge", "flugzeug"},
		{"DE-at", "häuser", "haus"},
		{"fr", "avions", "avion"},
		{"es", "aviones", "avion"},
		{"ru", "самолеты", "самолет"},
		{"pl", "samoloty", "samoloty"}, // no stemmer: unchanged
		{"en", "747", "747"},
		{"en", "", ""},
	} {
		if got := NewStemmer(tc.lang).Stem([]byte(tc.word)); got != tc.want {
			t.Errorf("%s %q: got %q, want %q", tc.lang, tc.word, got, tc.want)
		}
	}
}

// languages returns all languages with a stemmer.
func languages() []string {
	return strings.Fields("en ar da de es fi fr ga hu it nl no pt ro ru sv ta tr pl")
}

func FuzzStem(f *testing.F) {
	f.Add("flugzeuge")
	f.Add("самолёты")
	f.Add("கள்")
	f.Add("yyy'll")
	f.Fuzz(func(t *testing.T, s string) {
		var words Scanner
		for _, lang := range languages() {
			stemmer, again := NewStemmer(lang), NewStemmer(lang)
			for words.Reset(s); words.Next(); {
				stem := stemmer.Stem(words.Word())
				if got := string(stemmer.Append(nil, words.Word())); got != stem {
					t.Fatalf("%s: %q has stem %q, and %q appended", lang, words.Word(), stem, got)
				}
				if stemmer.Stem(words.Word()) != stem || again.Stem(words.Word()) != stem {
					t.Fatalf("%s: %q has stem %q, then another", lang, words.Word(), stem)
				}
			}
		}
	})
}

// FuzzPorter compares appendPorter with Snowball's stemmer.
func FuzzPorter(f *testing.F) {
	for _, s := range []string{"yyyeed", "sses", "ies", "oing", "hoping", "falling", "abilities", "adhesion", "controlled", "o'ed", "c++ing"} {
		f.Add(s)
	}
	stemmer := newStemmer("en", 0)
	f.Fuzz(func(t *testing.T, s string) {
		if word := []byte(s); len(word) <= maxStem && isSmall(word) {
			if got, want := string(appendPorter(nil, word)), stemmer.compute(s); got != want {
				t.Fatalf("%q: stem %q, want %q", s, got, want)
			}
		}
	})
}

func TestStemmersAreLentByLanguage(t *testing.T) {
	var s Stemmers
	for range 2 {
		german := s.Get("de-AT")
		if got := german.Stem([]byte("flugzeuge")); got != "flugzeug" {
			t.Errorf("de-AT: %q", got)
		}
		s.Put("de-AT", german)
		english := s.Get("")
		if got := english.Stem([]byte("flying")); got != "fly" {
			t.Errorf("unknown: %q", got)
		}
		s.Put("", english)
	}
	for _, invented := range []string{"xx", "yy", "zz"} {
		s.Put(invented, s.Get(invented))
	}
	if len(s.pools) != 3 {
		t.Errorf("invented languages have pools of their own: %d", len(s.pools))
	}
}
