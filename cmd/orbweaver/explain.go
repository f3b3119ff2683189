package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

func newExplain(a *job.Job) *cobra.Command {
	format := ""
	c := &cobra.Command{
		Use:   "explain DIR URL",
		Short: "Explain why a crawl fetched a URL, or why not",
		Long: `Shows the path of links from a seed to a URL, with the predicted and the actual score and all
reasons; or why the URL was never requested: it waits (with its rank, and what its host waits
for), a rule of scope or robots.txt refuses it, it is too deep, its links are nofollow, the focus
dropped it, or no fetched page links to it (then the nearest known URLs are listed). The crawl may
be running. The URL may omit http://.

The exit status is 0 when the URL was explained, whatever became of it, and 2 when it is not a
URL or the folder is not a crawl folder.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # while it runs, or afterwards
  orbweaver explain crawls/aircraft http://skylines.example/types/a320.html
  orbweaver explain crawls/aircraft skylines.example/nowhere --format json`,
		Args: exactly(2, "a crawl folder and a URL"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return misused(c, "--format is text or json, not %q", format)
			}
			folder, err := crawl.Open(args[0], crawl.On(a))
			if err != nil {
				return err
			}
			x, err := folder.Explain(c.Context(), args[1])
			switch {
			case err != nil:
				return err
			case format == "json":
				return console.WriteJSON(a.Out, x)
			}
			view.Explanation(a.Out, a.Columns(), x)
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	return c
}

func newPages(a *job.Job) *cobra.Command {
	query, opts := crawl.PageQuery{}, view.PagesOptions{}
	c := &cobra.Command{
		Use:   "pages DIR",
		Short: "List the pages of a crawl, running or not",
		Long: `Lists the pages that a crawl fetched, as a table as wide as the terminal, as JSON (one line per
page, as in pages.jsonl) or as CSV. A URL requested several times has its last outcome. Redirects
and failures are listed only if a column shows them: status, error or redirect.

Columns: ` + strings.Join(view.PageColumns(), ", ") + `.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver pages crawls/aircraft --accepted --sort score --limit 20
  orbweaver pages crawls/aircraft --host skylines.example --columns n,score,depth,url
  orbweaver pages crawls/aircraft --min-score 0.2 --columns url,score,reasons --format csv
  orbweaver pages crawls/aircraft --columns error,url --sort url`,
		Args: exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error { return pages(c.Context(), a, args[0], query, opts) },
	}
	f := c.Flags()
	f.BoolVar(&query.Accepted, "accepted", false, "only accepted pages")
	f.StringVar(&query.Host, "host", "", "only pages of this `host` and its subdomains")
	f.Float64Var(&query.MinScore, "min-score", 0, "only pages with at least this score")
	f.StringVar(&query.Sort, "sort", "n", strings.Join(crawl.PageSorts(), ", "))
	f.StringSliceVar(&opts.Columns, "columns", nil, "comma-separated `columns` (default score,accepted,title,url)")
	f.IntVar(&query.Limit, "limit", 0, "number of pages; 0: all")
	f.StringVar(&opts.Format, "format", "table", "table, json or csv")
	return c
}

// pages prints a list of pages.
func pages(ctx context.Context, a *job.Job, dir string, query crawl.PageQuery, opts view.PagesOptions) error {
	folder, err := crawl.Open(dir, crawl.On(a))
	query.Failed = opts.Failed()
	if err := errors.Join(err, query.Check(), opts.Check()); err != nil {
		return err
	}
	return view.Pages(a.Out, a.Columns(), opts, folder.AllPages(ctx, query))
}

func newReport(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "report DIR",
		Short: "Rewrite a crawl's report, running or not",
		Long: `Writes report.html into a crawl folder from what the crawl has committed so far, and prints the
summary. The crawl may be running.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # while it runs, or afterwards
  orbweaver report crawls/aircraft`,
		Args: exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			folder, err := crawl.Open(args[0], crawl.On(a))
			if err != nil {
				return err
			}
			sum, err := folder.Report(c.Context())
			return view.Printed(a, sum, err)
		},
	}
}
