package krs

import (
	"slices"
	"testing"
)

// TestIDs: documents of the corpus are in order, without those of the background.
func TestIDs(t *testing.T) {
	s := built(t, []Document{say("http://b.test/", "x"), say("a file", "y"), say("http://a.test/", "z")}, []Document{say("http://c.test/", "w")})
	var all []string
	for id, err := range s.IDs() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, id)
	}
	if want := []string{"http://a.test/", "http://b.test/", "urn:krs:document:a%20file"}; !slices.Equal(all, want) {
		t.Errorf("%q", all)
	}
	for range s.IDs() {
		break // the database can still be closed
	}
}
