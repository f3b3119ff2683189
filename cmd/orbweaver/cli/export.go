package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
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
		Short: "Export a crawl as a table, WARC or WACZ, plain text or RDF",
		Long:  rules.Export,
		Example: `  orbweaver crawl examples/aircraft.yaml

  orbweaver export crawls/aircraft --format urls --accepted
  orbweaver export crawls/aircraft --format csv --accepted -o aircraft.csv
  orbweaver export crawls/aircraft --format urls --host skylines.example --min-score 0.5
  orbweaver export crawls/aircraft --format wacz --accepted -o aircraft.wacz
  orbweaver export crawls/aircraft --format text --accepted -o aircraft-texts
  orbweaver export crawls/aircraft --format chunks --accepted --respect -o aircraft-chunks.jsonl
  orbweaver export crawls/aircraft --format trig --accepted -o aircraft.trig
  orbweaver export crawls/aircraft --format nquads --distinct -o aircraft.nq
  orbweaver export crawls/aircraft --format turtle --construct standard --key schema:identifier -o graph.ttl`,
		Args: flags.Exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains(export.Formats(), opts.Format) {
				return flags.Misused(c, "--format is one of %s, not %q", formats, opts.Format)
			}
			if err := rules.Tokenizer(c.Flags(), &opts.Chunks); err != nil {
				return err
			}
			if wrong := rules.Misused(opts); wrong != "" {
				return flags.Misused(c, "%s", wrong)
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
	rules.ChunkFlags(c.Flags(), &opts.Chunks)
	c.Flags().StringVarP(&opts.Out, "output", "o", "", "output `file`; a folder for text")
	return c
}
