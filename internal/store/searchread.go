package store

import (
	"context"
	"errors"
	"path/filepath"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/pipeline"
	"orbweaver/ledger"
	"orbweaver/page"
	"orbweaver/text"
)

// An outcomes finds the outcomes of URLs; those that are not known are left out.
type outcomes func(ctx context.Context, urls []string) (map[string]orbweaver.Outcome, error)

// OutcomesIn returns the outcomes of URLs in a ledger. It must be called by the goroutine that commits.
func OutcomesIn(l *ledger.Ledger, urls []string) (map[string]orbweaver.Outcome, error) {
	found := make(map[string]orbweaver.Outcome, len(urls))
	for _, url := range urls {
		o, err := l.Outcome(url)
		if errors.Is(err, orbweaver.ErrUnknown) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found[url] = o
	}
	return found, nil
}

// errElsewhere reports that texts are to be read by going through the archive.
var errElsewhere = errors.New("the texts are not at known places")

// atPlaces reads the texts of pages where the crawl's own archive has them, so that a search costs what its hits cost. The error wraps
// errElsewhere if a page has no such place: it repeats another, was answered by an endpoint, or the crawl reads an archive of others.
func atPlaces(ctx context.Context, dir string, urls []string, find outcomes, yield func(ledger.PageText)) error {
	file, err := crawlfile.Schema(nil).LoadRun(filepath.Join(dir, crawlfolder.RunFile))
	if err != nil || file.Web != nil {
		return errElsewhere
	}
	found, err := find(ctx, urls)
	if err != nil {
		return err
	}
	reader := page.NewReader(page.Options{MaxBody: file.Limits.Body, MaxDump: file.Limits.Dump, MaxLinks: 1})
	for _, url := range urls {
		o, known := found[url]
		if !known {
			return errElsewhere
		}
		p, err := readPlace(ctx, dir, o, reader)
		if errors.Is(err, archive.ErrRevisit) && o.Duplicate.URL != "" && !o.Duplicate.Near {
			p, err = readOriginal(ctx, dir, o.Duplicate.URL, find, reader)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err != nil {
			return errElsewhere
		}
		yield(ledger.PageText{Request: orbweaver.Request{URL: o.Request.URL, Query: o.Request.Query}, Title: p.Title, Text: p.Text, Article: text.Parts(p.Text, p.Article), Lang: p.Lang})
	}
	return nil
}

// readOriginal reads the page that others repeat byte for byte.
func readOriginal(ctx context.Context, dir, url string, find outcomes, reader *page.Reader) (*orbweaver.Page, error) {
	found, err := find(ctx, []string{url})
	if err != nil {
		return nil, err
	}
	return readPlace(ctx, dir, found[url], reader)
}

// readPlace reads the page of an outcome from the crawl's own archive.
func readPlace(ctx context.Context, dir string, o orbweaver.Outcome, reader *page.Reader) (*orbweaver.Page, error) {
	response, err := archive.ReadAt(crawlfolder.Archive(dir), o.Record)
	if err != nil {
		return nil, err
	}
	response.Request = o.Request
	return pipeline.Reread(ctx, reader, response, 0, o.Page != nil && o.Page.Rendered) // the crawl has bounded it
}
