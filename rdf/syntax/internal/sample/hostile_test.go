package sample_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/internal/sample"
)

const (
	xmlHead = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="u:e"><e:C>`
	without = 500_000_000 // bytes of what does not end
	deep    = 10_000_000  // levels
)

// What is nested ten million times, however deep nesting is allowed to be, and what does not end within
// 500 MB ends with an error, and takes little memory.
func TestHostile(t *testing.T) {
	for _, tc := range []struct {
		name          string
		format        syntax.Format
		head, pattern string
		times         int
		want          string
	}{
		{"a line", syntax.NTriples, "<u:s>", " ", without, "token of more than 1000000 bytes"},
		{"a literal", syntax.NTriples, `<u:s> <u:p> "`, "a", without, "token of more than 1000000 bytes"},
		{"a literal", syntax.NQuads, `<u:s> <u:p> "`, `\"`, without / 2, "token of more than 1000000 bytes"},
		{"lists", syntax.Turtle, "<u:s> <u:p> ", "(", deep, "nested too deep"},
		{"nodes", syntax.Turtle, "", "[<u:p>", deep, "nested too deep"},
		{"both", syntax.Turtle, "<u:s> <u:p> ", "([<u:p>", deep, "nested too deep"},
		{"a long literal", syntax.Turtle, `<u:s> <u:p> """`, "a\n", without / 2, "token of more than 1000000 bytes"},
		{"a literal", syntax.Turtle, `<u:s> <u:p> "`, "a", without, "token of more than 1000000 bytes"},
		{"an IRI", syntax.Turtle, "<u:", "a", without, "token of more than 1000000 bytes"},
		{"a name", syntax.Turtle, "@prefix e: <u:e> . e:", "a", without, "token of more than 1000000 bytes"},
		{"a label", syntax.Turtle, "_:", "a.", without / 2, "token of more than 1000000 bytes"},
		{"a number", syntax.Turtle, "<u:s> <u:p> ", "1", without, "token of more than 1000000 bytes"},
		{"a comment", syntax.Turtle, "#", "a", 20_000_000, ""},
		{"graphs", syntax.TriG, "", "<u:g> {", deep, `"}" is missing`},
		{"lists", syntax.TriG, "{ <u:s> <u:p> ", "(", deep, "nested too deep"},
		{"nodes", syntax.TriG, "<u:g> { ", "[<u:p>", deep, "nested too deep"},
		{"nodes", syntax.RDFXML, xmlHead, "<e:p><e:C>", deep, "nested too deep"},
		{"resources", syntax.RDFXML, xmlHead, `<e:p rdf:parseType="Resource">`, deep, "nested too deep"},
		{"lists", syntax.RDFXML, xmlHead, `<e:p rdf:parseType="Collection"><e:C>`, deep, "nested too deep"},
		{"an XML literal", syntax.RDFXML, xmlHead + `<e:p rdf:parseType="Literal">`, "<a>", deep, "nested too deep"},
		{"a long XML literal", syntax.RDFXML, xmlHead + `<e:p rdf:parseType="Literal">`, "<a/>", deep, "too long"},
		{"a text", syntax.RDFXML, xmlHead + "<e:p>", "a", without, "token of more than 1000000 bytes"},
		{"texts", syntax.RDFXML, xmlHead, "<e:p>" + strings.Repeat("a", 100_000) + "<e:C>", 100, "too long"},
		{"a tag", syntax.RDFXML, xmlHead + "<e:p", " ", without, "token of more than 1000000 bytes"},
		{"a comment", syntax.RDFXML, "<!--", "a", without, "token of more than 1000000 bytes"},
		{"an instruction", syntax.RDFXML, "<?a ", "a", without, "token of more than 1000000 bytes"},
		{"a document type", syntax.RDFXML, "<!DOCTYPE a [", "<!ENTITY a ''>", without / 10, "token of more than 1000000 bytes"},
	} {
		for _, depth := range []int{0, 1 << 30} {
			if depth > 0 && tc.times != deep {
				continue
			}
			t.Run(tc.format.String()+": "+tc.name, func(t *testing.T) {
				opts := syntax.Options{MaxDepth: depth, MaxToken: 1_000_000}
				err := drop(sample.Repeat(tc.head, tc.pattern, tc.times), tc.format, opts)
				var wrong *syntax.Error
				if tc.want == "" && err != nil || tc.want != "" && (!errors.As(err, &wrong) || !strings.Contains(wrong.Msg, tc.want)) {
					t.Errorf("error %v, want %q", err, tc.want)
				}
			})
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.StackSys > 64<<20 || m.Sys > 512<<20 {
		t.Errorf("%d bytes of stack, %d in all", m.StackSys, m.Sys)
	}
}

// numbered is a document of a piece for every number, between a head and a foot.
type numbered struct {
	head, piece, foot string
	left              int
	rest              []byte
}

// Read makes the next pieces.
func (d *numbered) Read(b []byte) (n int, err error) {
	for len(d.rest) < len(b) && d.left >= 0 {
		d.rest = append(d.rest, d.head...)
		d.head = ""
		if d.left--; d.left >= 0 {
			d.rest = fmt.Appendf(d.rest, d.piece, d.left)
		} else {
			d.rest = append(d.rest, d.foot...)
		}
	}
	if len(d.rest) == 0 && len(b) > 0 {
		return 0, io.EOF
	}
	n = copy(b, d.rest)
	d.rest = d.rest[n:]
	return n, nil
}

// Prefixes have to be kept for as long as the document continues: not as many as one likes.
func TestPrefixes(t *testing.T) {
	in := &numbered{piece: "@prefix p%d: <http://e.org/a/rather/long/namespace#> .\n", left: 1_000_000}
	if err := drop(in, syntax.Turtle, syntax.Options{}); err == nil || !strings.Contains(err.Error(), "too many prefixes") {
		t.Errorf("error %v", err)
	}
}

// Memory does not grow with the document.
func TestMemory(t *testing.T) {
	const allowed = 8 << 20
	documents := map[string]io.Reader{
		"namespaces": &numbered{xmlHead, "<e:p xmlns:p%[1]d='http://e.org/%[1]d'/>\n", "</e:C></rdf:RDF>", 300_000, nil},
		"nodes":      &numbered{xmlHead, "<e:p rdf:nodeID='n%d'/>\n", "</e:C></rdf:RDF>", 300_000, nil},
	}
	kinds := map[string]syntax.Format{"namespaces": syntax.RDFXML, "nodes": syntax.RDFXML}
	for name, format := range formats() {
		documents[name], kinds[name] = sample.New(format, 1, 12_000_000), format
	}
	for name, in := range documents {
		t.Run(name, func(t *testing.T) {
			var before, now runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			statements := 0
			for _, err := range document.Quads(in, kinds[name], syntax.Options{}) {
				if err != nil {
					t.Fatal(err)
				}
				if statements++; statements%20_000 == 0 {
					runtime.ReadMemStats(&now)
					if now.HeapAlloc > before.HeapAlloc+allowed {
						t.Fatalf("%d bytes of heap after %d statements, %d before", now.HeapAlloc, statements, before.HeapAlloc)
					}
				}
			}
			if statements < 20_000 {
				t.Errorf("%d statements", statements)
			}
		})
	}
}
