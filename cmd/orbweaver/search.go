package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/internal/view"
)

func newSearch(a *job.Job) *cobra.Command {
	query, format := crawl.SearchQuery{Top: 20, Rank: "bm25"}, "text"
	c := &cobra.Command{
		Use:   "search DIR [WORDS...]",
		Short: "Search what was crawled, by words, by likeness or by label",
		Long: `Finds pages that a crawl has, the best first, with the part of each where most of the words stand. Nothing
is fetched. A crawl that runs is asked, also for its latest pages.

  word         wanted, in any form             +word -word  must be there, must not
  "a phrase"   words that follow each other    title:word   in the title
  word*        words that begin so

Words are ranked by BM25 over title and text, or with --rank cosine by the cosine of tf·idf. --like finds
pages that are like one of the crawl, by its URL, or like a file. Where the crawl's folder has a model of
labels (orbweaver labels), pages are shown with their labels, and --label L finds pages that have it. --entity E
finds pages that state something with a thing, by its IRI or name, link to it, or are judged by it, the most often
first. Of the best 200 by words a page is worth up to half more if it has a label, or states something with a
thing, which the words name.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver search crawls/aircraft airliner engines
  orbweaver search crawls/aircraft '"wide body" -helicopter' --top 5
  orbweaver search crawls/aircraft --like http://skylines.example/types/a320.html --top 3 --format json

  orbweaver search crawls/aircraft --entity 'Airbus A340'
  orbweaver search crawls/aircraft wing --entity http://skylines.example/types/a340.html

  orbweaver labels train --stream crawls/aircraft -o crawls/aircraft/model
  orbweaver search crawls/aircraft wing --rank cosine`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misused(c, "want a crawl's folder, and words, --like, --label or --entity")
			}
			query.Words = strings.Join(args[1:], " ")
			switch {
			case query.Words == "" && query.Like == "" && query.Label == "" && query.Entity == "":
				return misused(c, "want words, --like, --label or --entity")
			case query.Words != "" && query.Like != "":
				return misused(c, "words and --like exclude each other")
			case format != "text" && format != "json":
				return misused(c, "--format is text or json, not %q", format)
			case !slices.Contains(crawl.Ranks(), query.Rank):
				return misused(c, "--rank is %s, not %q", strings.Join(crawl.Ranks(), " or "), query.Rank)
			case query.Top < 0:
				return misused(c, "--top is not negative")
			}
			return search(c.Context(), a, args[0], query, format == "json")
		},
	}
	f := c.Flags()
	f.StringVar(&query.Like, "like", "", "the `URL` of a page of the crawl, or a file, that pages should be like")
	f.StringVar(&query.Label, "label", "", "the `label` that pages must have")
	f.StringVar(&query.Entity, "entity", "", "the `IRI` or name of a thing that pages must have")
	f.IntVar(&query.Top, "top", query.Top, "how many are shown; 0: all, 10 000 at most")
	f.StringVar(&query.Rank, "rank", query.Rank, strings.Join(crawl.Ranks(), " or "))
	f.StringVar(&format, "format", format, "text or json")
	return c
}

// search prints the pages that were found.
func search(ctx context.Context, a *job.Job, dir string, query crawl.SearchQuery, asJSON bool) error {
	folder, err := crawl.Open(dir, crawl.On(a))
	if err == nil && query.Like != "" && !strings.Contains(query.Like, "://") {
		var text labelmodel.Text
		text, err = labelmodel.ReadText(ctx, &a.Console, query.Like)
		query.Like, query.Text = "", &text
	}
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
		return console.WriteJSON(a.Out, found)
	}
	view.Found(a.Out, found)
	return nil
}
