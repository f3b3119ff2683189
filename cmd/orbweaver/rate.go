package main

import (
	"github.com/spf13/cobra"

	"orbweaver/eval/rating"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/sample"
)

func newRate(a *job.Job) *cobra.Command {
	c := &cobra.Command{
		Use:   "rate",
		Short: "Have people judge a sample of a crawl's pages, and count what they say",
		Args:  verb,
		RunE:  verbless,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver rate sample crawls/aircraft -o sheet.csv

  # a copy for each rater, who writes yes or no into the column relevant
  cp sheet.csv anna.csv
  cp sheet.csv ben.csv

  # then: orbweaver rate score anna.csv ben.csv`,
	}
	c.AddCommand(newRateSample(a), newRateScore(a))
	return c
}

func newRateSample(a *job.Job) *cobra.Command {
	opts := sample.Options{Seed: 1, Design: rating.DefaultDesign()}
	c := &cobra.Command{
		Use:   "sample DIR -o SHEET",
		Short: "Draw pages for raters to judge",
		Long: `Draws a stratified sample of the pages of a crawl, as many accepted and rejected ones as the
crawl has of each, and writes a sheet for a spreadsheet: id, title, the beginning of the page's
text, its address, and a column, relevant, that is empty. The rows are in no order, and nothing
on the sheet tells what the crawl thought of a page; that is in the key, a second file beside the
sheet (sheet.key.csv of sheet.csv), which raters should not see.

How many pages there are follows from --error, what a share found in the sample may be off by,
--z, the confidence in that, and --sigma, 0.5 when nothing is known of the answers. The same crawl
and --seed give the same sheet.

The crawl may be over, interrupted or running. Text comes from its archive, or from the one that
it crawled. Files that are there already are not written over. docs/rating.md says more.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver rate sample crawls/aircraft -o sheet.csv && head -3 sheet.csv

  # other pages, and fewer: a share may be off by a tenth
  orbweaver rate sample crawls/aircraft -o few.csv --seed 2 --error 0.1`,
		Args: exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			if opts.Out == "" || opts.Out == "-" {
				return misused(c, "name the sheet with -o: its key goes beside it")
			}
			return sample.Draw(c.Context(), &a.Console, args[0], opts)
		},
	}
	f := c.Flags()
	f.StringVarP(&opts.Out, "output", "o", "", "`file` to write, beside which its key goes")
	f.Uint64Var(&opts.Seed, "seed", opts.Seed, "which sample: any number")
	f.Float64Var(&opts.Design.Z, "z", opts.Design.Z, "quantile of the confidence wanted: 1.96 for 95 %, 2.576 for 99 %")
	f.Float64Var(&opts.Design.Error, "error", opts.Design.Error, "what a share may be off by, above 0 and below 1")
	f.Float64Var(&opts.Design.Sigma, "sigma", opts.Design.Sigma, "standard deviation of an answer, above 0, at most 0.5")
	return c
}

func newRateScore(a *job.Job) *cobra.Command {
	format := "text"
	c := &cobra.Command{
		Use:   "score SHEET...",
		Short: "Count what raters said of the crawl, and how far they agree",
		Long: `Reads the sheets of raters, one each, and prints for each the harvest ratio (accepted pages that
the rater finds relevant, by accepted pages judged) and the rejected pages rightly so (not relevant,
by rejected pages judged), their averages, and Fleiss' kappa with its interval of 95 % and what
it is called, over the rows that all raters answered.

An answer is yes, y, true, relevant or 1; no, n, false, not relevant or 0; or nothing, which is
counted. Sheets may come back with semicolons or tabs, more columns and rows in another order; of
their columns only id and relevant are read. Rows that are missing, foreign or twice there, and
answers that are none of these, are told with file, line and id, and nothing is counted.

The key, which rate sample wrote, is found beside the sheets, or named among them: *.csv does.

The exit status is 0 when the sheets were counted, 2 when a sheet or the key is wrong.`,
		Example: `  cat > sheet.key.csv <<END
  id,accepted
  kbtwzn-001,yes
  kbtwzn-002,no
  kbtwzn-003,yes
  END
  cat > anna.csv <<END
  id,title,relevant
  kbtwzn-001,Gliders,yes
  kbtwzn-002,Garden sheds,no
  kbtwzn-003,Plane trees,no
  END
  cat > ben.csv <<END
  id;relevant;remarks
  kbtwzn-003;1;why not?
  kbtwzn-002;0;
  kbtwzn-001;1;
  END
  orbweaver rate score anna.csv ben.csv
  orbweaver rate score anna.csv ben.csv sheet.key.csv --format json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misused(c, "want a sheet for each rater")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return misused(c, "--format is text or json, not %q", format)
			}
			return sample.Score(&a.Console, args, format == "json")
		},
	}
	c.Flags().StringVar(&format, "format", format, "text or json")
	return c
}
