// Package rdffile opens, detects, reads, writes and converts RDF for the command line: files in any
// notation, compressed or not, and standard input. Errors that the user can correct wrap
// orbweaver.ErrInput and name file, line and column.
package rdffile

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"

	"orbweaver/internal/coding/charset"
	"orbweaver/internal/services/contexts"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/jsonld"
	"orbweaver/rdf/syntax/microdata"
	"orbweaver/rdf/syntax/microformats"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/rdf/syntax/opengraph"
	"orbweaver/rdf/syntax/rdfa"
	"orbweaver/rdf/syntax/trig"
	"orbweaver/rdf/syntax/turtle"
)

// Notation is a syntax of RDF by its name on the command line.
type Notation string

// The notations. Those from inRDFa on are embedded in pages.
const (
	InNTriples     Notation = "ntriples"
	InNQuads       Notation = "nquads"
	InTurtle       Notation = "turtle"
	InTriG         Notation = "trig"
	InRDFXML       Notation = "rdfxml"
	InJSONLD       Notation = "jsonld"
	InRDFa         Notation = "rdfa"
	InMicrodata    Notation = "microdata"
	inMicroformats Notation = "microformats"
	InOpenGraph    Notation = "opengraph"
)

// Syntaxes returns the names of the syntaxes that Convert reads, and of those that it writes.
func Syntaxes() (read, written []string) {
	read = []string{
		string(InNTriples), string(InNQuads), string(InTurtle), string(InTriG), string(InRDFXML), string(InJSONLD),
		string(InRDFa), string(InMicrodata), string(inMicroformats), string(InOpenGraph),
	}
	return read, read[:4:4]
}

// Embedded returns the notations of data embedded in pages.
func Embedded() []Notation {
	return []Notation{InJSONLD, InRDFa, InMicrodata, inMicroformats, InOpenGraph}
}

// Title returns the notation's full name.
func (n Notation) Title() string {
	switch n {
	case InJSONLD:
		return "JSON-LD"
	case InRDFa:
		return "RDFa"
	case InMicrodata:
		return "Microdata"
	case inMicroformats:
		return "microformats"
	case InOpenGraph:
		return "Open Graph"
	}
	return n.Format().String()
}

// Format returns the notation as a format, if it is one that can be detected by bytes.
func (n Notation) Format() syntax.Format {
	switch n {
	case InNTriples:
		return syntax.NTriples
	case InNQuads:
		return syntax.NQuads
	case InTurtle:
		return syntax.Turtle
	case InTriG:
		return syntax.TriG
	case InRDFXML:
		return syntax.RDFXML
	}
	return syntax.Unknown
}

// Guess detects a document's notation from its name and first bytes. For a page, which may contain several
// notations, html is true.
func Guess(name string, head []byte) (n Notation, html bool) {
	start := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	extension := strings.ToLower(path.Ext(name))
	switch extension {
	case ".jsonld", ".json":
		if len(start) > 0 && (start[0] == '{' || start[0] == '[') {
			return InJSONLD, false
		}
	case ".html", ".htm", ".xhtml":
		return "", true
	}
	if StartsPage(start) {
		return "", true
	}
	switch syntax.Detect(name, "", head) {
	case syntax.NTriples:
		return InNTriples, false
	case syntax.NQuads:
		return InNQuads, false
	case syntax.Turtle:
		return InTurtle, false
	case syntax.TriG:
		return InTriG, false
	case syntax.RDFXML:
		return InRDFXML, false
	}
	if IsJSON(start) {
		return InJSONLD, false
	}
	return "", false
}

// StartsPage reports whether a document's first element or its DOCTYPE is HTML.
func StartsPage(start []byte) bool {
	for bytes.HasPrefix(start, []byte("<?")) || bytes.HasPrefix(start, []byte("<!--")) {
		end := []byte("?>")
		if start[1] == '!' {
			end = []byte("-->")
		}
		_, rest, whole := bytes.Cut(start, end)
		if !whole {
			return false
		}
		start = bytes.TrimLeft(rest, " \t\r\n")
	}
	for _, tag := range []string{"<!doctype html", "<html", "<head"} {
		if len(start) > len(tag) && bytes.EqualFold(start[:len(tag)], []byte(tag)) && bytes.IndexByte([]byte(" \t\r\n>/"), start[len(tag)]) >= 0 {
			return true
		}
	}
	return false
}

// IsJSON reports whether a document starts like a JSON object or an array of objects. Turtle may start
// with "[]" too.
func IsJSON(start []byte) bool {
	if len(start) == 0 || start[0] != '{' && start[0] != '[' {
		return false
	}
	next := bytes.TrimLeft(start[1:], " \t\r\n")
	return len(next) > 0 && (next[0] == '"' || next[0] == '}' || start[0] == '[' && next[0] == '{')
}

// Quads reads a document in a notation. Triples embedded in a page are in the default graph.
func (n Notation) Quads(r io.Reader, opts syntax.Options, remote *contexts.Remote) iter.Seq2[rdf.Quad, error] {
	switch n {
	case InJSONLD:
		return remote.Read(opts, func(o jsonld.Options) iter.Seq2[rdf.Quad, error] { return jsonld.Read(r, o) })
	case InRDFa, InMicrodata, inMicroformats, InOpenGraph:
		return func(yield func(rdf.Quad, error) bool) {
			text, err := io.ReadAll(io.LimitReader(r, MaxPage+1))
			if err == nil && len(text) > MaxPage {
				err = fmt.Errorf("page of more than %d bytes", MaxPage)
			}
			if err != nil {
				yield(rdf.Quad{}, fmt.Errorf("%s: %w", opts.Filled().Name, err))
				return
			}
			for t, err := range n.triples(AsUTF8(text, ""), hostOf(opts.Filled().Name), opts) {
				if !yield(rdf.Quad{S: t.S, P: t.P, O: t.O}, err) {
					return
				}
			}
		}
	}
	return document.Quads(r, n.Format(), opts)
}

// MaxPage bounds a page with embedded data, in bytes.
const MaxPage = syntax.DefaultMaxToken

// triples reads the data of one notation in the attributes of a page.
func (n Notation) triples(page []byte, host rdfa.Host, opts syntax.Options) iter.Seq2[rdf.Triple, error] {
	r := bytes.NewReader(page)
	switch n {
	case InRDFa:
		return rdfa.Read(r, rdfa.Options{Options: opts, Host: host})
	case InMicrodata:
		return microdata.Read(r, microdata.Options{Options: opts})
	case inMicroformats:
		return microformats.Read(r, opts)
	}
	return opengraph.Read(r, opts)
}

// hostOf returns the host language of RDFa by a file's name.
func hostOf(name string) rdfa.Host {
	switch strings.ToLower(path.Ext(name)) {
	case ".xhtml":
		return rdfa.XHTML5
	case ".svg":
		return rdfa.SVG
	case ".xml":
		return rdfa.XML
	}
	return rdfa.HTML5
}

// AsUTF8 converts a page to UTF-8.
func AsUTF8(page []byte, contentType string) []byte {
	text, _ := charset.Text(page, contentType)
	return text
}

// Writer writes statements. It remains usable after it rejects a statement that the syntax cannot express.
type Writer interface {
	Write(q rdf.Quad) error
	Settle() // later statements share no blank node with those so far
	Close() error
}

// Writer returns a writer of a notation, which must be one of those written.
func (n Notation) Writer(w io.Writer) Writer {
	switch n {
	case InTurtle:
		return Sentences{turtle.NewWriter(w, syntax.WriteOptions{})}
	case InTriG:
		return trig.NewWriter(w, syntax.WriteOptions{})
	}
	return Lines{nquads.NewWriter(w)}
}

// hasGraphs reports whether the notation can express the graph of a statement.
func (n Notation) hasGraphs() bool { return n.Format().HasGraphs() }

// Lines writes N-Quads, which without graphs is N-Triples.
type Lines struct{ *nquads.Writer }

// Settle does nothing: each line is self-contained.
func (Lines) Settle() {}

// Sentences writes Turtle.
type Sentences struct{ *turtle.Writer }

// Write writes the triple without its graph.
func (s Sentences) Write(q rdf.Quad) error { return s.Writer.Write(rdf.Triple{S: q.S, P: q.P, O: q.O}) }

// Scope is a prefix of blank node labels that keeps the blank nodes of several documents apart. The empty
// scope leaves labels unchanged.
type Scope string

// Of returns a quad with prefixed blank node labels.
func (s Scope) Of(q rdf.Quad) rdf.Quad {
	if s != "" {
		q.S, q.O, q.G = q.S.Map(s.term), q.O.Map(s.term), q.G.Map(s.term)
	}
	return q
}

// term returns a term with the prefix, if it is a blank node.
func (s Scope) term(t rdf.Term) rdf.Term {
	if t.Kind == rdf.Blank {
		t.Value = string(s) + t.Value
	}
	return t
}
