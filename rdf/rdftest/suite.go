package rdftest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"iter"
	"os"
	"strings"
	"testing"

	"orbweaver/internal/realdata"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// A File is one of an archive.
type File struct {
	Name string
	Data []byte
}

// Archive returns the regular files of a .tar.gz of the test data whose names start with prefix, in
// the archive's order.
func Archive(t testing.TB, name, prefix string) []File {
	t.Helper()
	path := realdata.File(t, name)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var files []File
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if h.Typeflag != tar.TypeReg || !strings.HasPrefix(h.Name, prefix) {
			continue
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatalf("%s: %s: %v", path, h.Name, err)
		}
		files = append(files, File{h.Name, data})
	}
}

// siteBase is the URL of the suites: the rest of a URL is the name in the archive.
const siteBase = "https://w3c.github.io/rdf-tests/"

// A Case is a test of a suite of the W3C.
type Case struct {
	Name     string
	Base     string // IRI of the document
	Input    []byte
	Expected []byte // as N-Triples; nil unless the test compares
	Negative bool   // the input is invalid and must be rejected
}

// Cases returns the tests of a suite, such as "rdf/rdf11/rdf-turtle", as its manifest lists them.
func Cases(t testing.TB, suite string) []Case {
	t.Helper()
	files := map[string][]byte{}
	for _, f := range Archive(t, "w3c-rdf-tests.tar.gz", suite+"/") {
		files[f.Name] = f.Data
	}
	m := readManifest(t, files, suite+"/manifest.ttl")
	var cases []Case
	for node := m.object(m.subject("entries"), "entries"); ; node = m[property{node, rest}] {
		entry, ok := m[property{node, first}]
		if !ok {
			return cases
		}
		kind := m[property{entry, kindOf}].Value
		action, result := m.object(entry, "action"), m.object(entry, "result")
		c := Case{
			Name: m.object(entry, "name").Value, Base: action.Value,
			Input:    files[strings.TrimPrefix(action.Value, siteBase)],
			Negative: strings.Contains(kind, "Negative"),
		}
		if !result.IsZero() {
			c.Expected = files[strings.TrimPrefix(result.Value, siteBase)]
			if c.Expected == nil {
				t.Fatalf("%s: no file %s", c.Name, result.Value)
			}
		}
		if c.Input == nil {
			t.Fatalf("%s: no file %s", c.Name, action.Value)
		}
		cases = append(cases, c)
	}
}

const (
	rdfNS  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	first  = rdfNS + "first"
	rest   = rdfNS + "rest"
	kindOf = rdfNS + "type"
	mf     = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
)

// property is one of a subject.
type property struct {
	subject   rdf.Term
	predicate string
}

// manifest is a manifest's graph; the properties examined have one value each.
type manifest map[property]rdf.Term

// object returns the value of a property of the manifest vocabulary.
func (m manifest) object(subject rdf.Term, name string) rdf.Term {
	return m[property{subject, mf + name}]
}

// subject returns the one that has a property.
func (m manifest) subject(name string) rdf.Term {
	for p := range m {
		if p.predicate == mf+name {
			return p.subject
		}
	}
	return rdf.Term{}
}

func readManifest(t testing.TB, files map[string][]byte, name string) manifest {
	t.Helper()
	m := manifest{}
	for _, triple := range Collect(t, turtle.Read(bytes.NewReader(files[name]), syntax.Options{Base: siteBase + name})) {
		m[property{triple.S, triple.P.Value}] = triple.O
	}
	return m
}

// Collect returns the triples or quads of a sequence, and fails the test on an error.
func Collect[T any](t testing.TB, statements iter.Seq2[T, error]) []T {
	t.Helper()
	out, err := All(statements)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// All returns the triples or quads of a sequence up to its error, and the error.
func All[T any](statements iter.Seq2[T, error]) (out []T, err error) {
	for statement, err := range statements {
		if err != nil {
			return out, err
		}
		out = append(out, statement)
	}
	return out, nil
}

// A Reader is the Read function of packages of graph syntaxes.
type Reader func(io.Reader, syntax.Options) iter.Seq2[rdf.Triple, error]

// A QuadReader is the Read function of packages of dataset syntaxes.
type QuadReader func(io.Reader, syntax.Options) iter.Seq2[rdf.Quad, error]

// Quads returns a reader that delivers triples as quads of the default graph.
func (read Reader) Quads() QuadReader {
	return func(r io.Reader, opts syntax.Options) iter.Seq2[rdf.Quad, error] {
		return func(yield func(rdf.Quad, error) bool) {
			for t, err := range read(r, opts) {
				if !yield(rdf.Quad{S: t.S, P: t.P, O: t.O}, err) {
					return
				}
			}
		}
	}
}

// Run runs a suite of the W3C with a reader, and fails unless it has as many tests as it should and
// all pass. Expected graphs are read by nt.
func Run(t *testing.T, suite string, count int, read, nt Reader) {
	t.Helper()
	RunQuads(t, suite, count, read.Quads(), nt.Quads())
}

// RunQuads does the same for datasets. Expected ones are read by nq.
func RunQuads(t *testing.T, suite string, count int, read, nq QuadReader) {
	t.Helper()
	RunBut(t, suite, count, nil, read, nq)
}

// RunBut is RunQuads with exceptions: tests, by name, that the reader must fail, and why.
func RunBut(t *testing.T, suite string, count int, exceptions map[string]string, read, nq QuadReader) {
	t.Helper()
	Count(t, suite, count, exceptions, func(t *testing.T, c Case) bool { return c.passes(t, read, nq) })
}

// RunCanonical runs a suite whose results are the canonical lines of its inputs.
func RunCanonical(t *testing.T, suite string, count int, read QuadReader, appendTo func([]byte, rdf.Quad) []byte) {
	t.Helper()
	Count(t, suite, count, nil, func(t *testing.T, c Case) bool {
		var got []byte
		for _, q := range Collect(t, read(bytes.NewReader(c.Input), syntax.Options{Base: c.Base})) {
			got = appendTo(got, q)
		}
		if !bytes.Equal(got, c.Expected) {
			t.Logf("got\n%s\nwant\n%s", got, c.Expected)
			return false
		}
		return true
	})
}

// Count runs the tests of a suite, and fails unless it has as many as it should, and all pass but the exceptions: tests, by name, that must
// fail, and why.
func Count(t *testing.T, suite string, count int, exceptions map[string]string, passes func(*testing.T, Case) bool) {
	t.Helper()
	cases := Cases(t, suite)
	asExpected, excepted := 0, 0
	for _, c := range cases {
		why, fails := exceptions[c.Name]
		if fails {
			excepted++
		}
		if t.Run(c.Name, func(t *testing.T) {
			if passed := passes(t, c); passed == fails {
				t.Errorf("passed %v, want %v: %s\n%s", passed, !fails, why, c.Input)
			}
		}) {
			asExpected++
		}
	}
	if asExpected != count || len(cases) != count || excepted != len(exceptions) {
		t.Errorf("%s: %d of %d as expected with %d exceptions, want %d with %d", suite, asExpected, len(cases), excepted, count, len(exceptions))
	}
}

// passes runs one test.
func (c Case) passes(t *testing.T, read, nq QuadReader) bool {
	got, err := All(read(bytes.NewReader(c.Input), syntax.Options{Base: c.Base}))
	var wrong *syntax.Error
	switch {
	case c.Negative && err == nil:
		t.Log("read without an error")
		return false
	case c.Negative && !errors.As(err, &wrong):
		t.Errorf("%v is no *syntax.Error", err)
	case !c.Negative && err != nil:
		t.Log(err)
		return false
	case !c.Negative && c.Expected != nil:
		want := Collect(t, nq(bytes.NewReader(c.Expected), syntax.Options{}))
		if !IsomorphicQuads(got, want) {
			t.Logf("got\n%v\nwant\n%v", got, want)
			return false
		}
	}
	return true
}

// Printing returns a function that reads a document and prints its statements, up to the first fatal error, with the texts of
// all errors.
func Printing[T any](read func(io.Reader, syntax.Options) iter.Seq2[T, error], appendTo func([]byte, T) []byte) func(io.Reader, syntax.Options) (string, []string) {
	return func(in io.Reader, opts syntax.Options) (string, []string) {
		var errs []string
		var b []byte
		opts.OnError = func(err error) { errs = append(errs, err.Error()) }
		for statement, err := range read(in, opts) {
			if err != nil {
				errs = append(errs, err.Error())
				break
			}
			b = appendTo(b, statement)
		}
		return string(b), errs
	}
}
