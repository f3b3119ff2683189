package store

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

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

// A readPage reads the page of an outcome again; original is the outcome of the page whose bytes it repeats.
type readPage func(ctx context.Context, outcome, original orbweaver.Outcome) (*orbweaver.Page, error)

// placesOf returns what reads the pages of a crawl where they are archived, by the crawl or before it. The error wraps errElsewhere if they
// are not.
func placesOf(dir string) (read readPage, close func() error, err error) {
	file, err := crawlfile.Schema(nil).LoadRun(filepath.Join(dir, crawlfolder.RunFile))
	if err != nil {
		return nil, nil, errElsewhere
	}
	reader := page.NewReader(page.Options{MaxBody: file.Limits.Body, MaxDump: file.Limits.Dump, MaxLinks: 1})
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
			return pipeline.Reread(ctx, reader, response, 0, o.Page != nil && o.Page.Rendered) // bounded by WebOptions.MaxBody
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
func indexAtPlaces(ctx context.Context, dir string, l *ledger.Ledger, own Owner, after, upTo int64, told func(left int64)) (err error) {
	readPage, done, err := placesOf(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	pace := own.pace()
	next := func() (wait func() ([]ledger.PageText, int64), err error) {
		var some []placed
		err = own.run(ctx, func() (err error) {
			some, after, err = placedAfter(l, after, min(upTo, after+pace.places), pace.bytes)
			return err
		})
		return reading(ctx, readPage, some, after, pace.readers), err
	}
	wait, err := next()
	for err == nil {
		pages, last := wait()
		more := ctx.Err() == nil && after < upTo
		if more {
			wait, err = next() // they are read while those before are indexed
		}
		indexed := own.run(ctx, func() error {
			if err := l.IndexPages(pages); err != nil {
				return err
			}
			return l.Indexed(last)
		})
		err = cmp.Or(err, indexed, ctx.Err())
		if told != nil {
			told(upTo - last)
		}
		if !more {
			return err
		}
	}
	wait() // it may still read
	return err
}

// reading begins to read the pages of outcomes, so many at a time. wait returns them, and the last outcome up to which all are read: last, or one
// before the page at which the context was done.
func reading(ctx context.Context, read readPage, some []placed, last int64, readers int) (wait func() ([]ledger.PageText, int64)) {
	pages, cut := make([]*ledger.PageText, len(some)), make([]bool, len(some))
	var g errgroup.Group
	g.SetLimit(readers)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for i, p := range some {
			g.Go(func() error {
				page, err := read(ctx, p.outcome, p.original)
				if cut[i] = ctx.Err() != nil; err != nil || cut[i] {
					return nil // readable when crawled; an export reports records damaged since
				}
				r := orbweaver.Request{URL: p.outcome.Request.URL, Query: p.outcome.Request.Query}
				pages[i] = &ledger.PageText{Request: r, Title: page.Title, Text: page.Text, Article: text.Parts(page.Text, page.Article), Lang: page.Lang}
				return nil
			})
		}
		_ = g.Wait() // none fails
	}()
	return func() (all []ledger.PageText, upTo int64) {
		<-ended
		for i, p := range pages {
			if cut[i] {
				return all, some[i].outcome.N - 1 // what was read before stays
			}
			if p != nil {
				all = append(all, *p)
			}
		}
		return all, last
	}
}

// A placed is the outcome of a page, and that of the page whose bytes it repeats.
type placed struct{ outcome, original orbweaver.Outcome }

// placedAfter returns the pages among the outcomes after one number, up to another, that are the latest of their requests, and the number of
// the last outcome; no more than those whose answers have most bytes, and one.
func placedAfter(l *ledger.Ledger, after, upTo, most int64) (some []placed, last int64, err error) {
	last = after
	var bytes int64
	for o, err := range l.Outcomes(after) {
		if err != nil {
			return nil, last, err
		}
		if o.N > upTo || bytes > most {
			break
		}
		if o.Page != nil {
			bytes += o.Page.Size
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
