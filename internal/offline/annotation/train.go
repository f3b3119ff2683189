package annotation

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"orbweaver"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/text/conllu"
	"orbweaver/text/pipeline"
	"orbweaver/text/tag"
	"orbweaver/text/tag/wordnet"
)

// TaggerTraining configures Train.
type TaggerTraining struct {
	Files   []string // treebanks in CoNLL-U with Penn tags as XPOS, compressed or not
	Out     string   // file of the model
	WordNet string   // folder; empty: none
	Seed    uint64   // seed of the order of the sentences
	Test    []string // treebanks to evaluate the model on
}

// maxTreebank bounds the training words, in bytes.
const maxTreebank = 1 << 30

// Train learns sentence boundaries, token boundaries, tags and lemmas from English treebanks, and writes
// one model file, atomically. It reports its progress on Err and the model's accuracy on the Test files on
// Out.
//
// Errors wrap ErrInput if a file is wrong.
func Train(ctx context.Context, con *console.Console, job TaggerTraining) error {
	options := tag.Options{Seed: job.Seed}
	options.Progress = func(round, epoch, mistakes int) {
		console.Say(con.Err, "round %d, epoch %d: %d mistakes", round, epoch, mistakes)
	}
	if job.WordNet != "" {
		var err error
		if options.Dictionary, err = wordnet.Read(job.WordNet); err != nil {
			return fmt.Errorf("--wordnet: %w (%w)", err, orbweaver.ErrInput)
		}
	}
	trainer := pipeline.NewTrainer("en", options)
	words, err := learnFrom(ctx, con, job.Files, trainer)
	if err != nil {
		return err
	}
	if err := atomicfile.Check(filepath.Dir(job.Out)); err != nil { // fail before the training, not after
		return fmt.Errorf("%s: %w (%w)", job.Out, err, orbweaver.ErrInput)
	}
	model, err := trainer.Train(ctx)
	var size int64
	if err == nil {
		err = atomicfile.Write(job.Out, 0o666, func(w io.Writer) (err error) {
			size, err = model.WriteTo(w)
			return err
		})
	}
	if ctx.Err() != nil {
		return console.ErrInterrupted
	}
	if err != nil {
		return fmt.Errorf("%s: %w", job.Out, err)
	}
	console.Say(con.Out, "%s: %d bytes, learned from %d words", job.Out, size, words)
	return testModel(ctx, con, model, job.Test)
}

// learnFrom feeds treebanks to a trainer and returns the number of words.
func learnFrom(ctx context.Context, con *console.Console, files []string, trainer *pipeline.Trainer) (words int, err error) {
	sentences, tagged, size := 0, 0, 0
	for _, name := range files {
		err := eachSentence(ctx, con, name, func(s *conllu.Sentence) error {
			for _, w := range s.Words {
				if size += len(w.Form); size > maxTreebank {
					return fmt.Errorf("more than %d bytes of words", maxTreebank)
				}
				if _, ok := tag.Parse(w.XPOS); ok {
					tagged++
				}
			}
			sentences++
			words += len(s.Words)
			trainer.Add(s)
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	if tagged == 0 {
		return 0, fmt.Errorf("no word has a tag of the Penn Treebank in its XPOS column (%w)", orbweaver.ErrInput)
	}
	console.Say(con.Err, "learning from %d sentences, %d words ...", sentences, words)
	return words, nil
}

// eachSentence calls f with the sentences of a treebank. Errors name the file and wrap ErrInput.
func eachSentence(ctx context.Context, con *console.Console, name string, f func(*conllu.Sentence) error) error {
	in, err := rdffile.Open(ctx, name, con.In)
	if err != nil {
		return err
	}
	defer in.Close()
	for treebank := conllu.NewReader(in.Text); ; {
		s, err := treebank.Read()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(s)
		}
		if ctx.Err() != nil {
			return console.ErrInterrupted
		}
		if err != nil {
			return fmt.Errorf("%s: %w (%w)", in.Name, err, orbweaver.ErrInput)
		}
	}
}

// testModel writes the accuracy of a model on treebanks.
func testModel(ctx context.Context, con *console.Console, model *tag.Model, files []string) error {
	if len(files) == 0 {
		return nil
	}
	p, err := pipeline.New(pipeline.Options{Model: model})
	if err != nil {
		return err
	}
	console.Say(con.Out, "\n%-28s %8s  %s", "", "", "F1 of the raw text, in percent   by given tokens")
	console.Say(con.Out, "%-28s %8s  %7s %9s %6s %6s   %6s %6s", "test", "words", "tokens", "sentences", "tags", "lemmas", "tags", "lemmas")
	for _, name := range files {
		test := pipeline.NewTest(p)
		size := 0
		err := eachSentence(ctx, con, name, func(s *conllu.Sentence) error {
			for _, w := range s.Words {
				if size += len(w.Form); size > maxTreebank {
					return fmt.Errorf("more than %d bytes of words", maxTreebank)
				}
			}
			test.Add(s)
			return nil
		})
		if err != nil {
			return err
		}
		s := test.Score()
		console.Say(con.Out, "%-28s %8d  %7.2f %9.2f %6.2f %6.2f   %6.2f %6.2f", filepath.Base(name), s.Words, s.Tokens, s.Sentences, s.Tags, s.Lemmas, s.GivenTags, s.GivenLemmas)
	}
	return nil
}
