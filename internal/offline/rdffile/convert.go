package rdffile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/services/contexts"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
)

// ConvertOptions say how Convert works.
type ConvertOptions struct {
	From, To string   // syntaxes, of Syntaxes; From empty: told by each document's name and first bytes
	Base     string   // absolute IRI; empty: a file's own file: URL, none for standard input
	Lenient  bool     // what cannot be read is skipped and told
	Merge    bool     // where To has no graphs, their names are left out
	Contexts []string // IRI=FILE: what answers for JSON-LD's remote contexts
}

// Convert reads documents of RDF and writes their statements to Out in another syntax, as they are
// read. "-" is In. Blank nodes of different documents stay different.
//
// A mistake ends it, with all before it written, and the error wraps ErrInput. In lenient mode
// mistakes are told on Err; an error then says which documents could not be read to their end.
func Convert(ctx context.Context, con *console.Console, names []string, opts ConvertOptions) error {
	remote, err := contexts.NewRemote(ctx, opts.Contexts)
	if err = errors.Join(err, CheckBase(opts.Base)); err != nil {
		return err
	}
	out := &Sink{W: con.Out}
	c := &conversion{con: con, opts: opts, remote: remote, sink: out, to: Notation(opts.To), out: Notation(opts.To).Writer(out)}
	for i, name := range names {
		if len(names) > 1 {
			c.scope = Scope(fmt.Sprintf("f%d_", i+1))
		}
		unread := c.document(ctx, name)
		err = errors.Join(err, unread)
		if unread != nil && (!opts.Lenient || ctx.Err() != nil || out.Err != nil) {
			break
		}
		c.out.Settle()
	}
	if closed := c.out.Close(); out.Err == nil || err == nil { // else it was told
		err = errors.Join(err, closed)
	}
	if c.skipped > 0 {
		console.Say(con.Err, "mistakes: %d, statements written: %d", c.skipped, c.written)
	}
	return err
}

// CheckBase returns what is wrong with --base.
func CheckBase(base string) error {
	if base == "" {
		return nil
	}
	if err := iri.Check(base); err != nil {
		return fmt.Errorf("--base: %w (%w)", err, orbweaver.ErrInput)
	}
	return nil
}

// A Sink remembers that its writer failed: then no more statement has a chance.
type Sink struct {
	W   io.Writer
	Err error
}

// Write writes.
func (s *Sink) Write(p []byte) (int, error) {
	n, err := s.W.Write(p)
	if err != nil {
		s.Err = err
	}
	return n, err
}

// A conversion is under way.
type conversion struct {
	con     *console.Console
	opts    ConvertOptions
	remote  *contexts.Remote
	sink    *Sink
	to      Notation
	out     Writer
	scope   Scope
	written int // statements
	skipped int // mistakes told
}

// document converts one document.
func (c *conversion) document(ctx context.Context, name string) error {
	in, err := Open(ctx, name, c.con.In)
	if err != nil {
		return err
	}
	defer in.Close()
	from := Notation(c.opts.From)
	if from == "" {
		if from, err = in.Notation(); err != nil {
			return err
		}
	}
	base := c.opts.Base
	if base == "" {
		base = in.Base
	}
	if base == "" && from == InOpenGraph {
		return fmt.Errorf("%s: Open Graph tells of the page it is on: name it with --base (%w)", in.Name, orbweaver.ErrInput)
	}
	opts := syntax.Options{Name: in.Name, Base: base, Lenient: c.opts.Lenient, OnError: c.tell}
	for q, err := range from.Quads(in.Text, opts, c.remote) {
		if err == nil {
			err = c.write(in, q)
		}
		if err != nil {
			return c.ended(ctx, err)
		}
	}
	return nil
}

// Notation tells what a document is, or how it could be told.
func (in *File) Notation() (Notation, error) {
	n, html := Guess(in.Inner, in.Head())
	switch {
	case html:
		return "", fmt.Errorf("%s: is a page: --from rdfa, microdata, microformats or opengraph reads one kind of its data, orbweaver rdf extract FILE all kinds (%w)", in.Name, orbweaver.ErrInput)
	case n == "":
		return "", fmt.Errorf("%s: not known to be RDF by its name or first bytes: say what it is with --from (%w)", in.Name, orbweaver.ErrInput)
	}
	return n, nil
}

// write writes a statement, unless the syntax cannot say it.
func (c *conversion) write(in *File, q rdf.Quad) (err error) {
	if !q.G.IsZero() && !c.to.hasGraphs() {
		if !c.opts.Merge {
			return fmt.Errorf("%s: has a statement in the graph %s, and %s has no graphs: --to nquads or trig keeps them, --merge leaves their names out",
				in.Name, termOf(q.G), c.to.Title())
		}
		q.G = rdf.Term{}
	}
	if err = c.out.Write(c.scope.Of(q)); err == nil {
		c.written++
		return nil
	}
	if c.sink.Err != nil {
		return err
	}
	err = fmt.Errorf("%s: %w", in.Name, err)
	if c.opts.Lenient {
		c.tell(err)
		return nil
	}
	return err
}

// termOf is a graph's name in a message.
func termOf(t rdf.Term) string {
	if t.Kind == rdf.Blank {
		return console.Visible("_:"+t.Value, 200)
	}
	return console.Visible("<"+t.Value+">", 200)
}

// tell reports a mistake that ends nothing.
func (c *conversion) tell(err error) {
	c.skipped++
	console.Say(c.con.Err, "%s", console.Visible(c.hinted(err).Error(), 1000))
}

// ended is the error of a conversion that a mistake, the user or the output ended.
func (c *conversion) ended(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return console.ErrInterrupted
	case c.sink.Err != nil:
		return err
	}
	return fmt.Errorf("%w (%w)", c.hinted(err), orbweaver.ErrInput)
}

// hinted adds what would help.
func (c *conversion) hinted(err error) error {
	var at *syntax.Error
	if c.opts.Base == "" && errors.As(err, &at) && strings.Contains(at.Error(), iri.ErrRelative.Error()) {
		return fmt.Errorf("%w; --base IRI says against what", err)
	}
	return err
}
