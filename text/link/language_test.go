package link

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// A language is made up: words by their rank, common ones short, drawn as often as in real texts.
type language struct {
	random *rand.Rand
	words  []string
}

func newLanguage(words int) *language {
	const consonants, vowels = "bcdfghklmnprstvwxyzj", "aeiou"
	l := &language{random: rand.New(rand.NewPCG(1, 2))}
	for i := range words {
		var w []byte
		for n := i; ; n /= 100 {
			if w = append(w, consonants[n%20], vowels[n/20%5]); n < 100 {
				break
			}
		}
		l.words = append(l.words, string(w))
	}
	return l
}

// word draws a word by Zipf's law; the rarer the higher the rare, from 1.
func (l *language) word(rare float64) string {
	at := math.Pow(float64(len(l.words)), math.Pow(l.random.Float64(), 1/rare))
	return l.words[min(int(at), len(l.words))-1]
}

// label draws a name of 1 to 4 words.
func (l *language) label() string {
	n := [...]int{1, 2, 2, 2, 3, 3, 4}[l.random.IntN(7)]
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		w := l.word(3)
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// document draws a text, and tells its length in bytes with a space or so behind each word. Names of
// the language are in it.
func (l *language) document(words int) (doc Document, length int) {
	for len(doc.Words) < words {
		if l.random.IntN(20) == 0 {
			doc.Words = append(doc.Words, strings.Fields(l.label())...)
		}
		if l.random.IntN(20) == 0 {
			doc.Words = append(doc.Words, ".")
			doc.Sentences = append(doc.Sentences, len(doc.Words))
		}
		doc.Words = append(doc.Words, l.word(1))
	}
	for _, w := range doc.Words {
		length += len(w) + 1
	}
	return doc, length
}

func (l *language) gazetteer(tb testing.TB, labels int) *Gazetteer {
	tb.Helper()
	var b Builder
	for range labels {
		text := l.label()
		iri := "http://dbpedia.org/resource/" + strings.ReplaceAll(text, " ", "_")
		if err := b.Add(Label{Text: text, IRI: iri}); err != nil {
			tb.Fatal(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		tb.Fatal(err)
	}
	return g
}
