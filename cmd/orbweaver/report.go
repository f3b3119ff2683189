package main

import (
	"runtime/debug"

	"github.com/spf13/cobra"

	"orbweaver/crawl"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

func newReport(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "report DIR",
		Short: "Rewrite a crawl's report, running or not",
		Long:  `Writes report.html into a crawl folder, of what is committed, and prints the summary.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver report crawls/aircraft     # while it runs, or afterwards`,
		Args: exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			debug.SetGCPercent(50) // nearly all that a report takes is lines of pages.jsonl, each needed for a moment
			folder, err := crawl.Open(args[0], crawl.On(a))
			if err != nil {
				return err
			}
			sum, err := folder.Report(c.Context())
			return view.Printed(a, sum, err)
		},
	}
}
