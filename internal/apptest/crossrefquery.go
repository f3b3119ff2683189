package apptest

import (
	"strings"
	"testing"

	"orbweaver/internal/apptest/toy"
)

// Rows returns the rows of a query result without the header.
func Rows(t *testing.T, dir, query string) []string {
	t.Helper()
	all := strings.Split(strings.TrimSpace(Ask(t, dir, toy.LearnedFrom+query)), "\n")
	return all[1:]
}
