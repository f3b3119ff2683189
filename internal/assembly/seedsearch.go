package assembly

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"orbweaver"
	"orbweaver/fetch/searxng"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/job"
	"orbweaver/internal/services/wire"
)

// SearchSeeds appends the results of a search engine to the seeds, if the crawl file names an engine and the crawl has
// not begun. A crawl that has begun has them in its ledger. If the engine fails, SearchSeeds keeps the results before
// the failure and prints a warning. It returns an error if there are no seeds at all.
func SearchSeeds(ctx context.Context, j *job.Job, c *Crawl, begun bool) error {
	s := c.File.Seeds.Search
	if s == nil || begun {
		return nil
	}
	private := c.File.AllowPrivate
	private.Networks = append(wire.NamedNetworks(s.Engine+s.Template), private.Networks...)
	g := wire.NewGetter(c.Wire, private, c.File.Politeness.Contact)
	search := *s
	if search.Query == "" {
		search.Query = c.Focus.Query()
	}
	found, err := firstResults(ctx, search, g)
	if closed := g.Close(); ctx.Err() != nil {
		return fmt.Errorf("seeds: %w: %w", console.ErrInterrupted, closed)
	}
	before := len(c.File.Seeds.URLs)
	for _, url := range found {
		if !slices.Contains(c.File.Seeds.URLs, url) {
			c.File.Seeds.URLs = append(c.File.Seeds.URLs, url)
			c.searched = append(c.searched, url)
		}
	}
	switch n := len(c.File.Seeds.URLs); {
	case n == 0 && err != nil:
		return fmt.Errorf("seeds: %w", err)
	case n == 0:
		return fmt.Errorf("seeds: the search for %q found nothing (%w)", search.Query, orbweaver.ErrInput)
	case err != nil:
		console.Say(j.Err, "warning: seeds: %v", err)
	}
	console.Say(j.Err, "search: %d seeds", len(c.File.Seeds.URLs)-before)
	return nil
}

// Begun reports whether a crawl has made a request or has waiting requests.
func (c *Crawl) Begun() (bool, error) {
	if c.Ledger.Progress().Requests > 0 {
		return true, nil
	}
	for _, err := range c.Ledger.AllWaiting() {
		return true, err
	}
	return false, nil
}

// firstResults returns the first s.Results results of a search. On an error it also returns the results before it.
func firstResults(ctx context.Context, s crawlfile.Search, g searxng.Getter) (urls []string, err error) {
	var engine *searxng.Engine
	if s.Engine != "" {
		engine, err = searxng.Instance(s.Engine, g, searxng.Options{})
	} else {
		engine, err = searxng.Template(s.Template, s.Path, g, searxng.Options{})
	}
	if err != nil {
		return nil, errors.Join(err, orbweaver.ErrInput)
	}
	for r, err := range engine.Search(ctx, s.Query) {
		if err != nil {
			return urls, err
		}
		if urls = append(urls, r.URL); len(urls) == s.Results {
			break
		}
	}
	return urls, nil
}
