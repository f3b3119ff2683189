package app

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

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

// A notation is a syntax of RDF by the name that the command line has for it.
type notation string

// The notations. Those from inRDFa on are data within a page.
const (
	inNTriples     notation = "ntriples"
	inNQuads       notation = "nquads"
	inTurtle       notation = "turtle"
	inTriG         notation = "trig"
	inRDFXML       notation = "rdfxml"
	inJSONLD       notation = "jsonld"
	inRDFa         notation = "rdfa"
	inMicrodata    notation = "microdata"
	inMicroformats notation = "microformats"
	inOpenGraph    notation = "opengraph"
)

// RDFSyntaxes returns the names of the syntaxes that ConvertRDF reads, and of those that it writes.
func RDFSyntaxes() (read, written []string) {
	read = []string{
		string(inNTriples), string(inNQuads), string(inTurtle), string(inTriG), string(inRDFXML), string(inJSONLD),
		string(inRDFa), string(inMicrodata), string(inMicroformats), string(inOpenGraph),
	}
	return read, read[:4:4]
}

// embedded are the notations of data within a page.
func embedded() []notation {
	return []notation{inJSONLD, inRDFa, inMicrodata, inMicroformats, inOpenGraph}
}

// title is the notation's name as people write it.
func (n notation) title() string {
	switch n {
	case inJSONLD:
		return "JSON-LD"
	case inRDFa:
		return "RDFa"
	case inMicrodata:
		return "Microdata"
	case inMicroformats:
		return "microformats"
	case inOpenGraph:
		return "Open Graph"
	}
	return n.format().String()
}

// format is the notation as a format, where it is one that can be told by bytes.
func (n notation) format() syntax.Format {
	switch n {
	case inNTriples:
		return syntax.NTriples
	case inNQuads:
		return syntax.NQuads
	case inTurtle:
		return syntax.Turtle
	case inTriG:
		return syntax.TriG
	case inRDFXML:
		return syntax.RDFXML
	}
	return syntax.Unknown
}

// guess tells a document's notation from its name and first bytes. Of a page, which may have many,
// html is true.
func guess(name string, head []byte) (n notation, html bool) {
	start := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	extension := strings.ToLower(path.Ext(name))
	switch extension {
	case ".jsonld", ".json":
		if len(start) > 0 && (start[0] == '{' || start[0] == '[') {
			return inJSONLD, false
		}
	case ".html", ".htm", ".xhtml":
		return "", true
	}
	if startsPage(start) {
		return "", true
	}
	switch syntax.Detect(name, "", head) {
	case syntax.NTriples:
		return inNTriples, false
	case syntax.NQuads:
		return inNQuads, false
	case syntax.Turtle:
		return inTurtle, false
	case syntax.TriG:
		return inTriG, false
	case syntax.RDFXML:
		return inRDFXML, false
	}
	if isJSON(start) {
		return inJSONLD, false
	}
	return "", false
}

// startsPage reports whether a document's first element, or what it declares itself to be, is HTML.
func startsPage(start []byte) bool {
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

// isJSON reports whether a document starts as an object, or an array of them, does. Turtle can start
// with "[]".
func isJSON(start []byte) bool {
	if len(start) == 0 || start[0] != '{' && start[0] != '[' {
		return false
	}
	next := bytes.TrimLeft(start[1:], " \t\r\n")
	return len(next) > 0 && (next[0] == '"' || next[0] == '}' || start[0] == '[' && next[0] == '{')
}

// quads reads a document in a notation. Of data within a page the triples are in the default graph.
func (n notation) quads(r io.Reader, opts syntax.Options, remote *contexts) iter.Seq2[rdf.Quad, error] {
	switch n {
	case inJSONLD:
		return remote.read(opts, func(o jsonld.Options) iter.Seq2[rdf.Quad, error] { return jsonld.Read(r, o) })
	case inRDFa, inMicrodata, inMicroformats, inOpenGraph:
		return func(yield func(rdf.Quad, error) bool) {
			text, err := io.ReadAll(io.LimitReader(r, maxPage+1))
			if err == nil && len(text) > maxPage {
				err = fmt.Errorf("page of more than %d bytes", maxPage)
			}
			if err != nil {
				yield(rdf.Quad{}, fmt.Errorf("%s: %w", opts.Filled().Name, err))
				return
			}
			for t, err := range n.triples(asUTF8(text, ""), hostOf(opts.Filled().Name), opts) {
				if !yield(rdf.Quad{S: t.S, P: t.P, O: t.O}, err) {
					return
				}
			}
		}
	}
	return document.Quads(r, n.format(), opts)
}

// maxPage is how many bytes a page with data in it may have.
const maxPage = syntax.DefaultMaxToken

// triples reads the data of one kind in the attributes of a page.
func (n notation) triples(page []byte, host rdfa.Host, opts syntax.Options) iter.Seq2[rdf.Triple, error] {
	r := bytes.NewReader(page)
	switch n {
	case inRDFa:
		return rdfa.Read(r, rdfa.Options{Options: opts, Host: host})
	case inMicrodata:
		return microdata.Read(r, microdata.Options{Options: opts})
	case inMicroformats:
		return microformats.Read(r, opts)
	}
	return opengraph.Read(r, opts)
}

// hostOf is the language that RDFa stands in, by a file's name.
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

// asUTF8 is a page in UTF-8: it is that already, or its mark, the header's content type or its <meta>
// say what it is.
func asUTF8(page []byte, contentType string) []byte {
	if utf8.Valid(page) {
		return bytes.TrimPrefix(page, []byte("\xef\xbb\xbf"))
	}
	encoding, _, _ := charset.DetermineEncoding(page[:min(len(page), 1024)], contentType)
	out, err := encoding.NewDecoder().Bytes(page)
	if err != nil {
		return bytes.ToValidUTF8(page, []byte("\ufffd"))
	}
	return out
}

// A quadWriter writes statements. An error of one that cannot be said leaves it usable.
type quadWriter interface {
	Write(q rdf.Quad) error
	Settle() // no statement to come has a blank node in common with those so far
	Close() error
}

// writer returns a writer of a notation, which is one of those written.
func (n notation) writer(w io.Writer) quadWriter {
	switch n {
	case inTurtle:
		return sentences{turtle.NewWriter(w, syntax.WriteOptions{})}
	case inTriG:
		return trig.NewWriter(w, syntax.WriteOptions{})
	}
	return lines{nquads.NewWriter(w)}
}

// hasGraphs reports whether the notation can say which graph a statement is in.
func (n notation) hasGraphs() bool { return n.format().HasGraphs() }

// lines writes N-Quads, which without graphs is N-Triples.
type lines struct{ *nquads.Writer }

// Settle changes nothing: a line says all of itself.
func (lines) Settle() {}

// sentences writes Turtle.
type sentences struct{ *turtle.Writer }

// Write leaves the graph out.
func (s sentences) Write(q rdf.Quad) error { return s.Writer.Write(rdf.Triple{S: q.S, P: q.P, O: q.O}) }

// A scope keeps blank nodes of several documents apart: it is put before their labels. Empty, it
// leaves them as they are.
type labelScope string

// of returns a quad as it is among those of other documents.
func (s labelScope) of(q rdf.Quad) rdf.Quad {
	if s != "" {
		for _, t := range [...]*rdf.Term{&q.S, &q.O, &q.G} {
			if t.Kind == rdf.Blank {
				t.Value = string(s) + t.Value
			}
		}
	}
	return q
}
