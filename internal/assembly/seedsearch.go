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

// SearchSeeds asks a search engine for seeds, if the crawl file names one and the crawl has not begun: then
// they wait in the ledger. What was found before the engine failed is taken. An engine that finds nothing,
// where there are no other seeds, is an error.
func SearchSeeds(ctx context.Context, a *job.Job, c *Crawl, begun bool) error {
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
		console.Say(a.Err, "warning: seeds: %v", err)
	}
	console.Say(a.Err, "search: %d seeds", len(c.File.Seeds.URLs)-before)
	return nil
}

// Begun reports whether a crawl has made a request, or has one waiting.
func (c *Crawl) Begun() (bool, error) {
	if c.Ledger.Progress().Requests > 0 {
		return true, nil
	}
	for _, err := range c.Ledger.AllWaiting() {
		return true, err
	}
	return false, nil
}

// firstResults returns the first results of a search. Those before an error are returned with it.
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
