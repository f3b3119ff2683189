package app

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
	"orbweaver/focus/metadata"
	"orbweaver/internal/app/console"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/internal/app/datasets"
	"orbweaver/internal/app/endpoints"
	"orbweaver/internal/app/findings"
)

// askedFile is what a metadata crawl asks about and whom, settled when it began: a catalogue of the Web may
// say something else by the next session.
const askedFile = "asked.json"

// An settlement is what a metadata crawl was told, spelled out.
type settlement struct {
	Terms    []string           `json:"terms"`
	Datasets []metadata.Dataset `json:"datasets"`
}

// readyMetadata makes the focus of a metadata crawl, before its folder is opened. When it begins, catalogues are
// read, dumps loaded and words looked up: what is wrong with these leaves no folder behind.
func (a *App) readyMetadata(ctx context.Context, c *crawl) error {
	m := c.file.Focus.Metadata
	if m == nil {
		return nil
	}
	asked, settled, err := readSettled(c.file.Output)
	if err != nil {
		return err
	}
	if !settled {
		if asked, err = a.settle(ctx, c, m); err != nil {
			return err
		}
		c.settled = &asked
	} else if asked.local() {
		if c.datasets, err = datasets.Open(m.Store, datasets.Limits{}); err != nil {
			return err
		}
	}
	c.focus, err = newMetadata(*m, asked)
	return err
}

// keepSettled writes down whom a crawl that begins asks about what.
func (c *crawl) keepSettled() error {
	if c.settled == nil {
		return nil
	}
	return c.settled.write(c.file.Output)
}

// settle finds out whom to ask about what.
func (a *App) settle(ctx context.Context, c *crawl, m *crawlfile.Metadata) (asked settlement, err error) {
	known, err := a.knownDatasets(ctx, c, m)
	if err != nil {
		return asked, err
	}
	if asked.Datasets, err = a.reachable(ctx, c, m, known); err != nil {
		return asked, err
	}
	given, err := termsOf(ctx, m)
	if err != nil {
		return asked, err
	}
	asked.Terms, err = a.spelledOut(ctx, c, given, asked.Datasets)
	return asked, err
}

// local reports whether a dataset is on this machine.
func (s settlement) local() bool {
	return slices.ContainsFunc(s.Datasets, func(d metadata.Dataset) bool { return isDataset(d.Endpoint) })
}

// readAsking reads what was settled; false: nothing was.
func readSettled(folder string) (asked settlement, settled bool, err error) {
	path := filepath.Join(folder, askedFile)
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

// write keeps what was settled.
func (s settlement) write(folder string) error {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(folder, askedFile)
	if err = os.WriteFile(path+".tmp", append(b, '\n'), 0o644); err == nil {
		err = os.Rename(path+".tmp", path)
	}
	return err
}

// newMetadata makes the focus.
func newMetadata(m crawlfile.Metadata, asked settlement) (orbweaver.Focus, error) {
	focus, err := metadata.New(metadata.Options{
		Terms: asked.Terms, Datasets: asked.Datasets, Breaker: m.Breaker, Processors: processorsOf(m), Judged: m.Expand == "judged",
		Limits: metadata.Limits{Levels: m.Limits.Levels, Terms: m.Limits.Terms, PerTerm: m.Limits.PerTerm, PerDataset: m.Limits.PerDataset},
	})
	if err != nil {
		return nil, below("focus.metadata.", err)
	}
	return focus, nil
}

// processorsOf are the processors that a crawl file names.
func processorsOf(m crawlfile.Metadata) (all []metadata.Processor) {
	relations := relationsOf(m)
	names := m.Processors
	if len(names) == 0 {
		names = []string{"dereference", "property", "instances"}
	}
	for _, name := range names {
		switch name {
		case "dereference":
			all = append(all, metadata.Dereference(relations...))
		case "property":
			all = append(all, metadata.Property(relations...))
		case "instances":
			all = append(all, metadata.Instances())
		case "matches":
			all = append(all, metadata.Matches())
		}
	}
	return all
}

// relationsOf are the properties that a crawl file names, or those of its expansion.
func relationsOf(m crawlfile.Metadata) (all []metadata.Relation) {
	switch {
	case len(m.Properties) == 0 && m.Expand == "judged":
		return metadata.JudgedRelations()
	case len(m.Properties) == 0:
		return metadata.PaperRelations()
	}
	for _, name := range m.Properties {
		iri := strings.TrimLeft(name, "^~")
		all = append(all, metadata.Relation{
			Property: iri, Forward: !strings.HasPrefix(name, "^"), Inverse: iri != name,
		})
	}
	return all
}

// findings are what a metadata crawl found so far; nil: it is another crawl.
func (c *crawl) findings() *findings.Findings {
	f, ok := c.focus.(*metadata.Focus)
	if !ok {
		return nil
	}
	found := &findings.Findings{Terms: f.Terms(), Rejected: f.Rejected(), Datasets: f.Datasets()}
	if c.book != nil {
		health := map[string]endpoints.Health{}
		for _, h := range c.book.All() {
			health[h.Endpoint] = h
		}
		for i, d := range found.Datasets {
			address, _, _ := strings.Cut(d.Endpoint, "?")
			h, known := health[d.Endpoint]
			if !known {
				h = health[address]
			}
			found.Datasets[i].Millis = h.Mean
			if h.Dialect.Version != "" {
				found.Datasets[i].Dialect = h.Dialect.Version
			}
		}
	}
	return found
}

// concludeMetadata writes what a metadata crawl found, and says in short what that is.
func (a *App) concludeMetadata(c *crawl) error {
	if c.found == nil {
		return nil
	}
	if err := c.found.Write(c.file.Output); err != nil {
		return err
	}
	c.found.Summarize(a.Out, console.Relative(c.file.Output))
	return nil
}
