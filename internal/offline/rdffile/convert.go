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

// ConvertOptions configures Convert.
type ConvertOptions struct {
	From, To string   // two of Syntaxes; empty From: detected from each document's name and first bytes
	Base     string   // absolute IRI; empty: a file's file: URL, none for standard input
	Lenient  bool     // skip and report what cannot be read
	Merge    bool     // drop graph names if the syntax To has no graphs
	Contexts []string // IRI=FILE: local copies of JSON-LD's remote contexts
}

// Convert reads RDF documents and writes their statements to Out in another syntax, as a stream. "-" is
// In. Blank nodes of different documents stay different.
//
// A mistake ends the conversion after the statements before it, and the error wraps ErrInput. In lenient
// mode Convert reports mistakes on Err; the error then lists the documents that could not be read to their
// end.
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
	if closed := c.out.Close(); out.Err == nil || err == nil { // otherwise reported before
		err = errors.Join(err, closed)
	}
	if c.skipped > 0 {
		console.Say(con.Err, "mistakes: %d, statements written: %d", c.skipped, c.written)
	}
	return err
}

// CheckBase validates --base.
func CheckBase(base string) error {
	if base == "" {
		return nil
	}
	if err := iri.Check(base); err != nil {
		return fmt.Errorf("--base: %w (%w)", err, orbweaver.ErrInput)
	}
	return nil
}

// Sink is a writer that remembers its first error, so that the reader can stop early.
type Sink struct {
	W   io.Writer
	Err error
}

// Write writes to the underlying writer.
func (s *Sink) Write(p []byte) (int, error) {
	n, err := s.W.Write(p)
	if err != nil {
		s.Err = err
	}
	return n, err
}

// conversion is the state of Convert.
type conversion struct {
	con     *console.Console
	opts    ConvertOptions
	remote  *contexts.Remote
	sink    *Sink
	to      Notation
	out     Writer
	scope   Scope
	written int // statements
	skipped int // mistakes reported
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
		return fmt.Errorf("%s: Open Graph data describes its page: give the page's URL with --base (%w)", in.Name, orbweaver.ErrInput)
	}
	opts := syntax.Options{Name: in.Name, Base: base, Lenient: c.opts.Lenient, OnError: c.report}
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

// Notation determines the notation of a document; the error suggests how to specify it.
func (in *File) Notation() (Notation, error) {
	n, html := Guess(in.Inner, in.Head())
	switch {
	case html:
		return "", fmt.Errorf("%s: is an HTML page: --from rdfa, microdata, microformats or opengraph reads one kind of its data, orbweaver rdf extract FILE all kinds (%w)", in.Name, orbweaver.ErrInput)
	case n == "":
		return "", fmt.Errorf("%s: not recognized as RDF by name or first bytes: name its syntax with --from (%w)", in.Name, orbweaver.ErrInput)
	}
	return n, nil
}

// write writes a statement unless the syntax cannot express it.
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
		c.report(err)
		return nil
	}
	return err
}

// termOf formats a graph's name for a message.
func termOf(t rdf.Term) string {
	if t.Kind == rdf.Blank {
		return console.Visible("_:"+t.Value, 200)
	}
	return console.Visible("<"+t.Value+">", 200)
}

// report prints a mistake that does not end the conversion.
func (c *conversion) report(err error) {
	c.skipped++
	console.Say(c.con.Err, "%s", console.Visible(c.hinted(err).Error(), 1000))
}

// ended returns the error of a conversion that a mistake, the user or the output ended.
func (c *conversion) ended(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return console.ErrInterrupted
	case c.sink.Err != nil:
		return err
	}
	return fmt.Errorf("%w (%w)", c.hinted(err), orbweaver.ErrInput)
}

// hinted adds to an error what the user can do.
func (c *conversion) hinted(err error) error {
	var at *syntax.Error
	if c.opts.Base == "" && errors.As(err, &at) && strings.Contains(at.Error(), iri.ErrRelative.Error()) {
		return fmt.Errorf("%w; give the base with --base IRI", err)
	}
	return err
}
