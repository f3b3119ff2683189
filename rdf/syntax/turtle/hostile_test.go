package turtle_test

import (
	"strings"
	"testing"

	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// BenchmarkEscapes reads literals that consist of escapes: throughput must not decrease with length.
func BenchmarkEscapes(b *testing.B) {
	for name, length := range map[string]int{"100kB": 100_000, "1MB": 1_000_000} {
		document := `<urn:s> <urn:p> "` + strings.Repeat(`\u0041`, length/6) + `" .`
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(document)))
			for b.Loop() {
				for _, err := range turtle.Read(strings.NewReader(document), syntax.Options{}) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
