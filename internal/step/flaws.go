package step

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// CountFlaws counts a page to the kinds of its flaws.
func CountFlaws(pages, flaws map[string]int) {
	for kind := range flaws {
		pages[kind]++
	}
}

// FlawWords lists flaws by kind, the most frequent first: "mistakes in RDF (3), bytes that are no text (1)".
func FlawWords(flaws map[string]int) string {
	var words []string
	kinds := slices.SortedFunc(maps.Keys(flaws), func(a, b string) int {
		return cmp.Or(cmp.Compare(flaws[b], flaws[a]), strings.Compare(a, b))
	})
	for _, kind := range kinds {
		words = append(words, fmt.Sprintf("%s (%d)", kind, flaws[kind]))
	}
	return strings.Join(words, ", ")
}
