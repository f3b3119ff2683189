package app

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/app/console"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/kb/krs"
	"orbweaver/weburl"
)

// drawSeeds are as many documents of the corpus as a focus wants, of those whose IDs are URLs of the Web;
// all, where there are no more. The same seed draws the same of the same documents.
func drawSeeds(store *krs.Store, f crawlfile.KRS) ([]string, error) {
	if f.Seeds == 0 {
		return nil, nil
	}
	var all []string
	for id, err := range store.IDs() {
		if err != nil {
			return nil, err
		}
		if url, err := weburl.Canonical(id); err == nil && strings.HasPrefix(url, "http") {
			all = append(all, url)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("focus.krs.seeds: no document of %s has a URL: it was learned from files (%w)", console.Relative(f.File), orbweaver.ErrInput)
	}
	slices.Sort(all)
	all = slices.Compact(all) // several IRIs may be one URL
	random := rand.New(rand.NewPCG(uint64(f.Seed), 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(len(all), f.Seeds)], nil
}

// seedOf tells where seeds come from, where they come from more than the crawl file; else nil. What a
// search engine named is among the crawl file's in the session in which it was asked, and not later.
func (c *crawl) seedOf() func(url string) string {
	var drawn []string
	if k, ok := c.focus.(*krsFocus); ok {
		drawn = k.seeds
	}
	if len(drawn) == 0 && c.file.Seeds.Search == nil {
		return nil
	}
	return func(url string) string {
		switch {
		case slices.Contains(drawn, url):
			return "the corpus"
		case slices.Contains(c.searched, url), c.file.Seeds.Search != nil && !slices.Contains(c.file.Seeds.URLs, url):
			return "the search engine"
		}
		return "the crawl file"
	}
}
