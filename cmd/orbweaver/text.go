package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/internal/job"
	"orbweaver/internal/offline/annotation"
)

func newText(a *job.Job) *cobra.Command {
	formats := annotation.TextFormats()
	opts := annotation.TextOptions{Format: formats[0]}
	c := &cobra.Command{
		Use:   "text FILE...",
		Short: "Show what is read in a text: sentences, parts of speech, lemmas, entities",
		Long: `Reads documents, HTML, PDF, Markdown or plain text, packed or not, as the text pipeline does, and writes
their main text token by token, with lemma, tag of the Penn Treebank, kind of name, and the entity
that it mentions. - is standard input.

  table   for people
  conllu  CoNLL-U: what has no column is in MISC
  nif     NIF 2.0 as Turtle: sentences, words and mentions by the characters they cover

--model is a file that orbweaver train tagger made; without it tags are those of a tagger that is
built in and less often right, and sentences and lemmas are by rule. --gazetteer is a file of labels
and the entities they name; without it nothing is linked. A document in another language than the
model's has tokens and stems only, and that is said on standard error.

docs/text.md says how it works and how often it is right.`,
		Example: `  cat > wright.txt <<END
  Mr. Wilbur Wright flew the first airplanes in Dayton. They weren't fast.
  END
  orbweaver text wright.txt
  orbweaver text --format conllu --lang en wright.txt

  # with a model and a gazetteer
  curl -s https://example.org/ | orbweaver text --model en.tagger --gazetteer dbpedia.gazetteer --format nif -`,
		Args: atLeastOneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains(formats, opts.Format) {
				return misused(c, "--format is one of %s, not %q", strings.Join(formats, ", "), opts.Format)
			}
			if !(opts.Confidence >= 0 && opts.Confidence <= 1) {
				return misused(c, "--confidence is from 0 to 1, not %v", opts.Confidence)
			}
			return annotation.Write(c.Context(), &a.Console, args, opts)
		},
	}
	f := c.Flags()
	f.StringVar(&opts.Format, "format", opts.Format, strings.Join(formats, ", "))
	f.StringVar(&opts.Model, "model", "", "`file` of what was learned of a language")
	f.StringVar(&opts.Gazetteer, "gazetteer", "", "`file` of entities and their labels")
	f.StringVar(&opts.Lang, "lang", "", "`language` of all documents; left out: told by each")
	f.Float64Var(&opts.Confidence, "confidence", 0.5, "that an entity needs, 0 to 1")
	return c
}
