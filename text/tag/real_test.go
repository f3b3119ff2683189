package tag_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"io"
	"os"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/text/conllu"
	"orbweaver/text/tag"
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

// accuracy returns the percentage of words tagged as in the treebank.
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

// TestTreebank trains briefly on a third of the treebank. The threshold is a little below the measured
// accuracy.
func TestTreebank(t *testing.T) {
	trainer := tag.NewTrainer(tag.Options{Epochs: 2, Rounds: 1})
	for _, s := range treebank(t, "train.conllu")[:4000] {
		trainer.Add(tagged(s))
	}
	var m tag.Model
	if err := trainer.Train(context.Background(), &m); err != nil {
		t.Fatal(err)
	}
	tagger, err := tag.NewTagger(&m)
	if err != nil {
		t.Fatal(err)
	}
	got := accuracy(tagger, treebank(t, "dev.conllu"))
	t.Logf("%.2f %%", got)
	if got < 92 {
		t.Error("something that helped was lost")
	}
}
