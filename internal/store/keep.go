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
	"slices"

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
				_, err = in.Write(r.Context(), out, snapshot)
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

// dumpedAtOnce is how many statements a dump reads before it looks up their terms: all at once, in the order in which the dictionary has
// them, which is faster by far than one by one.
const dumpedAtOnce = 1 << 17

// Write writes the statements of a store, and returns how many: the default graph, then each named graph, all in the order of the
// hashes of their terms. So the same statements give the same bytes, whatever the order in which they came. An unknown graph is an error
// that wraps ErrInput.
func (d Dumping) Write(ctx context.Context, w io.Writer, r quads.Reader) (n int64, err error) {
	buffered := bufio.NewWriterSize(w, 64<<10)
	x := &dump{ctx: ctx, out: rdffile.Notation(d.Format).Writer(buffered), terms: r.Cursor(), known: map[quads.ID]rdf.Term{}}
	c := r.Cursor()
	defer func() { err = errors.Join(err, c.Close(), x.terms.Close()) }()
	for graph, err := range d.graphs(r) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return x.written, err
		}
		for c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: graph}); c.Next(); {
			if x.read = append(x.read, c.Quad()); len(x.read) == dumpedAtOnce {
				if err := x.flush(); err != nil {
					return x.written, err
				}
			}
		}
		if err := c.Err(); err != nil {
			return x.written, err
		}
	}
	if err := x.flush(); err != nil {
		return x.written, err
	}
	if err := x.out.Close(); err != nil {
		return x.written, err
	}
	return x.written, buffered.Flush()
}

// A dump is the state of Dumping.Write.
type dump struct {
	ctx     context.Context
	out     rdffile.Writer
	terms   quads.Cursor
	read    []quads.Quad
	ids     []quads.ID
	known   map[quads.ID]rdf.Term // of the statements read
	written int64
}

// flush writes the statements read.
func (x *dump) flush() (err error) {
	x.ids = x.ids[:0]
	for _, q := range x.read {
		x.ids = append(x.ids, q.S, q.P, q.O, q.G)
	}
	slices.Sort(x.ids)
	x.ids = slices.Compact(x.ids)
	clear(x.known)
	for i, id := range x.ids {
		if x.known[id], err = x.terms.Term(id); err != nil {
			return err
		}
		if i%1024 == 0 && x.ctx.Err() != nil {
			return x.ctx.Err()
		}
	}
	for _, q := range x.read {
		if err := x.out.Write(rdf.Quad{S: x.known[q.S], P: x.known[q.P], O: x.known[q.O], G: x.known[q.G]}); err != nil {
			return err
		}
		x.written++
	}
	x.read = x.read[:0]
	return x.ctx.Err()
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
