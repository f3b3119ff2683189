package store

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"

	"orbweaver"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/quads"
	"orbweaver/server"
)

// A Keeper is a quad store in use, as those who look after it see it.
type Keeper interface {
	// Checkpoint copies the store to a new folder beside it, as of the last commit.
	Checkpoint(ctx context.Context, folder string) error
	// Compact frees space, and returns the bytes before and after.
	Compact(ctx context.Context) (before, after int64, err error)
	// Statements returns a snapshot: see Source.
	Statements(ctx context.Context, most int64) (*quads.Snapshot, error)
}

// Sizes is the answer to POST /compact: bytes on the disk.
type Sizes struct {
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// A Copying is the body of POST /checkpoint: the folder to copy the store to.
type Copying struct {
	Folder string `json:"folder"` // absolute
}

// A Dumping is the body of POST /dump: which statements, in which syntax.
type Dumping struct {
	Format string   `json:"format"`           // one of UpdateFormats
	Graphs []string `json:"graphs,omitempty"` // IRIs; none: all graphs, and the default one
}

// KeepRoutes are the routes by which other processes look after a store in use.
func KeepRoutes(k Keeper) []server.Route {
	return []server.Route{
		{Pattern: "POST /checkpoint", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var in Copying
			err := server.Decode(r, &in)
			if err == nil && !filepath.IsAbs(in.Folder) {
				err = fmt.Errorf("checkpoint: the folder %q is not absolute (%w)", in.Folder, orbweaver.ErrInput)
			}
			if err = cmp.Or(err, r.Context().Err()); err == nil {
				err = k.Checkpoint(r.Context(), in.Folder)
			}
			if err != nil {
				server.Fail(w, err)
				return
			}
			server.Answer(w, struct{}{})
		})},
		{Pattern: "POST /compact", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			before, after, err := k.Compact(r.Context())
			if err != nil {
				server.Fail(w, err)
				return
			}
			server.Answer(w, Sizes{before, after})
		})},
		{Pattern: "POST /dump", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var in Dumping
			err := server.Decode(r, &in)
			if err == nil {
				err = in.Check()
			}
			if err != nil {
				server.Fail(w, err)
				return
			}
			server.Stream(w, func(out io.Writer) error {
				snapshot, err := k.Statements(r.Context(), 0)
				if err != nil {
					return err
				}
				_, err = in.Write(r.Context(), out, snapshot, func(int64) {})
				return errors.Join(err, snapshot.Close())
			})
		})},
	}
}

// Check reports what is wrong.
func (d Dumping) Check() error {
	if d.Format != string(rdffile.InNQuads) && d.Format != string(rdffile.InTriG) {
		return fmt.Errorf("a dump is written as nquads or trig, not %q (%w)", d.Format, orbweaver.ErrInput)
	}
	for _, graph := range d.Graphs {
		if err := iri.Check(graph); err != nil {
			return fmt.Errorf("graph %q: %w (%w)", graph, err, orbweaver.ErrInput)
		}
	}
	return nil
}

// toldEvery is after how many statements a dump tells how many it has written.
const toldEvery = 1 << 14

// Write writes the statements of a store, and returns how many: the default graph, then each named graph, all in the order of the
// hashes of their terms. So the same statements give the same bytes, whatever the order in which they came. An unknown graph is an error
// that wraps ErrInput.
func (d Dumping) Write(ctx context.Context, w io.Writer, r quads.Reader, told func(n int64)) (n int64, err error) {
	buffered := bufio.NewWriterSize(w, 64<<10)
	out := rdffile.Notation(d.Format).Writer(buffered)
	c, terms := r.Cursor(), r.Cursor()
	defer func() { err = errors.Join(err, c.Close(), terms.Close()) }()
	for graph, err := range d.graphs(r) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return n, err
		}
		for c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: graph}); c.Next(); {
			if n++; n%toldEvery == 0 {
				if told(n); ctx.Err() != nil {
					return n, ctx.Err()
				}
			}
			q, err := termsOf(terms, c.Quad())
			if err = cmp.Or(err, out.Write(q)); err != nil {
				return n, err
			}
		}
		if err := c.Err(); err != nil {
			return n, err
		}
	}
	return n, cmp.Or(out.Close(), buffered.Flush())
}

// graphs ranges over the graphs of a dump.
func (d Dumping) graphs(r quads.Reader) func(yield func(quads.ID, error) bool) {
	return func(yield func(quads.ID, error) bool) {
		for _, name := range d.Graphs {
			id, there, err := lookedUp(r, name)
			if err == nil && !there {
				err = fmt.Errorf("the store has no graph <%s> (%w)", name, orbweaver.ErrInput)
			}
			if !yield(id, err) || err != nil {
				return
			}
		}
		if len(d.Graphs) > 0 || !yield(quads.Default, nil) {
			return
		}
		id, there, err := r.NextGraph(quads.Default)
		for ; there || err != nil; id, there, err = r.NextGraph(id) {
			if !yield(id, err) || err != nil {
				return
			}
		}
	}
}

// lookedUp returns the ID of a named graph, and whether it has statements.
func lookedUp(r quads.Reader, name string) (id quads.ID, there bool, err error) {
	id, known, err := r.Lookup(rdf.NewIRI(name))
	if err != nil || !known {
		return id, false, err
	}
	n, err := r.Count(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: id})
	return id, n > 0, err
}

// termsOf returns the terms of a quad.
func termsOf(c quads.Cursor, ids quads.Quad) (q rdf.Quad, err error) {
	for _, part := range [...]struct {
		id quads.ID
		to *rdf.Term
	}{{ids.G, &q.G}, {ids.S, &q.S}, {ids.P, &q.P}, {ids.O, &q.O}} {
		if *part.to, err = c.Term(part.id); err != nil {
			return q, err
		}
	}
	return q, nil
}
