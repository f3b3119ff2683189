package cli

import (
	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/internal/job"
	"orbweaver/internal/offline"
)

func newOntology(a *job.Job) *cobra.Command {
	c := &cobra.Command{
		Use:   "ontology",
		Short: "Check an ontology and show what it means for a crawl",
		Args:  flags.Verb,
		RunE:  flags.Verbless,
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
				return flags.Misused(c, "name a target with --target")
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
		return flags.Misused(c, "want at least one file")
	}
	return nil
}
