package ontology

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf"
)

// TestOrdered: strings are in the order of bytes, those that are equal by their ties.
func TestOrdered(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		all := make([]string, draw.IntN(200))
		for i := range all {
			for range draw.IntN(4) { // long common parts, ends at any place, and zeros
				all[i] += [...]string{"http://example.org/", "a", "\x00", "\x00\x00\x00\x00\x00\x00\x00\x00", "é", "bcdefgh"}[draw.IntN(6)]
			}
		}
		numbers := make([]int32, len(all))
		for i := range numbers {
			numbers[i] = int32(i)
		}
		want := slices.Clone(numbers)
		slices.SortFunc(want, func(a, b int32) int {
			if c := strings.Compare(all[a], all[b]); c != 0 {
				return c
			}
			return compareNumbers(b, a)
		})
		got := ordered(numbers, func(i int32) string { return all[i] }, func(a, b int32) int { return compareNumbers(b, a) })
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %v, not %v", all, got, want)
		}
	}
}

// TestEdges: rows are ascending, without duplicates, and may be empty.
func TestEdges(t *testing.T) {
	e := newEdges(4, []edge[int32]{{2, 5}, {0, 3}, {2, 1}, {2, 5}, {0, 3}}, compareNumbers)
	for i, want := range [][]int32{{3}, nil, {1, 5}, nil} {
		if got := e.of(int32(i)); !slices.Equal(got, want) {
			t.Errorf("row %d: %v, not %v", i, got, want)
		}
	}
}

// TestSpaced: words have single spaces between them.
func TestSpaced(t *testing.T) {
	for _, s := range []string{"", " ", "a", "light aircraft", " a", "a ", "a  b", "a\tb", "a\u00a0b", "a\u2003 b", "ü b", "a \n b"} {
		if got, want := spaced(s), strings.Join(strings.Fields(s), " "); got != want {
			t.Errorf("%q: %q, not %q", s, got, want)
		}
	}
}

// TestAhead: a sequence arrives whole, ends with its error, and ends when the consumer has enough.
func TestAhead(t *testing.T) {
	broken := errors.New("broken")
	for _, n := range []int{0, 1, batchSize - 1, batchSize, batchSize + 1, 5 * batchSize} {
		ended := 0
		numbers := func(yield func(rdf.Triple, error) bool) {
			defer func() { ended++ }()
			for i := range n {
				if !yield(rdf.Triple{S: rdf.NewBlank(fmt.Sprint(i))}, nil) {
					return
				}
			}
			yield(rdf.Triple{}, broken)
		}
		at, failed := 0, error(nil)
		for triple, err := range ahead(numbers) {
			if err != nil {
				failed = err
			} else if triple.S.Value != fmt.Sprint(at) {
				t.Fatalf("%s at %d", triple.S.Value, at)
			} else {
				at++
			}
		}
		if at != n || failed != broken || ended != 1 {
			t.Errorf("%d of %d, %v", at, n, failed)
		}
		for range ahead(numbers) {
			break
		}
		if ended != 2 {
			t.Errorf("%d: the other goroutine goes on", n)
		}
	}
}

// BenchmarkLoad reads ontologies of 100 000 classes, or ORBWEAVER_CLASSES, five statements each.
func BenchmarkLoad(b *testing.B) {
	classes := 100_000
	if s := os.Getenv("ORBWEAVER_CLASSES"); s != "" {
		if _, err := fmt.Sscan(s, &classes); err != nil {
			b.Fatal(err)
		}
	}
	for _, syntax := range []string{"nt", "ttl"} {
		file := filepath.Join(b.TempDir(), "large."+syntax)
		if err := os.WriteFile(file, []byte(large(classes, syntax == "nt")), 0o666); err != nil {
			b.Fatal(err)
		}
		b.Run(syntax, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Load(file); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// large returns a tree of classes with two labels each, and a relation to another one.
func large(classes int, whole bool) string {
	draw := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	e, owl, rdfs, skos := "e:", "owl:", "rdfs:", "skos:"
	end := ""
	if whole {
		e, owl, rdfs, skos, end = "<http://example.org/large#", "<"+nsOWL, "<"+nsRDFS, "<"+nsSKOS, ">"
	} else {
		fmt.Fprintf(&b, "@prefix e: <http://example.org/large#> .\n@prefix owl: <%s> .\n@prefix rdfs: <%s> .\n@prefix skos: <%s> .\n", nsOWL, nsRDFS, nsSKOS)
	}
	for i := range classes {
		c := fmt.Sprintf("%sC%07d%s", e, i, end)
		fmt.Fprintf(&b, "%s <%s> %sClass%s .\n", c, rdfType, owl, end)
		fmt.Fprintf(&b, "%s %ssubClassOf%s %sC%07d%s .\n", c, rdfs, end, e, i/8, end)
		fmt.Fprintf(&b, "%s %slabel%s \"word%d word%d\"@en .\n", c, rdfs, end, draw.IntN(30_000), draw.IntN(30_000))
		fmt.Fprintf(&b, "%s %saltLabel%s \"word%d\"@en .\n", c, skos, end, draw.IntN(300_000))
		fmt.Fprintf(&b, "%s %sp%d%s %sC%07d%s .\n", c, e, draw.IntN(200), end, e, draw.IntN(classes), end)
	}
	return b.String()
}
