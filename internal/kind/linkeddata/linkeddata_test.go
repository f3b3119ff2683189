package linkeddata

import (
	"errors"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/kind"
)

// TestBadLists: what a crawl file adds wrongly to the lists of linked_data is told by its key.
func TestBadLists(t *testing.T) {
	_, err := Kind{}.New(t.Context(), &section{
		Method: "focused", HR: "paper", Terms: []string{"void"}, Extensions: []string{"rj", ".css"}, Layout: []string{""},
	}, &kind.Env{})
	if !errors.Is(err, orbweaver.ErrInput) {
		t.Fatal(err)
	}
	want := []string{`focus.linked_data.layout: ""`, `focus.linked_data.extensions: "rj"`, `focus.linked_data.other_extensions: ".css"`}
	lines := strings.Split(err.Error(), "\n")
	for i, line := range lines {
		if len(lines) != len(want) || !strings.HasPrefix(line, want[i]) {
			t.Errorf("%d: %s", i, line)
		}
	}
}
