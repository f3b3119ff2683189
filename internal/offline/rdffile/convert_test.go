package rdffile

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/nquads"
)

// converted converts a text and returns both outputs.
func converted(t *testing.T, text string, opts ConvertOptions) (out, messages string, err error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	a := &console.Console{Out: &stdout, Err: &stderr, In: strings.NewReader(text)}
	err = Convert(t.Context(), a, []string{"-"}, opts)
	return stdout.String(), stderr.String(), err
}

// quadsIn parses an output.
func quadsIn(t *testing.T, n Notation, text string) []rdf.Quad {
	t.Helper()
	return rdftest.Collect(t, document.Quads(strings.NewReader(text), n.Format(), syntax.Options{}))
}

// TestConvertRoundTrips takes each positive test of the W3C's Turtle suite through every writable
// syntax and from there to every other: the graph stays the same.
func TestConvertRoundTrips(t *testing.T) {
	_, written := Syntaxes()
	documents := 0
	for _, c := range rdftest.Cases(t, "rdf/rdf11/rdf-turtle") {
		if c.Negative {
			continue
		}
		documents++
		want := rdftest.Collect(t, document.Quads(bytes.NewReader(c.Input), syntax.Turtle, syntax.Options{Base: c.Base}))
		for _, first := range written {
			once, _, err := converted(t, string(c.Input), ConvertOptions{From: "turtle", To: first, Base: c.Base})
			if err != nil {
				t.Errorf("%s to %s: %v", c.Name, first, err)
				continue
			}
			for _, second := range written {
				twice, _, err := converted(t, once, ConvertOptions{From: first, To: second})
				if err != nil || !rdftest.IsomorphicQuads(quadsIn(t, Notation(second), twice), want) {
					t.Errorf("%s to %s to %s: %v\n%s", c.Name, first, second, err, twice)
				}
			}
		}
	}
	if documents < 200 {
		t.Errorf("%d documents", documents)
	}
}

// TestConvertKeepsGraphs: datasets survive N-Quads and TriG.
func TestConvertKeepsGraphs(t *testing.T) {
	for seed := range uint64(50) {
		want := rdftest.Random(rand.New(rand.NewPCG(seed, 1)), 20, true)
		var lines []byte
		for _, q := range want {
			lines = nquads.AppendQuad(lines, q)
		}
		trig, _, err := converted(t, string(lines), ConvertOptions{From: "nquads", To: "trig"})
		if err != nil || !rdftest.IsomorphicQuads(quadsIn(t, InTriG, trig), want) {
			t.Errorf("seed %d: %v\n%s", seed, err, trig)
		}
		again, _, err := converted(t, trig, ConvertOptions{From: "trig", To: "nquads"})
		if err != nil || !rdftest.IsomorphicQuads(quadsIn(t, InNQuads, again), want) {
			t.Errorf("seed %d back: %v\n%s", seed, err, again)
		}
	}
}

func TestGuess(t *testing.T) {
	for _, tc := range []struct {
		name, file, head string
		want             Notation
		html             bool
	}{
		{"a name", "a.nt", "", InNTriples, false},
		{"bytes", "", "@prefix e: <u:e> .\n", InTurtle, false},
		{"a graph", "", "{ <u:s> a <u:C> }", InTriG, false},
		{"JSON by its name", "a.jsonld", " [ ]", InJSONLD, false},
		{"JSON by its bytes", "", "\ufeff{\n \"@id\": 1}", InJSONLD, false},
		{"an array of JSON", "", "[{}]", InJSONLD, false},
		{"Turtle that starts like an array", "", "[] a <u:C> .", "", false},
		{"what JSON is called and is not", "a.json", "<u:s> <u:p> <u:o> .\n", InNTriples, false},
		{"a page by its name", "a.HTML", "<p>", "", true},
		{"a page by its bytes", "a.rdf", "<?xml version='1.0'?><!-- c --><!DOCTYPE html ", "", true},
		{"XHTML with RDF's namespace", "", `<html xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">`, "", true},
		{"RDF/XML", "", `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">`, InRDFXML, false},
		{"a comment that does not end", "", "<!-- html", "", false},
		{"nothing", "", "", "", false},
	} {
		if n, html := Guess(tc.file, []byte(tc.head)); n != tc.want || html != tc.html {
			t.Errorf("%s: %q, %v", tc.name, n, html)
		}
	}
}

// TestConvertReadsAll: one statement in every syntax that is read.
func TestConvertReadsAll(t *testing.T) {
	const schema = "http://schema.org/"
	for n, text := range map[Notation]string{
		InNTriples:     `_:a <http://schema.org/name> "Kite" .`,
		InNQuads:       `_:a <http://schema.org/name> "Kite" .`,
		InTurtle:       `@prefix s: <http://schema.org/> . [] s:name "Kite" .`,
		InTriG:         `{ [] <http://schema.org/name> "Kite" }`,
		InRDFXML:       `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:s="http://schema.org/" s:name="Kite"/></rdf:RDF>`,
		InJSONLD:       "\ufeff" + `{"http://schema.org/name": "Kite"}`,
		InRDFa:         `<p vocab="http://schema.org/" resource="_:a"><b property="name">Kite</b>`,
		InMicrodata:    `<p itemscope itemtype="http://schema.org/Thing"><b itemprop="name">Kite</b>`,
		inMicroformats: `<p class="h-card"><b class="p-name">Kite</b>`,
		InOpenGraph:    `<meta property="og:title" content="Kite">`,
	} {
		out, messages, err := converted(t, text+"\n", ConvertOptions{From: string(n), To: "ntriples", Base: "http://page.test/"})
		if err != nil || messages != "" || !strings.Contains(out, ` "Kite" .`) {
			t.Errorf("%s: %v %s\n%s", n, err, messages, out)
		}
	}
	latin := "<meta charset=iso-8859-1><p itemscope itemtype='http://schema.org/Thing'><b itemprop=name>Caf\xe9</b>"
	if out, _, err := converted(t, latin, ConvertOptions{From: "microdata", To: "ntriples"}); err != nil || !strings.Contains(out, `<`+schema+`name> "Café"`) {
		t.Errorf("%v: %s", err, out)
	}
}

// TestConvertMistakes: strict mode ends at the first mistake and writes the statements before it; lenient
// mode reports each.
func TestConvertMistakes(t *testing.T) {
	const text = "<u:a> <u:p> 1 .\nnot so .\n<u:b> <u:p> 2 .\n<u:c> <u:p> <d> .\n"
	out, messages, err := converted(t, text, ConvertOptions{From: "turtle", To: "ntriples"})
	if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "standard input:2:1: ") || strings.Count(out, "\n") != 1 || messages != "" {
		t.Errorf("strict: %v\n%s%s", err, out, messages)
	}
	out, messages, err = converted(t, text, ConvertOptions{From: "turtle", To: "turtle", Lenient: true})
	if err != nil || len(quadsIn(t, InTurtle, out)) != 2 {
		t.Errorf("lenient: %v\n%s", err, out)
	}
	for _, want := range []string{"standard input:2:1: ", "standard input:4:13: ", "give the base with --base IRI", "mistakes: 2, statements written: 2\n"} {
		if !strings.Contains(messages, want) {
			t.Errorf("%q is missing in\n%s", want, messages)
		}
	}
	_, _, err = converted(t, "<u:a> <u:p> <u:b> <u:g> .\n", ConvertOptions{To: "turtle"})
	if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "the graph <u:g>, and Turtle has no graphs") {
		t.Errorf("a graph: %v", err)
	}
	if out, _, err = converted(t, "<u:a> <u:p> <u:b> <u:g> .\n", ConvertOptions{To: "ntriples", Merge: true}); err != nil || out != "<u:a> <u:p> <u:b> .\n" {
		t.Errorf("merged: %v %s", err, out)
	}
	for want, opts := range map[string]ConvertOptions{
		"name its syntax with --from":     {To: "nquads"},
		"--base: <x> has no scheme":       {To: "nquads", Base: "x"},
		"--context wants IRI=FILE":        {To: "nquads", Contexts: []string{"http://a/"}},
		"no such file":                    {To: "nquads", Contexts: []string{"http://a/=none"}},
		"give the page's URL with --base": {To: "nquads", From: "opengraph"},
	} {
		if _, _, err := converted(t, "prose", opts); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}

// TestConvertContexts: a missing context ends the document, in lenient mode too.
func TestConvertContexts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c=1.jsonld")
	if err := os.WriteFile(file, []byte(`{"@context": {"@vocab": "http://schema.org/"}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	const text = `[{"@id": "u:a", "u:p": 1}, {"@context": "https://schema.org", "name": "Kite", "@type": "Product"}]`
	for _, lenient := range []bool{false, true} {
		out, messages, err := converted(t, text, ConvertOptions{To: "ntriples", Base: "http://page.test/", Lenient: lenient})
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "name a local copy with --context https://schema.org=FILE") || messages != "" || strings.Contains(out, "page.test") {
			t.Errorf("lenient %v: %v\n%s%s", lenient, err, out, messages)
		}
	}
	folder := filepath.Dir(file)
	t.Chdir(folder)
	if err := os.Rename(file, "c.jsonld"); err != nil {
		t.Fatal(err)
	}
	out, _, err := converted(t, text, ConvertOptions{To: "ntriples", Contexts: []string{"http://schema.org/=c.jsonld"}})
	if err != nil || !strings.Contains(out, `<http://schema.org/name> "Kite"`) || strings.Count(out, "\n") != 3 {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestConvertFiles: several files, compressed in any way, whose blank nodes differ.
func TestConvertFiles(t *testing.T) {
	const text = "_:a <u:p> <x> ."
	folder := t.TempDir()
	t.Chdir(folder)
	pack := func(name string, wrap func(w io.Writer)) {
		var b bytes.Buffer
		wrap(&b)
		if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	zipped := func(names ...string) func(io.Writer) {
		return func(w io.Writer) {
			z := zip.NewWriter(w)
			for _, name := range names {
				if f, err := z.Create(name); err != nil || strings.HasSuffix(name, "/") {
					continue
				} else if _, err := io.WriteString(f, text); err != nil {
					t.Fatal(err)
				}
			}
			z.Close()
		}
	}
	pack("a.ttl", func(w io.Writer) { io.WriteString(w, text) })
	pack("a.ttl.gz", func(w io.Writer) {
		z := gzip.NewWriter(w)
		io.WriteString(z, text)
		z.Close()
	})
	const bzip2 = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\xbe\x07\x3b\x17\x00\x00\x05\x1b\x80\x40\x01\x00\x15\x00\x00\xa0\x00\x42\x40\x20\x00\x31\x00\x30\x1a\x34\x0c\x97\xb2\x75\x10\xdf\x20\xc7\x8b\xb9\x22\x9c\x28\x48\x5f\x03\x9d\x8b\x80"
	pack("a.ttl.bz2", func(w io.Writer) { io.WriteString(w, bzip2) })
	pack("a.ttl.zip", zipped("data/", "data/one.ttl"))
	pack("two.zip", zipped("one.ttl", "two.ttl"))
	var out, messages bytes.Buffer
	a := &console.Console{Out: &out, Err: &messages}
	if err := Convert(t.Context(), a, []string{"a.ttl", "a.ttl.gz", "a.ttl.zip", "a.ttl.bz2"}, ConvertOptions{To: "nquads"}); err != nil {
		t.Fatal(err)
	}
	here := URL(folder)
	want := fmt.Sprintf("_:f1_a <u:p> <%s/x> .\n_:f2_a <u:p> <%[1]s/x> .\n_:f3_a <u:p> <%[1]s/x> .\n_:f4_a <u:p> <%[1]s/x> .\n", here)
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
	out.Reset()
	err := Convert(t.Context(), a, []string{"two.zip", "none.ttl", ".", "a.ttl"}, ConvertOptions{To: "nquads", Lenient: true})
	for _, part := range []string{"two.zip: has 2 documents, not one", "none.ttl", "is a folder"} {
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in %v", part, err)
		}
	}
	if out.String() != "_:f4_a <u:p> <"+here+"/x> .\n" {
		t.Errorf("what could be read is\n%s", &out)
	}
}

// TestConvertEnds: conversion ends with its context, and when the output fails.
func TestConvertEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := &console.Console{Out: io.Discard, Err: io.Discard, In: strings.NewReader("<u:s> <u:p> <u:o> .\n")}
	if err := Convert(ctx, a, []string{"-"}, ConvertOptions{From: "turtle", To: "turtle"}); !errors.Is(err, console.ErrInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
	many := strings.Repeat("<u:s> <u:p> <u:o> .\n", 1000)
	a = &console.Console{Out: full{}, Err: io.Discard, In: strings.NewReader(many)}
	err := Convert(t.Context(), a, []string{"-"}, ConvertOptions{To: "nquads", Lenient: true})
	if !errors.Is(err, errFull) || errors.Is(err, orbweaver.ErrInput) || strings.Contains(err.Error(), "\n") {
		t.Errorf("full: %v", err)
	}
}

var errFull = errors.New("full")

// full is a writer that always fails.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
