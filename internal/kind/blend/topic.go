package blend

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"orbweaver/internal/kind"
)

// topics are what parts know about a page, by their names.
type topics map[string]kind.Topic

// Print prints them one after the other.
func (t topics) Print(w io.Writer) {
	for _, name := range slices.Sorted(maps.Keys(t)) {
		fmt.Fprintf(w, "%s:\n", name)
		t[name].Print(w)
	}
}
