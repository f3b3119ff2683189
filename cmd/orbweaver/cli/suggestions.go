package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

func newSuggestions(a *job.Job) *cobra.Command {
	var format, from string
	var limit int
	c := &cobra.Command{
		Use:   "suggestions DIR",
		Short: "Suggest additions to a crawl's ontology; accept or reject them",
		Long: `Lists words and phrases that occur on many pages near entities of the ontology and are not in it,
and pairs of entities that co-occur without a relation: candidates for the ontology's author. DIR is
a crawl folder; the crawl may be running.

The first table has names, in titles and links, that are more frequent on relevant pages than on
others. topic and others are the shares of these pages with the name; a page of score 0.3 counts 0.3
as relevant and 0.7 as other.

The best 20 are listed; --limit 0 lists all.

Counts are numbers of pages, kept in bounded memory: where two numbers are given, the true count is
between them. Use accept or reject to decide on a suggestion.

--from lists what another crawl, a label model or a KRS has and the ontology lacks: labels with their
broader labels, nouns and the entities that they are linked to, classes that a metadata crawl found.
Each is listed with what it would become, beside the entity that it is nearest to: what the source
states to be broader or the same, else the entity that it occurs with, or whose words it has. accept
and reject take these ids too; what was decided is not suggested again, by any source.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # while it runs, or afterwards
  orbweaver suggestions crawls/aircraft
  orbweaver suggestions crawls/aircraft --limit 0
  orbweaver suggestions crawls/aircraft --format json

  # labels that a cross-reference crawl learned
  orbweaver crawl examples/crossref.yaml
  orbweaver suggestions crawls/aircraft --from crawls/crossref

  # nouns of a topic's documents
  orbweaver krs build crawls/aircraft --topic aircraft --background examples/demo.warc.gz -o planes.krs
  orbweaver suggestions crawls/aircraft --from planes.krs`,
		Args: flags.Exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "table" && format != "json" {
				return flags.Misused(c, "--format is table or json, not %q", format)
			}
			if limit < 0 {
				return flags.Misused(c, "--limit is 0 or more, not %d", limit)
			}
			folder, err := crawl.Open(args[0], crawl.On(a))
			if err != nil {
				return err
			}
			list, err := suggested(c.Context(), folder, from)
			switch {
			case err != nil:
				return err
			case format == "json":
				return console.WriteJSON(a.Out, list)
			}
			if from != "" {
				view.Borrowed(a.Out, args[0], from, list, limit)
				return nil
			}
			view.Suggestions(a.Out, args[0], list, limit)
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "table", "table or json")
	c.Flags().IntVar(&limit, "limit", 20, "number of suggestions in a table, the best first; 0: all")
	c.Flags().StringVar(&from, "from", "", "`folder` of another crawl, of a label model or of a KRS, to suggest from")
	c.AddCommand(newAccept(a), newReject(a))
	return c
}

// suggested returns the suggestions of a crawl's focus or, unless from is empty, those from the knowledge of that folder.
func suggested(ctx context.Context, folder *crawl.Crawl, from string) ([]orbweaver.Suggestion, error) {
	if from != "" {
		return folder.SuggestionsFrom(ctx, from)
	}
	return folder.Suggestions(ctx)
}

func newAccept(a *job.Job) *cobra.Command {
	v := crawl.Choice{Accepted: true}
	c := &cobra.Command{
		Use:   "accept DIR ID [--as KIND] [ENTITY [RANGE]]",
		Short: "Add a suggestion to the ontology",
		Long: `Writes a suggestion into the crawl's ontology file, and the crawl, running or not, uses it for all
pages judged from then on. The rest of the file stays unchanged, byte for byte. An ontology in RDF/XML
gets a companion file in Turtle.

  --as entry ENTITY            a lexical entry of the entity
  --as subclass ENTITY         a class below it
  --as instance ENTITY         an instance of it
  --as property DOMAIN RANGE   a property between two classes
  --as broader CLASS ABOVE     no words: the class stands below another

Without --as, the suggestion becomes what is suggested, or an entry; without ENTITY, of the entity that
it is nearest to.

The folder keeps the original ontology (ontology/) and the log of decisions (decisions.jsonl), so
that the crawl can be repeated. A pair has no words of its own: give its relation with --text.`,
		Example: `  cp -r examples mine        # accept modifies the ontology
  orbweaver crawl mine/aircraft.yaml
  orbweaver suggestions crawls/aircraft

  # while it runs, or afterwards
  orbweaver suggestions accept crawls/aircraft f2724174 --as instance Airplane
  orbweaver suggestions accept crawls/aircraft 4b279707 --as subclass MilitaryAirplane
  orbweaver suggestions accept crawls/aircraft d8673e9c --as property LightAirplane Person --text carries

  # as suggested
  orbweaver suggestions accept crawls/aircraft 474882b1`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if err := asked(c, &v, args); err != nil {
				return err
			}
			return decide(c.Context(), a, args[0], v)
		},
	}
	c.Flags().StringVar(&v.As, "as", "", "kind of addition: entry, subclass, instance, property or broader")
	c.Flags().StringVar(&v.Text, "text", "", "`words` to use instead of those suggested")
	c.Flags().StringVar(&v.Entity, "entity", "", "`entity` that it belongs to: the same as ENTITY")
	c.Flags().StringVar(&v.By, "by", "", "`name` of who decides, for the record")
	return c
}

// asked completes a verdict of the accept command by its arguments.
func asked(c *cobra.Command, v *crawl.Choice, args []string) error {
	names, most := args[min(2, len(args)):], 1
	if v.Entity != "" {
		names = append([]string{v.Entity}, names...)
	}
	switch v.As {
	case orbweaver.AsProperty, orbweaver.AsBroader:
		most = 2
	case orbweaver.AsEntry, orbweaver.AsSubclass, orbweaver.AsInstance, "":
	default:
		return flags.Misused(c, "--as is entry, subclass, instance, property or broader, not %q", v.As)
	}
	switch {
	case len(args) < 2:
		return flags.Misused(c, "want a crawl folder and an id, have %d arguments", len(args))
	case most == 2 && len(names) != 2 && (v.As == orbweaver.AsProperty || len(names) > 0):
		return flags.Misused(c, "want two entities, domain and range, have %d", len(names))
	case len(names) > most:
		return flags.Misused(c, "want one entity at most, have %d", len(names))
	}
	v.ID = strings.ToLower(args[1])
	if len(names) > 0 {
		v.Entity, v.Range = names[0], names[len(names)-1]
	}
	return nil
}

func newReject(a *job.Job) *cobra.Command {
	var v crawl.Choice
	c := &cobra.Command{
		Use:   "reject DIR ID",
		Short: "Reject a suggestion",
		Long:  `The crawl, running or not, does not make the suggestion again.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver suggestions crawls/aircraft

  # while it runs, or afterwards
  orbweaver suggestions reject crawls/aircraft 433d5903`,
		Args: flags.Exactly(2, "a crawl folder and an id"),
		RunE: func(c *cobra.Command, args []string) error {
			v.ID = strings.ToLower(args[1])
			return decide(c.Context(), a, args[0], v)
		}}
	c.Flags().StringVar(&v.By, "by", "", "`name` of who decides, for the record")
	return c
}

// decide accepts or refuses a suggestion, and prints what follows.
func decide(ctx context.Context, a *job.Job, dir string, choice crawl.Choice) error {
	folder, err := crawl.Open(dir, crawl.On(a))
	if err != nil {
		return err
	}
	decided, err := folder.Decide(ctx, choice)
	if err == nil {
		view.Decided(a.Out, choice, decided)
	}
	return err
}
