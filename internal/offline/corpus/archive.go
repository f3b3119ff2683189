package corpus

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/page"
)

// archives reads the pages of WARC files together. If they cannot be opened together, it reads the sound ones.
func (w *corpusWalk) archives(paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	opts := archive.WebOptions{MaxBody: w.limit}
	web, err := archive.OpenWeb(paths, opts)
	if err != nil && len(paths) > 1 {
		if paths, err = w.sound(paths, opts); err != nil || len(paths) == 0 {
			return err
		}
		web, err = archive.OpenWeb(paths, opts)
	}
	if err != nil {
		return w.passOver(err)
	}
	for _, warning := range web.Warnings() {
		console.Say(w.Err, "warning: %s", warning)
	}
	return errors.Join(w.pages(web), web.Close())
}

// sound returns the files that can be opened by themselves, and reports the others.
func (w *corpusWalk) sound(paths []string, opts archive.WebOptions) (good []string, err error) {
	for _, path := range paths {
		if err := w.ctx.Err(); err != nil {
			return nil, err
		}
		web, err := archive.OpenWeb([]string{path}, opts)
		if err == nil {
			good = append(good, path)
			err = web.Close()
		}
		if err != nil {
			if err := w.passOver(err); err != nil {
				return nil, err
			}
		}
	}
	return good, nil
}

// pages reads the pages of a web.
func (w *corpusWalk) pages(web *archive.Web) error {
	for entry := range web.All() {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		switch {
		case entry.Status/100 != 2:
			continue
		case isSilent(entry.MediaType):
			w.Tally.Others++
			continue
		}
		p, err := w.archived(web, entry.URL)
		if err == nil {
			err = w.emit(documentOf(p), false)
		} else {
			err = w.passOver(err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isSilent reports whether documents of a media type never have text.
func isSilent(mediaType string) bool {
	class, _, _ := strings.Cut(mediaType, "/")
	return class == "image" || class == "audio" || class == "video" || class == "font"
}

// archived reads a page of a web.
func (w *corpusWalk) archived(web *archive.Web, url string) (*orbweaver.Page, error) {
	response, err := web.Fetch(w.ctx, orbweaver.Request{URL: url})
	if err != nil {
		return nil, err
	}
	return pageOf(w.ctx, response, w.reader)
}

// pageOf parses an archived response, whose length the archive bounds.
func pageOf(ctx context.Context, response *step.Response, reader *page.Reader) (*orbweaver.Page, error) {
	payload, err := pipeline.Payload(response, 0, nil) // the archive bounds it
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", response.Request.URL, err)
	}
	return reader.Read(ctx, response, payload)
}

func documentOf(p *orbweaver.Page) Document {
	return Document{ID: p.URL, Title: p.Title, Lang: p.Lang, Text: p.Text}
}

// crawl reads the accepted pages of a crawl from its archive.
func (w *corpusWalk) crawl(dir string) error {
	stock, chosen, found, err := w.accepted(dir)
	if err != nil {
		return w.passOver(err)
	}
	return errors.Join(w.crawled(stock, chosen, found), stock.Close())
}

// accepted finds the accepted pages of a crawl in its archive, and reports how many are missing.
func (w *corpusWalk) accepted(dir string) (*archive.Stock, *export.Standing, map[int64]export.Pick, error) {
	lines, err := export.Committed(w.Console, dir)
	if err != nil {
		return nil, nil, nil, err
	}
	standing, err := lines.Stand()
	if err != nil {
		return nil, nil, nil, err
	}
	chosen, err := standing.Pick(true, false)
	if err != nil {
		return nil, nil, nil, err
	}
	x := &export.Run{Console: w.Console, Dir: dir, Opts: export.Options{Format: "a corpus"}}
	stock, err := x.OpenStock()
	if err != nil {
		return nil, nil, nil, err
	}
	if err := chosen.Find(w.ctx, stock); err != nil {
		return nil, nil, nil, errors.Join(err, stock.Close())
	}
	here, missing := chosen.Here()
	if missing > 0 {
		console.Say(w.Err, "warning: %s: %d accepted pages are left out: the archive does not hold them", filepath.Clean(dir), missing)
	}
	w.take(dir, stock, here, missing)
	found := make(map[int64]export.Pick, len(here))
	for _, k := range here {
		found[k.N] = k
	}
	return stock, standing, found, nil
}

// take says once which pages of a crawl are taken: those that it accepted, with the days on which they were fetched.
func (w *corpusWalk) take(dir string, stock *archive.Stock, here []export.Pick, missing int) {
	dir = filepath.Clean(dir)
	if slices.Contains(w.taken, dir) {
		return
	}
	w.taken = append(w.taken, dir)
	of, days := "", daysOf(stock, here, w.limit)
	if missing > 0 {
		of = fmt.Sprintf(" of %d", len(here)+missing)
	}
	if days != "" {
		days = ", fetched " + days
	}
	console.Say(w.Err, "%s is a crawl: only what it accepted is taken, %s%s%s", console.Relative(dir), console.Several(len(here), "page"), of, days)
}

// daysOf returns the days on which the first and the last of some pages were fetched, as far as the archive knows.
func daysOf(stock *archive.Stock, here []export.Pick, limit int64) string {
	if len(here) == 0 {
		return ""
	}
	first, last := here[0], here[0]
	for _, k := range here {
		if k.N < first.N {
			first = k
		}
		if k.N > last.N {
			last = k
		}
	}
	var days []string
	for _, k := range []export.Pick{first, last} {
		response, err := stock.Response(k.Holding, limit)
		if err != nil {
			return ""
		}
		day := response.At
		if err := response.Body.Close(); err != nil || day.IsZero() {
			return ""
		}
		days = append(days, day.Local().Format(time.DateOnly))
	}
	if days = slices.Compact(days); len(days) == 1 {
		return "on " + days[0]
	}
	return "from " + days[0] + " to " + days[1]
}

// crawled reads the pages that were found, in order of fetching.
func (w *corpusWalk) crawled(stock *archive.Stock, chosen *export.Standing, found map[int64]export.Pick) error {
	for line, err := range chosen.Lines(true) {
		if err != nil {
			return w.passOver(err) // it is the last entry
		}
		k, ok := found[line.N]
		if !ok {
			continue
		}
		if err := w.ctx.Err(); err != nil {
			return err
		}
		response, err := stock.Response(k.Holding, w.limit)
		var p *orbweaver.Page
		if err == nil {
			p, err = pageOf(w.ctx, response, w.reader)
		}
		if err == nil {
			err = w.emit(documentOf(p), false)
		} else {
			err = w.passOver(err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
