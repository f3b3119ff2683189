package lemma_test

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/text/conllu"
	"orbweaver/text/lemma"
	"orbweaver/text/tag"
	"orbweaver/text/tag/prose"
	"orbweaver/text/tag/wordnet"
)

// treebank calls f with each sentence of a file of UD English.
func treebank(tb testing.TB, name string, f func(*conllu.Sentence)) {
	tb.Helper()
	file, err := os.Open(realdata.File(tb, "ud-english.tar.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	files := tar.NewReader(z)
	for {
		h, err := files.Next()
		if err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		if h.Name == "ud-english/"+name {
			sentences(tb, files, f)
			return
		}
	}
}

func sentences(tb testing.TB, r io.Reader, f func(*conllu.Sentence)) {
	for treebank := conllu.NewReader(r); ; {
		s, err := treebank.Read()
		if err == io.EOF {
			return
		}
		if err != nil {
			tb.Fatal(err)
		}
		f(s)
	}
}

// tagged returns the words of a sentence and their tags.
func tagged(s *conllu.Sentence) (words []string, tags []tag.Tag) {
	for _, w := range s.Words {
		t, _ := tag.Parse(w.XPOS)
		words, tags = append(words, w.Form), append(tags, t)
	}
	return words, tags
}

// dictionary returns WordNet, or nil if it is not installed.
func dictionary(tb testing.TB) *tag.Dictionary {
	d, err := wordnet.Read(cmp.Or(os.Getenv("ORBWEAVER_WORDNET"), "/usr/share/wordnet"))
	if err != nil {
		tb.Logf("without WordNet: %v", err)
		return nil
	}
	return d
}

// learn puts a lemmatizer trained on UD English into the model.
func learn(tb testing.TB, m *tag.Model, d *tag.Dictionary) *lemma.Lemmatizer {
	trainer := lemma.NewTrainer(d)
	treebank(tb, "train.conllu", func(s *conllu.Sentence) {
		for _, w := range s.Words {
			t, _ := tag.Parse(w.XPOS)
			trainer.Add(w.Form, t, w.Lemma)
		}
	})
	trainer.Train(m)
	l, err := lemma.Open(m)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// A score counts lemmas.
type score struct {
	right, total int
	wrong        map[string]int
}

// count counts the lemmas of a sentence, given tags.
func (c *score) count(l *lemma.Lemmatizer, s *conllu.Sentence, tags []tag.Tag) {
	for i, w := range s.Words {
		c.total++
		got := l.Lemma(w.Form, tags[i])
		want := strings.ReplaceAll(strings.ToLower(w.Lemma), "\u2019", "'")
		if got == want {
			c.right++
		} else if c.wrong != nil {
			c.wrong[w.Form+" "+tags[i].String()+" is "+want+" not "+got]++
		}
	}
}

func (c *score) percent() float64 { return 100 * float64(c.right) / float64(c.total) }

// TestTreebank: with gold tags, most lemmas are right, and far more than without training.
func TestTreebank(t *testing.T) {
	var m tag.Model
	learned, common := learn(t, &m, nil), lemma.New()
	var with, without score
	treebank(t, "dev.conllu", func(s *conllu.Sentence) {
		_, tags := tagged(s)
		with.count(learned, s, tags)
		without.count(common, s, tags)
	})
	t.Logf("learned %.2f %%, rules alone %.2f %%", with.percent(), without.percent())
	if with.percent() < 98.4 || without.percent() < 97 {
		t.Error("a rule was lost")
	}
}

// TestFigures measures the figures in the documentation.
func TestFigures(t *testing.T) {
	figures := os.Getenv("ORBWEAVER_FIGURES")
	if figures == "" {
		t.Skip("ORBWEAVER_FIGURES=dev asks for figures, =all for those of the test files too")
	}
	names := []string{"dev.conllu"}
	if figures == "all" {
		names = append(names, "test.conllu", "pud.conllu")
	}
	common := lemma.New()
	fallback, err := prose.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*tag.Dictionary{dictionary(t), nil} {
		m := &tag.Model{}
		trainer := tag.NewTrainer(tag.Options{Dictionary: d})
		treebank(t, "train.conllu", func(s *conllu.Sentence) { trainer.Add(tagged(s)) })
		if err := trainer.Train(context.Background(), m); err != nil {
			t.Fatal(err)
		}
		tagger, err := tag.NewTagger(m)
		if err != nil {
			t.Fatal(err)
		}
		learned := learn(t, m, d)
		size, err := m.WriteTo(io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("dictionary %v: model of %d bytes", d != nil, size)
		report := func(name string, each func(f func(*conllu.Sentence))) {
			var gold, predicted, rules score
			gold.wrong = map[string]int{}
			right, without := 0, 0
			each(func(s *conllu.Sentence) {
				words, tags := tagged(s)
				own := tagger.Append(words, nil)
				other := fallback.Append(words, nil)
				for i := range own {
					if own[i] == tags[i] {
						right++
					}
					if other[i] == tags[i] {
						without++
					}
				}
				gold.count(learned, s, tags)
				predicted.count(learned, s, own)
				rules.count(common, s, own)
			})
			t.Logf("%s: tags %.2f %%, by prose %.2f %%", name, 100*float64(right)/float64(gold.total),
				100*float64(without)/float64(gold.total))
			t.Logf("%s: lemmas %.2f %%; %.2f %% with its tags, %.2f %% by the rules alone", name,
				predicted.percent(), gold.percent(), rules.percent())
			if figures == "wrong" {
				for what, n := range gold.wrong {
					t.Logf("%d %s", n, what)
				}
			}
		}
		for _, name := range names {
			report(name, func(f func(*conllu.Sentence)) { treebank(t, name, f) })
		}
		for _, path := range strings.Fields(os.Getenv("ORBWEAVER_TREEBANKS")) {
			report(path, func(f func(*conllu.Sentence)) {
				file, err := os.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer file.Close()
				sentences(t, file, f)
			})
		}
	}
}
