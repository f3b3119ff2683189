package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/internal/compare"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/job"
)

func newCompare(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "compare FILE",
		Short: "Compare crawl strategies on one archived web with one ground truth",
		Long: `Runs every focus of a comparison file over the same archive from the same seeds, together with
an oracle and a breadth-first crawl, and evaluates each against a ground truth that only the
oracle sees. Writes comparison.csv, comparison.json and report.html with harvest and recall
curves. docs/formats.md defines each figure.`,
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
  orbweaver compare mine.yaml && head -3 comparisons/mine/comparison.csv`,
		Args: exactly(1, "one comparison file"),
		RunE: func(c *cobra.Command, args []string) error {
			return otherVerb(compare.Compare(c.Context(), a, args[0]), args[0])
		},
	}
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
