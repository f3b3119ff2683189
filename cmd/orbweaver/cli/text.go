package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/annotation"
)

func newText(a *job.Job) *cobra.Command {
	formats := annotation.TextFormats()
	opts := annotation.TextOptions{Format: formats[0]}
	c := &cobra.Command{
		Use:   "text FILE...",
		Short: "Annotate text: sentences, parts of speech, lemmas, entities",
		Long: `Runs the text pipeline on HTML, PDF, DOCX, ODT, EPUB, Markdown or plain text, compressed or not, and
writes the main text token by token, with lemma, Penn Treebank tag, type of name, and linked entity.
- is standard input.

  table   for people
  conllu  CoNLL-U, with additional columns in MISC
  nif     NIF 2.0 as Turtle: sentences, words and mentions with character offsets

--tagger is a file made by orbweaver text train; without it a built-in tagger with lower accuracy
is used, and rules for sentences and lemmas. --gazetteer is a file of entity labels; without it
nothing is linked. A document in another language than the model's gets only tokens and stems, with
a warning on standard error.

docs/explanation/text.md describes the pipeline and its accuracy.`,
		Example: `  cat > wright.txt <<END
  Mr. Wilbur Wright flew the first airplanes in Dayton. They weren't fast.
  END
  orbweaver text wright.txt
  orbweaver text --format conllu --lang en wright.txt

  # with a model and a gazetteer
  curl -s https://example.org/ | orbweaver text --tagger en.tagger --gazetteer dbpedia.gazetteer --format nif -`,
		Args: atLeastOneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains(formats, opts.Format) {
				return flags.Misused(c, "--format is one of %s, not %q", strings.Join(formats, ", "), opts.Format)
			}
			if !(opts.Confidence >= 0 && opts.Confidence <= 1) {
				return flags.Misused(c, "--confidence must be from 0 to 1, not %v", opts.Confidence)
			}
			return annotation.Write(c.Context(), &a.Console, args, opts)
		},
	}
	f := c.Flags()
	f.StringVar(&opts.Format, "format", opts.Format, strings.Join(formats, ", "))
	f.StringVar(&opts.Model, "tagger", "", "model `file` made by orbweaver text train")
	f.StringVar(&opts.Gazetteer, "gazetteer", "", "gazetteer `file` of entity labels")
	f.StringVar(&opts.Lang, "lang", "", "`language` of all documents (default detected for each)")
	flags.Formerly(c, "model", "tagger")
	f.Float64Var(&opts.Confidence, "confidence", 0.5, "minimum confidence of an entity link, 0 to 1")
	c.AddCommand(newTextTrain(a))
	return c
}
