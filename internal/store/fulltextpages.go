package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/ledger"
	"orbweaver/page"
	"orbweaver/text"
	"orbweaver/weburl"
)

// journalNow returns the committed lines of a folder's pages.jsonl.
func journalNow(dir string) (export.Journal, error) {
	path := filepath.Join(dir, ledger.JournalFile)
	stat, err := os.Stat(path)
	if err != nil {
		return export.Journal{}, err
	}
	return export.Journal{Path: path, Length: stat.Size()}, nil
}

// EachText reads the text of the pages of a crawl, in the order of its archive, until yield returns false. Pages that the
// archive does not hold are left out; the error of a crawl without an archive wraps orbweaver.ErrInput.
func EachText(ctx context.Context, con *console.Console, dir string, yield func(labelmodel.Text) bool) error {
	lines, err := export.Committed(con, dir)
	if err != nil {
		return err
	}
	all := func(ledger.Line) bool { return true }
	return eachText(ctx, &job.Job{Console: *con}, dir, lines, all, func(p ledger.PageText) bool {
		return yield(labelmodel.Text{ID: p.Request.URL, Title: p.Title, Lang: p.Lang, Text: p.Text})
	})
}

// eachText reads the pages of a folder's archive whose lines are wanted, in archive order, until yield
// returns false.
func eachText(ctx context.Context, a *job.Job, dir string, journal export.Journal, wanted func(ledger.Line) bool, yield func(ledger.PageText) bool) (err error) {
	x := &export.Run{Console: &a.Console, Dir: dir, Opts: export.Options{Format: "full text"}, Lines: journal}
	lines, err := x.Lines.Stand()
	if err != nil {
		return err
	}
	chosen, err := lines.Pick(false, false)
	if err != nil {
		return err
	}
	stock, err := x.OpenStock()
	if errors.Is(err, orbweaver.ErrInput) {
		return fmt.Errorf("text of pages: %w", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stock.Close()) }()
	if err := chosen.Find(ctx, stock); err != nil {
		return err
	}
	requests, err := requestsOf(lines, wanted)
	if err != nil {
		return err
	}
	found, _ := chosen.Here()
	reader := page.NewReader(page.Options{MaxBody: x.Body, MaxDump: x.Dump, MaxLinks: 1})
	for _, k := range found {
		r, known := requests[k.N]
		if err := ctx.Err(); err != nil {
			return err
		}
		if !known {
			continue
		}
		p, err := x.Read(ctx, stock, reader, k)
		if errors.Is(err, archive.ErrElsewhere) && x.PassOver(err) {
			continue
		}
		if err != nil {
			continue // readable when crawled; an export reports records damaged since
		}
		if !yield(ledger.PageText{Request: r, Title: p.Title, Text: p.Text, Article: text.Parts(p.Text, p.Article), Lang: p.Lang}) {
			return nil
		}
	}
	return nil
}

// requestsOf returns the requests of the wanted pages, by line number.
func requestsOf(lines *export.Standing, wanted func(ledger.Line) bool) (map[int64]orbweaver.Request, error) {
	requests := map[int64]orbweaver.Request{}
	for line, err := range lines.Lines(false) {
		if err != nil {
			return nil, err
		}
		if export.IsPage(line.Line) && wanted(line.Line) {
			requests[line.N] = orbweaver.Request{URL: line.URL, Query: line.Query}
		}
	}
	return requests, nil
}

// TextOf returns the text of a page of a crawl, or of a file.
func TextOf(ctx context.Context, a *job.Job, dir, name string) (labelmodel.Text, error) {
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
	err = eachText(ctx, a, dir, lines, func(l ledger.Line) bool { return l.URL == url }, func(p ledger.PageText) bool {
		found = &labelmodel.Text{ID: url, Title: p.Title, Lang: p.Lang, Text: p.Text}
		return false
	})
	switch {
	case ctx.Err() != nil:
		return labelmodel.Text{}, console.ErrInterrupted
	case err != nil:
		return labelmodel.Text{}, err
	case found == nil:
		return labelmodel.Text{}, fmt.Errorf("%s is not a page of the crawl in %s (%w)", url, console.Relative(dir), orbweaver.ErrInput)
	}
	return *found, nil
}
