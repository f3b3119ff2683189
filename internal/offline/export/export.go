// Package export writes what a crawl committed in other forms: tables, archives, texts, RDF. It takes a
// crawl's folder, running or not, and reads it for others too: which lines of pages.jsonl stand, and the
// records of their pages. Errors that are the user's to mend wrap orbweaver.ErrInput.
package export

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
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/ledger"
)

// The formats of an export.
const (
	JSONL = "jsonl" // lines of pages.jsonl
	CSV   = "csv"   // the same as a table
	URLs  = "urls"  // addresses of pages
	WARC  = "warc"  // their records
	WACZ  = "wacz"  // the same, for replay in a browser
	Text  = "text"  // a file with the text of each page

	NQuads = "nquads" // what their data says, a graph a document
	TriG   = "trig"   // the same for people to read
)

// Formats are the formats in the order they are told.
func Formats() []string {
	return []string{JSONL, CSV, URLs, WARC, WACZ, Text, NQuads, TriG}
}

// Options say what is exported and where to.
type Options struct {
	Format   string // one of Formats
	Accepted bool   // accepted pages alone
	Distinct bool   // of RDF: documents that say what another says are left out
	Out      string // a file, or for text a folder; empty or "-": Console.Out, which text cannot go to

	// Entity returns the name of the entity that a reason names, for text; nil: text names none.
	Entity func(orbweaver.Reason) (name string, ok bool) `json:"-"`
}

// Write writes what a crawl folder holds in another form. The crawl may be over, interrupted or
// running; what it committed so far is exported, and of several lines about one request (a refresh
// writes another) the last. An output file is there whole or not at all. The error wraps ErrInput when
// the folder is none of a crawl, has nothing of what is wanted, or the output cannot be.
func Write(ctx context.Context, con *console.Console, dir string, opts Options) error {
	if err := crawlfolder.CheckCrawl(dir); err != nil {
		return err
	}
	lines, err := Committed(con, dir)
	if err != nil {
		return err
	}
	x := &Run{Console: con, Dir: dir, Opts: opts, Lines: lines}
	switch opts.Format {
	case JSONL:
		return x.table(ctx, x.jsonl)
	case CSV:
		return x.table(ctx, x.csv)
	case URLs:
		return x.table(ctx, x.urls)
	case WARC:
		return x.archived(ctx, x.warc)
	case WACZ:
		return x.archived(ctx, x.wacz)
	case Text:
		return x.archived(ctx, x.text)
	case NQuads, TriG:
		if x.Opts.Out == "" {
			x.Opts.Out = "-"
		}
		return x.archived(ctx, x.graphs)
	}
	return fmt.Errorf("export format %q is none (%w)", opts.Format, orbweaver.ErrInput)
}

// An Run is one run of Export.
type Run struct {
	*console.Console
	Dir   string
	Opts  Options
	Lines Journal

	// Of an export from the archive.
	name    string    // of the crawl
	Body    int64     // bytes of one payload, at most
	Chosen  *Standing // the lines
	damaged int       // records that could not be read
}

// Committed returns the lines that a crawl committed. Where no crawl runs the ledger sees to it that
// pages.jsonl ends with the last commit; a running crawl is at most a line ahead of it, which it is
// about to commit.
func Committed(con *console.Console, dir string) (Journal, error) {
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
			console.Say(con.Err, "warning: %v; pages.jsonl is taken as it stands", err)
		}
	}
	stat, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Journal{}, fmt.Errorf("%s: nothing was crawled yet: it has no %s (%w)", dir, ledger.JournalFile, orbweaver.ErrInput)
	}
	if err != nil {
		return Journal{}, err
	}
	return Journal{path, stat.Size()}, nil
}

// toOutput has write fill the output, and reports whether that was Console.Out.
func (x *Run) toOutput(write func(io.Writer) error) (stdout bool, err error) {
	buffered := func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 64<<10)
		return errors.Join(write(out), out.Flush())
	}
	if x.Opts.Out == "" || x.Opts.Out == "-" {
		return true, buffered(x.Out)
	}
	if err := x.CheckOut(); err != nil {
		return false, err
	}
	return false, crawlfolder.ReplaceWith(x.Opts.Out, func(f *os.File) error { return buffered(f) })
}

// CheckOut makes sure that an output file can be, and is none of the crawl's own.
func (x *Run) CheckOut() error {
	if err := x.outside(); err != nil {
		return err
	}
	if info, err := os.Stat(x.Opts.Out); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file that could be written (%w)", x.Opts.Out, orbweaver.ErrInput)
	}
	if _, err := os.Stat(filepath.Dir(x.Opts.Out)); err != nil {
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	return nil
}

// outside makes sure that the output is not in the crawl's folder.
func (x *Run) outside() error {
	out, err1 := filepath.Abs(x.Opts.Out)
	dir, err2 := filepath.Abs(x.Dir)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if within, err := filepath.Rel(dir, out); err == nil && filepath.IsLocal(within) {
		return fmt.Errorf("%s is in the crawl's folder: choose another place (%w)", x.Opts.Out, orbweaver.ErrInput)
	}
	return nil
}

// none says that there is nothing to export.
func (x *Run) none() error {
	what := "page"
	if x.Opts.Accepted {
		what = "accepted page"
	}
	return fmt.Errorf("%s: it has no %s to export (%w)", x.Dir, what, orbweaver.ErrInput)
}

// wrote tells what came of an export, on Console.Out unless that is the output itself.
func (x *Run) wrote(stdout bool, format string, args ...any) {
	to := x.Out
	if stdout {
		to = x.Err
	}
	console.Say(to, format, args...)
}
