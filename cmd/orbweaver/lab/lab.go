// Package lab is the verb lab: what measurements and published methods need and a crawl does not.
//
// This package is not part of the stable API.
package lab

import (
	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/internal/job"
)

// Command is the verb of experiments; profiled adds --profile to a verb.
func Command(a *job.Job, profiled func(*cobra.Command) *cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use:   "lab",
		Short: "Run experiments: simulated webs, label models, traversals",
		Long: `Has what measurements and published methods need and a crawl does not. To compare strategies on one
archived web: orbweaver compare.`,
		Example: `  orbweaver lab simulate --help
  orbweaver lab labels --help
  orbweaver lab swget --help`,
		Args: flags.Verb,
		RunE: flags.Verbless,
	}
	c.AddCommand(newLabels(a), profiled(newSimulate(a)), newSwget(a))
	return c
}
