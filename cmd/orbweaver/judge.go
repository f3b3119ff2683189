package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

func newJudge(a *job.Job) *cobra.Command {
	format := "text"
	force := false
	c := &cobra.Command{
		Use:   "judge FILE URL",
		Short: "Judge one page as a crawl would: try a focus before you crawl",
		Long: `Fetches one page as the crawl of the crawl file would, follows its redirects, and tells what
the focus thinks of it: its score, whether it is accepted, the entities and words that made
the score, and its ten best and ten worst links with their reasons. Nothing is written.

The focus is as a crawl begins with it. What a crawl learns on its way (idf: learned, and
which words of links led to good pages) starts from nothing here, so the scores of a crawl
can differ. http:// may be left out of the URL.

Without web: in the file the page is fetched from the live Web, its host asked for robots.txt
first, as politely as by a crawl.

What scope or robots.txt keep the crawl from asking for is not judged, unless --force is
given. The exit status is 0 when the page was judged, 1 when it could not be, 2 when the file
is wrong, the URL is none or the archive does not hold it.`,
		Example: `  orbweaver judge examples/aircraft.yaml http://skylines.example/types/a320.html
  orbweaver judge examples/aircraft.yaml tidings.example --format json

  # would these words do? The smallest crawl file to ask with
  cat > words.yaml <<END
  seeds: [http://skylines.example/]
  web: {archive: examples/demo.warc.gz}
  focus: {keyword: {terms: [airplane, glider]}}
  END
  orbweaver judge words.yaml http://skylines.example/`,
		Args: exactly(2, "a crawl file and a URL"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return misused(c, "--format is text or json, not %q", format)
			}
			return otherVerb(judgePage(c.Context(), a, args[0], args[1], force, format == "json"), args[0])
		},
	}
	c.Flags().StringVar(&format, "format", format, "text or json")
	c.Flags().BoolVar(&force, "force", false, "judge it even if scope or robots.txt forbid it")
	return c
}

// judgePage prints what the focus of a crawl file makes of a page; of one that could not be judged, how far it came.
func judgePage(ctx context.Context, a *job.Job, file, url string, force, asJSON bool) error {
	c, err := crawl.Load(file, crawl.On(a))
	if err != nil {
		_, problem := crawl.URL(url)
		return errors.Join(problem, err)
	}
	ask := c.Judge
	if force {
		ask = c.JudgeForced
	}
	v, err := ask(ctx, url)
	switch {
	case v == nil:
	case asJSON:
		err = errors.Join(err, console.WriteJSON(a.Out, v))
	default:
		view.Judged(a.Out, a.Columns(), v)
	}
	return err
}
