package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/ask"
	"orbweaver/cmd/orbweaver/cluster"
	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

func newCrawl(a *job.Job) *cobra.Command {
	var refresh time.Duration
	reach := &cluster.Reach{}
	quick := crawl.QuickCrawl{}
	c := &cobra.Command{
		Use:     "crawl FILE | URL... --terms WORDS",
		Short:   "Start a crawl, resume it, or fetch again what changed",
		Long:    crawlHelp,
		Example: crawlExamples,
		Args:    func(c *cobra.Command, args []string) error { return quickOrFile(c, args, quick) },
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("refresh") && refresh <= 0 {
				return flags.Misused(c, "--refresh wants an age above 0, as in 24h")
			}
			if err := errors.Join(checkMetrics(c, a), checkLog(c, a)); err != nil {
				return err
			}
			switch {
			case isQuick(args) && refresh > 0:
				return flags.Misused(c, "--refresh takes the crawl file, which is crawl.yaml in the crawl's folder")
			case isQuick(args) && reach.Used():
				return flags.Misused(c, "--processes and --cluster take a crawl file: see orbweaver init")
			case isQuick(args):
				quick.Seeds = args
				return runCrawl(c.Context(), a, 0, func() (*crawl.Crawl, error) { return crawl.Quick(c.Context(), quick, crawl.On(a)) })
			}
			if done, err := reach.Crawl(c.Context(), a, args[0], refresh); done {
				return otherVerb(err, args[0])
			}
			return otherVerb(runCrawl(c.Context(), a, refresh, func() (*crawl.Crawl, error) { return crawl.Load(args[0], crawl.On(a)) }), args[0])
		},
	}
	c.Flags().BoolVar(&a.Yes, "yes", false, "resolve ambiguous settings, such as terms in words, to the best match")
	c.Flags().DurationVar(&refresh, "refresh", 0, "fetch accepted pages older than this `age` again, conditionally, and report what is new, changed and gone")
	reach.Flags(c)
	c.Flags().StringArrayVar(&quick.Terms, "terms", nil, "without a crawl file: the topic as comma-separated `words` and phrases")
	c.Flags().Int64Var(&quick.Requests, "requests", 0, "without a crawl file: maximum `number` of requests (default 1000, unless there is --limit)")
	c.Flags().Int64Var(&quick.Pages, "limit", 0, "without a crawl file: maximum `number` of pages (default: all)")
	c.Flags().BoolVar(&quick.Private, "allow-private", false, "without a crawl file: permit addresses of private networks and of this machine")
	c.Flags().StringVar(&quick.Contact, "contact", "", "without a crawl file: contact `URL` or e-mail address, sent with every request")
	c.Flags().StringVarP(&quick.Output, "output", "o", "", "without a crawl file: the crawl `folder` (default crawls/HOST, HOST from the first seed)")
	measured(c, a)
	logs(c, a)
	return c
}

// runCrawl runs one session of a crawl, or a refresh of pages older than an age above 0, and prints the summary.
func runCrawl(ctx context.Context, a *job.Job, refresh time.Duration, open func() (*crawl.Crawl, error)) error {
	c, err := open()
	if err != nil {
		return err
	}
	session := c.Run
	if refresh > 0 {
		session = func(ctx context.Context) (*crawl.Summary, error) { return c.Refresh(ctx, refresh) }
	}
	run := func(session func(context.Context) (*crawl.Summary, error)) error {
		sum, err := session(ctx)
		if sum != nil {
			view.PrintSummary(a.Out, a.Columns(), sum)
		}
		return err
	}
	if err = run(session); err != nil || refresh > 0 || a.Log.Quiet {
		return err
	}
	if answered, err := ask.Once(ctx, a, c); err != nil || !answered {
		return err
	}
	return run(c.Run)
}
