package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/internal/job"
	"orbweaver/internal/store"
)

func newSearch(a *job.Job) *cobra.Command {
	job, format := store.SearchJob{Top: 20, Rank: "bm25"}, "text"
	c := &cobra.Command{
		Use:   "search DIR [WORDS...]",
		Short: "Search crawled pages by words, similarity, label or entity",
		Long: `Finds pages of a crawl, best first, each with its best matching passage. Nothing is fetched. The crawl may
be running; its latest pages are included.

  word         wanted, in any form             +word -word  required, excluded
  "a phrase"   consecutive words               title:word   in the title
  word*        words with this prefix

Words are ranked by BM25 over title and text, or with --rank cosine by the cosine of tf·idf. --like finds
pages similar to a page of the crawl, by its URL, or to a file. If the crawl folder has a label model
(orbweaver labels), results show their labels, and --label L finds pages with a label. --entity E finds pages
that make a statement about an entity, given by IRI or name, link to it, or have it in their reasons, by
frequency. Among the best 200 results by words, a page scores up to half more if it has a label, or makes a
statement about an entity, that the query names.`,
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
				return misused(c, "want a crawl folder, and words, --like, --label or --entity")
			}
			job.Words = strings.Join(args[1:], " ")
			switch {
			case job.Words == "" && job.Like == "" && job.Label == "" && job.Entity == "":
				return misused(c, "want words, --like, --label or --entity")
			case job.Words != "" && job.Like != "":
				return misused(c, "words and --like exclude each other")
			case format != "text" && format != "json":
				return misused(c, "--format is text or json, not %q", format)
			case !slices.Contains(store.Ranks(), job.Rank):
				return misused(c, "--rank is %s, not %q", strings.Join(store.Ranks(), " or "), job.Rank)
			case job.Top < 0:
				return misused(c, "--top must not be negative")
			}
			return store.Search(c.Context(), a, args[0], job, format == "json")
		},
	}
	f := c.Flags()
	f.StringVar(&job.Like, "like", "", "find pages similar to this `URL` of the crawl, or to a file")
	f.StringVar(&job.Label, "label", "", "only pages with this `label`")
	f.StringVar(&job.Entity, "entity", "", "only pages about this entity: its `IRI` or name")
	f.IntVar(&job.Top, "top", job.Top, "number of results; 0: all, at most 10 000")
	f.StringVar(&job.Rank, "rank", job.Rank, strings.Join(store.Ranks(), " or "))
	f.StringVar(&format, "format", format, "text or json")
	return c
}
