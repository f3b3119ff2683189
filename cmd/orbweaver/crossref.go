package main

import (
	"github.com/spf13/cobra"

	"orbweaver/internal/console"
	"orbweaver/internal/kind/crossref"

	"orbweaver/internal/job"
)

func newCrossref(a *job.Job) *cobra.Command {
	top, format := 20, "text"
	c := &cobra.Command{
		Use:   "crossref DIR",
		Short: "List the other sources of an item's information found by a crawl",
		Long: `Lists the pages that a crawl with focus: crossref accepted, most relevant to its item first, with
the terms and labels they share with it. Duplicates and near-duplicates are grouped. The crawl may
be running.`,
		Example: `  orbweaver crawl examples/crossref.yaml
  orbweaver crossref crawls/crossref
  orbweaver crossref crawls/crossref --top 5 --format json`,
		Args: exactly(1, "the folder of a crossref crawl"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return misused(c, "--format is text or json, not %q", format)
			}
			if top < 0 {
				return misused(c, "--top must not be negative")
			}
			return listSources(a, args[0], top, format == "json")
		},
	}
	c.Flags().IntVar(&top, "top", top, "number of sources; 0: all")
	c.Flags().StringVar(&format, "format", format, "text or json")
	return c
}

// listSources prints the first n sources of a crawl folder; 0: all.
func listSources(a *job.Job, dir string, n int, asJSON bool) error {
	sources, err := crossref.Sources(&a.Console, a.Schema(), dir)
	if err != nil {
		return err
	}
	if n > 0 {
		sources = sources[:min(n, len(sources))]
	}
	if asJSON {
		return console.WriteJSON(a.Out, sources)
	}
	crossref.Print(a.Out, sources)
	return nil
}
