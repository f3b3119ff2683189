package krs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/kb/krs"
	"orbweaver/weburl"
)

// drawSeeds draws the requested number of corpus documents whose IDs are URLs, or all if there are fewer. The same seed draws
// the same documents.
func drawSeeds(store *krs.Store, f *section) ([]string, error) {
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
