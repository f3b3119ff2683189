// Package jsonld reads JSON-LD 1.1 (W3C Recommendation of 16 July 2020) as quads.
//
// This package decodes JSON, loads remote contexts and makes RDF; json-gold does the step between, the
// expansion of names by contexts. That library trusts its input, so the package first measures everything it
// passes on: depth, number of values, contexts that include themselves, and the size to which its work could
// grow (survey.go).
//
// A document is held in memory whole: names may come before the context that defines them. Statements with a
// term that is not an IRI are dropped, as the Recommendation requires, and reported in lenient mode. The direction
// of text with a language is that of RDF 1.2, unless Options say otherwise; generalized RDF is not supported.
package jsonld

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
)

// Default limits.
const (
	DefaultMaxBody         = 16 << 20 // bytes of a document
	DefaultMaxValues       = 1 << 18  // values of a document
	DefaultMaxContexts     = 16       // remote contexts of one document
	DefaultMaxContextBytes = 4 << 20  // bytes of all of them
	DefaultMaxContextDepth = 8        // contexts that include contexts
)

// MaxWork is the budget of one read, or of all reads that share Options.Work. Its unit is a copied entry of a
// context, a few tenths of a microsecond.
const MaxWork = 10_000_000

// greatestDepth is the upper bound of MaxDepth: expansion is recursive.
const greatestDepth = 10_000

// ErrNotLoaded means that a document needs a remote context and Options have no loader.
var ErrNotLoaded = errors.New("remote contexts are not loaded")

// A Direction says what becomes of the direction of text, "@direction".
type Direction uint8

// What becomes of directions. The last three are those of the Recommendation (rdfDirection).
const (
	DirectionTagged   Direction = iota // a literal with language and direction (RDF 1.2); without a language it is ignored
	DirectionIgnored                   // null
	DirectionDatatype                  // "i18n-datatype": a literal whose datatype names language and direction
	DirectionCompound                  // "compound-literal": a node with rdf:value, rdf:language and rdf:direction
)

// Options configure a read.
//
// MaxDepth limits the nesting of JSON, to at most 10 000; MaxToken limits a string or number.
//
// Lenient mode repairs JSON that is nearly valid, treats an unavailable remote context as an empty one, and
// drops those items at the top of a document that cannot be expanded; it reports each case to OnError.
type Options struct {
	syntax.Options

	Direction Direction // what becomes of the direction of text

	MaxBody   int // bytes of the document; 0: DefaultMaxBody
	MaxValues int // values of its JSON, each at most a kilobyte of memory during the read; 0: DefaultMaxValues

	// Load fetches a remote context. It returns the body, its media type (empty: not known) and the final URL
	// (empty: url). It must apply the caller's rules for requests and time-outs. Nil: no remote contexts are
	// loaded.
	Load func(ctx context.Context, url string) (body io.ReadCloser, contentType, finalURL string, err error)
	// Context is passed to Load; nil: context.Background().
	Context context.Context
	// Work is the remaining MaxWork of reads that share it, one after the other. Each read subtracts its
	// cost. Nil: the read has its own MaxWork.
	Work *int

	// Used receives the URL of each remote context that the document needs, once, including cached ones. May
	// be nil.
	Used func(url string)
	// Contexts caches loaded contexts across reads; nil: only for this read.
	Contexts *Contexts

	MaxContexts     int // remote contexts, cached ones included; 0: DefaultMaxContexts
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

// Read returns the quads of a document. A mistake ends the sequence with a *syntax.Error, before any quad. A
// mistake in the JSON has a position; a mistake in the meaning of the document is at line 1, column 1. The
// sequence can be ranged over once.
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

// ReadScript returns the quads of the text of a <script type="application/ld+json">. Lenient mode accepts
// common errors of pages: comments and CDATA marks around or in the JSON, superfluous commas, line breaks in
// strings, and several documents in a row, which it reads as one.
func ReadScript(text []byte, opts Options) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		opts := opts.filled()
		if len(text) > opts.MaxBody {
			yield(rdf.Quad{}, tooLong(opts))
			return
		}
		d := newDecoder(text, opts)
		d.script = true
		if opts.Lenient && isEscaped(text) {
			_ = d.wrong(0, "a script whose quotes are references of HTML") // nil, for it is mended
			d.text = []byte(html.UnescapeString(string(text)))
		}
		read(d, opts, yield)
	}
}

// isEscaped reports whether the text of a script was escaped as HTML: it has references to quotes, and no quotes.
func isEscaped(text []byte) bool {
	return bytes.IndexByte(text, '"') < 0 && (bytes.Contains(text, []byte("&quot;")) || bytes.Contains(text, []byte("&#34;")))
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

// read delivers the quads of a decoder's text.
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
	if err != nil {
		wrong = err // of the text after what was read
	}
	if wrong != nil && !c.stopped {
		yield(rdf.Quad{}, wrong)
	}
}

// document expands a document and delivers its quads. If expansion fails in lenient mode, it tries the items
// at the top one by one.
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

// maxItems bounds the items tried one by one: each parses its contexts anew.
const maxItems = 100

// topItems splits a document into documents of one item each: the items of an array, or of an object that has
// a graph and at most a context besides.
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
