package edit

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	anysyntax "orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/rdf/syntax/turtle"
)

// maxUnpacked bounds a compressed file, in bytes.
const maxUnpacked = 256 << 20

// Read returns the statements of a content of Turtle or N-Triples in the order of the text, each once. Labels of blank nodes follow from the
// content alone. Relative IRIs are relative to the file.
func Read(name string, content []byte) ([]rdf.Triple, error) {
	opts := syntax.Options{Name: name, Base: fileURL(name), MaxToken: max(len(content), syntax.DefaultMaxToken)}
	return once(turtle.Read(bytes.NewReader(content), opts))
}

// once collects statements, each once.
func once(all func(func(rdf.Triple, error) bool)) (out []rdf.Triple, err error) {
	seen := map[rdf.Triple]bool{}
	for t, err := range all {
		if err != nil {
			return nil, err
		}
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out, nil
}

// Editable reports whether Apply can edit a content of this name: it is Turtle or N-Triples, not compressed.
func Editable(name string, content []byte) bool {
	if strings.HasSuffix(name, ".gz") {
		return false
	}
	f := syntax.Detect(name, "", content[:min(len(content), sniffed)])
	return f == syntax.Turtle || f == syntax.NTriples
}

// Convert returns a content of any RDF syntax, compressed or not, as Turtle with prefixes, by subject in the order of the content.
func Convert(name string, content []byte) ([]byte, error) {
	if strings.HasSuffix(name, ".gz") {
		name = strings.TrimSuffix(name, ".gz")
		unzipped, err := gzip.NewReader(bytes.NewReader(content))
		if err == nil {
			content, err = io.ReadAll(io.LimitReader(unzipped, maxUnpacked))
		}
		if err != nil {
			return nil, fmt.Errorf("%s.gz: %w", name, err)
		}
	}
	format := syntax.Detect(name, "", content[:min(len(content), sniffed)])
	opts := syntax.Options{Name: name, Base: fileURL(name), MaxToken: max(len(content), syntax.DefaultMaxToken)}
	all, err := once(anysyntax.Read(bytes.NewReader(content), format, opts))
	if err != nil {
		return nil, err
	}
	order, by := []rdf.Term{}, map[rdf.Term][]rdf.Triple{}
	for _, t := range all {
		if len(by[t.S]) == 0 {
			order = append(order, t.S)
		}
		by[t.S] = append(by[t.S], t)
	}
	var b bytes.Buffer
	w := turtle.NewWriter(&b, syntax.WriteOptions{Prefixes: prefixesOf(all)})
	for _, s := range order {
		for _, t := range by[s] {
			if err := w.Write(t); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b.Bytes(), nil
}

// usualPrefixes are the prefixes of namespaces that a converted content declares where it uses them.
var usualPrefixes = map[string]string{
	"rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdfs": "http://www.w3.org/2000/01/rdf-schema#", "owl": "http://www.w3.org/2002/07/owl#",
	"skos": "http://www.w3.org/2004/02/skos/core#", "xsd": "http://www.w3.org/2001/XMLSchema#", "dcterms": "http://purl.org/dc/terms/",
	"dc": "http://purl.org/dc/elements/1.1/", "foaf": "http://xmlns.com/foaf/0.1/", "schema": "http://schema.org/", "vann": "http://purl.org/vocab/vann/",
}

// prefixesOf returns prefixes for statements: usual ones, and the empty one for the namespace of most subjects.
func prefixesOf(all []rdf.Triple) map[string]string {
	used, subjects := map[string]bool{}, map[string]int{}
	for _, t := range all {
		for _, term := range []rdf.Term{t.S, t.P, t.O, {Kind: rdf.IRI, Value: t.O.Datatype}} {
			if i := strings.LastIndexAny(term.Value, "#/"); term.Kind == rdf.IRI && i > 0 {
				used[term.Value[:i+1]] = true
			}
		}
		if i := strings.LastIndexAny(t.S.Value, "#/"); t.S.Kind == rdf.IRI && i > 0 {
			subjects[t.S.Value[:i+1]]++
		}
	}
	prefixes, known := map[string]string{}, map[string]bool{}
	for p, space := range usualPrefixes {
		if used[space] {
			prefixes[p], known[space] = space, true
		}
	}
	most := ""
	for _, space := range slices.Sorted(maps.Keys(subjects)) {
		if !known[space] && subjects[space] > subjects[most] && !strings.HasSuffix(space, "//") {
			most = space
		}
	}
	if most != "" {
		prefixes[""] = most
	}
	return prefixes
}

// Save replaces a file's content atomically, if it is still was; nil: if there is no such file. Else the error wraps ErrChanged. For a
// symbolic link the target is replaced.
func Save(file string, was, next []byte) error {
	place, err := resolve(file)
	if err != nil {
		return fmt.Errorf("save %s: %w", file, err)
	}
	old, err := open(place)
	if err != nil {
		return fmt.Errorf("save %s: %w", file, err)
	}
	if (old.info == nil) != (was == nil) || !bytes.Equal(old.content, was) {
		return fmt.Errorf("save %s: %w", file, ErrChanged)
	}
	if bytes.Equal(was, next) && was != nil {
		return nil
	}
	if err := old.replace(next); err != nil {
		return fmt.Errorf("save %s: %w", file, err)
	}
	return nil
}

// lines writes statements of a subject as N-Triples.
func (e *editor) lines(s rdf.Term, name string, adds []rdf.Triple) (text string, err error) {
	if s.Kind != rdf.Blank {
		name = string(ntriples.AppendTerm(nil, s))
	}
	for _, t := range adds {
		object := string(ntriples.AppendTerm(nil, t.O))
		if t.O.Kind == rdf.Blank {
			if object, err = e.text(nil, t.O); err != nil {
				return "", err
			}
		}
		text += name + " " + string(ntriples.AppendTerm(nil, t.P)) + " " + object + " ." + lineEnd(e.content)
	}
	return text, nil
}
