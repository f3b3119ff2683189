package recommend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/findings"
	"orbweaver/internal/job"
	"orbweaver/internal/services/catalogs"
	"orbweaver/kb/catalog"
	"orbweaver/kb/linkage"
)

// A linking recommends what a dataset could link to, by catalogues.
type linking struct {
	of      string
	measure bool
}

func (l linking) used() bool { return l.of != "" || l.measure }

func (l linking) run(ctx context.Context, a *job.Job, names []string, o findings.Options) error {
	for _, name := range names {
		if isFolder(name) {
			return fmt.Errorf("%s is a folder: --measure takes catalogues, and --for catalogues or one folder of a metadata crawl (%w)", name, orbweaver.ErrInput)
		}
	}
	c := catalogues(a)
	all, err := c.Gather(ctx, catalogs.Sources{Names: names})
	if err != nil {
		return err
	}
	if l.measure {
		return measured(a, all, o.Format)
	}
	d, err := l.dataset(ctx, c, all)
	if err != nil {
		return err
	}
	ranked := linkage.New(all).Rank(d, nil, o.Top)
	if o.Format == findings.JSON {
		return console.WriteJSON(a.Out, ranked)
	}
	console.Say(a.Out, "What %s could link to, by the links of %d datasets", console.Visible(d.Name, 60), len(all))
	for i, one := range ranked {
		name := console.Visible(one.Name, 60)
		if one.Title != "" {
			name += "  " + console.Visible(one.Title, 80)
		}
		console.Say(a.Out, "%3d  %.3f  %s", i+1, one.Score, name)
		console.Say(a.Out, "            %d link to it%s%s", one.Linked, listed("; of those like this one ", one.Like), listed("; keywords in common: ", one.Shared))
	}
	return nil
}

func catalogues(a *job.Job) *catalogs.Catalogs {
	return &catalogs.Catalogs{Out: a.Out, Err: a.Err, In: a.In, Terminal: a.Terminal, Client: a.Wire.Options}
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// ofCrawl reports whether the dataset is to be found links for by a crawl.
func (l linking) ofCrawl(names []string) bool {
	return l.of != "" && !l.measure && len(names) == 1 && isFolder(names[0])
}

// known returns the dataset by the catalogues of a metadata crawl, or by a file.
func (l linking) known(ctx context.Context, a *job.Job, dir string) (d catalog.Dataset, err error) {
	if err := crawlfolder.CheckCrawl(dir); err != nil {
		return d, err
	}
	if _, err := findings.Read(dir); err != nil {
		return d, err
	}
	all, err := findings.Catalogue(dir)
	if err != nil {
		return d, err
	}
	return l.dataset(ctx, catalogues(a), all)
}

// listed returns a list behind words; nothing if it is empty.
func listed(words string, all []string) string {
	if len(all) == 0 {
		return ""
	}
	return words + console.Visible(strings.Join(all, ", "), 200)
}

// dataset returns the dataset of a name, or the one that a file describes.
func (l linking) dataset(ctx context.Context, c *catalogs.Catalogs, all []catalog.Dataset) (d catalog.Dataset, err error) {
	named := func(d catalog.Dataset) bool { return d.Name == l.of || slices.Contains(d.Aliases, l.of) }
	if i := slices.IndexFunc(all, named); i >= 0 {
		return all[i], nil
	}
	if isFolder(l.of) {
		return d, fmt.Errorf("--for %s: a folder, not a file that describes a dataset (%w)", l.of, orbweaver.ErrInput)
	}
	if _, err := os.Stat(l.of); err != nil {
		return d, fmt.Errorf("--for %s: neither a dataset of the catalogue nor a file (%w)", l.of, orbweaver.ErrInput)
	}
	own, err := c.Gather(ctx, catalogs.Sources{Names: []string{l.of}})
	switch {
	case err != nil:
		return d, err
	case len(own) != 1:
		return d, fmt.Errorf("--for %s: it describes %d datasets, not one (%w)", l.of, len(own), orbweaver.ErrInput)
	}
	return own[0], nil
}

// measured tells how well rankings find hidden links.
func measured(a *job.Job, all []catalog.Dataset, format string) error {
	m, err := linkage.Measure(all)
	if errors.Is(err, linkage.ErrUnmeasured) {
		return fmt.Errorf("--measure: %w (%w)", err, orbweaver.ErrInput)
	}
	if err != nil {
		return err
	}
	if format == findings.JSON {
		return console.WriteJSON(a.Out, m)
	}
	console.Say(a.Out, "Links hidden of %d of %d datasets, one dataset after the other", m.Measured, m.Datasets)
	console.Say(a.Out, "            all hidden             every second hidden")
	console.Say(a.Out, "ranking     MRR    recall at 10    MRR    recall at 10")
	for _, row := range m.Rows {
		console.Say(a.Out, "%-10s  %.3f  %.3f           %.3f  %.3f", row.Ranking, row.All.MRR, row.All.Recall, row.Half.MRR, row.Half.Recall)
	}
	return nil
}
