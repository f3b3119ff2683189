package item

import (
	"slices"
	"testing"
	"unicode/utf8"
)

// stand returns the places of all terms of a draft, as "words=term"; each term has one.
func stand(t *testing.T, s *State, d Draft, body, title string) (all []string) {
	t.Helper()
	var ids []uint32
	for _, term := range s.Weigh(d).Terms {
		ids = append(ids, term.ID)
	}
	met := map[uint32]bool{}
	for _, p := range s.Places(d, ids) {
		in := body
		if p.Title {
			in = title
		}
		if p.Start < 0 || p.Start >= p.End || p.End > len(in) || utf8.ValidString(in) && !utf8.ValidString(in[p.Start:p.End]) {
			t.Fatalf("%+v of %q", p, in)
		}
		met[p.ID] = true
		name, _ := s.Text(p.ID)
		all = append(all, in[p.Start:p.End]+"="+name)
	}
	for _, id := range ids {
		if name, _ := s.Text(id); !met[id] {
			t.Fatalf("%q stands nowhere in %q, %q: %q", name, body, title, all)
		}
	}
	return all
}

// TestPlaces: words match by stem, collocations as written; the title follows the text.
func TestPlaces(t *testing.T) {
	s := NewState(Options{})
	for _, other := range []string{"wood", "salt", "iron", "wool", "clay", "wine"} {
		s.Take(read("The prime minister was here. Of " + other + " nobody speaks, and " + other + " is dear."))
	}
	body, title := "Ünder prime\nministers, the minister's wood — a prime", "The Prime Minister"
	var r Reader
	d := r.Read(body, title, "en")
	got := stand(t, s, d, body, title)
	want := []string{
		"prime=prime", "ministers=minister", "prime\nministers=prime minister", "minister=minister", "wood=wood", "prime=prime",
		"Prime=prime", "Minister=minister", "Prime Minister=prime minister",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nnot %q", got, want)
	}
	if got := s.Places(d, nil); got != nil {
		t.Errorf("of no terms: %+v", got)
	}
	before := s.Digest()
	stand(t, s, d, body, title)
	if s.Digest() != before {
		t.Error("something was learned")
	}
}
