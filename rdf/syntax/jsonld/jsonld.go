// Package jsonld reads JSON-LD 1.1 (W3C Recommendation of 16 July 2020) as quads.
//
// JSON is decoded, remote contexts are found and RDF is made here; what lies between, the expansion
// of names by contexts, is json-gold's. That library trusts its input, so everything it is given has
// been measured before: depth, number of values, contexts that include themselves, and what its work
// could grow to (survey.go).
//
// A document is held in memory whole: names may come before the context that says what they mean.
// Where the Recommendation has a statement dropped because a term of it is no IRI, it is dropped, and
// told in lenient mode. The direction of text is left out; no generalized RDF is made.
package jsonld

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
)

// Default limits.
const (
	DefaultMaxBody         = 16 << 20 // bytes of a document
	DefaultMaxValues       = 1 << 18  // values of a document
	DefaultMaxContexts     = 16       // remote contexts that one document leads to
	DefaultMaxContextBytes = 4 << 20  // bytes of all of them
	DefaultMaxContextDepth = 8        // contexts that include contexts
)

// MaxWork is the budget of a read, or of all reads that share Options.Work: entries of contexts copied, a few
// tenths of a microsecond each.
const MaxWork = 10_000_000

// greatestDepth is what MaxDepth can be at most: expansion is recursive.
const greatestDepth = 10_000

// ErrNotLoaded means that a document needs a remote context and Options have no loader.
var ErrNotLoaded = errors.New("remote contexts are not loaded")

// Options say how a document is read.
//
// MaxDepth limits the nesting of JSON, to 10 000 at most; MaxToken a string or number of it.
//
// In lenient mode, JSON that is nearly right is repaired, a remote context that cannot be had counts
// as an empty one, and of several items at the top of a document those that cannot be expanded are
// left out; each is reported to OnError.
type Options struct {
	syntax.Options

	MaxBody   int // bytes of the document; 0: DefaultMaxBody
	MaxValues int // values of its JSON, each a kilobyte of memory at most while it is read; 0: DefaultMaxValues

	// Load fetches a remote context. It returns the body, its media type (empty: not known) and the final URL
	// (empty: url). It must apply the caller's rules for requests and time-outs. Nil: no remote contexts are
	// loaded.
	Load func(ctx context.Context, url string) (body io.ReadCloser, contentType, finalURL string, err error)
	// Context is passed to Load; nil: context.Background().
	Context context.Context
	// Work is the rest of MaxWork for the reads that share it, one after the other. Each subtracts its cost.
	// Nil: the read has its own MaxWork.
	Work *int

	// Used receives the URL of each remote context that the document needs, once, kept ones included. May be
	// nil.
	Used func(url string)
	// Contexts caches loaded contexts across reads; nil: only for this read.
	Contexts *Contexts

	MaxContexts     int // remote contexts, kept ones included; 0: DefaultMaxContexts
	MaxContextBytes int // of all of them; 0: DefaultMaxContextBytes
	MaxContextDepth int // 0: DefaultMaxContextDepth
}

// filled returns the options with defaults.
func (o Options) filled() Options {
	o.Options = o.Options.Filled()
	o.MaxDepth = min(o.MaxDepth, greatestDepth)
	for _, limit := range []struct {
		at       *int
		standard int
	}{
		{&o.MaxBody, DefaultMaxBody}, {&o.MaxValues, DefaultMaxValues}, {&o.MaxContexts, DefaultMaxContexts},
		{&o.MaxContextBytes, DefaultMaxContextBytes}, {&o.MaxContextDepth, DefaultMaxContextDepth},
	} {
		if *limit.at <= 0 {
			*limit.at = limit.standard
		}
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	return o
}

// Read returns the quads of a document. A mistake ends the sequence with a *syntax.Error, before any
// quad; mistakes of what the document means, rather than of its JSON, have no place in it and stand
// at line 1, column 1. The sequence can be ranged over once.
func Read(r io.Reader, opts Options) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		opts := opts.filled()
		text, err := body(r, opts)
		if err != nil {
			yield(rdf.Quad{}, err)
			return
		}
		read(newDecoder(text, opts), opts, yield)
	}
}

// ReadScript returns the quads of the text of a <script type="application/ld+json">. In lenient mode
// it reads what pages have there: comments and CDATA marks around or in the JSON, commas too many,
// line breaks in strings, several documents one after another, which are read as one.
func ReadScript(text []byte, opts Options) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		opts := opts.filled()
		if len(text) > opts.MaxBody {
			yield(rdf.Quad{}, tooLong(opts))
			return
		}
		d := newDecoder(text, opts)
		d.script = true
		read(d, opts, yield)
	}
}

// body reads all of a document.
func body(r io.Reader, opts Options) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, int64(opts.MaxBody)+1))
	if err != nil {
		line, column := position(text)
		return nil, &syntax.Error{Name: opts.Name, Line: line, Column: column, Msg: "reading", Err: err}
	}
	if len(text) > opts.MaxBody {
		return nil, tooLong(opts)
	}
	return text, nil
}

func tooLong(opts Options) error {
	return unplaced(opts.Name, fmt.Sprintf("document of more than %d bytes", opts.MaxBody), nil)
}

// unplaced returns an error about a document as a whole.
func unplaced(name, msg string, err error) *syntax.Error {
	return &syntax.Error{Name: name, Line: 1, Column: 1, Msg: msg, Err: err}
}

// read delivers what a decoder's text holds.
func read(d *decoder, opts Options, yield func(rdf.Quad, error) bool) {
	documents, err := d.documents()
	if err != nil && !opts.Lenient {
		yield(rdf.Quad{}, err)
		return
	}
	var document any = documents
	if len(documents) == 1 {
		document = documents[0]
	}
	c := newConverter(opts, yield)
	var wrong error
	if len(documents) > 0 {
		wrong = c.document(document)
	}
	if wrong == nil {
		wrong = err // of the text behind the last whole document
	}
	if wrong != nil && !c.stopped {
		yield(rdf.Quad{}, wrong)
	}
}

// document expands a document and delivers its quads. In lenient mode the items at the top are tried
// one by one when they cannot be expanded together.
func (c *converter) document(document any) error {
	l, err := newLoader(c.opts)
	if err != nil {
		return err
	}
	if left := c.opts.Work; left != nil {
		l.work = MaxWork - min(*left, MaxWork)
		defer func() { *left = max(0, MaxWork-l.spent()) }()
	}
	expanded, err := expand(document, l)
	if err == nil {
		c.expansion(expanded)
		return nil
	}
	items := topItems(document)
	if !c.opts.Lenient || len(items) < 2 || len(items) > maxItems {
		return err
	}
	for _, item := range items {
		if c.stopped {
			return nil
		}
		expanded, err := expand(item, l)
		if err != nil {
			c.opts.Report(err)
			continue
		}
		c.expansion(expanded)
	}
	return nil
}

// maxItems is how many items are tried one by one: each has its contexts read anew.
const maxItems = 100

// topItems returns the items of a document as documents of their own: of an array, or of an object
// that has a graph and beside it a context at most.
func topItems(document any) []any {
	switch d := document.(type) {
	case []any:
		return d
	case map[string]any:
		graph, _ := d["@graph"].([]any)
		local, scoped := d["@context"]
		if len(d) > 2 || len(d) == 2 && !scoped {
			return nil
		}
		items := make([]any, len(graph))
		for i, item := range graph {
			items[i] = map[string]any{"@context": local, "@graph": []any{item}}
		}
		return items
	}
	return nil
}
