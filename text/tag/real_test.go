package tag_test

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/text/conllu"
	"orbweaver/text/tag"
	"orbweaver/text/tag/wordnet"
)

// treebank returns the sentences of a file of UD English.
func treebank(tb testing.TB, name string) (all []*conllu.Sentence) {
	tb.Helper()
	f, err := os.Open(realdata.File(tb, "ud-english.tar.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
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
			return sentences(tb, files)
		}
	}
}

func sentences(tb testing.TB, r io.Reader) (all []*conllu.Sentence) {
	for treebank := conllu.NewReader(r); ; {
		s, err := treebank.Read()
		if err == io.EOF {
			return all
		}
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, s)
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

// learn trains on part of UD English; dictionary says whether WordNet may help, where there is one.
func learn(tb testing.TB, options tag.Options, dictionary bool, files ...string) *tag.Model {
	tb.Helper()
	if dictionary {
		folder := cmp.Or(os.Getenv("ORBWEAVER_WORDNET"), "/usr/share/wordnet")
		d, err := wordnet.Read(folder)
		if err != nil {
			tb.Logf("without WordNet: %v", err)
		} else {
			options.Dictionary = d
		}
	}
	trainer := tag.NewTrainer(options)
	for _, file := range files {
		for _, s := range treebank(tb, file) {
			trainer.Add(tagged(s))
		}
	}
	var m tag.Model
	if err := trainer.Train(context.Background(), &m); err != nil {
		tb.Fatal(err)
	}
	return &m
}

// accuracy returns how many of a hundred words are tagged as in the treebank.
func accuracy(tagger interface {
	Append([]string, []tag.Tag) []tag.Tag
}, all []*conllu.Sentence) float64 {
	right, total := 0, 0
	for _, s := range all {
		words, want := tagged(s)
		for i, got := range tagger.Append(words, nil) {
			if want[i] != tag.Unknown {
				total++
				if got == want[i] {
					right++
				}
			}
		}
	}
	return 100 * float64(right) / float64(total)
}

func TestFigures(t *testing.T) {
	if os.Getenv("ORBWEAVER_FIGURES") == "" {
		t.Skip("ORBWEAVER_FIGURES=dev asks for figures, =all for those of the test files too")
	}
	for _, dictionary := range []bool{true, false} {
		m := learn(t, tag.Options{Progress: func(round, epoch, mistakes int) {
			t.Logf("round %d epoch %d: %d mistakes", round, epoch, mistakes)
		}}, dictionary, "train.conllu")
		tagger, err := tag.NewTagger(m)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		t.Logf("dictionary %v: %d bytes", dictionary, file.Len())
		for _, name := range m.Names() {
			data, _ := m.Section(name)
			t.Logf("section %s: %d bytes", name, len(data))
		}
		names := []string{"dev.conllu"}
		if os.Getenv("ORBWEAVER_FIGURES") == "all" {
			names = append(names, "test.conllu", "pud.conllu")
		}
		for _, name := range names {
			t.Logf("%s: %.2f %%", name, accuracy(tagger, treebank(t, name)))
		}
		for _, path := range strings.Fields(os.Getenv("ORBWEAVER_TREEBANKS")) {
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %.2f %%", path, accuracy(tagger, sentences(t, f)))
			f.Close()
		}
	}
}
