package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

func newScope(a *job.Job) *cobra.Command {
	format := "text"
	c := &cobra.Command{
		Use:   "scope FILE URL...",
		Short: "Say which URLs the scope of a crawl file covers, and by which rule",
		Long: `Says of each URL whether a crawl of the crawl file may request it, as far as scope goes, and which of
its patterns decides. It requests nothing, so it does not know robots.txt: orbweaver judge does. A URL
may omit http://.`,
		Example: `  orbweaver scope examples/aircraft.yaml skylines.example http://schema.org/Thing
  orbweaver scope examples/aircraft.yaml tidings.example --format json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return flags.Misused(c, "want a crawl file and URLs, have %d arguments", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return flags.Misused(c, "--format is text or json, not %q", format)
			}
			return otherVerb(printScope(a, args[0], args[1:], format == "json"), args[0])
		},
	}
	c.Flags().StringVar(&format, "format", format, "text or json")
	return c
}

// printScope prints which URLs are in the scope of a crawl file.
func printScope(a *job.Job, file string, urls []string, asJSON bool) error {
	c, err := crawl.Load(file, crawl.On(a))
	if err != nil {
		return err
	}
	all, err := c.InScope(urls...)
	if err != nil {
		return err
	}
	if asJSON {
		return console.WriteJSON(a.Out, all)
	}
	for _, s := range all {
		word := "out of scope"
		if s.In {
			word = "in scope"
		}
		fmt.Fprintf(a.Out, "%-12s  %s\n              %s\n", word, console.Visible(s.URL, 400), console.Visible(s.Why, 400))
	}
	return nil
}
