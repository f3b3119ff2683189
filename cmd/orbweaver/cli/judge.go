package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
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
		Short: "Judge one page, to try a focus before you crawl",
		Long: `Fetches one page as the crawl of the crawl file would, follows its redirects, and prints its score,
whether it is accepted, the entities and words behind the score, and its ten best and ten worst
links with their reasons. It writes nothing.

The focus is in its initial state. Statistics that a crawl learns as it goes (idf: learned, and
the words of links that led to relevant pages) are empty here, so a crawl's scores can differ.
The URL may omit http://.

Without web: in the file the page is fetched from the live Web, as politely as by a crawl:
robots.txt first.

A page that scope or robots.txt forbids is judged only with --force. The exit status is 0 when
the page was judged, 1 when it could not be, and 2 when the file is wrong, the URL is not a URL
or the archive lacks it.`,
		Example: `  orbweaver judge examples/aircraft.yaml http://skylines.example/types/a320.html
  orbweaver judge examples/aircraft.yaml tidings.example --format json

  # try words, with a minimal crawl file
  cat > words.yaml <<END
  seeds: [http://skylines.example/]
  web: {archive: examples/demo.warc.gz}
  focus: {keyword: {terms: [airplane, glider]}}
  END
  orbweaver judge words.yaml http://skylines.example/`,
		Args: flags.Exactly(2, "a crawl file and a URL"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return flags.Misused(c, "--format is text or json, not %q", format)
			}
			return otherVerb(judgePage(c.Context(), a, args[0], args[1], force, format == "json"), args[0])
		},
	}
	c.Flags().StringVar(&format, "format", format, "text or json")
	c.Flags().BoolVar(&force, "force", false, "judge the page even if scope or robots.txt forbids it")
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
