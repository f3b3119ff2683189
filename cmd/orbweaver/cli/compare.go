package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/internal/compare"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/job"
)

func newCompare(a *job.Job) *cobra.Command {
	join := compare.JoinJob{}
	c := &cobra.Command{
		Use:   "compare FILE | compare --join DIR FOLDER...",
		Short: "Compare crawl strategies on one archived web",
		Long: `Runs every focus of a comparison file over the same archive from the same seeds, together with
an oracle and a breadth-first crawl, and evaluates each against a ground truth that only the
oracle sees. Writes comparison.csv, comparison.json and report.html with harvest and recall
curves, average precision, precision at 50, and what a relevant page costs in requests and in hours
of polite crawling. docs/reference/formats.md defines each figure.

A comparison over several items (each) also writes paired.csv: the differences of each run to the
run that baseline names, with intervals and tests. --join does the same over the topics of several
comparisons that were run before: FOLDER is the output of each, DIR the output of all.

A run may be another crawler (requests: LOG), recorded by orbweaver replay --log.`,
		Example: `  orbweaver compare examples/comparison.yaml

  # your own comparison file
  cat > mine.yaml <<END
  seeds: [http://skylines.example/]
  web: {archive: examples/demo.warc.gz}
  truth: {file: examples/demo-truth.tsv, topics: [aircraft]}
  limits: {requests: 200}
  runs:
    - {name: total, focus: {ontology: {files: examples/aircraft.ttl, target: "http://orbweaver.example/aircraft#Airplane"}}}
    - {name: keyword, focus: {keyword: {terms: [airplane, aircraft]}}}
  END
  orbweaver compare mine.yaml && head -3 comparisons/mine/comparison.csv

  # the same for another topic, then both together, against the run called keyword
  cp mine.yaml other.yaml         # and name other topics in it
  orbweaver compare other.yaml
  orbweaver compare --join comparisons/both --baseline keyword comparisons/mine comparisons/other`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case join.Output == "" && len(args) != 1:
				return flags.Misused(c, "want one comparison file, have %d arguments; --join DIR joins the folders of several comparisons", len(args))
			case join.Output != "" && len(args) < 2:
				return flags.Misused(c, "--join wants the output folders of at least two comparisons, have %d", len(args))
			case join.Output == "" && (c.Flags().Changed("baseline") || c.Flags().Changed("seed")):
				return flags.Misused(c, "--baseline and --seed go with --join; in a comparison file they are keys: baseline, bootstrap.seed")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if join.Output != "" {
				join.Folders = args
				return compare.Join(a, join)
			}
			return otherVerb(compare.Compare(c.Context(), a, args[0]), args[0])
		},
	}
	c.Flags().StringVar(&join.Output, "join", "", "compare the runs of several comparisons, given by their folders, and write the result to this `folder`")
	c.Flags().StringVar(&join.Baseline, "baseline", "breadth-first", "with --join: the `run` that all others are compared with")
	c.Flags().Uint64Var(&join.Seed, "seed", 1, "with --join: random `seed` of the bootstrap")
	return c
}

// otherVerb replaces the error for a file of the wrong kind (crawl or comparison file), recognized by
// a key only the other kind has, by one that names the right verb. It returns other errors as they are.
func otherVerb(err error, file string) error {
	var problems crawlfile.Problems
	if !errors.As(err, &problems) {
		return err
	}
	has := func(key, msg string) bool {
		return slices.ContainsFunc(problems, func(p crawlfile.Problem) bool { return p.Key == key && p.Msg == msg })
	}
	switch {
	case has("runs", "unknown key") && has("focus", "is missing"):
		return fmt.Errorf("%s is a comparison file; use orbweaver compare %s (%w)", file, file, orbweaver.ErrInput)
	case has("focus", "unknown key") && has("runs", "is missing"):
		return fmt.Errorf("%s is a crawl file; use orbweaver crawl %s (%w)", file, file, orbweaver.ErrInput)
	}
	return err
}
