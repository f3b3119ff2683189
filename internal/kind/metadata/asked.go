package metadata

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	focus "orbweaver/focus/metadata"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/findings"
	"orbweaver/internal/kind"
	"orbweaver/kb/catalog"
)

// A settlement is the resolved input of a metadata crawl, which findings.AskedFile keeps.
type settlement struct {
	Terms    []string          `json:"terms"`
	Datasets []focus.Dataset   `json:"datasets"`
	Unasked  []catalog.Dataset `json:"unasked,omitempty"` // entries of catalogues that are not asked: their links count in the ranking of datasets
}

// settle resolves terms and datasets.
func (c *instance) settle(ctx context.Context, m *section) (asked settlement, err error) {
	known, err := c.knownDatasets(ctx, m)
	if err != nil {
		return asked, err
	}
	if asked.Datasets, err = c.reachable(ctx, m, known); err != nil {
		return asked, err
	}
	asked.Unasked = findings.Linked(known, asked.has)
	given, err := termsOf(ctx, m)
	if err != nil {
		return asked, err
	}
	asked.Terms, err = c.spelledOut(ctx, given, asked.Datasets)
	return asked, err
}

// has reports whether a dataset is asked.
func (s settlement) has(name string) bool {
	return slices.ContainsFunc(s.Datasets, func(d focus.Dataset) bool { return d.Name == name })
}

// local reports whether a dataset is on this machine.
func (s settlement) local() bool {
	return slices.ContainsFunc(s.Datasets, func(d focus.Dataset) bool { return isDataset(d.Endpoint) })
}

// readSettled reads the settlement of a crawl folder; false: there is none.
func readSettled(folder string) (asked settlement, settled bool, err error) {
	path := filepath.Join(folder, findings.AskedFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return asked, false, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &asked)
	}
	if err != nil {
		return asked, false, fmt.Errorf("%s: %w (%w)", path, err, orbweaver.ErrDamaged)
	}
	return asked, true, nil
}

// write saves the settlement.
func (s settlement) write(folder string) error {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(folder, findings.AskedFile), append(b, '\n'), 0o666)
}

// newFocus builds the focus.
func newFocus(m section, asked settlement) (*focus.Focus, error) {
	built, err := focus.New(focus.Options{
		Terms: asked.Terms, Datasets: asked.Datasets, Breaker: m.Breaker, Processors: processorsOf(m), Judged: m.Expand == "judged",
		Order: orderOf(m.Order), Single: m.Batch == "term",
		Limits: focus.Limits{Levels: m.Limits.Levels, Terms: m.Limits.Terms, PerTerm: m.Limits.PerTerm, PerDataset: m.Limits.PerDataset},
	})
	if err != nil {
		return nil, kind.Below("focus.metadata.", err)
	}
	return built, nil
}

// orderOf returns the order of a name used in crawl files.
func orderOf(name string) focus.Order {
	if name == "prepended" {
		return focus.Prepended
	}
	return focus.Sorted
}

// processorsOf are the processors that a crawl file names.
func processorsOf(m section) (all []focus.Processor) {
	relations := relationsOf(m)
	names := m.Processors
	if len(names) == 0 {
		names = []string{"dereference", "property", "instances"}
	}
	for _, name := range names {
		switch name {
		case "dereference":
			all = append(all, focus.Dereference(relations...))
		case "property":
			all = append(all, focus.Property(relations...))
		case "instances":
			all = append(all, focus.Instances())
		case "matches":
			all = append(all, focus.Matches())
		}
	}
	return all
}

// relationsOf are the properties that a crawl file names, or those of its expansion.
func relationsOf(m section) (all []focus.Relation) {
	switch {
	case len(m.Properties) == 0 && m.Expand == "judged":
		return focus.JudgedRelations()
	case len(m.Properties) == 0:
		return focus.PaperRelations()
	}
	for _, name := range m.Properties {
		iri := strings.TrimLeft(name, "^~")
		all = append(all, focus.Relation{
			Property: iri, Forward: !strings.HasPrefix(name, "^"), Inverse: iri != name,
		})
	}
	return all
}
