package ledger_test

import (
	"cmp"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"orbweaver/ledger"
)

// TestRecalled: outcomes are found by URL, redirect and digest as in pages.jsonl, however the index was built.
func TestRecalled(t *testing.T) {
	dir, draw := t.TempDir(), rand.New(rand.NewPCG(25, 3))
	l, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		commitPages(t, l, draw, 100, 0)
		if i == 2 { // killed amid the index
			if err := cmp.Or(l.List(113), l.Close()); err != nil {
				t.Fatal(err)
			}
			if l, err = ledger.OpenForLooks(dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := l.Unlisted(); n != 600-113 {
		t.Errorf("%d outcomes are not recalled", n)
	}
	for l.Unlisted() > 0 {
		if err := l.List(97); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Flush(); err != nil {
		t.Fatal(err)
	}
	want := map[ledger.Trait]map[string][]int64{ledger.TraitURL: {}, ledger.TraitRedirect: {}, ledger.TraitDigest: {"sha1:none": nil}}
	again := false
	for line, err := range ledger.Committed(filepath.Join(dir, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		for trait, value := range map[ledger.Trait]string{ledger.TraitURL: line.URL, ledger.TraitRedirect: line.Redirect, ledger.TraitDigest: line.Digest} {
			if value != "" {
				again = again || len(want[trait][value]) > 0
				want[trait][value] = append(want[trait][value], line.N)
			}
		}
	}
	if !again || len(want[ledger.TraitRedirect]) == 0 || len(want[ledger.TraitDigest]) < 2 {
		t.Fatal("the test has no repeated values")
	}
	for trait, values := range want {
		for value, lines := range values {
			var got []int64
			for line, err := range l.Recalled(trait, value) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, line.N)
			}
			if !slices.Equal(got, lines) {
				t.Errorf("%c %s: %v, want %v", trait, value, got, lines)
			}
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}
