package graph

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/database"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/shacl"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

const nsPROV = "http://www.w3.org/ns/prov#"

// derivedFrom says which pages say something.
var derivedFrom = rdf.NewIRI(nsPROV + "wasDerivedFrom")

// store is the graph, sorted on disk in a temporary folder: a graph for each page.
type store struct {
	folder string
	db     *database.DB
	quads  *quads.Store
}

// sorted returns the store of the graph, which it makes first.
func (b *Builder) sorted(ctx context.Context) (_ *store, err error) {
	if b.store != nil {
		return b.store, nil
	}
	s := &store{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.folder, err = os.MkdirTemp(b.temp, ".orbweaver-graph-*"); err != nil {
		return nil, err
	}
	if s.db, err = database.Open(filepath.Join(s.folder, "quads"), database.Options{Size: database.Medium, What: "this temporary folder"}); err != nil {
		return nil, err
	}
	if s.quads, err = quads.Open(s.db.DB, []byte{'q'}, quads.Options{Temp: filepath.Join(s.folder, "sorting"), FS: s.db.FS(), Memory: 64 << 20}); err != nil {
		return nil, err
	}
	w, err := s.quads.Writer()
	if err != nil {
		return nil, err
	}
	_, err = w.Load(ctx, func(yield func(rdf.Quad, error) bool) {
		b.Statements(ctx, func(q rdf.Quad, err error) bool { return err == nil && q.G.IsZero() || yield(q, err) })
	}, "graph")
	if err != nil {
		return nil, err
	}
	b.store = s
	return s, nil
}

func (s *store) close() error {
	var errs []error
	if s.db != nil {
		errs = append(errs, s.db.Close())
	}
	if s.folder != "" {
		errs = append(errs, os.RemoveAll(s.folder))
	}
	return errors.Join(errs...)
}

// maxSources bounds the pages named of one entity or statement.
const maxSources = 1000

// Triples calls yield for the merged graph as triples, each once, subject by subject; with Options.Sources, for the pages that say
// them too. The statements of Aliases follow. It ends with the first error.
func (b *Builder) Triples(ctx context.Context, yield func(rdf.Triple) error) error {
	s, err := b.sorted(ctx)
	if err != nil {
		return err
	}
	snapshot := s.quads.Snapshot()
	w := &tripling{c: snapshot.Cursor(), sources: b.opts.Sources, say: yield}
	if err := errors.Join(w.run(ctx), w.c.Close(), snapshot.Close()); err != nil {
		return err
	}
	for _, t := range b.Aliases() {
		if err := yield(t); err != nil {
			return err
		}
	}
	return nil
}

// tripling writes the quads of a store as triples.
type tripling struct {
	c       quads.Cursor
	sources string
	say     func(rdf.Triple) error

	pages   []quads.ID // of the current entity or statement
	known   map[quads.ID]bool
	reified []rdf.Triple // of the current subject, with its pages
}

// run says the triples. All quads of a triple come in a row, and all triples of a subject.
func (w *tripling) run(ctx context.Context) error {
	w.c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Named})
	var last quads.Quad
	var now rdf.Triple
	for w.c.Next() {
		q := w.c.Quad()
		at := quads.Quad{S: q.S, P: q.P, O: q.O}
		if at != last {
			if err := errors.Join(w.ended(now, last.S != at.S), ctx.Err()); err != nil {
				return err
			}
			full, err := w.terms(at)
			if err != nil {
				return err
			}
			now, last = full, at
			if err := w.say(now); err != nil {
				return err
			}
		}
		if w.sources != "" && len(w.pages) < maxSources && !w.known[q.G] {
			if w.known == nil {
				w.known = map[quads.ID]bool{}
			}
			w.known[q.G] = true
			w.pages = append(w.pages, q.G)
		}
	}
	return errors.Join(w.ended(now, true), w.c.Err())
}

func (w *tripling) terms(q quads.Quad) (t rdf.Triple, err error) {
	for _, v := range []struct {
		id quads.ID
		to *rdf.Term
	}{{q.S, &t.S}, {q.P, &t.P}, {q.O, &t.O}} {
		if *v.to, err = w.c.Term(v.id); err != nil {
			return t, err
		}
	}
	return t, nil
}

// ended tells where a triple and, if it is the last one about it, its subject come from.
func (w *tripling) ended(t rdf.Triple, subject bool) error {
	if t.S.IsZero() || w.sources == "" || w.sources == Entities && !subject {
		return nil
	}
	node := t.S
	if w.sources == Statements {
		node = rdf.NewIRI("urn:uuid:" + uuid("statement", t.S.Value, t.P.Value, t.O.Value, t.O.Datatype, t.O.Lang, string(rune('0'+t.O.Kind))))
		w.reify(node, "type", rdf.NewIRI(nsRDF+"Statement"))
		w.reify(node, "subject", t.S)
		w.reify(node, "predicate", t.P)
		w.reify(node, "object", t.O)
	}
	for _, page := range w.pages {
		name, err := w.c.Term(page)
		if err != nil {
			return err
		}
		w.reified = append(w.reified, rdf.Triple{S: node, P: derivedFrom, O: name})
	}
	w.pages = w.pages[:0]
	clear(w.known)
	if subject || len(w.reified) > 1<<16 {
		for _, r := range w.reified {
			if err := w.say(r); err != nil {
				return err
			}
		}
		w.reified = w.reified[:0]
	}
	return nil
}

// reify adds a statement about a statement.
//
//go:noinline
func (w *tripling) reify(node rdf.Term, property string, o rdf.Term) {
	w.reified = append(w.reified, rdf.Triple{S: node, P: rdf.NewIRI(nsRDF + property), O: o})
}

// Validate validates the graph, writes Options.Report and, to Console.Err, a summary with the first results. The error wraps
// ErrViolations if a result has the severity sh:Violation. Without shapes, and with Options.Unvalidated, there is nothing to do.
func (b *Builder) Validate(ctx context.Context) error {
	if b.shapes == nil || b.opts.Unvalidated {
		return nil
	}
	s, err := b.sorted(ctx)
	if err != nil {
		return err
	}
	snapshot := s.quads.Snapshot()
	defer snapshot.Close()
	report, err := b.shapes.Validate(ctx, snapshot, shacl.Options{})
	if err != nil {
		if ctx.Err() == nil {
			err = fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
		}
		return fmt.Errorf("--shapes: %w", err)
	}
	if to := b.opts.ReportTo; to != nil {
		if err := b.writeReport(to, report, snapshot); err != nil {
			return err
		}
	} else if b.opts.Report != "" {
		if err := crawlfolder.ReplaceWith(b.opts.Report, func(f *os.File) error { return b.writeReport(f, report, snapshot) }); err != nil {
			return err
		}
	}
	b.summarise(report, snapshot)
	if n := report.Counts[shacl.Violation]; n > 0 {
		return fmt.Errorf("%w: violations %d", ErrViolations, n)
	}
	return nil
}

// shownResults bounds the results that a summary shows.
const shownResults = 10

// summarise prints a report's first results.
func (b *Builder) summarise(report *shacl.Report, r quads.Reader) {
	short := *report
	if len(short.Results) > shownResults {
		short.Results = short.Results[:shownResults]
	}
	var text strings.Builder
	_ = short.Text(&text, func(focus rdf.Term) []string { return pagesOf(r, focus, 3) }) // a strings.Builder never fails
	for line := range strings.Lines(text.String()) {
		said := strings.TrimLeft(line, " ")
		console.Say(b.console.Err, "%s%s", line[:len(line)-len(said)], console.Visible(strings.TrimRight(said, "\n"), 1000))
	}
}

// writeReport writes a report in the syntax that the name of its file says.
func (b *Builder) writeReport(w io.Writer, report *shacl.Report, r quads.Reader) error {
	if strings.HasSuffix(b.opts.Report, ".txt") {
		return report.Text(w, func(focus rdf.Term) []string { return pagesOf(r, focus, maxPagesOf) })
	}
	out := turtle.NewWriter(w, syntax.WriteOptions{Prefixes: map[string]string{
		"sh": shacl.NS, "rdf": nsRDF, "prov": nsPROV, "xsd": "http://www.w3.org/2001/XMLSchema#", "schema": "http://schema.org/",
	}})
	for t := range report.Triples() {
		if err := out.Write(t); err != nil {
			continue // a term that Turtle cannot express; Close returns errors of the file
		}
		if t.P.Value == shacl.NS+"focusNode" {
			for _, page := range pagesOf(r, t.O, maxPagesOf) {
				_ = out.Write(rdf.Triple{S: t.S, P: derivedFrom, O: rdf.NewIRI(page)}) // Close returns errors of the file
			}
		}
	}
	return out.Close()
}

// maxPagesOf bounds the pages that a report names of one node.
const maxPagesOf = 20

// pagesOf returns the first pages that say something about a node.
func pagesOf(r quads.Reader, node rdf.Term, most int) (pages []string) {
	id, found, err := r.Lookup(node)
	if err != nil || !found {
		return nil
	}
	c := r.Cursor()
	defer c.Close()
	c.Seek(quads.Pattern{S: id, P: quads.Any, O: quads.Any, G: quads.Named})
	var graphs []quads.ID
	for n := 0; c.Next() && n < 10*maxSources && len(graphs) < most; n++ {
		if g := c.Quad().G; !slices.Contains(graphs, g) {
			graphs = append(graphs, g)
		}
	}
	for _, g := range graphs {
		if t, err := c.Term(g); err == nil {
			pages = append(pages, t.Value)
		}
	}
	slices.Sort(pages)
	return pages
}
