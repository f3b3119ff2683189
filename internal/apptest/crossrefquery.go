package apptest

import (
	"strings"
	"testing"

	"orbweaver/internal/apptest/toy"
)

// Rows are those of an answer, but for its head.
func Rows(t *testing.T, dir, query string) []string {
	t.Helper()
	all := strings.Split(strings.TrimSpace(Ask(t, dir, toy.LearnedFrom+query)), "\n")
	return all[1:]
}
