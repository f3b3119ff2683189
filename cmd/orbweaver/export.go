package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/rules"
	"orbweaver/crawl"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/export"
)

func newExport(a *job.Job) *cobra.Command {
	opts, query := crawl.ExportQuery{}, crawl.PageQuery{}
	formats := strings.Join(export.Formats(), ", ")
	c := &cobra.Command{
		Use:   "export DIR --format FORMAT",
		Short: "Export a crawl as a table, a web archive, plain text or RDF",
		Long: `Writes the contents of a crawl folder in another format. The crawl may be finished, interrupted
or running: export writes what is committed, with the last state of each page.

  jsonl   the lines of pages.jsonl, one per request, with what pages state of creator, date,
          rights and language
  csv     the same as a table, for a spreadsheet
  urls    the URLs of the pages, one per line
  warc    the archived requests and responses, one file for any WARC tool
  wacz    the same with an index and a list of pages, for replayweb.page
  text    one file per page: url, title, score and more as YAML, then the article, without
          lines that recur on the pages of its host
  nquads  the data of the pages: one named graph per document, and in the default graph their
          provenance (PROV-O) and a summary (VoID)
  trig    the same in a readable syntax
  ntriples, turtle  the data as one graph, without the pages: see below

jsonl, csv, urls and RDF go to standard output, or to the file given with -o. warc and
wacz need -o FILE (-o - is standard output), text needs -o FOLDER, which is new or empty. All but
the first three read the crawl's own archive or, without one, the archive that it crawled.
docs/formats.md defines each format.

Documents with the same data, up to the names of blank nodes, are declared alternates of the
first; --distinct writes their data only once.

` + rules.Help + `

The exit status is 0 on success, 2 when the folder is not a crawl folder or lacks the data, 6 when the
graph violates the shapes.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  orbweaver export crawls/aircraft --format urls --accepted
  orbweaver export crawls/aircraft --format csv --accepted -o aircraft.csv
  orbweaver export crawls/aircraft --format urls --host skylines.example --min-score 0.5
  orbweaver export crawls/aircraft --format wacz --accepted -o aircraft.wacz
  orbweaver export crawls/aircraft --format text --accepted -o aircraft-texts
  orbweaver export crawls/aircraft --format trig --accepted -o aircraft.trig
  orbweaver export crawls/aircraft --format nquads --distinct -o aircraft.nq
  orbweaver export crawls/aircraft --format turtle --construct standard --key schema:identifier -o graph.ttl`,
		Args: exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains(export.Formats(), opts.Format) {
				return misused(c, "--format is one of %s, not %q", formats, opts.Format)
			}
			if opts.Plain && opts.Format != export.CSV && opts.Format != export.JSONL {
				return misused(c, "--plain is for --format csv and jsonl")
			}
			if opts.Distinct && !export.IsRDF(opts.Format) {
				return misused(c, "--distinct is for --format nquads and trig, and for ntriples and turtle")
			}
			if opts.Graph.Asked() && !export.IsRDF(opts.Format) {
				return misused(c, "--construct, --key, --class-limit, --shapes, --report and --sources are for --format nquads, trig, ntriples and turtle")
			}
			if opts.Graph.Sources != "" && opts.Format != export.NTriples && opts.Format != export.Turtle {
				return misused(c, "--sources is for --format ntriples and turtle: in the others each page is a graph")
			}
			if query != (crawl.PageQuery{}) {
				query.Accepted = opts.Accepted
				opts.Pages = &query
			}
			folder, err := crawl.Open(args[0], crawl.On(a))
			if err != nil {
				return err
			}
			return folder.Export(c.Context(), a.Out, opts)
		},
	}
	c.Flags().StringVar(&opts.Format, "format", "", formats)
	c.Flags().BoolVar(&opts.Accepted, "accepted", false, "only accepted pages")
	selecting(c.Flags(), &query)
	c.Flags().BoolVar(&opts.Plain, "plain", false, "with csv and jsonl: without creator, date, rights and language, which take reading the archive")
	c.Flags().BoolVar(&opts.Distinct, "distinct", false, "RDF: write data of duplicate documents once")
	rules.Flags(c.Flags(), &opts.Graph)
	c.Flags().StringVarP(&opts.Out, "output", "o", "", "output `file`; a folder for text")
	return c
}
