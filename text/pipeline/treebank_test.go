package pipeline_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/text/conllu"
	"orbweaver/text/pipeline"
	"orbweaver/text/segment"
	"orbweaver/text/tag"
)

// treebank calls f with the first most sentences of a file of UD English; 0 means all.
func treebank(tb testing.TB, name string, most int, f func(*conllu.Sentence)) {
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
	for h := new(tar.Header); h.Name != "ud-english/"+name; {
		if h, err = files.Next(); err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
	}
	read := conllu.NewReader(files)
	for n := 0; n < most || most == 0; n++ {
		s, err := read.Read()
		if err == io.EOF {
			return
		}
		if err != nil {
			tb.Fatal(err)
		}
		f(s)
	}
}

// quick returns a model trained on a part of the treebank.
func quick(tb testing.TB) *tag.Model {
	trainer := pipeline.NewTrainer("en", tag.Options{Epochs: 2, Rounds: 1})
	treebank(tb, "train.conllu", 3000, trainer.Add)
	m, err := trainer.Train(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// TestTreebank: a trained pipeline beats the rules. The thresholds are a little below the measured values.
func TestTreebank(t *testing.T) {
	score := func(o pipeline.Options) pipeline.Score {
		test := pipeline.NewTest(newPipeline(t, o))
		treebank(t, "dev.conllu", 0, test.Add)
		s := test.Score()
		t.Logf("%+v", s)
		return s
	}
	with, without := score(pipeline.Options{Model: quick(t)}), score(pipeline.Options{})
	if with.Tokens < 98 || with.Sentences < 84 || with.Tags < 89 || with.Lemmas < 93 || with.GivenTags < 91 || with.GivenLemmas < 95 {
		t.Error("something that helped was lost")
	}
	if with.Tags <= without.Tags || with.Sentences <= without.Sentences || with.Lemmas <= without.Lemmas {
		t.Error("nothing was learned")
	}
}

const toy = `# newdoc
# text = Don't go there.
1-2	Don't	_	_	_	_	_	_	_	_
1	Do	do	AUX	VB	_	0	_	_	_
2	n't	not	PART	RB	_	0	_	_	_
3	go	go	VERB	VB	_	0	_	_	_
4	there	there	ADV	RB	_	0	_	_	SpaceAfter=No
5	.	.	PUNCT	.	_	0	_	_	_

# text = It flies.
1	It	it	PRON	PRP	_	0	_	_	_
2	flies	fly	VERB	VBZ	_	0	_	_	SpaceAfter=No
3	.	.	PUNCT	.	_	0	_	_	_

`

// TestTrainer: a model trained on two repeated sentences reads them right, and survives a round trip.
func TestTrainer(t *testing.T) {
	var all []*conllu.Sentence
	for r := conllu.NewReader(strings.NewReader(toy)); ; {
		s, err := r.Read()
		if err != nil {
			break
		}
		all = append(all, s)
	}
	trainer := pipeline.NewTrainer("en-US", tag.Options{})
	for range 30 {
		for _, s := range all {
			trainer.Add(s)
		}
	}
	m, err := trainer.Train(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir() + "/en.tagger"
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = m.WriteTo(file); err != nil || file.Close() != nil {
		t.Fatal(err)
	}
	p, err := pipeline.Load(path, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	test := pipeline.NewTest(p)
	for _, s := range all {
		test.Add(s)
	}
	want := pipeline.Score{Words: 8, Tokens: 100, Sentences: 100, Tags: 100, Lemmas: 100, GivenTags: 100, GivenLemmas: 100}
	if got := test.Score(); got != want || p.Language() != "en" {
		t.Errorf("%s: %+v", p.Language(), got)
	}
	if _, err := pipeline.NewTrainer("en", tag.Options{}).Train(t.Context()); !errors.Is(err, segment.ErrNothing) {
		t.Errorf("of nothing: %v", err)
	}
}
