package cli

import (
	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/eval/rating"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/sample"
)

func newRate(a *job.Job) *cobra.Command {
	c := &cobra.Command{
		Use:   "rate",
		Short: "Have people rate a sample of a crawl's pages, and evaluate the ratings",
		Args:  flags.Verb,
		RunE:  flags.Verbless,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver rate sample crawls/aircraft -o sheet.csv

  # one copy per rater, who writes yes or no into the column relevant
  cp sheet.csv anna.csv
  cp sheet.csv ben.csv

  # then: orbweaver rate score anna.csv ben.csv

  # pages whose verdict would teach the crawl most
  orbweaver rate unsure crawls/aircraft -o ask.csv`,
	}
	c.AddCommand(newRateSample(a), newRateScore(a), newRateUnsure(a), newRateTeach(a), newRateWithdraw(a))
	return c
}

func newRateSample(a *job.Job) *cobra.Command {
	opts := sample.Options{Seed: 1, Design: rating.DefaultDesign()}
	c := &cobra.Command{
		Use:   "sample DIR -o SHEET",
		Short: "Draw a sample of pages for raters",
		Long: `Draws a stratified sample of a crawl's pages, with accepted and rejected pages in proportion, and
writes a sheet for a spreadsheet: id, title, the beginning of the text, URL, and an empty column
relevant. Rows are shuffled and do not reveal the crawl's verdict; the key, a second file beside the
sheet (sheet.key.csv for sheet.csv), does, and is not for the raters.

The sample size follows from --error (the margin of error of a share), --z (the confidence) and
--sigma (0.5 when nothing is known about the answers). The same crawl and --seed give the same
sheet.

The crawl may be finished, interrupted or running. Text comes from its archive, or from the archive
that it crawled. Existing files are not overwritten. See docs/howto/rating.md.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver rate sample crawls/aircraft -o sheet.csv && head -3 sheet.csv

  # another, smaller sample: margin of error 0.1
  orbweaver rate sample crawls/aircraft -o few.csv --seed 2 --error 0.1`,
		Args: flags.Exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			if opts.Out == "" || opts.Out == "-" {
				return flags.Misused(c, "name the sheet with -o; its key is written beside it")
			}
			return sample.Draw(c.Context(), &a.Console, args[0], opts)
		},
	}
	f := c.Flags()
	f.StringVarP(&opts.Out, "output", "o", "", "output `file`; the key is written beside it")
	f.Uint64Var(&opts.Seed, "seed", opts.Seed, "random seed of the sample")
	f.Float64Var(&opts.Design.Z, "z", opts.Design.Z, "normal quantile of the confidence: 1.96 for 95 %, 2.576 for 99 %")
	f.Float64Var(&opts.Design.Error, "error", opts.Design.Error, "margin of error of a share, above 0 and below 1")
	f.Float64Var(&opts.Design.Sigma, "sigma", opts.Design.Sigma, "standard deviation of answers, above 0, at most 0.5")
	return c
}

func newRateScore(a *job.Job) *cobra.Command {
	format := "text"
	c := &cobra.Command{
		Use:   "score SHEET...",
		Short: "Compute harvest ratios and inter-rater agreement",
		Long: `Reads one sheet per rater, and prints for each the harvest ratio (relevant accepted pages ÷ rated
accepted pages) and the share of correct rejections (irrelevant rejected pages ÷ rated rejected
pages), their averages, and Fleiss' kappa with its 95 % interval and verbal grade, over the rows
that all raters answered.

An answer is yes, y, true, relevant or 1; or no, n, false, not relevant or 0; or empty; empty ones
are counted. Sheets may use semicolons or tabs, have more columns, and rows in another order; only
the columns id and relevant are read. Missing, unknown and duplicate rows, and other answers, are
errors with file, line and id, and nothing is computed.

The key, which rate sample wrote, is found beside the sheets, or named among them: *.csv works.

The exit status is 0 on success, 2 when a sheet or the key is wrong.`,
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
				return flags.Misused(c, "want a sheet for each rater")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return flags.Misused(c, "--format is text or json, not %q", format)
			}
			return sample.Score(&a.Console, args, format == "json")
		},
	}
	c.Flags().StringVar(&format, "format", format, "text or json")
	return c
}
