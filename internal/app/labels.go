package app

import (
	"context"
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// WhyLabels prints why a document has its labels by the model of a folder: a page of the crawl, by its URL, or a
// file, "-" being In. The error wraps ErrInput.
func (a *App) WhyLabels(ctx context.Context, dir, name, wordNet string, asJSON bool) error {
	m, _, err := labelmodel.Open(dir, wordNet)
	if err != nil {
		return err
	}
	t, err := a.textOf(ctx, dir, name)
	if err != nil {
		return err
	}
	return labelmodel.Why(&a.Console, m, t, asJSON)
}

// textOf is the text of a page of a crawl, or of a file.
func (a *App) textOf(ctx context.Context, dir, name string) (labelmodel.Text, error) {
	if !strings.Contains(name, "://") {
		return labelmodel.ReadText(ctx, &a.Console, name)
	}
	if err := crawlfolder.CheckCrawl(dir); err != nil {
		return labelmodel.Text{}, err
	}
	url, err := weburl.Canonical(name)
	if err != nil {
		return labelmodel.Text{}, fmt.Errorf("%s: %w (%w)", name, err, orbweaver.ErrInput)
	}
	var found *labelmodel.Text
	lines, err := export.Committed(&a.Console, dir)
	if err != nil {
		return labelmodel.Text{}, err
	}
	err = a.eachText(ctx, dir, lines, func(l ledger.Line) bool { return l.URL == url }, func(p ledger.PageText) bool {
		found = &labelmodel.Text{ID: url, Title: p.Title, Lang: p.Lang, Text: p.Text}
		return false
	})
	switch {
	case ctx.Err() != nil:
		return labelmodel.Text{}, console.ErrInterrupted
	case err != nil:
		return labelmodel.Text{}, err
	case found == nil:
		return labelmodel.Text{}, fmt.Errorf("%s is no page of the crawl in %s (%w)", url, console.Relative(dir), orbweaver.ErrInput)
	}
	return *found, nil
}
