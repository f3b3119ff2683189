package cli

import (
	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/internal/job"
	"orbweaver/internal/offline"
)

func newInit(a *job.Job) *cobra.Command {
	var seeds, terms []string
	contact := ""
	c := &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "Write a starter crawl file, for words or with an ontology",
		Long: `Writes a commented crawl file for the live Web, with the name of the folder, and topic.ttl, an ontology
of ten lines, into a folder (default: the working directory), which it creates if necessary, and
prints the next steps. Existing files are never overwritten.

With --terms, words and phrases say what the crawl looks for, and there is no ontology. To crawl at
once by words, without a file to edit: orbweaver crawl URL --terms WORDS.`,
		Example: `  orbweaver init sundials --terms "sundial, gnomon, dial plate" --seed https://example.org/ --contact me@example.org
  orbweaver init bicycles
  orbweaver ontology check bicycles/topic.ttl
  orbweaver ontology show bicycles/topic.ttl --target Bicycle`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return flags.Misused(c, "want one folder, have %d arguments", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			folder := "."
			if len(args) > 0 {
				folder = args[0]
			}
			return offline.Init(a, folder, seeds, terms, contact)
		},
	}
	c.Flags().StringArrayVar(&terms, "terms", nil, "the topic as comma-separated `words` and phrases, in place of an ontology")
	c.Flags().StringArrayVar(&seeds, "seed", nil, "`URL` of a page to begin with; may be repeated")
	c.Flags().StringVar(&contact, "contact", "", "contact `URL` or e-mail address, sent with every request")
	return c
}
