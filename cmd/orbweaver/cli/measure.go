package cli

import (
	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/internal/job"
)

// measured adds the flags that serve metrics and profiles of a running crawl.
func measured(c *cobra.Command, a *job.Job) {
	c.Flags().StringVar(&a.Metrics, "metrics", "", "serve GET /metrics for Prometheus at `HOST:PORT`; without HOST for this machine alone")
	c.Flags().BoolVar(&a.Pprof, "pprof", false, "serve /debug/pprof/ at the --metrics address")
}

// checkMetrics validates the flags of measured.
func checkMetrics(c *cobra.Command, a *job.Job) error {
	switch {
	case c.Flags().Changed("metrics") && a.Metrics == "":
		return flags.Misused(c, "--metrics wants an address, as in 127.0.0.1:9100")
	case a.Pprof && a.Metrics == "":
		return flags.Misused(c, "--pprof uses the address of --metrics: add --metrics 127.0.0.1:9100")
	}
	return nil
}

// profiled adds --profile to a verb.
func profiled(c *cobra.Command) *cobra.Command {
	var dir string
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case !c.Flags().Changed("profile"):
			return run(c, args)
		case dir == "":
			return flags.Misused(c, "--profile wants a folder")
		}
		return job.Profile(dir, func() error { return run(c, args) })
	}
	c.Flags().StringVar(&dir, "profile", "", "write cpu.pprof and heap.pprof to this `folder`, for go tool pprof")
	return c
}
