package cli

import (
	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/annotation"
)

func newTextTrain(a *job.Job) *cobra.Command {
	job := annotation.TaggerTraining{}
	c := &cobra.Command{
		Use:   "train FILE... -o MODEL",
		Short: "Train a sentence splitter, tokenizer, tagger and lemmatizer on treebanks",
		Long: `Reads treebanks in CoNLL-U with Penn Treebank tags in XPOS, such as UD English EWT, trains sentence
splitting, tokenization, tagging and lemmatization on all of them together, and writes one model
file, for orbweaver text --tagger. Training takes some minutes for two hundred thousand words. The
same files and --seed give the same model.

--wordnet names a folder of WordNet 3.0 (index.*, data.noun, *.exc), which improves the handling of
words missing from the treebanks. It is needed only in training.

--test names held-out treebanks. For each, the model's accuracy is printed in percent: from raw
text, and with gold tokens.`,
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
  orbweaver text train toy.conllu -o toy.tagger --test toy.conllu

  # a real treebank
  nice orbweaver text train en_ewt-ud-train.conllu -o en.tagger --wordnet /usr/share/wordnet --test en_ewt-ud-test.conllu`,
		Args: atLeastOneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if job.Out == "" {
				return flags.Misused(c, "name the model's file with -o")
			}
			job.Files = args
			return annotation.Train(c.Context(), &a.Console, job)
		},
	}
	f := c.Flags()
	f.StringVarP(&job.Out, "output", "o", "", "output `file` of the model")
	f.StringVar(&job.WordNet, "wordnet", "", "`folder` of WordNet")
	f.Uint64Var(&job.Seed, "seed", 0, "random seed of the order of sentences")
	f.StringArrayVar(&job.Test, "test", nil, "held-out treebank `file`; may be repeated")
	return c
}
