package cli

import (
	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

func newMap(a *job.Job) *cobra.Command {
	format, limit := "", 0
	c := &cobra.Command{
		Use:   "map DIR [URL]",
		Short: "Show the graph of a crawl's hosts, or of the pages around one",
		Long: `Without a URL, lists the hosts with the most pages: how many pages, how many of them accepted, and
the hosts that their best pages link to, most links first. With the URL of a page that the crawl
fetched, lists the pages that link to it and its links, best first. --format dot is for Graphviz.
The crawl may be running.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver map crawls/aircraft --limit 10
  orbweaver map crawls/aircraft http://skylines.example/types/a320.html
  orbweaver map crawls/aircraft --format dot`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 2 {
				return nil
			}
			return flags.Exactly(1, "a crawl folder, and perhaps a URL")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" && format != "dot" {
				return flags.Misused(c, "--format is text, json or dot, not %q", format)
			}
			if limit < 1 {
				return flags.Misused(c, "--limit is 1 or more, not %d", limit)
			}
			folder, err := crawl.Open(args[0], crawl.On(a))
			if err != nil {
				return err
			}
			q := crawl.MapQuery{Limit: limit}
			if len(args) == 2 {
				q.Around = args[1]
			}
			m, err := folder.Map(c.Context(), q)
			switch {
			case err != nil:
				return err
			case format == "json":
				return console.WriteJSON(a.Out, m)
			case format == "dot":
				view.Dot(a.Out, m)
			default:
				view.Map(a.Out, m)
			}
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text, json or dot")
	c.Flags().IntVar(&limit, "limit", 100, "most hosts or pages")
	return c
}
