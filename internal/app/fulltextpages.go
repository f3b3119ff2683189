package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"orbweaver"
	"orbweaver/ledger"
	"orbweaver/page"
)

// eachText reads pages from a folder's archive, until yield has enough.
func (a *App) eachText(ctx context.Context, dir string, after, upTo int64, yield func(ledger.PageText) bool) (err error) {
	path := filepath.Join(dir, ledger.JournalFile)
	stat, err := os.Stat(path)
	if err != nil {
		return err
	}
	x := &export{App: a, dir: dir, opts: ExportOptions{Format: "full text"}, lines: journal{path, stat.Size()}}
	lines, err := x.lines.stand()
	if err != nil {
		return err
	}
	chosen, err := lines.pick(false, false)
	if err != nil {
		return err
	}
	stock, err := x.openStock()
	if errors.Is(err, orbweaver.ErrInput) {
		return fmt.Errorf("text of pages: %w", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stock.Close()) }()
	if err := chosen.find(ctx, stock); err != nil {
		return err
	}
	requests, err := requestsOf(lines, after, upTo)
	if err != nil {
		return err
	}
	found, _ := chosen.here()
	reader := page.NewReader(page.Options{MaxBody: x.body, MaxLinks: 1})
	for _, k := range found {
		r, wanted := requests[k.n]
		if err := ctx.Err(); err != nil {
			return err
		}
		if !wanted {
			continue
		}
		p, err := x.read(ctx, stock, reader, k)
		if err != nil {
			continue // it was read when it was crawled; what became of its record since is an export's to tell
		}
		if !yield(ledger.PageText{Request: r, Title: p.Title, Text: p.Text, Lang: p.Lang}) {
			return nil
		}
	}
	return nil
}

// requestsOf are the requests of pages, by the numbers of their lines.
func requestsOf(lines *standing, after, upTo int64) (map[int64]orbweaver.Request, error) {
	requests := map[int64]orbweaver.Request{}
	for line, err := range lines.lines(false) {
		if err != nil {
			return nil, err
		}
		if line.N > after && line.N <= upTo && isPage(line.Line) {
			requests[line.N] = orbweaver.Request{URL: line.URL, Query: line.Query}
		}
	}
	return requests, nil
}
