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
		Short: "Tell why a crawl fetched a URL, or why it did not",
		Long: `Tells how the crawl of a folder came to a URL, page by page and link by link from the seed;
what was predicted of it and what it turned out to be, with all reasons; or why it was never
asked for: it waits (at which rank, and what its host waits for), scope or robots.txt refuse
it (by which rule), it is too deep, its links are nofollow, the focus dropped it, or no page
that was fetched links to it (then the nearest known URLs are named). A crawl that runs is
asked between two of its steps. http:// may be left out of the URL.

The exit status is 0 when the URL was explained, whatever became of it, and 2 when it is none
or the folder is no crawl's.`,
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
		Long: `Lists the pages that a crawl fetched, as a table as wide as the terminal, as JSON (a line a
page, as pages.jsonl has it) or as CSV. Of a URL that was asked for again, its last outcome
counts. Redirects and failures are listed when a column tells of them: status, error or
redirect.

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
	f.BoolVar(&query.Accepted, "accepted", false, "accepted pages alone")
	f.StringVar(&query.Host, "host", "", "pages of this `host` and its subdomains alone")
	f.Float64Var(&query.MinScore, "min-score", 0, "pages that score at least this")
	f.StringVar(&query.Sort, "sort", "n", strings.Join(crawl.PageSorts(), ", "))
	f.StringSliceVar(&opts.Columns, "columns", nil, "`columns`, with commas between (default score,accepted,title,url)")
	f.IntVar(&query.Limit, "limit", 0, "how many pages; 0: all")
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
		Short: "Write a crawl's report anew, running or not",
		Long: `Writes report.html into a crawl's folder, from what the crawl has committed so far, and prints
the summary. A crawl that runs goes on meanwhile.`,
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
