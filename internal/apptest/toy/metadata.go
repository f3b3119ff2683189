package toy

import (
	"slices"

	"orbweaver/internal/findings"
)

// Reached returns the found terms, sorted.
func Reached(f findings.Findings) (iris []string) {
	for _, t := range f.Terms {
		if t.Found {
			iris = append(iris, t.IRI)
		}
	}
	slices.Sort(iris)
	return iris
}
