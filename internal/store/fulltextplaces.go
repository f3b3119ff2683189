package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services"
	"orbweaver/ledger"
	"orbweaver/page"
	"orbweaver/text"
)

// Outcomes whose pages are indexed at a time: between two steps of a crawl, and at rest, where larger parts make for less writing.
const (
	placesAtOnce = 64
	placesAtRest = 256
)

// A readPage reads the page of an outcome again; original is the outcome of the page whose bytes it repeats.
type readPage func(ctx context.Context, outcome, original orbweaver.Outcome) (*orbweaver.Page, error)

// placesOf returns what reads the pages of a crawl where they are archived, by the crawl or before it. The error wraps errElsewhere if they
// are not.
func placesOf(dir string) (read readPage, close func() error, err error) {
	file, err := crawlfile.Schema(nil).LoadRun(filepath.Join(dir, crawlfolder.RunFile))
	if err != nil {
		return nil, nil, errElsewhere
	}
	reader := page.NewReader(page.Options{MaxBody: max(file.Limits.Body, file.Limits.Dump), MaxDump: file.Limits.Dump, MaxLinks: 1})
	if file.Web != nil {
		web, err := archive.OpenWeb(file.Web.Archive, archive.WebOptions{MaxBody: max(file.Limits.Body, file.Limits.Dump)})
		if err != nil {
			return nil, nil, errElsewhere // who goes through the archive says what is wrong with it
		}
		answers := services.Answering(file.Documents, web)
		return func(ctx context.Context, o, _ orbweaver.Outcome) (*orbweaver.Page, error) {
			response, err := answers.Fetch(ctx, o.Request)
			if err != nil {
				return nil, err
			}
			payload, err := pipeline.Payload(response, 0, nil) // bounded by WebOptions.MaxBody
			if err != nil {
				return nil, err
			}
			return reader.Read(ctx, response, payload)
		}, web.Close, nil
	}
	if _, err := os.Stat(crawlfolder.Archive(dir)); err != nil {
		return nil, nil, errElsewhere // who goes through the archive says why there is none
	}
	return func(ctx context.Context, outcome, original orbweaver.Outcome) (*orbweaver.Page, error) {
		read, err := readPlace(ctx, dir, outcome, reader)
		if errors.Is(err, archive.ErrRevisit) {
			read, err = readPlace(ctx, dir, original, reader)
		}
		return read, err
	}, func() error { return nil }, nil
}

// indexAtPlaces indexes the pages of the outcomes after one number, up to another, each read where it is archived, so that what was indexed
// when it is cut short stays. The error wraps errElsewhere if there is no such place.
func indexAtPlaces(ctx context.Context, dir string, l *ledger.Ledger, own Owner, after, upTo int64) (err error) {
	readPage, done, err := placesOf(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	for after < upTo {
		var some []placed
		if err := own.run(ctx, func() (err error) {
			some, after, err = placedAfter(l, after, min(upTo, after+own.places()))
			return err
		}); err != nil {
			return err
		}
		var pages []ledger.PageText
		for _, p := range some {
			read, err := readPage(ctx, p.outcome, p.original)
			if ctx.Err() != nil {
				after = p.outcome.N - 1 // what was read before stays
				break
			}
			if err != nil {
				continue // readable when crawled; an export reports records damaged since
			}
			r := orbweaver.Request{URL: p.outcome.Request.URL, Query: p.outcome.Request.Query}
			pages = append(pages, ledger.PageText{Request: r, Title: read.Title, Text: read.Text, Article: text.Parts(read.Text, read.Article), Lang: read.Lang})
		}
		if err := own.run(ctx, func() error { return errors.Join(l.IndexPages(pages), l.Indexed(after)) }); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// A placed is the outcome of a page, and that of the page whose bytes it repeats.
type placed struct{ outcome, original orbweaver.Outcome }

// placedAfter returns the pages among the outcomes after one number, up to another, that are the latest of their requests, and the number of
// the last outcome.
func placedAfter(l *ledger.Ledger, after, upTo int64) (some []placed, last int64, err error) {
	last = after
	for o, err := range l.Outcomes(after) {
		if err != nil {
			return nil, last, err
		}
		if o.N > upTo {
			break
		}
		last = o.N
		if line := ledger.LineOf(o); !export.IsPage(line) || line.NoIndex {
			continue
		}
		if o.Request.Query == "" && o.Request.Accept == "" {
			if now, err := l.Outcome(o.Request.URL); err != nil || now.N != o.N {
				continue
			}
		}
		p := placed{outcome: o}
		if o.Duplicate.URL != "" && !o.Duplicate.Near {
			p.original, _ = l.Outcome(o.Duplicate.URL) // what is not found cannot be read
		}
		some = append(some, p)
	}
	return some, last, nil
}
