package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/services/contexts"
	"orbweaver/ledger"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/syntax"
)

// LoadJob configures Load.
type LoadJob struct {
	Dir      string
	Files    []string // RDF in any syntax, compressed or not; "-" is In
	Pages    bool     // also load the data of the crawl's pages, from its archive
	Graph    string   // IRI of the graph for triples; empty: the default graph
	From     string   // syntax of all files; empty: detected by name and first bytes
	Contexts []string // IRI=FILE: local copies of JSON-LD's remote contexts
}

// Load adds files to the quad store of a folder, and creates the store if there is none. Each file is
// loaded completely or not at all, and is on disk before the next begins. The error wraps ErrInput for a
// mistake in a file, with its line, and ErrBusy when another process uses the folder. Meanwhile other processes query the state after the
// last file that was loaded: see answerBeside.
func Load(ctx context.Context, a *job.Job, job LoadJob) error {
	if job.Graph != "" {
		if err := iri.Check(job.Graph); err != nil {
			return fmt.Errorf("--graph: %w (%w)", err, orbweaver.ErrInput)
		}
	}
	remote, err := contexts.NewRemote(ctx, job.Contexts)
	if err != nil {
		return err
	}
	l, err := openForLoad(job.Dir)
	if err != nil {
		return err
	}
	if err := materializeBase(ctx, job.Dir, l, 0, toldDescribed(a, job.Dir)); err != nil { // who queries meanwhile sees all of the crawl
		return errors.Join(err, l.Close())
	}
	end := answerBeside(ctx, a, job.Dir, l, "files are loaded into it (orbweaver store load)")
	in := &intake{Job: a, job: job, ledger: l, remote: remote}
	for _, name := range job.Files {
		if err = in.file(ctx, name); err != nil {
			break
		}
	}
	if err == nil && job.Pages {
		err = in.pages(ctx)
	}
	if err == nil {
		var n int64
		if n, err = StatementsIn(l.Committed()); err == nil {
			console.Say(a.Out, "%s: %d statements", console.Relative(job.Dir), n)
		}
	}
	return errors.Join(err, end(), l.Close())
}

// openForLoad opens the folder of a quad store, or creates one in a folder that is new or empty.
func openForLoad(dir string) (*ledger.Ledger, error) {
	if c, err := reachBase(dir); err == nil {
		c.Close()
		return nil, fmt.Errorf("%s: %w", console.Relative(dir), errInUse)
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	_, begun := os.Stat(filepath.Join(dir, "ledger"))
	_, crawl := os.Stat(filepath.Join(dir, crawlfolder.RunFile))
	if begun != nil && crawl != nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s holds neither a quad store nor a crawl: name another folder (%w)", dir, orbweaver.ErrForeign)
	}
	l, err := ledger.Open(dir)
	if errors.Is(err, orbweaver.ErrBusy) {
		return nil, fmt.Errorf("%s: another process is using this folder: %w", dir, orbweaver.ErrBusy)
	}
	return l, err
}

// intake loads files one after the other.
type intake struct {
	*job.Job
	job    LoadJob
	ledger *ledger.Ledger
	remote *contexts.Remote

	began, reported time.Time // start of the file; time of the last progress line
}

// file loads one file.
func (in *intake) file(ctx context.Context, name string) error {
	file, err := rdffile.Open(ctx, name, in.In)
	if err != nil {
		return err
	}
	defer file.Close()
	from := rdffile.Notation(in.job.From)
	if from == "" {
		if from, err = file.Notation(); err != nil {
			return err
		}
	}
	in.began = time.Now()
	in.reported = in.began
	statements := from.Quads(file.Text, syntax.Options{Name: file.Name, Base: file.Base}, in.remote)
	done, err := in.ledger.Load(ctx, in.watched(file.Name, statements), scopeOf(file))
	switch {
	case err != nil && ctx.Err() != nil:
		return console.ErrInterrupted
	case err != nil:
		return err
	}
	in.clear()
	in.done(file.Name, done)
	return nil
}

// done reports what was loaded.
func (in *intake) done(name string, done quads.Loaded) {
	took := time.Since(in.began)
	console.Say(in.Err, "%s: %d statements, %d of them new, in %s: %.0f a second", name, done.Read, done.Added,
		took.Round(10*time.Millisecond), float64(done.Read)/max(took.Seconds(), 1e-3))
}

// watched yields the statements, each in its graph, and reports progress.
func (in *intake) watched(name string, all iter.Seq2[rdf.Quad, error]) iter.Seq2[rdf.Quad, error] {
	var graph rdf.Term
	if in.job.Graph != "" {
		graph = rdf.NewIRI(in.job.Graph)
	}
	return func(yield func(rdf.Quad, error) bool) {
		n := 0
		for q, err := range all {
			if err != nil {
				yield(q, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput))
				return
			}
			if q.G.IsZero() {
				q.G = graph
			}
			if n++; n%(1<<14) == 0 {
				in.report(name, n)
			}
			if !yield(q, nil) {
				return
			}
		}
		if in.Terminal && time.Since(in.began) > console.Redraw {
			fmt.Fprintf(in.Err, "\r%s: %d statements read, sorting …\x1b[K", name, n)
		}
	}
}

// report prints how far a file is read: in place on a terminal, otherwise now and then.
func (in *intake) report(name string, n int) {
	every := console.Rewrite
	if in.Terminal {
		every = console.Redraw
	}
	if time.Since(in.reported) < every {
		return
	}
	in.reported = time.Now()
	rate := float64(n) / time.Since(in.began).Seconds()
	if in.Terminal {
		fmt.Fprintf(in.Err, "\r%s: %d statements, %.0f a second\x1b[K", name, n, rate)
		return
	}
	console.Say(in.Err, "%s: %d statements, %.0f a second", name, n, rate)
}

// clear removes the progress line from a terminal.
func (in *intake) clear() {
	if in.Terminal {
		fmt.Fprint(in.Err, "\r\x1b[K")
	}
}

// scopeOf returns the prefix for the blank nodes of a file. It depends on the file's content, so that
// loading an unchanged file again yields the same nodes, and another file yields others.
func scopeOf(file *rdffile.File) string {
	mark := fmt.Sprintf("%s %d", file.Name, time.Now().UnixNano())
	if file.File != nil {
		if info, err := file.File.Stat(); err == nil && info.Mode().IsRegular() {
			mark = fmt.Sprintf("%s %d %d", rdffile.URL(file.File.Name()), info.Size(), info.ModTime().UnixNano())
		}
	}
	sum := sha256.Sum256([]byte(mark))
	return fmt.Sprintf("file %x", sum[:16])
}
