package main

import (
	"orbweaver/internal/kind/metadata"

	"github.com/spf13/cobra"

	"orbweaver/internal/findings"
	"orbweaver/internal/job"
)

func newRecommend(a *job.Job) *cobra.Command {
	opts, data := findings.Options{}, ""
	c := &cobra.Command{
		Use:   "recommend DIR",
		Short: "Recommend vocabularies and datasets from a metadata crawl",
		Long: `Ranks the results of a metadata crawl: vocabularies by the number of given terms they reach, the
number of datasets that use them and their instances there; and datasets by the terms of which they
have instances. Each comes with the counts behind its rank, and the path that led to it;
docs/metadata.md gives the formula.

--data FILE, your own dataset in any RDF syntax, weights terms by their use in it: the result is
the vocabularies near those it uses, and the datasets it could be linked to.

--tables prints, for each term that was processed, the classes it led to, its instances in each
dataset, and how long its requests took: alone, and with the terms that it led to.`,
		Example: `  orbweaver crawl examples/harbour.yaml
  orbweaver recommend crawls/harbour
  orbweaver recommend crawls/harbour --top 3 --format json
  orbweaver recommend crawls/harbour --data examples/register.ttl
  orbweaver recommend crawls/harbour --tables`,
		Args: exactly(1, "the folder of a metadata crawl"),
		RunE: func(c *cobra.Command, args []string) error {
			if opts.Format != findings.Text && opts.Format != findings.JSON {
				return misused(c, "--format is text or json, not %q", opts.Format)
			}
			if opts.Top < 0 {
				return misused(c, "--top must not be negative")
			}
			if opts.Tables && data != "" {
				return misused(c, "--tables and --data exclude each other")
			}
			return metadata.Recommend(c.Context(), a.Out, args[0], data, opts)
		},
	}
	c.Flags().StringVar(&opts.Format, "format", findings.Text, "text or json")
	c.Flags().IntVar(&opts.Top, "top", 20, "number of each; 0: all")
	c.Flags().BoolVar(&opts.Tables, "tables", false, "instances and time of each term instead of a ranking")
	c.Flags().StringVar(&data, "data", "", "RDF `file` of your own dataset")
	return c
}
