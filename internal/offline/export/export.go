// Package export converts the committed pages of a crawl into tables, archives, texts and RDF. It works on
// a crawl's folder, whether the crawl runs or not. Other packages use it to read the current lines of
// pages.jsonl and the records of their pages. Errors that the user can correct wrap orbweaver.ErrInput.
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
	"slices"

	"orbweaver"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/offline/chunk"
	"orbweaver/internal/offline/graph"
	"orbweaver/ledger"
)

// Formats of an export.
const (
	JSONL  = "jsonl"  // lines of pages.jsonl
	CSV    = "csv"    // the same as a table
	URLs   = "urls"   // URLs of pages
	WARC   = "warc"   // their WARC records
	WACZ   = "wacz"   // the same, for replay in a browser
	Text   = "text"   // a text file for each page
	Chunks = "chunks" // lines with parts of their text, for language models: see package chunk

	NQuads = "nquads" // their data, one graph per document
	TriG   = "trig"   // the same, for people

	NTriples = "ntriples" // their data as one graph: see package graph
	Turtle   = "turtle"   // the same, for people
)

// Formats returns the formats in the order of the help text.
func Formats() []string {
	return []string{JSONL, CSV, URLs, WARC, WACZ, Text, Chunks, NTriples, Turtle, NQuads, TriG}
}

// IsRDF reports whether a format is of RDF.
func IsRDF(format string) bool {
	return slices.Contains([]string{NQuads, TriG, NTriples, Turtle}, format)
}

// Options configures Write.
type Options struct {
	Format   string             // one of Formats
	Accepted bool               // accepted pages only
	Plain    bool               // tables: without what pages state of themselves, which takes reading them
	Distinct bool               // RDF: omit documents whose statements repeat those of another
	Pages    *ledger.PageQuery  `json:"-"` // only the pages of this list; nil: all. Who calls Write sets Only by it
	Only     func(n int64) bool `json:"-"` // only outcomes of these numbers; nil: all
	Graph    graph.Options      // RDF: rules, keys and shapes of one graph
	Chunks   chunk.Options      // chunks: how long they are, and which are left out
	Out      string             // output file, or folder for text; empty or "-": Console.Out, except for text

	// Entity returns the name of the entity that a reason names, for text; nil: text names none.
	Entity func(orbweaver.Reason) (name string, ok bool) `json:"-"`
}

// Write exports what a crawl folder holds. The crawl may be finished, interrupted or running; Write
// exports what is committed, and of several lines about one request (a refresh adds one) the last. It
// writes an output file atomically. The error wraps ErrInput if the folder is not a crawl's, has nothing
// to export in this format, or the output cannot be written.
func Write(ctx context.Context, con *console.Console, dir string, opts Options) error {
	if err := crawlfolder.CheckCrawl(dir); err != nil {
		return err
	}
	lines, err := Committed(con, dir)
	if err != nil {
		return err
	}
	lines.only = opts.Only
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
	case Chunks:
		if x.Opts.Out == "" {
			x.Opts.Out = "-"
		}
		return x.archived(ctx, x.chunks)
	case NQuads, TriG, NTriples, Turtle:
		if x.Opts.Out == "" {
			x.Opts.Out = "-"
		}
		return x.archived(ctx, x.graphs)
	}
	return fmt.Errorf("unknown export format %q (%w)", opts.Format, orbweaver.ErrInput)
}

// Run is one export.
type Run struct {
	*console.Console
	Dir   string
	Opts  Options
	Lines Journal

	// For exports from the archive.
	name    string    // name of the crawl
	Body    int64     // limit of one payload, in bytes
	Dump    int64     // of these, limit of data in bulk
	Chosen  *Standing // the current lines
	shown   bool      // the crawl archived what accepted pages need to be shown
	damaged int       // unreadable records
}

// Committed returns the committed lines of a crawl. If no crawl runs, opening the ledger truncates
// pages.jsonl to the last commit. A running crawl's file is at most one line ahead, which the crawl is
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
			console.Say(con.Err, "warning: %v; pages.jsonl is exported as found", err)
		}
	}
	stat, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Journal{}, fmt.Errorf("%s: nothing was crawled yet: it has no %s (%w)", dir, ledger.JournalFile, orbweaver.ErrInput)
	}
	if err != nil {
		return Journal{}, err
	}
	return Journal{Path: path, Length: stat.Size()}, nil
}

// toOutput lets write fill the output, and reports whether that was Console.Out.
func (x *Run) toOutput(write func(io.Writer) error) (stdout bool, err error) {
	if x.Opts.Out == "" || x.Opts.Out == "-" {
		out := bufio.NewWriterSize(x.Out, 64<<10)
		err := write(out)
		return true, errors.Join(err, out.Flush()) // of a failed export too
	}
	if err := x.CheckOut(); err != nil {
		return false, err
	}
	_ = atomicfile.Sweep(filepath.Dir(x.Opts.Out)) // an export that was killed can have left gigabytes
	return false, atomicfile.Write(x.Opts.Out, 0o666, write)
}

// CheckOut verifies that an output file can be written and does not lie in the crawl's folder.
func (x *Run) CheckOut() error { return x.checkFile(x.Opts.Out) }

// checkFile is CheckOut for any file.
func (x *Run) checkFile(name string) error {
	if err := x.outside(name); err != nil {
		return err
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file: choose another output (%w)", name, orbweaver.ErrInput)
	}
	if _, err := os.Stat(filepath.Dir(name)); err != nil {
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	return nil
}

// outside verifies that a file to write is not in the crawl's folder.
func (x *Run) outside(name string) error {
	out, err1 := filepath.Abs(name)
	dir, err2 := filepath.Abs(x.Dir)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if within, err := filepath.Rel(dir, out); err == nil && filepath.IsLocal(within) {
		return fmt.Errorf("%s is in the crawl's folder: choose another place (%w)", name, orbweaver.ErrInput)
	}
	return nil
}

// none returns the error for an empty export.
func (x *Run) none() error {
	what := "page"
	if x.Opts.Accepted {
		what = "accepted page"
	}
	return fmt.Errorf("%s: it has no %s to export (%w)", x.Dir, what, orbweaver.ErrInput)
}

// wrote reports the result of an export, on Console.Out unless that is the output itself.
func (x *Run) wrote(stdout bool, format string, args ...any) {
	to := x.Out
	if stdout {
		to = x.Err
	}
	console.Say(to, format, args...)
}
