package item

import (
	"fmt"
	"slices"
	"testing"
)

// keys returns the keys of terms, sorted.
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

// TestShared: the heaviest terms of a document full of rare names are these names. With SharedBy its terms
// are common words first, then names; its vector still has the heaviest terms.
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
				body += ". barge" // in the long one, too: too few items
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

// TestSharedIsShareToo: a term of three items counts as shared among few items, but not among many.
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
