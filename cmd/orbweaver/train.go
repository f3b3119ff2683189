package main

import (
	"github.com/spf13/cobra"

	"orbweaver/internal/job"
	"orbweaver/internal/offline/annotation"
)

func newTrain(a *job.Job) *cobra.Command {
	c := &cobra.Command{
		Use:     "train",
		Short:   "Learn from examples what a pipeline of text wants to know",
		Args:    verb,
		RunE:    verbless,
		Example: `  orbweaver train tagger --help`,
	}
	c.AddCommand(newTrainTagger(a))
	return c
}

func newTrainTagger(a *job.Job) *cobra.Command {
	job := annotation.TaggerTraining{}
	c := &cobra.Command{
		Use:   "tagger FILE... -o MODEL",
		Short: "Learn English sentences, tokens, tags and lemmas from treebanks",
		Long: `Reads treebanks in CoNLL-U whose XPOS column has tags of the Penn Treebank, as UD English EWT has
them, and learns from all of them together where sentences and tokens end, which tag a word has, and
what its lemma is. All of that is written to one file, which orbweaver text takes as --model. It takes
some minutes for two hundred thousand words. The same files and --seed make the same model.

--wordnet names a folder of WordNet 3.0 (index.*, data.noun, *.exc): words that no treebank has are
then better known. It is read for training only.

--test names treebanks that were not learned from. For each it is printed what share of it, in
percent, the model reads as its annotators did: from the raw text, and given their tokens.`,
		Example: `  cat > toy.conllu <<END
  # newdoc
  # text = Planes fly.
  1	Planes	plane	NOUN	NNS	_	0	_	_	_
  2	fly	fly	VERB	VBP	_	0	_	_	SpaceAfter=No
  3	.	.	PUNCT	.	_	0	_	_	_

  # text = It flew.
  1	It	it	PRON	PRP	_	0	_	_	_
  2	flew	fly	VERB	VBD	_	0	_	_	SpaceAfter=No
  3	.	.	PUNCT	.	_	0	_	_	_

  END
  orbweaver train tagger toy.conllu -o toy.tagger --test toy.conllu

  # with the real thing
  nice orbweaver train tagger en_ewt-ud-train.conllu -o en.tagger --wordnet /usr/share/wordnet --test en_ewt-ud-test.conllu`,
		Args: atLeastOneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if job.Out == "" {
				return misused(c, "name the model's file with -o")
			}
			job.Files = args
			return annotation.Train(c.Context(), &a.Console, job)
		},
	}
	f := c.Flags()
	f.StringVarP(&job.Out, "output", "o", "", "`file` to write the model to")
	f.StringVar(&job.WordNet, "wordnet", "", "`folder` of WordNet")
	f.Uint64Var(&job.Seed, "seed", 0, "another one is another order of sentences, and another model")
	f.StringArrayVar(&job.Test, "test", nil, "treebank `file` to measure the model by; may be repeated")
	return c
}
