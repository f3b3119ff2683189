package item

import (
	"fmt"
	"testing"
)

// TestKeys: each term has a unique key that leads back to it, in any form.
func TestKeys(t *testing.T) {
	var r Reader
	s := NewState(Options{})
	for i := range 12 {
		form := []string{"Rate", "rates"}[min(i/4, 1)]
		s.Take(r.Read(fmt.Sprintf("Bank of England %s rose, interest %s fell in week %d. The Bank of England said more of wheat%d.", form, form, i, i), "", "en"))
	}
	seen := map[string]uint32{}
	for _, u := range s.units {
		if u.gram != (gramKey{}) && u.stem != "" {
			t.Fatalf("a term that is both: %+v", u)
		}
		key, ok := s.Key(u.id)
		if at, found := s.Lookup(key); !ok || !found || at != u.id || seen[key] != 0 {
			t.Errorf("term %d has key %q, which is of %d, and of %d before", u.id, key, at, seen[key])
		}
		seen[key] = u.id
	}
	for key, want := range map[string]string{"rate": "rates", "bank england": "Bank of England"} {
		id, ok := s.Lookup(key)
		if shown, _ := s.Text(id); !ok || shown != want {
			t.Errorf("%q is shown as %q, %v", key, shown, ok)
		}
	}
	for _, key := range []string{"", " ", "rates", "england bank", "bank england rate week", "bank nowhere"} {
		if id, ok := s.Lookup(key); ok {
			t.Errorf("%q is the key of %d", key, id)
		}
	}
	if key, ok := s.Key(0); ok {
		t.Errorf("no term has key %q", key)
	}
}

// TestKeyStays: an evicted term that recurs has another number and the same key.
func TestKeyStays(t *testing.T) {
	var r Reader
	s := NewState(Options{})
	s.Take(r.Read("A heron stands in the reeds.", "", "en"))
	before, _ := s.Lookup("heron")
	s.forgetUnits(map[uint32]bool{before: true})
	if _, ok := s.Lookup("heron"); ok {
		t.Error("it is not forgotten")
	}
	s.Take(r.Read("Herons fly.", "", "en"))
	after, ok := s.Lookup("heron")
	if key, _ := s.Key(after); !ok || after == before || key != "heron" {
		t.Errorf("%d, then %d, %q", before, after, key)
	}
}
