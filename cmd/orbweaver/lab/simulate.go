package lab

import (
	"math"
	"strconv"
	"time"

	"orbweaver/cmd/orbweaver/flags"
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
		Short: "Simulate crawls of generated webs of any size, in virtual time",
		Long: `Generates webs on the fly, without storing them, and crawls them like the live Web, but in virtual
time: waiting for hosts costs nothing. The webs have robots.txt, delays, redirects, failures and
duplicates, and a topic with a prevalence of two in a hundred pages. For each size and focus it prints

  harvest    relevant pages ÷ pages fetched
  recall     relevant pages fetched ÷ relevant pages
  hours      virtual duration of the crawl
  busy       mean number of hosts that are answering or in their politeness delay

at the end and after a tenth of the requests, and then the cost of the simulation: time, processor,
memory, disk. The figures of the first table depend only on the flags.

docs/howto/simulate.md describes the model.`,
		Example: `  orbweaver lab simulate --pages 2e3                     two focuses, a small web

  # compare focuses and sizes, as a table and as a chart
  orbweaver lab simulate --pages 1e3,4e3 --focus ontology,keyword,breadth_first --csv curve.csv --svg curve.svg

  # the cost of politeness: few hosts, long delays
  orbweaver lab simulate --pages 2e3 --hosts 5 --delay 5s --requests 300

  # with sitemaps
  orbweaver lab simulate --pages 2e3 --focus keyword --sitemaps

  # one crawl on several workers, over a bad network
  orbweaver lab simulate --pages 2e3 --focus keyword --workers 1,4 --courier-loss 0.1 --kills 5

  # at scale: some minutes
  nice orbweaver lab simulate --pages 1e4,1e5,1e6 --focus breadth_first,keyword,ontology --requests 10%`,
		Args: flags.Exactly(0, "only flags"),
		RunE: func(c *cobra.Command, _ []string) error {
			s.Pages = nil
			for _, size := range sizes {
				n, err := strconv.ParseFloat(size, 64)
				if err != nil || n != math.Trunc(n) || n < 1 || n > 1e9 {
					return flags.Misused(c, "--pages wants whole numbers from 1 to 1e9, as in 1e4,250000; not %q", size)
				}
				s.Pages = append(s.Pages, int64(n))
			}
			var ok bool
			if s.Requests, s.Share, ok = numberOrShare(requests); !ok {
				return flags.Misused(c, "--requests wants a number, or a share of the pages as in 10%%; not %q", requests)
			}
			return simulation.Run(c.Context(), &a.Console, s)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&sizes, "pages", []string{"1e4", "1e5"}, "`sizes` of the webs, in pages")
	f.IntVar(&s.Hosts, "hosts", 0, "hosts of each web; 0: one per hundred pages")
	f.StringSliceVar(&s.Focus, "focus", []string{"breadth_first", "keyword"}, "`focuses`: ontology, keyword, best_first, breadth_first, random")
	f.StringVar(&requests, "requests", "10%", "maximum `number` of requests of a crawl, or a share of the pages")
	f.DurationVar(&s.Delay, "delay", time.Second, "delay between two requests to a host")
	f.DurationVar(&s.Latency, "latency", 200*time.Millisecond, "latency of the median host")
	f.IntSliceVar(&s.Workers, "workers", []int{1}, "`numbers` of workers that share a crawl, as in 1,4,16")
	f.DurationVar(&s.Courier.Latency, "courier-latency", 5*time.Millisecond, "mean time of a message between two workers")
	f.Float64Var(&s.Courier.Loss, "courier-loss", 0, "`share` of the messages that are lost, from 0 to 0.9")
	f.Float64Var(&s.Courier.Repeats, "courier-repeats", 0, "`share` of the messages that arrive twice")
	f.IntVar(&s.Kills, "kills", 0, "how `often` one of several workers is killed, and begins again")
	f.BoolVar(&s.Unshared, "unshared", false, "each of several workers learns by itself")
	f.BoolVar(&s.Sitemaps, "sitemaps", false, "every host has a sitemap of its pages, which is requested")
	f.Uint64Var(&s.Seed, "seed", 1, "random seed of the web")
	f.StringVar(&s.CSV, "csv", "", "write all figures to this `file`")
	f.StringVar(&s.SVG, "svg", "", "plot harvest rate and recall to this `file`")
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
