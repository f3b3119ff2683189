// Package sample draws pages of a crawl for people to rate, and evaluates the crawl's verdicts from the
// completed sheets. The same crawl, design and seed give the same sample. Errors that the user can correct
// wrap orbweaver.ErrInput and name file and row.
package sample

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/eval/rating"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/offline/export"
	"orbweaver/ledger"
	"orbweaver/page"
	"orbweaver/text"
)

// Options configures Draw.
type Options struct {
	Out    string // the sheet, a new file outside the crawl's folder; its key is written beside it
	Seed   uint64
	Design rating.Design
	Pages  int // of the sample, in place of the design's error; 0: by the design
}

// keyEnds is the ending of a key's file name.
const keyEnds = ".key.csv"

// KeyOf returns the name of a sheet's key.
func KeyOf(sheet string) string {
	if ext := filepath.Ext(sheet); strings.EqualFold(ext, ".csv") {
		sheet = sheet[:len(sheet)-len(ext)]
	}
	return sheet + keyEnds
}

// isKey reports whether a file is a key by its name.
func isKey(name string) bool { return strings.HasSuffix(strings.ToLower(name), keyEnds) }

// Draw draws a sample of the accepted and the rejected pages of a crawl, running or not. It writes a sheet
// without verdicts and a key with them. Neither file may exist, because a sheet may hold answers. The
// error wraps ErrInput if the folder is not a crawl's or has no pages, if the design is invalid, or if the
// files cannot be written.
func Draw(ctx context.Context, con *console.Console, dir string, opts Options) error {
	x := &export.Run{Console: con, Dir: dir, Opts: export.Options{Format: "titles and snippets", Out: opts.Out}}
	if err := errors.Join(crawlfolder.CheckCrawl(dir), opts.Design.Check(), checkSheet(x)); err != nil {
		return err
	}
	var err error
	if x.Lines, err = export.Committed(con, dir); err != nil {
		return err
	}
	s := &sampling{Run: x}
	if err := s.draw(ctx, opts); err != nil {
		return err
	}
	if err := s.read(ctx); err != nil {
		return err
	}
	return s.write(opts)
}

// checkSheet verifies that a sheet and its key can be written.
func checkSheet(x *export.Run) error {
	if isKey(x.Opts.Out) {
		return fmt.Errorf("%s: this name is reserved for the key of a sheet: choose another (%w)", x.Opts.Out, orbweaver.ErrInput)
	}
	if err := x.CheckOut(); err != nil {
		return err
	}
	for _, file := range []string{x.Opts.Out, KeyOf(x.Opts.Out)} {
		if _, err := os.Lstat(file); err == nil {
			return fmt.Errorf("%s exists and may hold answers: choose another name, or remove it (%w)", file, orbweaver.ErrInput)
		}
	}
	return nil
}

// sampling is one run of Draw.
type sampling struct {
	*export.Run
	sample *rating.Sample
	from   [2]int        // pages of the crawl: accepted, rejected
	lines  []ledger.Line // one per row
	rows   []rating.Row
	plain  int // rows without text
}

// draw draws the sample, and finds the line of each row.
func (s *sampling) draw(ctx context.Context, opts Options) error {
	standing, err := s.Run.Lines.Stand()
	if err != nil {
		return err
	}
	s.Chosen = standing
	pages := rating.NewPopulation(opts.Seed)
	err = s.pages(ctx, func(l ledger.Line) { pages.Add(l.URL, l.Accepted) })
	if err != nil {
		return err
	}
	s.from[0], s.from[1] = pages.Count()
	if s.from[0]+s.from[1] == 0 {
		return fmt.Errorf("%s: it has no page to rate (%w)", s.Dir, orbweaver.ErrInput)
	}
	if opts.Pages > 0 {
		opts.Design = opts.Design.Sized(opts.Pages, s.from[0]+s.from[1])
	}
	if s.sample, err = pages.Draw(opts.Design); err != nil {
		return err
	}
	s.lines = make([]ledger.Line, s.sample.Len())
	return s.pages(ctx, func(l ledger.Line) {
		row, accepted, ok := s.sample.Find(l.URL)
		if ok && (s.lines[row].URL == "" || accepted && !s.lines[row].Accepted) { // of several responses of a page, prefer an accepted one
			s.lines[row] = l
		}
	})
}

// pages yields the lines of all pages that people can judge.
func (s *sampling) pages(ctx context.Context, each func(ledger.Line)) error {
	for line, err := range s.Chosen.Lines(false) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if export.IsPage(line.Line) && line.Query == "" {
			each(line.Line)
		}
	}
	return nil
}

// Limits of titles and snippets, in characters.
const (
	longestTitle   = 150
	longestSnippet = 400
)

// read fills in the rows. Rows that the archive lacks stay empty: raters have the URL.
func (s *sampling) read(ctx context.Context) (err error) {
	picked := &export.Picks{Lines: s.Chosen, Targets: map[uint64]int32{}}
	byNumber := map[int64]int{}
	for i, l := range s.lines {
		s.rows = append(s.rows, rating.Row{ID: s.sample.ID(i), URL: export.Harmless(l.URL)})
		byNumber[l.N] = i
		picked.Add(l)
	}
	s.plain = len(s.rows)
	stock, err := s.OpenStock()
	if err != nil {
		console.Say(s.Err, "warning: %s: titles and snippets stay empty: %v", s.Opts.Out, err)
		return nil
	}
	defer func() { err = errors.Join(err, stock.Close()) }()
	if err := picked.Find(ctx, stock); err != nil {
		return err
	}
	reader := page.NewReader(page.Options{MaxBody: s.Body, MaxLinks: 1})
	found, _ := picked.Here()
	for _, k := range found {
		p, err := s.Run.Read(ctx, stock, reader, k)
		if ctx.Err() != nil || err != nil && !s.PassOver(err) {
			return errors.Join(err, ctx.Err())
		}
		if err == nil {
			s.fill(&s.rows[byNumber[k.N]], p)
		}
	}
	return nil
}

// fill writes a page's title and snippet into its row.
func (s *sampling) fill(row *rating.Row, p *orbweaver.Page) {
	row.Title = export.Harmless(console.Visible(p.Title, longestTitle))
	row.Snippet = export.Harmless(console.Visible(text.Parts(p.Text, p.Article), longestSnippet))
	if row.Snippet != "" {
		s.plain--
	}
}

// write writes the key before the sheet: a sheet without its key is useless.
func (s *sampling) write(opts Options) error {
	verdicts := make([]rating.Verdict, len(s.lines))
	for i, l := range s.lines {
		_, accepted, _ := s.sample.Find(l.URL)
		pages := s.from[1]
		if accepted {
			pages = s.from[0]
		}
		verdicts[i] = rating.Verdict{ID: s.sample.ID(i), Accepted: accepted, URL: export.Harmless(l.URL), Pages: pages}
	}
	key := KeyOf(opts.Out)
	if err := newFile(key, func(w io.Writer) error { return rating.WriteKey(w, verdicts) }); err != nil {
		return err
	}
	if err := newFile(opts.Out, func(w io.Writer) error { return rating.WriteSheet(w, s.rows) }); err != nil {
		return errors.Join(err, os.Remove(key))
	}
	console.Say(s.Out, "%s: pages to rate: %d, of them accepted %d of %d, rejected %d of %d; drawn by seed %d",
		opts.Out, s.sample.Len(), s.sample.Accepted, s.from[0], s.sample.Rejected, s.from[1], opts.Seed)
	console.Say(s.Out, "%s: their verdicts, for orbweaver rate score. Do not give it to raters", key)
	if s.plain > 0 {
		console.Say(s.Err, "pages without a snippet: %d", s.plain)
	}
	return nil
}

// newFile creates a small file atomically, and fails if it exists.
func newFile(path string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	err := crawlfolder.WriteNew(path, b.Bytes())
	if err == nil {
		return nil
	}
	if errors.Is(err, os.ErrExist) { // another process created it meanwhile
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	return errors.Join(err, os.RemoveAll(path))
}
