package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/services/contexts"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/syntax"
)

// QueryData names the queried data: files, or the quad store of a folder.
type QueryData struct {
	Files    []string // RDF in any syntax; "-" is In
	Named    []string // FILE, or IRI=FILE: each a graph, named by the IRI or by its file: URL
	From     string   // syntax of all files; empty: detected by name and first bytes
	Contexts []string // IRI=FILE: local copies of JSON-LD's remote contexts
	Crawl    string   // folder with a quad store; empty: none
}

// loadData reads files into memory. It keeps the blank nodes of different files apart. The error wraps
// ErrInput for a mistake in a file.
func loadData(ctx context.Context, a *job.Job, d QueryData) (*quads.Memory, error) {
	remote, err := contexts.NewRemote(ctx, d.Contexts)
	if err != nil {
		return nil, err
	}
	l := &loading{app: a, from: rdffile.Notation(d.From), remote: remote, store: quads.NewMemory()}
	for _, name := range d.Files {
		if err := l.file(ctx, name, rdf.Term{}); err != nil {
			return nil, err
		}
	}
	for _, given := range d.Named {
		name, graph := namedFile(given)
		if err := l.file(ctx, name, graph); err != nil {
			return nil, err
		}
	}
	return l.store, nil
}

// namedFile splits FILE or IRI=FILE into the file's name and its graph.
func namedFile(given string) (name string, graph rdf.Term) {
	if i := strings.LastIndexByte(given, '='); i > 0 && iri.Check(given[:i]) == nil {
		return given[i+1:], rdf.NewIRI(given[:i])
	}
	return given, rdf.NewIRI(rdffile.URL(rdffile.TrimPacked(given)))
}

// loading is the state of loadData.
type loading struct {
	app    *job.Job
	from   rdffile.Notation
	remote *contexts.Remote
	store  *quads.Memory
	files  int
}

// file reads a file, into the given graph unless that is zero.
func (l *loading) file(ctx context.Context, name string, graph rdf.Term) error {
	in, err := rdffile.Open(ctx, name, l.app.In)
	if err != nil {
		return err
	}
	defer in.Close()
	from := l.from
	if from == "" {
		if from, err = in.Notation(); err != nil {
			return err
		}
	}
	statements := from.Quads(in.Text, syntax.Options{Name: in.Name, Base: in.Base}, l.remote)
	return l.load(ctx, func(yield func(rdf.Quad, error) bool) {
		for q, err := range statements {
			if !graph.IsZero() {
				q.G = graph
			}
			if !yield(q, err) {
				return
			}
		}
	})
}

// load adds the statements of one document.
func (l *loading) load(ctx context.Context, statements iter.Seq2[rdf.Quad, error]) error {
	l.files++
	_, err := l.store.Load(statements, fmt.Sprintf("f%d", l.files))
	switch {
	case err != nil && ctx.Err() != nil:
		return console.ErrInterrupted
	case err != nil && !errors.Is(err, orbweaver.ErrInput):
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	return err
}
