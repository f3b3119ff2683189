package quads_test

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// TestCanonicalTags: the examples of RFC 5646, section 2.1.1, and what is no tag at all.
func TestCanonicalTags(t *testing.T) {
	for _, tc := range []struct{ tag, want string }{
		{"en", "en"},
		{"EN", "en"},
		{"en-us", "en-US"},
		{"DE-lAtN-dE-1996", "de-Latn-DE-1996"},
		{"mn-cyrl-mn", "mn-Cyrl-MN"},
		{"EN-CA-X-CA", "en-CA-x-ca"},
		{"sgn-be-fr", "sgn-BE-FR"},
		{"az-latn-X-LATN", "az-Latn-x-latn"},
		{"I-KLINGON", "i-klingon"},
		{"", ""},
		{"-", "-"},
		{"en--us-", "en--US-"},
		{"É", "É"},
	} {
		if got := quads.Canonical(rdf.NewLang("x", tc.tag)).Lang; got != tc.want {
			t.Errorf("%q is %q, not %q", tc.tag, got, tc.want)
		}
	}
}

// TestTagsInAnyCase: a literal is found, removed and there once, whatever the case of its tag.
func TestTagsInAnyCase(t *testing.T) {
	quad := func(tag string) rdf.Quad {
		return rdf.Quad{S: item("S"), P: word("title"), O: rdf.NewLang("x", tag)}
	}
	db, store := on(t, vfs.NewMem(), tiny)
	defer db.Close()
	w, err := store.Writer()
	if err != nil {
		t.Fatal(err)
	}
	if done, err := w.Load(t.Context(), list{quad("EN-us"), quad("en-US"), quad("en")}.all(nil), ""); done.Added != 2 || err != nil {
		t.Fatalf("%v, %v, not 2", done, err)
	}
	reader := store.Over(db)
	found := id(t, reader, rdf.NewLang("x", "EN-US"))
	if term, err := reader.Term(found); term != rdf.NewLang("x", "en-US") || err != nil {
		t.Errorf("%v, %v", term, err)
	}
	batch := db.NewIndexedBatch()
	w.Begin(batch)
	if fresh, err := w.Add(quad("EN"), ""); fresh || err != nil {
		t.Errorf("it is new: %v", err)
	}
	if was, err := w.Remove(quad("eN-uS"), ""); !was || err != nil {
		t.Errorf("it was not there: %v", err)
	}
	commit(t, w, batch)
}
