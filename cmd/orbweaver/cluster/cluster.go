// Package cluster has the verbs of crawls that several workers share.
package cluster

import (
	"github.com/spf13/cobra"

	"orbweaver/crawl"
	"orbweaver/internal/job"
)

// WorkerVerb is the verb of a process that `crawl --processes` starts. People do not type it.
const WorkerVerb = "work"

// Commands returns the verbs.
func Commands(a *job.Job) []*cobra.Command {
	return []*cobra.Command{newWorker(a)}
}

func newWorker(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use: WorkerVerb, Hidden: true, Args: cobra.NoArgs,
		Short: "One of the processes of orbweaver crawl --processes",
		RunE: func(c *cobra.Command, _ []string) error {
			return crawl.WorkProcess(c.Context(), a.In, a.Out, crawl.On(a))
		},
	}
}
