package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/view"
)

func newSearch(a *job.Job) *cobra.Command {
	query, format := crawl.SearchQuery{Top: 20, Rank: "bm25", Partial: true}, "text"
	c := &cobra.Command{
		Use:   "search DIR [WORDS...]",
		Short: "Search crawled pages by words, similarity, label or entity",
		Long: `Finds pages of a crawl, best first, each with its best matching passage. Nothing is fetched. The crawl may
be running. While the words of its pages are not all indexed, search answers from those that are, says among
how many requests, and then goes on indexing, until all are or it is interrupted.

  word         wanted, in any form             +word -word  required, excluded
  "a phrase"   consecutive words               title:word   in the title
  word*        words with this prefix

Words are ranked by BM25 over title and text, or with --rank cosine by the cosine of tf·idf. --like finds
pages similar to a page of the crawl, by its URL, or to a file. If the crawl folder has a label model
(orbweaver lab labels), results show their labels, and --label L finds pages with a label. --entity E finds pages
that make a statement about an entity, given by IRI or name, link to it, or have it in their reasons, by
frequency. Among the best 200 results by words, a page scores up to half more if it has a label, or makes a
statement about an entity, that the query names.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver search crawls/aircraft airliner engines
  orbweaver search crawls/aircraft '"wide body" -helicopter' --limit 5
  orbweaver search crawls/aircraft --like http://skylines.example/types/a320.html --limit 3 --format json

  orbweaver search crawls/aircraft --entity 'Airbus A340'
  orbweaver search crawls/aircraft wing --entity http://skylines.example/types/a340.html

  orbweaver lab labels train --stream crawls/aircraft -o crawls/aircraft/model
  orbweaver search crawls/aircraft wing --rank cosine`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return flags.Misused(c, "want a crawl folder, and words, --like, --label or --entity")
			}
			query.Words = strings.Join(args[1:], " ")
			switch {
			case query.Words == "" && query.Like == "" && query.Label == "" && query.Entity == "":
				return flags.Misused(c, "want words, --like, --label or --entity")
			case query.Words != "" && query.Like != "":
				return flags.Misused(c, "words and --like exclude each other")
			case format != "text" && format != "json":
				return flags.Misused(c, "--format is text or json, not %q", format)
			case !slices.Contains(crawl.Ranks(), query.Rank):
				return flags.Misused(c, "--rank is %s, not %q", strings.Join(crawl.Ranks(), " or "), query.Rank)
			case query.Top < 0:
				return flags.Misused(c, "--limit must not be negative")
			}
			return search(c.Context(), a, args[0], query, format == "json")
		},
	}
	f := c.Flags()
	f.StringVar(&query.Like, "like", "", "find pages similar to this `URL` of the crawl, or to a file")
	f.StringVar(&query.Label, "label", "", "only pages with this `label`")
	f.StringVar(&query.Entity, "entity", "", "only pages about this entity: its `IRI` or name")
	f.IntVar(&query.Top, "limit", query.Top, "number of results; 0: all, at most 10 000")
	flags.Formerly(c, "top", "limit")
	f.StringVar(&query.Rank, "rank", query.Rank, strings.Join(crawl.Ranks(), " or "))
	f.StringVar(&format, "format", format, "text or json")
	return c
}

// search prints the pages that were found.
func search(ctx context.Context, a *job.Job, dir string, query crawl.SearchQuery, asJSON bool) error {
	folder, err := crawl.Open(dir, crawl.On(a))
	if err != nil {
		return err
	}
	found, err := folder.Search(ctx, query)
	switch {
	case err != nil && ctx.Err() != nil:
		return crawl.ErrInterrupted
	case err != nil:
		return err
	case asJSON:
		err = console.WriteJSON(a.Out, found)
	default:
		view.Found(a.Out, found)
	}
	if err != nil || found.Unindexed == 0 {
		return err
	}
	if _, err = folder.Prepare(ctx); ctx.Err() != nil || errors.Is(err, orbweaver.ErrBusy) { // its answer stands; who runs the crawl indexes
		return nil
	}
	return err
}
