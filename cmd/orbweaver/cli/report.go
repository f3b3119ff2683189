package cli

import (
	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

func newReport(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "report DIR",
		Short: "Write the report of a crawl anew, also while it runs",
		Long: `Writes report.html into a crawl folder from what the crawl has committed so far, and prints the
summary. The crawl may be running.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # while it runs, or afterwards
  orbweaver report crawls/aircraft`,
		Args: flags.Exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			folder, err := crawl.Open(args[0], crawl.On(a))
			if err != nil {
				return err
			}
			sum, err := folder.Report(c.Context())
			return view.Printed(a, sum, err)
		},
	}
}
