package crossref

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkQuads yields the quads of 20 000 items of 60 words each, from a vocabulary of 20 000 words, some
// of them frequent.
func BenchmarkQuads(b *testing.B) {
	f, r := focus(b, nil), rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 20, 20_000)
	for i := range 20_000 {
		var text strings.Builder
		for range 60 {
			n := zipf.Uint64()
			fmt.Fprintf(&text, "%c%c%c%c%c ", 'a'+n%26, 'a'+n/26%26, 'a'+n/676%26, 'b'+n%7, 'k'+n%5)
		}
		learn(b, f, page(fmt.Sprint("http://p.test/", i), text.String()))
	}
	all := 0
	for b.Loop() {
		all = 0
		for range f.Quads() {
			all++
		}
	}
	b.ReportMetric(float64(all), "quads")
}
