package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/sample"
)

func newRateUnsure(a *job.Job) *cobra.Command {
	out, n := "", 5
	c := &cobra.Command{
		Use:   "unsure DIR -o SHEET",
		Short: "List the pages whose verdict would teach the crawl most",
		Long: `Judges the pages of a crawl again, as of now, and writes a sheet with those nearest to the
threshold, without pages that have a person's verdict. Write yes, no or part into the column relevant,
give the sheet to rate teach, and ask again: every verdict changes which pages are unsure. Rounds of five
teach more than twenty at once.

The crawl may be finished, interrupted or running.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver rate unsure crawls/aircraft -o ask.csv && head -3 ask.csv`,
		Args: flags.Exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" || out == "-" || n < 1 {
				return flags.Misused(c, "name the sheet with -o, and a number of pages above 0")
			}
			folder, err := crawl.Open(args[0], crawl.On(a))
			if err != nil {
				return err
			}
			stop := a.AfterAWhile("judging the pages again ...")
			pages, err := folder.Unsure(c.Context(), n)
			stop()
			if err != nil {
				return err
			}
			return sample.Ask(&a.Console, pages, out)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "output `file`")
	c.Flags().IntVar(&n, "limit", n, "number of pages")
	flags.Formerly(c, "pages", "limit")
	return c
}

func newRateTeach(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "teach DIR SHEET...",
		Short: "Teach a crawl by verdicts on its pages",
		Long: `Reads sheets with the columns url and relevant (yes, no, part or empty), and gives the answers
to the crawl; part: a part of the page is about the topic, or the page about a part of it. Each must be a page that the crawl has judged. Any focus learns from them: the words of these
pages move the scores of the pages judged afterwards, and pages --now shows what they change in those
judged before. The verdicts are kept in the crawl's folder; a later one on the same page replaces the
earlier, and rate withdraw takes it back. decisions: in a crawl file replays them.

The crawl may be finished, interrupted or running.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  cat > ask.csv <<END
  url,relevant
  http://skylines.example/aircraft/boeing-737,yes
  END

  # then: orbweaver rate teach crawls/aircraft ask.csv`,
		Args: folderAnd("sheet"),
		RunE: func(c *cobra.Command, args []string) error { return teach(c.Context(), a, args[0], args[1:]) },
	}
}

// teach gives the answers of sheets to a crawl.
func teach(ctx context.Context, a *job.Job, dir string, sheets []string) error {
	folder, err := crawl.Open(dir, crawl.On(a))
	if err != nil {
		return err
	}
	all, err := crawl.ReadVerdicts(sheets...)
	if err != nil {
		return err
	}
	taken, err := folder.Verdicts(ctx, all...)
	said := map[bool]int{}
	for _, d := range taken {
		said[d.Accepted]++
	}
	if len(taken) > 0 || err == nil {
		fmt.Fprintf(a.Out, "%d verdicts: %d yes or in part, %d no\n", len(taken), said[true], said[false])
	}
	return err
}

func newRateWithdraw(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "withdraw DIR URL...",
		Short: "Withdraw verdicts on pages of a crawl",
		Long: `Takes back what rate teach, or the studio, said of pages. The pages judged afterwards, and pages
--now, are judged by the verdicts that are left, as if these had never been given. What they did
until then stays: the lines of pages judged meanwhile, and which links were followed. The log of
decisions keeps both the verdict and its withdrawal, so that decisions: in a crawl file replays them.

orbweaver explain shows the verdict that holds. The crawl may be finished, interrupted or running.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  cat > ask.csv <<END
  url,relevant
  http://skylines.example/types/a320.html,no
  END

  orbweaver rate teach crawls/aircraft ask.csv
  orbweaver rate withdraw crawls/aircraft http://skylines.example/types/a320.html`,
		Args: folderAnd("URL"),
		RunE: func(c *cobra.Command, args []string) error {
			folder, err := crawl.Open(args[0], crawl.On(a))
			if err != nil {
				return err
			}
			var all []crawl.Verdict
			for _, url := range args[1:] {
				all = append(all, crawl.Verdict{URL: url, Withdrawn: true})
			}
			taken, err := folder.Verdicts(c.Context(), all...)
			if len(taken) > 0 {
				fmt.Fprintf(a.Out, "%d verdicts withdrawn\n", len(taken))
			}
			return err
		},
	}
}

// folderAnd wants a crawl folder and at least one of something.
func folderAnd(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < 2 {
			return flags.Misused(c, "want a crawl folder and a %s", what)
		}
		return nil
	}
}
