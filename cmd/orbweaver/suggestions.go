package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

func newSuggestions(a *job.Job) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "suggestions DIR",
		Short: "Suggest additions to a crawl's ontology",
		Long: `Lists words and phrases that occur on many pages near entities of the ontology and are not in it,
and pairs of entities that co-occur without a relation: candidates for the ontology's author. DIR is
a crawl folder; the crawl may be running.

The first table has names, in titles and links, that are more frequent on relevant pages than on
others. topic and others are the shares of these pages with the name; a page of score 0.3 counts 0.3
as relevant and 0.7 as other.

Counts are numbers of pages, kept in bounded memory: where two numbers are given, the true count is
between them. Use accept or reject to decide on a suggestion.`,
		Example: `  orbweaver crawl examples/aircraft.yaml

  # while it runs, or afterwards
  orbweaver suggestions crawls/aircraft
  orbweaver suggestions crawls/aircraft --format json`,
		Args: exactly(1, "one crawl folder"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "table" && format != "json" {
				return misused(c, "--format is table or json, not %q", format)
			}
			folder, err := crawl.Open(args[0], crawl.On(a))
			if err != nil {
				return err
			}
			list, err := folder.Suggestions(c.Context())
			switch {
			case err != nil:
				return err
			case format == "json":
				return console.WriteJSON(a.Out, list)
			}
			view.Suggestions(a.Out, args[0], list)
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "table", "table or json")
	return c
}

func newAccept(a *job.Job) *cobra.Command {
	v := crawl.Choice{Accepted: true}
	c := &cobra.Command{
		Use:   "accept DIR ID --as KIND ENTITY [RANGE]",
		Short: "Add a suggestion to the ontology",
		Long: `Writes a suggestion into the crawl's ontology file, and the crawl, running or not, uses it for all
pages judged from then on. The rest of the file stays unchanged, byte for byte. An ontology in RDF/XML
gets a companion file in Turtle.

  --as entry ENTITY            a lexical entry of the entity
  --as subclass ENTITY         a class below it
  --as instance ENTITY         an instance of it
  --as property DOMAIN RANGE   a property between two classes

The folder keeps the original ontology (ontology/) and the log of decisions (decisions.jsonl), so
that the crawl can be repeated: see decisions in docs/crawl-file.md. A pair has no words of its own:
give its relation with --text.`,
		Example: `  cp -r examples mine        # accept modifies the ontology
  orbweaver crawl mine/aircraft.yaml
  orbweaver suggestions crawls/aircraft

  # while it runs, or afterwards
  orbweaver accept crawls/aircraft f2724174 --as instance Airplane
  orbweaver accept crawls/aircraft 4b279707 --as subclass MilitaryAirplane
  orbweaver accept crawls/aircraft cd4bae0f --as instance Airplane
  orbweaver accept crawls/aircraft d8673e9c --as property LightAirplane Person --text carries`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			want := 3
			switch v.As {
			case orbweaver.AsProperty:
				want = 4
			case orbweaver.AsEntry, orbweaver.AsSubclass, orbweaver.AsInstance:
			default:
				return misused(c, "--as is entry, subclass, instance or property, not %q", v.As)
			}
			if len(args) != want {
				return misused(c, "want a crawl folder, an id and %s, have %d arguments",
					map[int]string{3: "an entity", 4: "two entities: domain and range"}[want], len(args))
			}
			v.ID, v.Entity, v.Range = strings.ToLower(args[1]), args[2], args[want-1]
			return decide(c.Context(), a, args[0], v)
		},
	}
	c.Flags().StringVar(&v.As, "as", "", "kind of addition: entry, subclass, instance or property")
	c.Flags().StringVar(&v.Text, "text", "", "`words` to use instead of those suggested")
	return c
}

func newReject(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "reject DIR ID",
		Short: "Reject a suggestion",
		Long:  `The crawl, running or not, does not make the suggestion again.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver suggestions crawls/aircraft

  # while it runs, or afterwards
  orbweaver reject crawls/aircraft 433d5903`,
		Args: exactly(2, "a crawl folder and an id"),
		RunE: func(c *cobra.Command, args []string) error {
			return decide(c.Context(), a, args[0], crawl.Choice{ID: strings.ToLower(args[1])})
		},
	}
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
