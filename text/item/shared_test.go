package item

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// keys are the keys of terms, in their order.
func keys(t *testing.T, s *State, terms []Term) (all []string) {
	t.Helper()
	for _, term := range terms {
		key, ok := s.Key(term.ID)
		if !ok {
			t.Fatalf("term %d has no key", term.ID)
		}
		all = append(all, key)
	}
	return all
}

// TestShared: of a document of names that few others have, the heaviest terms are these; the shared ones are words of
// many, then names as far as there is room.
func TestShared(t *testing.T) {
	s := NewState(Options{Terms: 4, SharedBy: 3, SharedIn: 0.05})
	for i := range 40 {
		body := fmt.Sprintf("harbour. only%c%c", 'a'+i/26, 'a'+i%26)
		switch {
		case i%4 == 0:
			body += ". tanker"
		case i == 1:
			body += ". barge" // and in the long one: too few items
		}
		s.Take(read(body))
	}
	long := read("Zorn, Zorn. Quill, Quill. Vex, Vex. Yarrow, Yarrow. barge. tanker. harbour.")
	it := s.Take(long)
	if got, want := keys(t, s, it.Shared), []string{"tanker", "harbour", "zorn", "quill"}; !slices.Equal(got, want) {
		t.Errorf("shared %q, want %q", got, want)
	}
	if got := strings.Join(keys(t, s, it.Terms), " "); strings.Contains(got, "harbour") {
		t.Errorf("the heaviest are %q", got)
	}
	if !slices.IsSortedFunc(it.Shared[:2], func(a, b Term) int { return int(b.Weight*1e6) - int(a.Weight*1e6) }) {
		t.Errorf("not the heaviest first: %v", it.Shared)
	}
	if got := s.Weigh(long); !slices.Equal(keys(t, s, got.Shared)[:2], []string{"tanker", "harbour"}) {
		t.Errorf("weighed, shared are %q", keys(t, s, got.Shared))
	}
}

// TestSharedIsShareToo: what three items of few hold is shared, and of many is not.
func TestSharedIsShareToo(t *testing.T) {
	s := NewState(Options{SharedBy: 3, SharedIn: 0.05})
	first := func() string { return keys(t, s, s.Weigh(read("tanker. harbour")).Shared)[0] }
	for range 3 {
		s.Take(read("tanker"))
	}
	for range 10 {
		s.Take(read("harbour"))
	}
	if got := first(); got != "tanker" {
		t.Errorf("of 13 items first is %q", got)
	}
	for range 60 {
		s.Take(read("harbour"))
	}
	if got := first(); got != "harbour" {
		t.Errorf("of 73 items first is %q", got)
	}
}
