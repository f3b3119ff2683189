package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

func newPages(a *job.Job) *cobra.Command {
	query, opts, now := crawl.PageQuery{}, view.PagesOptions{}, false
	c := &cobra.Command{
		Use:   "pages DIR",
		Short: "List the pages of a crawl, by score, host, text and the like",
		Long: `Lists the pages that a crawl fetched, as a table as wide as the terminal, as JSON (one line per
page, as in pages.jsonl) or as CSV. A URL requested several times has its last outcome. Redirects
and failures are listed only if a column shows them: status, error or redirect.

--now judges every page again, as the focus has it now: with what it learned since, the suggestions
that were accepted, and the verdicts of rate teach. The pages are read from the archive, and nothing
changes.

Columns: ` + strings.Join(view.PageColumns(), ", ") + `.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver pages crawls/aircraft --accepted --sort score --limit 20
  orbweaver pages crawls/aircraft --host skylines.example --columns n,score,depth,url
  orbweaver pages crawls/aircraft --min-score 0.2 --columns url,score,reasons --format csv
  orbweaver pages crawls/aircraft --columns error,url --sort url
  orbweaver pages crawls/aircraft --entity Airplane --lang en --text jet --distinct
  orbweaver pages crawls/aircraft --now --accepted --sort score`,
		Args: flags.Exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error { return pages(c.Context(), a, args[0], query, opts, now) },
	}
	f := c.Flags()
	f.BoolVar(&query.Accepted, "accepted", false, "only accepted pages")
	f.BoolVar(&query.Distinct, "distinct", false, "only the first of pages with the same content")
	selecting(f, &query)
	f.StringVar(&query.Sort, "sort", "n", strings.Join(crawl.PageSorts(), ", "))
	f.StringSliceVar(&opts.Columns, "columns", nil, "comma-separated `columns` (default score,accepted,title,url)")
	f.BoolVar(&now, "now", false, "judge the pages again, by what the crawl knows now")
	f.IntVar(&query.Limit, "limit", 0, "number of pages; 0: all")
	f.StringVar(&opts.Format, "format", "table", "table, json or csv")
	return c
}

// selecting adds the flags that select pages.
func selecting(f *pflag.FlagSet, q *crawl.PageQuery) {
	f.StringVar(&q.Host, "host", "", "only pages of this `host` and its subdomains")
	f.Float64Var(&q.MinScore, "min-score", 0, "only pages with at least this score")
	f.StringVar(&q.Class, "class", "", "only pages of this `class`")
	f.StringVar(&q.Type, "type", "", "only pages of this media `type`, as in application/pdf or application")
	f.StringVar(&q.Lang, "lang", "", "only pages in this `language`, as in en")
	f.StringVar(&q.Entity, "entity", "", "only pages of which a reason names this `entity`, noun or term")
	f.StringVar(&q.Text, "text", "", "only pages with this `text` in title, snippet or URL")
}

// pages prints a list of pages.
func pages(ctx context.Context, a *job.Job, dir string, query crawl.PageQuery, opts view.PagesOptions, now bool) error {
	folder, err := crawl.Open(dir, crawl.On(a))
	query.Failed = opts.Failed()
	if err := errors.Join(err, query.Check(), opts.Check()); err != nil {
		return err
	}
	if !now {
		return view.Pages(a.Out, a.Columns(), opts, folder.AllPages(ctx, query))
	}
	stop := a.AfterAWhile("judging the pages again ...")
	list, err := view.Chosen(folder.PagesNow(ctx), query)
	stop()
	if err != nil {
		return err
	}
	return view.Pages(a.Out, a.Columns(), opts, list)
}
