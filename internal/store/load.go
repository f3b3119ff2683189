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

// A LoadJob says what is loaded into the quad store of a folder.
type LoadJob struct {
	Dir      string
	Files    []string // RDF in any syntax, packed or not; "-" is In
	Pages    bool     // what the pages of the folder's crawl say, too, from its archive
	Graph    string   // IRI of the graph for statements without one; empty: the default graph
	From     string   // the syntax of all files; empty: told by each one's name and first bytes
	Contexts []string // IRI=FILE: what answers for JSON-LD's remote contexts
}

// Load adds files to the quad store of a folder, a new one where there is none. Each file comes in whole
// or not at all, and is on the disk when the next is begun. The error wraps ErrInput for a mistake in a
// file, with its line, and ErrBusy when another process uses the folder.
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
	return errors.Join(err, l.Close())
}

// openForLoad opens the folder of a quad store, or begins one in a folder that is new or empty.
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
		return nil, fmt.Errorf("%s holds other things than a quad store or a crawl: name another folder (%w)", dir, orbweaver.ErrForeign)
	}
	l, err := ledger.Open(dir)
	if errors.Is(err, orbweaver.ErrBusy) {
		return nil, fmt.Errorf("%s: another process is using this folder: %w", dir, orbweaver.ErrBusy)
	}
	return l, err
}

// An intake loads files, one after the other.
type intake struct {
	*job.Job
	job    LoadJob
	ledger *ledger.Ledger
	remote *contexts.Remote

	began, told time.Time // of the file; when its progress was last told
}

// file loads one.
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
	in.told = in.began
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

// done tells what was loaded.
func (in *intake) done(name string, done quads.Loaded) {
	took := time.Since(in.began)
	console.Say(in.Err, "%s: %d statements, %d of them new, in %s: %.0f a second", name, done.Read, done.Added,
		took.Round(10*time.Millisecond), float64(done.Read)/max(took.Seconds(), 1e-3))
}

// watched are the statements, each in its graph, while progress is told.
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
				in.tell(name, n)
			}
			if !yield(q, nil) {
				return
			}
		}
		if in.Terminal && time.Since(in.began) > console.Redraw {
			fmt.Fprintf(in.Err, "\r%s: %d statements read, bringing them in order …\x1b[K", name, n)
		}
	}
}

// tell tells how far a file is read: on a terminal in place, elsewhere now and then.
func (in *intake) tell(name string, n int) {
	every := console.Rewrite
	if in.Terminal {
		every = console.Redraw
	}
	if time.Since(in.told) < every {
		return
	}
	in.told = time.Now()
	rate := float64(n) / time.Since(in.began).Seconds()
	if in.Terminal {
		fmt.Fprintf(in.Err, "\r%s: %d statements, %.0f a second\x1b[K", name, n, rate)
		return
	}
	console.Say(in.Err, "%s: %d statements, %.0f a second", name, n, rate)
}

// clear takes the progress off a terminal.
func (in *intake) clear() {
	if in.Terminal {
		fmt.Fprint(in.Err, "\r\x1b[K")
	}
}

// scopeOf names the blank nodes of a file: those of the same file, unchanged, are the same when it is
// loaded again, and those of another are others.
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
