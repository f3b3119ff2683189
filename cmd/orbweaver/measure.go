package main

import (
	"github.com/spf13/cobra"

	"orbweaver/internal/job"
)

// measured adds the flags by which a crawl is watched while it runs.
func measured(c *cobra.Command, a *job.Job) {
	c.Flags().StringVar(&a.Metrics, "metrics", "", "answer GET /metrics, for Prometheus, at this `address`, as 127.0.0.1:9100; :9100 is the same")
	c.Flags().BoolVar(&a.Pprof, "pprof", false, "answer /debug/pprof/ there too")
}

// checkMetrics finds flags of measured that make no sense.
func checkMetrics(c *cobra.Command, a *job.Job) error {
	switch {
	case c.Flags().Changed("metrics") && a.Metrics == "":
		return misused(c, "--metrics wants an address, as in 127.0.0.1:9100")
	case a.Pprof && a.Metrics == "":
		return misused(c, "--pprof answers where --metrics does: add --metrics 127.0.0.1:9100")
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
			return misused(c, "--profile wants a folder")
		}
		return job.Profile(dir, func() error { return run(c, args) })
	}
	c.Flags().StringVar(&dir, "profile", "", "write cpu.pprof and heap.pprof, for go tool pprof, into this `folder`")
	return c
}
