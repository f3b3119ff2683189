// Package sink is the verb sink: it delivers to the sinks of a crawl what they lack.
//
// This package is not part of the stable API.
package sink

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/run"
	"orbweaver/internal/view"
)

const long = `Deliver to the sinks of a crawl what they lack of it: after a crawl whose sinks could not be
reached, or for sinks that the crawl file got later. No process may run the crawl, and nothing is
requested from the Web.

FILE is the crawl file; or a crawl folder, whose crawl.yaml has the sinks of its last session. With
NAME one sink alone is served: its name, or else its kind (folder, sqlite, postgres, s3,
webhook).

A sink is given everything in order. What was delivered before does not come again, unless --again
is given: then all of the crawl does, with the IDs that it had.`

const examples = `  cat > planes.yaml <<END
  seeds: [http://tidings.example/]
  web: {archive: examples/demo.warc.gz}
  focus: {keyword: {terms: [airplane, aircraft]}}
  limits: {requests: 40}
  output: crawls/planes
  sinks: [{folder: pages}]
  END
  orbweaver crawl planes.yaml
  orbweaver sink planes.yaml --check             # can each be reached, and written to?
  orbweaver sink crawls/planes folder --again`

// Command returns the verb.
func Command(a *job.Job) *cobra.Command {
	var d run.Delivery
	c := &cobra.Command{
		Use: "sink FILE|DIR [NAME]", Short: "Deliver accepted pages of a crawl that ended", Long: long, Example: examples,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return fmt.Errorf("%s: want a crawl file or folder, and a sink at most; see `orbweaver sink --help` (%w)", c.Name(), orbweaver.ErrInput)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			path := args[0]
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				if err := crawlfolder.CheckCrawl(path); err != nil {
					return err
				}
				path = filepath.Join(path, crawlfolder.RunFile)
			}
			if len(args) == 2 {
				d.Name = args[1]
			}
			states, err := run.Deliver(c.Context(), a, assembly.FromFile(a, path), d)
			for _, s := range states {
				if d.Check && err == nil {
					console.Say(a.Out, "%s: %s can be delivered to", s.Name, s.To)
				} else if !d.Check {
					console.Say(a.Out, "%s", view.Sink(s))
				}
			}
			if err == nil && len(states) == 0 {
				err = fmt.Errorf("%s has no sinks (%w)", path, orbweaver.ErrInput)
			}
			return err
		},
	}
	c.Flags().BoolVar(&d.Again, "again", false, "deliver everything again")
	c.Flags().BoolVar(&d.Check, "check", false, "only try whether each sink can be reached and written to")
	return c
}
