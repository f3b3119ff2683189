package cli

import (
	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

func newExplain(a *job.Job) *cobra.Command {
	format := ""
	c := &cobra.Command{
		Use:   "explain DIR URL",
		Short: "Explain why a URL was accepted, refused or never asked for",
		Long: `Shows the path of links from a seed to a URL, with the predicted and the actual score and all
reasons; or why the URL was never requested: it waits (with its rank, and what its host waits
for), a rule of scope or robots.txt refuses it, it is too deep, its links are nofollow, the focus
dropped it, or no fetched page links to it (then the nearest known URLs are listed). The crawl may
be running. The URL may omit http://.

The exit status is 0 when the URL was explained, whatever became of it, and 2 when it is not a
URL or the folder is not a crawl folder.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # while it runs, or afterwards
  orbweaver explain crawls/aircraft http://skylines.example/types/a320.html
  orbweaver explain crawls/aircraft skylines.example/nowhere --format json`,
		Args: flags.Exactly(2, "a crawl folder and a URL"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return flags.Misused(c, "--format is text or json, not %q", format)
			}
			folder, err := crawl.Open(args[0], crawl.On(a))
			if err != nil {
				return err
			}
			x, err := folder.Explain(c.Context(), args[1])
			switch {
			case err != nil:
				return err
			case format == "json":
				return console.WriteJSON(a.Out, x)
			}
			view.Explanation(a.Out, a.Columns(), x)
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	return c
}
