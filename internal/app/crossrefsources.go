package app

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/app/console"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/internal/app/crawlfolder"
	"orbweaver/internal/app/export"
	"orbweaver/ledger"
)

// A CrossSource is another source of the information of an item, as a cross-reference crawl found it.
type CrossSource struct {
	URL    string             `json:"url"`
	Score  float64            `json:"score"` // relevance to the item and what is like it
	Layer  string             `json:"layer,omitempty"`
	Shared []orbweaver.Reason `json:"shared,omitempty"` // terms and labels in common
	Same   []string           `json:"same,omitempty"`   // pages that say the same: of the same bytes, or nearly the same text, or that lead to it
}

// CrossSources prints what a cross-reference crawl found, the best first, pages that say the same in one entry; the
// first n, 0 being all. The error for another folder wraps ErrInput.
func (a *App) CrossSources(dir string, n int, asJSON bool) error {
	if err := crawlfolder.CheckCrawl(dir); err != nil {
		return err
	}
	file, err := crawlfile.LoadRun(filepath.Join(dir, crawlfolder.RunFile))
	if err != nil {
		return err
	}
	if file.Focus.Crossref == nil {
		return fmt.Errorf("%s: its focus is %s, and not crossref (%w)", console.Relative(dir), file.Focus.Kind(), orbweaver.ErrInput)
	}
	journal, err := export.Committed(&a.Console, dir)
	if err != nil {
		return err
	}
	sources, err := sourcesOf(journal.Path)
	if err != nil {
		return err
	}
	if n > 0 {
		sources = sources[:min(n, len(sources))]
	}
	if asJSON {
		return console.WriteJSON(a.Out, sources)
	}
	for i, s := range sources {
		console.Say(a.Out, "%3d. %.3f  %s", i+1, s.Score, console.OneLine(s.URL))
		for _, r := range s.Shared {
			console.Say(a.Out, "           %s: %s", r.Rule, console.OneLine(r.Evidence))
		}
		for _, same := range s.Same {
			console.Say(a.Out, "           says the same: %s", console.OneLine(same))
		}
	}
	if len(sources) == 0 {
		console.Say(a.Out, "no source was found yet")
	}
	return nil
}

// sourcesOf reads accepted pages from a pages.jsonl; of a page that was fetched twice the latest counts.
func sourcesOf(path string) ([]CrossSource, error) {
	found, first := map[string]*CrossSource{}, map[string]string{} // by URL; the page that another repeats
	for line, err := range ledger.Committed(path) {
		if err != nil {
			return nil, err
		}
		delete(found, line.URL)
		delete(first, line.URL)
		if !line.Accepted || line.Query != "" {
			continue
		}
		s := &CrossSource{URL: line.URL, Score: line.Score, Layer: line.Class}
		if line.Redirect != "" {
			first[line.URL] = line.Redirect
		}
		for _, r := range line.Reasons {
			if r.Rule == engine.RuleDuplicate || r.Rule == engine.RuleNearDuplicate {
				first[line.URL] = r.Evidence
			} else {
				s.Shared = append(s.Shared, r)
			}
		}
		found[line.URL] = s
	}
	return grouped(found, first), nil
}

// maxRepeats is how many pages that repeat each other in turn are followed.
const maxRepeats = 10

// grouped puts pages that repeat another, or lead to it, with that.
func grouped(found map[string]*CrossSource, first map[string]string) []CrossSource {
	same := map[string][]string{}
	original := func(url string) string {
		for range maxRepeats {
			other := first[url]
			if found[other] == nil {
				break
			}
			url = other
		}
		return url
	}
	for url := range found {
		if other := original(url); other != url {
			same[other] = append(same[other], url)
		}
	}
	all := []CrossSource{}
	for url, s := range found {
		if original(url) != url {
			continue
		}
		s.Same = same[url]
		slices.Sort(s.Same)
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b CrossSource) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.URL, b.URL))
	})
	return all
}
