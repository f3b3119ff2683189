package main

import (
	"math"
	"strconv"
	"time"

	"orbweaver/internal/kind/all"

	"github.com/spf13/cobra"

	"orbweaver/internal/compare/simulation"
	"orbweaver/internal/job"
)

func newSimulate(a *job.Job) *cobra.Command {
	s := simulation.Simulation{Kinds: all.Kinds()}
	var sizes []string
	var requests string
	c := &cobra.Command{
		Use:   "simulate",
		Short: "Crawl generated webs of any size in virtual time",
		Long: `Generates webs, nothing of which is stored, and crawls them as the live Web is crawled, but
in virtual time: waiting for hosts takes none. Robots.txt, delays, redirects, failures and
duplicates are there, and a topic that two pages of a hundred are about. For each size and
focus it prints

  harvest    the share of the fetched pages that is about the topic
  recall     the share of the topic's pages that was fetched
  hours      how long the crawl would have taken
  busy       hosts at a time that were answering, or not to be asked again yet

at the end and after a tenth of the requests, and then what the crawl cost here: time,
processor, memory, disk. The figures of the first table depend on the flags alone.

docs/simulate.md has the model.`,
		Example: `  orbweaver simulate --pages 2e3                     two focuses, a small web

  # which focus, at which size? as a table and as a chart
  orbweaver simulate --pages 1e3,4e3 --focus ontology,keyword,breadth_first --csv curve.csv --svg curve.svg

  # few hosts, long delays: what does politeness cost?
  orbweaver simulate --pages 2e3 --hosts 5 --delay 5s --requests 300

  # at scale: some minutes
  nice orbweaver simulate --pages 1e4,1e5,1e6 --focus breadth_first,keyword,ontology --requests 10%`,
		Args: exactly(0, "no arguments, but flags"),
		RunE: func(c *cobra.Command, _ []string) error {
			s.Pages = nil
			for _, size := range sizes {
				n, err := strconv.ParseFloat(size, 64)
				if err != nil || n != math.Trunc(n) || n < 1 || n > 1e9 {
					return misused(c, "--pages wants whole numbers from 1 to 1e9, as in 1e4,250000; not %q", size)
				}
				s.Pages = append(s.Pages, int64(n))
			}
			var ok bool
			if s.Requests, s.Share, ok = numberOrShare(requests); !ok {
				return misused(c, "--requests wants a number, or a share of the pages as in 10%%; not %q", requests)
			}
			return simulation.Run(c.Context(), &a.Console, s)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&sizes, "pages", []string{"1e4", "1e5"}, "`sizes` of the webs, in pages")
	f.IntVar(&s.Hosts, "hosts", 0, "hosts of each web; 0: one to a hundred pages")
	f.StringSliceVar(&s.Focus, "focus", []string{"breadth_first", "keyword"}, "`focuses`: ontology, keyword, best_first, breadth_first, random")
	f.StringVar(&requests, "requests", "10%", "a `number` of requests, or a share of the pages, after which a crawl is over")
	f.DurationVar(&s.Delay, "delay", time.Second, "between two requests to a host")
	f.DurationVar(&s.Latency, "latency", 200*time.Millisecond, "of the median host")
	f.Uint64Var(&s.Seed, "seed", 1, "another one is another web")
	f.StringVar(&s.CSV, "csv", "", "write all figures to this `file`")
	f.StringVar(&s.SVG, "svg", "", "draw harvest rate and recall into this `file`")
	return c
}

// numberOrShare reads "5000", "5e3" or "10%".
func numberOrShare(s string) (number int64, share float64, ok bool) {
	if n := len(s) - 1; n > 0 && s[n] == '%' {
		x, err := strconv.ParseFloat(s[:n], 64)
		return 0, x / 100, err == nil && x > 0 && x <= 100
	}
	x, err := strconv.ParseFloat(s, 64)
	return int64(x), 0, err == nil && x >= 1 && x == math.Trunc(x) && x < 1e15
}
