// Package edit adds statements to hand-written RDF files. Existing content stays the same byte for byte:
// comments, prefixes, order, line ends. Additions go to the end.
//
// A file is replaced atomically, and only if the new content reads back as the old and the added statements.
// Existing statements are not added again.
package edit

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/rdf/syntax/turtle"
)

// Reasons for not writing, in addition to errors of the file system and a *syntax.Error for a malformed file.
var (
	ErrBlank   = errors.New("blank node")         // a blank node of a file cannot be referred to from outside
	ErrChanged = errors.New("changed meanwhile")  // another program wrote the file
	ErrUnsure  = errors.New("does not read back") // the new content would have another meaning
)

// sniffed is the number of bytes examined to detect a file's syntax.
const sniffed = 4 << 10

// Companion returns the Turtle file for additions to a file that is not itself extended: its name and
// ".additions.ttl".
func Companion(file string) string { return file + ".additions.ttl" }

// Append adds statements, ignoring their graphs, to a file of Turtle or N-Triples, detected by name and
// content. Additions to a file of another syntax, or to a compressed one, go to its Companion. Append returns
// the file that now has the statements, and the number of new ones; if it is 0, nothing is written.
//
// Additions in Turtle use the prefixes in effect at the file's end, group statements by subject, and follow
// an empty line; other IRIs are written in full. Relative IRIs are relative to the file, as when an ontology
// is loaded. For a symbolic link the target is replaced.
func Append(file string, statements []rdf.Quad) (written string, added int, err error) {
	for _, q := range statements {
		if q.S.Kind == rdf.Blank || q.O.HasBlank() {
			return "", 0, fmt.Errorf("add to %s: %w: give it an IRI", file, ErrBlank)
		}
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return "", 0, fmt.Errorf("add to an ontology: %w", err)
	}
	format := syntax.Detect(file, "", content[:min(len(content), sniffed)])
	if strings.HasSuffix(file, ".gz") || format != syntax.Turtle && format != syntax.NTriples {
		file, format = Companion(file), syntax.Turtle
	}
	if added, err = appendTo(file, format, statements); err != nil {
		return "", 0, fmt.Errorf("add to %s: %w", file, err)
	}
	return file, added, nil
}

// appendTo adds statements to a file, which need not exist.
func appendTo(file string, format syntax.Format, statements []rdf.Quad) (added int, err error) {
	place, err := resolve(file)
	if err != nil {
		return 0, err
	}
	old, err := open(place)
	if err != nil {
		return 0, err
	}
	d := document{format: format, name: file, base: fileURL(file), content: old.content}
	if err := d.read(); err != nil {
		return 0, err
	}
	lacking := d.lacking(statements)
	if len(lacking) == 0 {
		return 0, nil
	}
	next := document{format: format, name: file, base: d.base, content: d.with(lacking)}
	if err := next.read(); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnsure, err)
	}
	if len(next.triples) != len(d.triples)+len(lacking) || len(next.lacking(statements)) > 0 {
		return 0, ErrUnsure
	}
	return len(lacking), old.replace(next.content)
}

// A document is a file's content with its statements.
type document struct {
	format  syntax.Format
	name    string
	base    string
	content []byte
	triples map[rdf.Triple]bool
	scope   turtle.Scope
}

// read reads the content, strictly.
func (d *document) read() error {
	d.triples = map[rdf.Triple]bool{}
	opts := syntax.Options{Name: d.name, Base: d.base, MaxToken: max(len(d.content), syntax.DefaultMaxToken)}
	all := turtle.ReadScoped(bytes.NewReader(d.content), opts, &d.scope)
	if d.format == syntax.NTriples {
		all = ntriples.Read(bytes.NewReader(d.content), opts)
	}
	for t, err := range all {
		if err != nil {
			return err
		}
		d.triples[t] = true
	}
	return nil
}

// lacking returns the distinct statements that the document lacks.
func (d *document) lacking(statements []rdf.Quad) (out []rdf.Triple) {
	again := map[rdf.Triple]bool{}
	for _, q := range statements {
		t := rdf.Triple{S: q.S, P: q.P, O: q.O}
		if !d.triples[t] && !again[t] {
			again[t] = true
			out = append(out, t)
		}
	}
	return out
}

// with returns the content followed by statements.
func (d *document) with(statements []rdf.Triple) []byte {
	end := lineEnd(d.content)
	b := bytes.Clone(d.content)
	if len(b) > 0 && !bytes.HasSuffix(b, []byte("\n")) {
		b = append(b, end...)
	}
	if d.format == syntax.NTriples {
		for _, t := range statements {
			line := ntriples.AppendTriple(nil, t)
			b = append(append(b, bytes.TrimSuffix(line, []byte("\n"))...), end...)
		}
		return b
	}
	if len(b) > 0 && !bytes.HasSuffix(b, []byte("\n\n")) && !bytes.HasSuffix(b, []byte("\n\r\n")) {
		b = append(b, end...)
	}
	w := writer{b: b, end: end, scope: &d.scope}
	w.write(statements)
	return w.b
}

// lineEnd returns the line end of a text: that of its last complete line.
func lineEnd(content []byte) string {
	if i := bytes.LastIndexByte(content, '\n'); i > 0 && content[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// resolve returns the target of a file's symbolic links; the file need not exist.
func resolve(file string) (string, error) {
	place, err := filepath.EvalSymlinks(file)
	if errors.Is(err, os.ErrNotExist) {
		return file, nil
	}
	return place, err
}
