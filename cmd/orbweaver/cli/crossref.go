package cli

import (
	"context"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/kind/crossref"
)

// A listing is what the crossref verb is asked for.
type listing struct {
	top     int
	format  string
	item    string
	in      string
	theta   float64
	fetched bool
}

func newCrossref(a *job.Job) *cobra.Command {
	l := listing{top: 20, format: "text"}
	c := &cobra.Command{
		Use:   "crossref DIR",
		Short: "List the other sources of an item's information found by a crawl",
		Long: `Lists the pages of a crawl with focus: crossref that are accepted by its model as it is now, most relevant
to its item first, with the terms and labels they share with it. The crawl may be running. The pages that
the crawl keeps are classified when the command runs: a label or rule learned since a page was fetched
counts. --as-fetched prints the judgements of fetch time, which pages.jsonl has.

--item ranks the pages by their relevance to another item: a page of the crawl, a file of HTML or, with --in,
an entity of an RDF file or of another crawl. Duplicates and near-duplicates are grouped.`,
		Example: `  orbweaver crawl examples/crossref.yaml
  orbweaver crossref crawls/crossref
  orbweaver crossref crawls/crossref --limit 5 --format json
  orbweaver crossref crawls/crossref --item http://orbweaver.example/aircraft#Airplane --in examples/aircraft.ttl`,
		Args: flags.Exactly(1, "the folder of a crossref crawl"),
		RunE: func(c *cobra.Command, args []string) error {
			given := c.Flags().Changed
			switch {
			case l.format != "text" && l.format != "json":
				return flags.Misused(c, "--format is text or json, not %q", l.format)
			case l.top < 0:
				return flags.Misused(c, "--limit must not be negative")
			case given("theta") && !(l.theta >= 0 && l.theta <= 1):
				return flags.Misused(c, "--theta is %v, not 0 to 1", l.theta)
			case l.in != "" && l.item == "":
				return flags.Misused(c, "--in needs --item, the IRI of an entity in %s", l.in)
			case l.fetched && (l.item != "" || given("theta")):
				return flags.Misused(c, "--as-fetched goes without --item and --theta, which judge anew")
			}
			q := crawl.Question{}
			if given("theta") {
				q.Theta = &l.theta
			}
			return listSources(c.Context(), a, args[0], l, q)
		},
	}
	f := c.Flags()
	f.IntVar(&l.top, "limit", l.top, "number of sources; 0: all")
	flags.Formerly(c, "top", "limit")
	f.StringVar(&l.format, "format", l.format, "text or json")
	f.StringVar(&l.item, "item", "", "another `item`: URL of a page of the crawl, file, or IRI with --in")
	f.StringVar(&l.in, "in", "", "RDF `file` or crawl folder that describes the entity --item")
	f.Float64Var(&l.theta, "theta", 0, "relevance above which pages belong to layer 0 (default that of the crawl file)")
	f.BoolVar(&l.fetched, "as-fetched", false, "judgements of fetch time")
	return c
}

// listSources prints the sources of a crawl folder.
func listSources(ctx context.Context, a *job.Job, dir string, l listing, q crawl.Question) error {
	if err := crossref.Is(a.Schema(), dir); err != nil {
		return err
	}
	if l.item != "" {
		like, err := crossref.Like(ctx, l.item, l.in)
		if err != nil {
			return err
		}
		q.Like = &like
	}
	var now map[string]orbweaver.Judgement
	if !l.fetched {
		folder, err := crawl.Open(dir, crawl.On(a))
		if err == nil {
			now, err = folder.Reclassified(ctx, q)
		}
		if err != nil {
			return err
		}
	}
	sources, err := crossref.Sources(&a.Console, a.Schema(), dir, now)
	if err != nil {
		return err
	}
	if l.top > 0 {
		sources = sources[:min(l.top, len(sources))]
	}
	if l.format == "json" {
		return console.WriteJSON(a.Out, sources)
	}
	crossref.Print(a.Out, sources)
	return crossref.PrintDrift(a.Out, dir)
}
