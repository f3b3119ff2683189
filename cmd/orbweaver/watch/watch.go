// Package watch is the verb watch: a crawl whose pages are visited again.
//
// This package is not part of the stable API.
package watch

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

const long = `Run a crawl until it is over, then visit its pages again by the schedule: of its crawl
file, until it is stopped.

  schedule: 1000          each page as often as it changes and is worth it, at most 1000
                          requests in any 24 hours
  schedule: 24h           all pages, every 24 hours
  schedule: "0 3 * * *"   all pages, each day at 3:00 (cron)

Accepted pages are visited, and sitemaps, feeds and pages whose links led to accepted ones;
requests are conditional (If-None-Match, If-Modified-Since). A page has changed when its main
text has. New links are followed with a share of the requests. What is new, changed, moved,
gone and back stands in changes.jsonl and changes.atom of the crawl folder, and goes to
schedule.webhook.

status, pause, resume, stop and add of orbweaver work meanwhile, from another terminal. After
a stop, or a kill, the same command goes on with the visits that are due then. A crawl of
several workers cannot be watched.`

const examples = `  orbweaver watch live.yaml
  orbweaver status crawls/live        # how up to date, and when the next visit is due
  tail -f crawls/live/changes.jsonl`

// Command returns the verb.
func Command(a *job.Job) *cobra.Command {
	c := &cobra.Command{
		Use: "watch FILE", Short: "Crawl, then visit the pages again when they are due", Long: long, Example: examples,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%s: want one crawl file; see `orbweaver watch --help` (%w)", c.Name(), orbweaver.ErrInput)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			one, err := crawl.Load(args[0], crawl.On(a))
			if err != nil {
				return err
			}
			if crawlfolder.Workers(one.Folder()) > 0 {
				return fmt.Errorf("watch: %s is a crawl of several workers, which cannot be watched (%w)", args[0], orbweaver.ErrInput)
			}
			sum, err := one.Watch(c.Context())
			if sum != nil && !errors.Is(err, orbweaver.ErrInput) {
				view.PrintSummary(a.Out, a.Columns(), sum)
			}
			return err
		},
	}
	c.Flags().StringVar(&a.Metrics, "metrics", "", "serve GET /metrics for Prometheus at `HOST:PORT`; without HOST for this machine alone")
	c.Flags().BoolVarP(&a.Log.Quiet, "quiet", "q", false, "show only the summary and errors")
	c.Flags().BoolVarP(&a.Log.Verbose, "verbose", "v", false, "show every request, as log records")
	return c
}
