package sample_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"testing"

	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/internal/sample"
)

// What TestDocuments writes for other programs to be measured with.
var (
	write = flag.String("write", "", "write the sample of this `format` (nt, nq, ttl, trig or rdf) to -to")
	to    = flag.String("to", "", "`file` or named pipe to write to")
	size  = flag.Int64("size", 100e6, "`bytes` to write")
)

// formats are those there are samples of, by extension.
func formats() map[string]syntax.Format {
	return map[string]syntax.Format{
		"nt": syntax.NTriples, "nq": syntax.NQuads, "ttl": syntax.Turtle, "trig": syntax.TriG, "rdf": syntax.RDFXML,
	}
}

// Documents are long enough, without mistakes, and the same every time.
func TestDocuments(t *testing.T) {
	if *write != "" {
		file, err := os.Create(*to)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := io.Copy(file, sample.New(formats()[*write], 1, *size)); err != nil {
			t.Fatal(err)
		}
		return
	}
	const length = 300_000
	for name, format := range formats() {
		data, err := io.ReadAll(sample.New(format, 1, length))
		if err != nil || len(data) < length || len(data) > length+100_000 {
			t.Fatalf("%s: %d bytes, %v", name, len(data), err)
		}
		if again, _ := io.ReadAll(sample.New(format, 1, length)); !bytes.Equal(data, again) {
			t.Errorf("%s: another document from the same seed", name)
		}
		statements := 0
		for _, err := range document.Quads(bytes.NewReader(data), format, syntax.Options{Name: name}) {
			if err != nil {
				t.Fatal(err)
			}
			statements++
		}
		if statements < length/300 {
			t.Errorf("%s: %d statements", name, statements)
		}
	}
	if sample.New(syntax.Unknown, 1, length) != nil {
		t.Error("a document in no syntax")
	}
}
