// Package edit adds statements to files of RDF that people write by hand. What is there stays as it
// is, byte for byte: comments, prefixes, order, ends of lines. What is added stands at the end.
//
// A file is replaced whole or not at all, and only when what was written reads back as what was there
// and what was to be added. Statements that are there already are not added again. What they mean is
// not its business.
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

// The reasons for which nothing is written, beside those of the file system and a *syntax.Error for a
// file with a mistake in it.
var (
	ErrBlank   = errors.New("blank node")         // one cannot be spoken of from outside
	ErrChanged = errors.New("changed meanwhile")  // somebody else wrote the file
	ErrUnsure  = errors.New("does not read back") // what would be written is not what was meant
)

// sniffed is how many bytes of a file are examined to tell its syntax.
const sniffed = 4 << 10

// Companion returns the Turtle file that takes the additions to a file which they cannot be appended
// to: its name and ".additions.ttl".
func Companion(file string) string { return file + ".additions.ttl" }

// Append adds statements, their graphs left out, to a file of Turtle or N-Triples, told by name and
// content; the additions to one of another syntax, or to a compressed one, go to its Companion. It
// returns the file that has them now, and how many it lacked before; when that is none nothing is
// written.
//
// Turtle is written with the prefixes that hold at the file's end, each subject once, after an empty
// line; other IRIs are written in full. Relative IRIs are taken to be relative to the file, as they
// are when an ontology is loaded. A file reached by a symbolic link is replaced where it is.
func Append(file string, statements []rdf.Quad) (written string, added int, err error) {
	for _, q := range statements {
		if q.S.Kind == rdf.Blank || q.O.Kind == rdf.Blank {
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

// appendTo adds statements to a file that may be absent.
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

// A document is a file's content and what it says.
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

// lacking returns the statements that the document does not make, each once.
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

// with returns the content and, behind it, statements.
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

// lineEnd returns how the lines of a text end: as the last one that does.
func lineEnd(content []byte) string {
	if i := bytes.LastIndexByte(content, '\n'); i > 0 && content[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// resolve returns where a file is that may be reached by links, or may not be there yet.
func resolve(file string) (string, error) {
	place, err := filepath.EvalSymlinks(file)
	if errors.Is(err, os.ErrNotExist) {
		return file, nil
	}
	return place, err
}
