package cluster

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
)

func newExclude(a *job.Job) *cobra.Command {
	w, e := way{}, inspect.Exclusion{}
	c := &cobra.Command{
		Use:   "exclude HOST:PORT CRAWL PATTERN...",
		Short: "Narrow the scope of a crawl of a cluster",
		Long: `Excludes what patterns cover, as scope.exclude of a crawl file does: waiting requests that match are
removed, and no link to such a URL is followed from then on. All nodes that work on the crawl do so at
once, those that are away or join do when they are there. The crawl file does not change.`,
		Example: `  orbweaver cluster exclude 127.0.0.1:4222 live 'example.org/calendar/*' --preview
  orbweaver cluster exclude 127.0.0.1:4222 live 'example.org/calendar/*'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 3 {
				return exactly(3, "HOST:PORT of a node, the name of a crawl, and patterns")(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			w.url, e.Patterns = args[0], args[2:]
			client, err := w.dial(c.Context(), a)
			if err != nil {
				return err
			}
			defer client.Close()
			out, err := client.Exclude(c.Context(), args[1], e)
			if err != nil {
				return err
			}
			verb := "removed"
			if e.Preview {
				verb = "would be removed"
			}
			fmt.Fprintf(a.Out, "%s %s\n", console.Several(out.Waiting, "waiting request"), verb)
			for _, url := range out.Examples {
				fmt.Fprintf(a.Out, "  %s\n", console.Visible(url, 400))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&e.Preview, "preview", false, "change nothing: say what would be removed")
	w.flags(c.Flags())
	return c
}

// limits are flags of limits.
type limits struct {
	requests, pages, bytes int64
	depth                  int
	time                   time.Duration
}

// given are those that the command line has.
func (l *limits) given(c *cobra.Command) (set inspect.Limits, some bool) {
	for name, do := range map[string]func(){
		"requests": func() { set.Requests = &l.requests }, "pages": func() { set.Pages = &l.pages }, "bytes": func() { set.Bytes = &l.bytes },
		"depth": func() { set.Depth = &l.depth }, "time": func() { set.Time = &l.time },
	} {
		if c.Flags().Changed(name) {
			some = true
			do()
		}
	}
	return set, some
}

func newLimits(a *job.Job) *cobra.Command {
	w, l := way{}, limits{}
	c := &cobra.Command{
		Use:   "limits HOST:PORT CRAWL",
		Short: "Change the limits of a running crawl of a cluster",
		Long: `Changes limits of the crawl file until the crawl is given again. The nodes take them up within seconds;
what they have leased of a lower limit they still use. A limit of requests, pages or bytes that the
crawl file does not have cannot be set.`,
		Example: `  orbweaver cluster limits 127.0.0.1:4222 live --pages 50000
  orbweaver cluster limits 127.0.0.1:4222 live --time 12h --depth 4`,
		Args: exactly(2, "HOST:PORT of a node and the name of a crawl"),
		RunE: func(c *cobra.Command, args []string) error {
			set, some := l.given(c)
			if !some {
				return fmt.Errorf("limits: no limit is given: see %s --help (%w)", c.CommandPath(), orbweaver.ErrInput)
			}
			w.url = args[0]
			client, err := w.dial(c.Context(), a)
			if err != nil {
				return err
			}
			defer client.Close()
			return client.SetLimits(c.Context(), args[1], set)
		},
	}
	f := c.Flags()
	f.Int64Var(&l.requests, "requests", 0, "`number` of requests of all nodes together")
	f.Int64Var(&l.pages, "pages", 0, "`number` of pages of all nodes together")
	f.Int64Var(&l.bytes, "bytes", 0, "`number` of bytes of all nodes together")
	f.DurationVar(&l.time, "time", 0, "`duration` of the crawl, by the clock of each node; 0: none")
	f.IntVar(&l.depth, "depth", 0, "`number` of links from a seed")
	w.flags(f)
	return c
}
