// Package embedded reads all the data embedded in an HTML page: JSON-LD, Open Graph and Twitter cards, RDFa,
// Microdata and microformats, one syntax after another, each by its own package.
//
// Reading is lenient: an error affects only its own element. Blank nodes of different scripts and syntaxes stay
// different. A statement in two syntaxes is yielded twice, except for Open Graph, which is RDFa too.
package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/jsonld"
	"orbweaver/rdf/syntax/microdata"
	"orbweaver/rdf/syntax/microformats"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/rdf/syntax/opengraph"
	"orbweaver/rdf/syntax/rdfa"
)

// A Syntax is a syntax of data embedded in pages.
type Syntax string

// The syntaxes.
const (
	JSONLD       Syntax = "jsonld"
	OpenGraph    Syntax = "opengraph" // including Twitter cards
	RDFa         Syntax = "rdfa"
	Microdata    Syntax = "microdata"
	Microformats Syntax = "microformats"
)

// All returns the syntaxes in the order in which they are read.
func All() []Syntax { return []Syntax{JSONLD, OpenGraph, RDFa, Microdata, Microformats} }

// Default limits.
const (
	DefaultMaxScripts = 256 // each may take some seconds
	DefaultMaxLoads   = 64
)

// Options configure the reading of a page.
type Options struct {
	Name string // name of the page in problems; empty: Base
	Base string // the page's URL, an absolute IRI
	Host rdfa.Host

	Syntaxes []Syntax // nil: all

	// Apart reads each syntax independently: RDFa then includes Open Graph.
	Apart bool

	// JSONLD configures the reading of scripts: the loader of contexts and its limits. Name, Base, Lenient
	// and OnError are set for the page. Its Context is only used for loading.
	JSONLD     jsonld.Options
	MaxScripts int // number of scripts to read; 0: DefaultMaxScripts
	MaxLoads   int // context loads over all scripts; 0: DefaultMaxLoads
}

// A Statement is a quad with its syntax. Only JSON-LD has named graphs.
type Statement struct {
	rdf.Quad
	Syntax Syntax
}

// A Problem is an error in a page's data.
type Problem struct {
	Name         string // of the page
	Syntax       Syntax
	Line, Column int // in the page, from 1; 0: unknown
	Msg          string
	Err          error // as reported by the syntax's reader
}

// Error returns "NAME:LINE:COLUMN: SYNTAX: MESSAGE", without an unknown position.
func (p *Problem) Error() string {
	where := p.Name
	if p.Line > 0 {
		where += ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
	}
	return where + ": " + string(p.Syntax) + ": " + p.Msg
}

// Unwrap returns the error of the syntax's reader.
func (p *Problem) Unwrap() error { return p.Err }

// Read returns the statements of a page in UTF-8, syntax by syntax. Each problem is yielded in place as a
// *Problem, with a Statement that has only its syntax, and the sequence continues. If a reader panics, the
// rest of its syntax is lost. The sequence ends early, without an error, when ctx ends.
func Read(ctx context.Context, page []byte, opts Options) iter.Seq2[Statement, error] {
	if opts.Name == "" {
		opts.Name = opts.Base
	}
	if opts.MaxScripts <= 0 {
		opts.MaxScripts = DefaultMaxScripts
	}
	return func(yield func(Statement, error) bool) {
		r := reader{ctx: ctx, page: page, opts: opts, yield: yield, trial: nquads.NewWriter(io.Discard)}
		for _, s := range All() {
			if opts.Syntaxes == nil || slices.Contains(opts.Syntaxes, s) {
				r.read(s)
			}
		}
	}
}

// A reader reads one page.
type reader struct {
	ctx     context.Context
	page    []byte
	opts    Options
	yield   func(Statement, error) bool
	syntax  Syntax // being read
	away    bool   // the consumer is running
	stopped bool   // the consumer stopped
	trial   *nquads.Writer
	said    map[string]bool // properties of the page from Open Graph
}

// read reads the data in one syntax. A panic of the syntax's reader ends that syntax; a panic of the consumer
// is passed on.
func (r *reader) read(s Syntax) {
	if r.stopped || r.ctx.Err() != nil {
		return
	}
	r.syntax = s
	defer func() {
		if r.away {
			return
		}
		if crash := recover(); crash != nil {
			r.complain(fmt.Errorf("the reader crashed: %v", crash))
		}
	}()
	if s == JSONLD {
		r.scripts()
		return
	}
	opts := syntax.Options{Name: r.opts.Name, Base: r.opts.Base, Lenient: true, OnError: r.complain}
	r.take("", inDefault(r.triples(opts)))
}

// triples reads data in attributes.
func (r *reader) triples(opts syntax.Options) iter.Seq2[rdf.Triple, error] {
	page := bytes.NewReader(r.page)
	switch r.syntax {
	case RDFa:
		if !r.opts.Apart && !rdfa.Mentions(r.page) {
			return func(func(rdf.Triple, error) bool) {}
		}
		if r.opts.Host != rdfa.HTML5 {
			page.Reset(undeclared(r.page))
		}
		return rdfa.Read(page, rdfa.Options{Options: opts, Host: r.opts.Host})
	case Microdata:
		return microdata.Read(page, microdata.Options{Options: opts})
	case Microformats:
		return microformats.Read(page, opts)
	}
	return opengraph.Read(page, opts)
}

// undeclared returns a page with its XML declaration blanked, since its encoding no longer applies.
func undeclared(page []byte) []byte {
	declaration, _, whole := bytes.Cut(page[:min(len(page), 1024)], []byte("?>"))
	if !whole || !bytes.HasPrefix(declaration, []byte("<?xml")) || !bytes.Contains(declaration, []byte("encoding")) {
		return page
	}
	page = bytes.Clone(page)
	for i := range page[:len(declaration)+len("?>")] {
		if page[i] != '\n' {
			page[i] = ' '
		}
	}
	return page
}

// inDefault converts triples to quads of the default graph.
func inDefault(triples iter.Seq2[rdf.Triple, error]) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		for t, err := range triples {
			if !yield(rdf.Quad{S: t.S, P: t.P, O: t.O}, err) {
				return
			}
		}
	}
}

// take yields the quads that can be written; number identifies the document within its syntax.
func (r *reader) take(number string, quads iter.Seq2[rdf.Quad, error]) {
	scope := string(r.syntax) + number + "_"
	for q, err := range quads {
		if err == nil {
			q = scoped(scope, q)
			err = r.trial.Write(q)
		}
		switch {
		case err != nil:
			r.complain(err)
		case !r.repeats(q):
			r.deliver(Statement{q, r.syntax}, nil)
		}
		if r.stopped {
			return
		}
	}
}

// scoped returns a quad with a scope prefixed to its blank node labels.
func scoped(scope string, q rdf.Quad) rdf.Quad {
	for _, t := range [...]*rdf.Term{&q.S, &q.O, &q.G} {
		switch t.Kind {
		case rdf.Blank:
			t.Value = scope + t.Value
		case rdf.TripleTerm:
			*t = t.Map(func(part rdf.Term) rdf.Term {
				if part.Kind == rdf.Blank {
					part.Value = scope + part.Value
				}
				return part
			})
		}
	}
	return q
}

// complain yields a problem. Microdata and microformats are read from a tree without line numbers.
func (r *reader) complain(err error) {
	p := &Problem{Name: r.opts.Name, Syntax: r.syntax, Msg: err.Error(), Err: err}
	var at *syntax.Error
	if errors.As(err, &at) {
		p.Msg = at.Msg
		if at.Err != nil {
			p.Msg += ": " + at.Err.Error()
		}
		if r.syntax != Microdata && r.syntax != Microformats {
			p.Line, p.Column = at.Line, at.Column
		}
	}
	r.deliver(Statement{Syntax: r.syntax}, p)
}

// deliver yields a statement or an error to the consumer.
func (r *reader) deliver(s Statement, err error) {
	if r.stopped {
		return
	}
	r.away = true
	r.stopped = !r.yield(s, err)
	r.away = false
}
