package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/compare"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/job"
	"orbweaver/internal/offline"
	"orbweaver/internal/view"
)

func newCrawl(a *job.Job) *cobra.Command {
	var refresh time.Duration
	quick := crawl.QuickCrawl{}
	c := &cobra.Command{
		Use:     "crawl FILE | URL... --terms WORDS",
		Short:   "Start a crawl, or resume an interrupted one",
		Long:    crawlHelp,
		Example: crawlExamples,
		Args:    func(c *cobra.Command, args []string) error { return quickOrFile(c, args, quick) },
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("refresh") && refresh <= 0 {
				return misused(c, "--refresh wants an age above 0, as in 24h")
			}
			if err := errors.Join(checkMetrics(c, a), checkLog(c, a)); err != nil {
				return err
			}
			switch {
			case isQuick(args) && refresh > 0:
				return misused(c, "--refresh takes the crawl file, which is crawl.yaml in the crawl's folder")
			case isQuick(args):
				quick.Seeds = args
				return runCrawl(c.Context(), a, 0, func() (*crawl.Crawl, error) { return crawl.Quick(c.Context(), quick, crawl.On(a)) })
			}
			return otherVerb(runCrawl(c.Context(), a, refresh, func() (*crawl.Crawl, error) { return crawl.Load(args[0], crawl.On(a)) }), args[0])
		},
	}
	c.Flags().BoolVar(&a.Yes, "yes", false, "resolve ambiguous settings, such as terms in words, to the best match")
	c.Flags().DurationVar(&refresh, "refresh", 0, "fetch accepted pages older than this `age` again, conditionally, and report what is new, changed and gone")
	c.Flags().StringArrayVar(&quick.Terms, "terms", nil, "without a crawl file: the topic as comma-separated `words` and phrases")
	c.Flags().Int64Var(&quick.Requests, "requests", 0, "without a crawl file: maximum number of `requests` (default 1000)")
	c.Flags().StringVar(&quick.Contact, "contact", "", "without a crawl file: contact `URL` or e-mail address, sent with every request")
	c.Flags().StringVarP(&quick.Output, "output", "o", "", "without a crawl file: the crawl `folder` (default crawls/HOST, HOST from the first seed)")
	measured(c, a)
	logs(c, a)
	return c
}

// runCrawl runs one session of a crawl, or a refresh of pages older than an age above 0, and prints the summary.
func runCrawl(ctx context.Context, a *job.Job, refresh time.Duration, open func() (*crawl.Crawl, error)) error {
	c, err := open()
	if err != nil {
		return err
	}
	var sum *crawl.Summary
	if refresh > 0 {
		sum, err = c.Refresh(ctx, refresh)
	} else {
		sum, err = c.Run(ctx)
	}
	if sum != nil {
		view.PrintSummary(a.Out, a.Columns(), sum)
	}
	return err
}

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

func newOntology(a *job.Job) *cobra.Command {
	c := &cobra.Command{
		Use:   "ontology",
		Short: "Check an ontology and show what it means for a crawl",
		Args:  verb,
		RunE:  verbless,
		Example: `  orbweaver ontology check examples/aircraft.ttl
  orbweaver ontology show examples/aircraft.ttl --target Airplane`,
	}
	c.AddCommand(newOntologyCheck(a), newOntologyShow(a))
	return c
}

func newOntologyCheck(a *job.Job) *cobra.Command {
	var targets []string
	c := &cobra.Command{
		Use:   "check FILE...",
		Short: "Report problems in an ontology",
		Long: `Lists problems for the author of an ontology: cycles in the hierarchy, an IRI that is both
class and property, an undeclared domain or range, entities without a lexical entry, ambiguous
entries, and entities that no target reaches. Several files are read as one ontology: OWL, RDFS
or SKOS in Turtle, N-Triples or RDF/XML.`,
		Example: `  orbweaver ontology check examples/aircraft.ttl
  orbweaver ontology check core.ttl labels.ttl --target http://example.org/core#Plane`,
		Args: atLeastOneFile,
		RunE: func(_ *cobra.Command, args []string) error { return offline.CheckOntology(a, args, targets) },
	}
	c.Flags().StringArrayVar(&targets, "target", nil, "`IRI` or name of a target, for the reachability check; may be repeated")
	return c
}

func newOntologyShow(a *job.Job) *cobra.Command {
	var targets []string
	relevance := offline.Relevance{}
	c := &cobra.Command{
		Use:   "show FILE... --target IRI",
		Short: "Show the relevance sets of a target",
		Long: `Lists each entity that counts for a target with its weight, its distance and its lexical entries.
single is the target itself, taxonomic adds its direct super- and subclasses, relational its
relations and their ranges, total everything else, discounted by distance.`,
		Example: `  orbweaver ontology show examples/aircraft.ttl --target Airplane
  orbweaver ontology show examples/aircraft.ttl --target Airplane --relevance relational
  orbweaver ontology show examples/aircraft.ttl --target Airplane --discount linear`,
		Args: atLeastOneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if len(targets) == 0 {
				return misused(c, "name a target with --target")
			}
			return offline.ShowOntology(a, args, targets, relevance)
		},
	}
	c.Flags().StringArrayVar(&targets, "target", nil, "`IRI` or name of the target; may be repeated")
	c.Flags().StringVar(&relevance.Set, "relevance", "total", "single, taxonomic, relational or total")
	c.Flags().StringVar(&relevance.Discount, "discount", "exponential", "exponential, linear or logarithmic")
	c.Flags().Float64Var(&relevance.Base, "base", 0.5, "weight at distance 1, above 0 and below 1")
	return c
}

// atLeastOneFile requires at least one argument.
func atLeastOneFile(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return misused(c, "want at least one file")
	}
	return nil
}
