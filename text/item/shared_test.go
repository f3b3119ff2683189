package item

import (
	"fmt"
	"slices"
	"testing"
)

// keys are the keys of terms, sorted.
func keys(t *testing.T, s *State, terms []Term) (all []string) {
	t.Helper()
	for _, term := range terms {
		key, ok := s.Key(term.ID)
		if !ok {
			t.Fatalf("term %d has no key", term.ID)
		}
		all = append(all, key)
	}
	slices.Sort(all)
	return all
}

// TestShared: of a document of names that few others have, the heaviest terms are these; with SharedBy its terms are words
// of many, then names as far as there is room, and it is compared by the heaviest all the same.
func TestShared(t *testing.T) {
	long := read("Zorn, Zorn. Quill, Quill. Vex, Vex. Yarrow, Yarrow. barge. tanker. harbour.")
	for by, want := range map[int][]string{0: {"quill", "vex", "yarrow", "zorn"}, 3: {"harbour", "quill", "tanker", "zorn"}} {
		s := NewState(Options{Terms: 4, SharedBy: by, SharedIn: 0.05})
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
		it := s.Take(long)
		if got := keys(t, s, it.Terms); !slices.Equal(got, want) {
			t.Errorf("by %d: terms %q, want %q", by, got, want)
		}
		if got := keys(t, s, it.Vector); !slices.Equal(got, []string{"quill", "vex", "yarrow", "zorn"}) {
			t.Errorf("by %d: the heaviest are %q", by, got)
		}
		if got := s.Weigh(long); !slices.Equal(got.Terms, it.Terms) {
			t.Errorf("by %d: weighed, terms are %q", by, keys(t, s, got.Terms))
		}
	}
}

// TestSharedIsShareToo: what three items of few hold goes first, and of many does not.
func TestSharedIsShareToo(t *testing.T) {
	s := NewState(Options{Terms: 1, SharedBy: 3, SharedIn: 0.05})
	first := func() string { return keys(t, s, s.Weigh(read("tanker. harbour")).Terms)[0] }
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
