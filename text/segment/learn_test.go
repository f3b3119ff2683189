package segment

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
)

// example is a small segmented text: words separated by blanks, "_" where the text has no blank, one sentence
// per line, blocks separated by empty lines.
const example = `Skpr. Moon sold low _ water e-tides _ .
The tide is floooood _ y today _ .
Ask Skpr. Sea or post _ - _ man Ebb _ .
Regards
Jo Sea

Thanks again for the map _ .
Regards
Al Ebb

It rose and fell _ , and no one knew why _ .
Skpr. Moon slept _ .
Regards
Flo Low`

// sampleOf parses the notation of example.
func sampleOf(text string) Sample {
	var b Builder
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		for i, word := range words {
			if word != "_" {
				b.Add(word, i+1 == len(words) || words[i+1] != "_")
			}
		}
		b.EndSentence()
		if len(words) == 0 {
			b.EndBlock()
		}
	}
	return b.Sample()
}

// taught returns a model trained on the example, once.
func taught(tb testing.TB) *Model {
	tb.Helper()
	m, err := exampleOnce()
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

var exampleOnce = sync.OnceValues(func() (*Model, error) { return Learn("en", sampleOf(example)) })

func TestBuilder(t *testing.T) {
	s := sampleOf("It rose _ .\nWhy _ ?\n\n\nEbb")
	if want := "It rose. Why?\n\nEbb"; s.Text != want {
		t.Errorf("%q, want %q", s.Text, want)
	}
	if want := []Sentence{{0, 3}, {3, 5}, {5, 6}}; !slices.Equal(s.Sentences, want) {
		t.Error(s.Sentences)
	}
	check(t, s.Text, s.Tokens, s.Sentences)
}

func TestLearn(t *testing.T) {
	s := taught(t).Segmenter()
	for _, tc := range []struct{ name, text, want string }{
		{"an abbreviation", "Skpr. Low", "Skpr. Low"},
		{"a prefix that is parted", "post-tide", "post - tide"},
		{"a word's tokens", "Flooooody", "Floooood y"},
	} {
		if got := pieces(s, tc.text); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
	}
	if got, want := pieces(s, sampleOf(example).Text), pieces(For("en"), sampleOf(example).Text); got == want {
		t.Error("nothing was learned")
	}
	if _, err := Learn("en", Sample{}); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
}

func TestModelFile(t *testing.T) {
	m := taught(t)
	b, err := m.AppendBinary([]byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	b = b[1:]
	read, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := read.AppendBinary(nil)
	if !slices.Equal(b, again) || !slices.Equal(m.weights, read.weights) || m.lexicon != read.lexicon {
		t.Error("a model that was read is another")
	}
	for i := range min(len(b), 300) {
		if _, err := Parse(b[:i]); !errors.Is(err, ErrModel) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
	for _, bad := range [][]byte{nil, append([]byte{version + 1}, b[1:]...), append(slices.Clone(b), 0), b[:len(b)-1]} {
		if _, err := Parse(bad); !errors.Is(err, ErrModel) {
			t.Error(err)
		}
	}
}

func TestLearnIsDeterministic(t *testing.T) {
	m, err := Learn("en", sampleOf(example))
	if err != nil {
		t.Fatal(err)
	}
	a, _ := taught(t).AppendBinary(nil)
	if b, _ := m.AppendBinary(nil); !slices.Equal(a, b) {
		t.Error("two models of the same sample")
	}
}

func FuzzParse(f *testing.F) {
	b, _ := taught(f).AppendBinary(nil)
	f.Add(b)
	f.Add([]byte{version, 2, 'e', 'n', 0, 0, 1, 2, 'a', 'b', 1, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Parse(b)
		if err != nil {
			return
		}
		text := "Mr. Moon doesn't e-mail; ab? He did. Regards"
		tokens, sentences := m.Segmenter().Append(text, nil, nil)
		check(t, text, tokens, sentences)
	})
}

func TestLanguageOfAnyLength(t *testing.T) {
	m, err := Learn(strings.Repeat("\xffx", 200), sampleOf(example))
	if err != nil {
		t.Fatal(err)
	}
	b, _ := m.AppendBinary(nil)
	if _, err := Parse(b); err != nil {
		t.Error(err)
	}
}
