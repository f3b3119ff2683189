package findings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/kb/catalog"
	"orbweaver/kb/linkage"
	"orbweaver/kb/terms"
)

// AskedFile has the terms and datasets of a metadata crawl, resolved when it began, because a catalogue on the Web may change
// before the next session; and the entries of its catalogues that were not asked, if datasets of them link to others.
const AskedFile = "asked.json"

// Catalogue reads the entries of the catalogues that the crawl of a folder was given. The error wraps orbweaver.ErrDamaged.
func Catalogue(folder string) ([]catalog.Dataset, error) {
	path := filepath.Join(folder, AskedFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var asked struct {
		Datasets []struct {
			Name, Title string
			Known       catalog.Dataset
		}
		Unasked []catalog.Dataset
	}
	if err == nil {
		err = json.Unmarshal(text, &asked)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w (%w)", path, err, orbweaver.ErrDamaged)
	}
	all := make([]catalog.Dataset, 0, len(asked.Datasets)+len(asked.Unasked))
	for _, d := range asked.Datasets {
		if d.Known.Name == "" { // of a crawl that was begun by an earlier version
			d.Known.Name, d.Known.Title = d.Name, d.Title
		}
		all = append(all, d.Known)
	}
	return append(all, asked.Unasked...), nil
}

// Linked returns the entries of catalogues without those asked, by name, for AskedFile: what a ranking by links needs of each. Nil: no
// dataset links to another, or they are too many to be ranked.
func Linked(all []catalog.Dataset, asked func(name string) bool) (rest []catalog.Dataset) {
	if !linkage.Usable(all) {
		return nil
	}
	for _, d := range all {
		if !asked(d.Name) {
			rest = append(rest, catalog.Dataset{
				Name: d.Name, Title: d.Title, Aliases: d.Aliases, Homepage: d.Homepage, Spaces: d.Spaces, Keywords: d.Keywords,
				Domain: d.Domain, Links: d.Links, Sources: d.Sources,
			})
		}
	}
	return rest
}

// mostTargets bounds the datasets that are ranked by links.
const mostTargets = 1000

// Ranked recommends vocabularies and datasets: datasets by links, if the crawl had a catalogue that says which link to which, else by
// instances. own is the dataset to find links for, as far as it is described. See terms.Recommend for use, and linkage.Model for the ranking.
func (f Findings) Ranked(use terms.Use, own catalog.Dataset) terms.Recommendation {
	r := terms.Recommend(f.Terms, f.Datasets, use)
	if !linkage.Usable(f.Catalogue) {
		return r
	}
	answered, covers := map[string]terms.Ranked{}, map[string]float64{}
	for _, d := range r.Datasets {
		answered[d.Name], covers[d.Name] = d, d.Covers
	}
	ranked := linkage.New(f.Catalogue).Rank(own, covers, mostTargets)
	r.ByInstances, r.Datasets, r.DatasetsBy = r.Datasets, make([]terms.Ranked, 0, len(ranked)), terms.ByLinks
	for _, t := range ranked {
		d, known := answered[t.Name]
		if !known && t.Linked == 0 {
			continue
		}
		if !known {
			d = terms.Ranked{Name: t.Name, Title: t.Title, Classes: []string{}, Datasets: 1}
		}
		d.Score, d.Reasons = t.Score, append(byLinks(t), d.Reasons...)
		r.Datasets = append(r.Datasets, d)
	}
	return r
}

// byLinks are the reasons for a target.
func byLinks(t linkage.Target) (reasons []string) {
	reasons = []string{fmt.Sprintf("datasets of the catalogue that link to it: %d", t.Linked)}
	if len(t.Like) > 0 {
		reasons = append(reasons, "of them nearest to the terms: "+strings.Join(t.Like, ", "))
	}
	if len(t.Shared) > 0 {
		reasons = append(reasons, "keywords in common: "+strings.Join(t.Shared, ", "))
	}
	return reasons
}
