package crossref

import (
	"cmp"
	"context"
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
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/internal/order"
	"orbweaver/kb/stream"
	"orbweaver/ledger"
	"orbweaver/weburl"
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
// one entry. now, unless nil, has the judgements by which pages are sources now: others are judged as they were when
// fetched. The error for another kind of folder wraps orbweaver.ErrInput.
func Sources(con *console.Console, schema crawlfile.Schema, dir string, now map[string]orbweaver.Judgement) ([]Source, error) {
	if err := Is(schema, dir); err != nil {
		return nil, err
	}
	journal, err := export.Committed(con, dir)
	if err != nil {
		return nil, err
	}
	return sourcesOf(journal.Path, now)
}

// Is reports a folder that has no cross-reference crawl. The error wraps orbweaver.ErrInput.
func Is(schema crawlfile.Schema, dir string) error {
	if err := crawlfolder.CheckCrawl(dir); err != nil {
		return err
	}
	file, err := schema.LoadRun(filepath.Join(dir, crawlfolder.RunFile))
	if err != nil {
		return err
	}
	if _, is := file.Focus.Section().(*section); !is {
		return fmt.Errorf("%s: its focus is %s, and not crossref (%w)", console.Relative(dir), file.Focus.Key(), orbweaver.ErrInput)
	}
	return nil
}

// shownConcepts is the number of broad concepts that a report names.
const shownConcepts = 8

// broad names the most frequent of the narrowest concepts of a model with their shares of pages; empty if it has none.
func broad(m *stream.Model) string {
	leaves := slices.DeleteFunc(m.Concepts(), func(c stream.Concept) bool { return !c.Leaf })
	order.Stably(leaves, func(a, b stream.Concept) int { return cmp.Compare(b.Items, a.Items) })
	var names []string
	for _, c := range leaves[:min(len(leaves), shownConcepts)] {
		names = append(names, fmt.Sprintf("%s %.0f %%", m.ShowAll(c.Name), 100*c.Share))
	}
	return console.Visible(strings.Join(names, "; "), 800)
}

// PrintDrift prints the broad concepts and the latest alarms of the model in a crawl folder, if there is one.
func PrintDrift(out io.Writer, dir string) error {
	m, _, err := labelmodel.Open(dir, "")
	if err != nil {
		return nil // the crawl's first session is not over
	}
	if names := broad(m); names != "" {
		console.Say(out, "broad concepts of its pages: %s", names)
	}
	for _, a := range m.Alarms() {
		console.Say(out, "drift, item %d: %s", a.Item, console.Visible(m.ShowAlarm(a), 500))
	}
	return nil
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

// Like returns the text of an item by which pages may be compared: an HTML file, a page of the crawl by its URL, or, with
// in, an entity of an RDF file or of another crawl. Errors wrap orbweaver.ErrInput.
func Like(ctx context.Context, name, in string) (t labelmodel.Text, err error) {
	s := source{name: name, in: in}
	if in == "" && isURL(name) {
		url, err := weburl.Canonical(name)
		if err != nil {
			return t, fmt.Errorf("%s: %w (%w)", name, err, orbweaver.ErrInput)
		}
		return labelmodel.Text{ID: url}, nil
	}
	if err := s.load(ctx); err != nil {
		return t, err
	}
	item, err := readItem(s.url, s.payload)
	if err != nil {
		return t, err
	}
	return labelmodel.Text{ID: item.URL, Title: item.Title, Lang: item.Lang, Text: item.Text}, nil
}

// sourcesOf reads accepted pages from a pages.jsonl; of a page fetched twice the last line counts.
func sourcesOf(path string, now map[string]orbweaver.Judgement) ([]Source, error) {
	found, first := map[string]*Source{}, map[string]string{} // by URL; the page that another repeats
	for line, err := range ledger.Committed(path) {
		if err != nil {
			return nil, err
		}
		delete(found, line.URL)
		delete(first, line.URL)
		line = asNow(line, now)
		if !line.Accepted || line.Query != "" {
			continue
		}
		s := &Source{URL: line.URL, Score: line.Score, Layer: line.Class}
		if line.Redirect != "" {
			first[line.URL] = line.Redirect
		}
		for _, r := range line.Reasons {
			if repeats(r) {
				first[line.URL] = r.Evidence
			} else {
				s.Shared = append(s.Shared, r)
			}
		}
		found[line.URL] = s
	}
	for url, other := range first {
		if now != nil && found[other] == nil { // what it repeats is no source any more
			delete(found, url)
		}
	}
	return grouped(found, first), nil
}

// asNow returns the line of a page with its judgement of now, if there is one.
func asNow(line ledger.Line, now map[string]orbweaver.Judgement) ledger.Line {
	j, known := now[line.URL]
	if !known || line.NoIndex || line.Redirect != "" || slices.ContainsFunc(line.Reasons, repeats) {
		return line
	}
	line.Score, line.Accepted, line.Reasons = j.Score, j.Accepted, j.Reasons
	if j.Class != "" || line.Class == "L0" {
		line.Class = j.Class
	}
	return line
}

// repeats reports the reason of a page that repeats another.
func repeats(r orbweaver.Reason) bool {
	return r.Rule == engine.RuleDuplicate || r.Rule == engine.RuleNearDuplicate
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
	order.By(all, func(a, b Source) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.URL, b.URL))
	})
	return all
}
