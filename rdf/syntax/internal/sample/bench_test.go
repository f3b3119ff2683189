package sample_test

import (
	"bytes"
	"io"
	"testing"

	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/internal/sample"
	"orbweaver/rdf/syntax/nquads"
)

// BenchmarkRead reads a sample of each syntax, in windows as a file is read, and drops what it says.
func BenchmarkRead(b *testing.B) {
	for name, format := range formats() {
		b.Run(name, func(b *testing.B) {
			data, err := io.ReadAll(sample.New(format, 1, 8e6))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := drop(struct{ io.Reader }{bytes.NewReader(data)}, format, syntax.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// drop reads a document up to its first mistake, and drops what it says.
func drop(in io.Reader, format syntax.Format, opts syntax.Options) error {
	if format.HasGraphs() {
		for _, err := range document.Quads(in, format, opts) {
			if err != nil {
				return err
			}
		}
		return nil
	}
	for _, err := range document.Read(in, format, opts) {
		if err != nil {
			return err
		}
	}
	return nil
}

// BenchmarkConvert writes a sample of each syntax as N-Quads.
func BenchmarkConvert(b *testing.B) {
	for name, format := range formats() {
		b.Run(name, func(b *testing.B) {
			data, err := io.ReadAll(sample.New(format, 1, 8e6))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := convert(data, format); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// convert writes a document to nowhere.
func convert(data []byte, format syntax.Format) error {
	out := nquads.NewWriter(io.Discard)
	for q, err := range document.Quads(struct{ io.Reader }{bytes.NewReader(data)}, format, syntax.Options{}) {
		if err != nil {
			return err
		}
		if err := out.Write(q); err != nil {
			return err
		}
	}
	return out.Close()
}
