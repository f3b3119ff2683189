package crossref

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/offline/export"
	"orbweaver/ledger"
)

// A Source is another source of the information of an item, as a cross-reference crawl found it.
type Source struct {
	URL    string             `json:"url"`
	Score  float64            `json:"score"` // relevance to the item and what is like it
	Layer  string             `json:"layer,omitempty"`
	Shared []orbweaver.Reason `json:"shared,omitempty"` // terms and labels in common
	Same   []string           `json:"same,omitempty"`   // pages that say the same: of the same bytes, or nearly the same text, or that lead to it
}

// Sources returns the sources found by the cross-reference crawl of a folder, running or not: best first, with duplicates in
// one entry. The error for another kind of folder wraps orbweaver.ErrInput.
func Sources(con *console.Console, schema crawlfile.Schema, dir string) ([]Source, error) {
	if err := crawlfolder.CheckCrawl(dir); err != nil {
		return nil, err
	}
	file, err := schema.LoadRun(filepath.Join(dir, crawlfolder.RunFile))
	if err != nil {
		return nil, err
	}
	if _, is := file.Focus.Section().(*section); !is {
		return nil, fmt.Errorf("%s: its focus is %s, and not crossref (%w)", console.Relative(dir), file.Focus.Key(), orbweaver.ErrInput)
	}
	journal, err := export.Committed(con, dir)
	if err != nil {
		return nil, err
	}
	return sourcesOf(journal.Path)
}

// Print prints sources for people.
func Print(out io.Writer, sources []Source) {
	for i, s := range sources {
		console.Say(out, "%3d. %.3f  %s", i+1, s.Score, console.OneLine(s.URL))
		for _, r := range s.Shared {
			console.Say(out, "           %s: %s", r.Rule, console.OneLine(r.Evidence))
		}
		for _, same := range s.Same {
			console.Say(out, "           says the same: %s", console.OneLine(same))
		}
	}
	if len(sources) == 0 {
		console.Say(out, "no source was found yet")
	}
}

// sourcesOf reads accepted pages from a pages.jsonl; of a page fetched twice the last line counts.
func sourcesOf(path string) ([]Source, error) {
	found, first := map[string]*Source{}, map[string]string{} // by URL; the page that another repeats
	for line, err := range ledger.Committed(path) {
		if err != nil {
			return nil, err
		}
		delete(found, line.URL)
		delete(first, line.URL)
		if !line.Accepted || line.Query != "" {
			continue
		}
		s := &Source{URL: line.URL, Score: line.Score, Layer: line.Class}
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

// maxRepeats bounds chains of duplicates.
const maxRepeats = 10

// grouped groups duplicates and redirects with their original.
func grouped(found map[string]*Source, first map[string]string) []Source {
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
	all := []Source{}
	for url, s := range found {
		if original(url) != url {
			continue
		}
		s.Same = same[url]
		slices.Sort(s.Same)
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b Source) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.URL, b.URL))
	})
	return all
}
