package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"orbweaver"
	"orbweaver/internal/app/console"
	"orbweaver/internal/app/crawlfolder"
	"orbweaver/ledger"
)

// The formats of an export.
const (
	ExportJSONL = "jsonl" // lines of pages.jsonl
	ExportCSV   = "csv"   // the same as a table
	ExportURLs  = "urls"  // addresses of pages
	ExportWARC  = "warc"  // their records
	ExportWACZ  = "wacz"  // the same, for replay in a browser
	ExportText  = "text"  // a file with the text of each page

	ExportNQuads = "nquads" // what their data says, a graph a document
	ExportTriG   = "trig"   // the same for people to read
)

// ExportFormats are the formats in the order they are told.
func ExportFormats() []string {
	return []string{ExportJSONL, ExportCSV, ExportURLs, ExportWARC, ExportWACZ, ExportText, ExportNQuads, ExportTriG}
}

// ExportOptions say what is exported and where to.
type ExportOptions struct {
	Format   string // one of ExportFormats
	Accepted bool   // accepted pages alone
	Distinct bool   // of RDF: documents that say what another says are left out
	Out      string // a file, or for text a folder; empty or "-": App.Out, which text cannot go to
}

// Export writes what a crawl folder holds in another form. The crawl may be over, interrupted or
// running; what it committed so far is exported, and of several lines about one request (a refresh
// writes another) the last. An output file is there whole or not at all. The error wraps ErrInput when
// the folder is none of a crawl, has nothing of what is wanted, or the output cannot be.
func (a *App) Export(ctx context.Context, dir string, opts ExportOptions) error {
	if err := crawlfolder.CheckCrawl(dir); err != nil {
		return err
	}
	lines, err := a.committed(dir)
	if err != nil {
		return err
	}
	x := &export{App: a, dir: dir, opts: opts, lines: lines}
	switch opts.Format {
	case ExportJSONL:
		return x.table(ctx, x.jsonl)
	case ExportCSV:
		return x.table(ctx, x.csv)
	case ExportURLs:
		return x.table(ctx, x.urls)
	case ExportWARC:
		return x.archived(ctx, x.warc)
	case ExportWACZ:
		return x.archived(ctx, x.wacz)
	case ExportText:
		return x.archived(ctx, x.text)
	case ExportNQuads, ExportTriG:
		if x.opts.Out == "" {
			x.opts.Out = "-"
		}
		return x.archived(ctx, x.graphs)
	}
	return fmt.Errorf("export format %q is none (%w)", opts.Format, orbweaver.ErrInput)
}

// An export is one run of Export.
type export struct {
	*App
	dir   string
	opts  ExportOptions
	lines journal

	// Of an export from the archive.
	name    string    // of the crawl
	body    int64     // bytes of one payload, at most
	chosen  *standing // the lines
	damaged int       // records that could not be read
}

// committed returns the lines that a crawl committed. Where no crawl runs the ledger sees to it that
// pages.jsonl ends with the last commit; a running crawl is at most a line ahead of it, which it is
// about to commit.
func (a *App) committed(dir string) (journal, error) {
	path := filepath.Join(dir, ledger.JournalFile)
	if _, err := os.Stat(filepath.Join(dir, "ledger")); err == nil {
		l, err := ledger.Open(dir)
		switch {
		case err == nil:
			err = l.Close()
		case errors.Is(err, orbweaver.ErrBusy):
			err = nil
		}
		if err != nil {
			console.Say(a.Err, "warning: %v; pages.jsonl is taken as it stands", err)
		}
	}
	stat, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return journal{}, fmt.Errorf("%s: nothing was crawled yet: it has no %s (%w)", dir, ledger.JournalFile, orbweaver.ErrInput)
	}
	if err != nil {
		return journal{}, err
	}
	return journal{path, stat.Size()}, nil
}

// toOutput has write fill the output, and reports whether that was App.Out.
func (x *export) toOutput(write func(io.Writer) error) (stdout bool, err error) {
	buffered := func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 64<<10)
		return errors.Join(write(out), out.Flush())
	}
	if x.opts.Out == "" || x.opts.Out == "-" {
		return true, buffered(x.Out)
	}
	if err := x.checkOut(); err != nil {
		return false, err
	}
	return false, crawlfolder.ReplaceWith(x.opts.Out, func(f *os.File) error { return buffered(f) })
}

// checkOut makes sure that an output file can be, and is none of the crawl's own.
func (x *export) checkOut() error {
	if err := x.outside(); err != nil {
		return err
	}
	if info, err := os.Stat(x.opts.Out); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file that could be written (%w)", x.opts.Out, orbweaver.ErrInput)
	}
	if _, err := os.Stat(filepath.Dir(x.opts.Out)); err != nil {
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	return nil
}

// outside makes sure that the output is not in the crawl's folder.
func (x *export) outside() error {
	out, err1 := filepath.Abs(x.opts.Out)
	dir, err2 := filepath.Abs(x.dir)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if within, err := filepath.Rel(dir, out); err == nil && filepath.IsLocal(within) {
		return fmt.Errorf("%s is in the crawl's folder: choose another place (%w)", x.opts.Out, orbweaver.ErrInput)
	}
	return nil
}

// none says that there is nothing to export.
func (x *export) none() error {
	what := "page"
	if x.opts.Accepted {
		what = "accepted page"
	}
	return fmt.Errorf("%s: it has no %s to export (%w)", x.dir, what, orbweaver.ErrInput)
}

// wrote tells what came of an export, on App.Out unless that is the output itself.
func (x *export) wrote(stdout bool, format string, args ...any) {
	to := x.Out
	if stdout {
		to = x.Err
	}
	console.Say(to, format, args...)
}
