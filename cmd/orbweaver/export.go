package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/internal/job"
	"orbweaver/internal/offline/export"
)

func newExport(a *job.Job) *cobra.Command {
	opts := export.Options{}
	formats := strings.Join(export.Formats(), ", ")
	c := &cobra.Command{
		Use:   "export DIR --format FORMAT",
		Short: "Write what a crawl found as a table, a web archive, plain text or RDF",
		Long: `Writes what the folder of a crawl holds in another form. The crawl may be over, interrupted or
running: what is committed is exported, and of a page that was asked for again its last state.

  jsonl   the lines of pages.jsonl, one a request
  csv     the same as a table, for a spreadsheet
  urls    the addresses of the pages, one a line
  warc    the archived requests and answers, one file for any tool that reads WARC
  wacz    the same with an index and a list of pages: opens in replayweb.page
  text    a file a page: url, title, score and more as YAML, then the main text
  nquads  the data of the pages: a named graph a document, in the default graph where each comes
          from (PROV-O) and what all of them have (VoID)
  trig    the same for people to read

jsonl, csv, urls, nquads and trig go to standard output, or to the file that -o names. warc and wacz
want -o FILE (-o - is standard output), text wants -o FOLDER, which is new or empty. All but the
first three read the crawl's own archive, or, when it kept none, the archive that it crawled.
docs/formats.md has each format.

Documents that say the same, but for the names of blank nodes, are said to be alternates of the
first; --distinct writes what they say only once.

The exit status is 0 when it was written, 2 when the folder is none of a crawl, or has nothing
of what is wanted.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  orbweaver export crawls/aircraft --format urls --accepted
  orbweaver export crawls/aircraft --format csv --accepted -o aircraft.csv
  orbweaver export crawls/aircraft --format wacz --accepted -o aircraft.wacz
  orbweaver export crawls/aircraft --format text --accepted -o aircraft-texts
  orbweaver export crawls/aircraft --format trig --accepted -o aircraft.trig
  orbweaver export crawls/aircraft --format nquads --distinct -o aircraft.nq`,
		Args: exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains(export.Formats(), opts.Format) {
				return misused(c, "--format is one of %s, not %q", formats, opts.Format)
			}
			if opts.Distinct && opts.Format != export.NQuads && opts.Format != export.TriG {
				return misused(c, "--distinct is for --format nquads and trig")
			}
			return export.Write(c.Context(), &a.Console, args[0], opts)
		},
	}
	c.Flags().StringVar(&opts.Format, "format", "", formats)
	c.Flags().BoolVar(&opts.Accepted, "accepted", false, "accepted pages alone")
	c.Flags().BoolVar(&opts.Distinct, "distinct", false, "of nquads and trig: what several documents say only once")
	c.Flags().StringVarP(&opts.Out, "output", "o", "", "`file` to write, or for text a folder")
	return c
}
