//go:build e2e

package crawls_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"orbweaver/internal/kind/all"
)

// TestRoundFacts: each figure of the file is what it is called in the report; a crawl of another focus has none.
func TestRoundFacts(t *testing.T) {
	dir := t.TempDir()
	const rounds = `[{"round":1,"pages":2,"accepted":3,"cos_l0":0.4,"cos_item":0.5,"items":6,"layers":[7,8],"inferred":9,
		"terms":10,"labels":11,"relations":12,"alpha":13,"beta":14}]`
	if err := os.WriteFile(filepath.Join(dir, "rounds.json"), []byte(rounds), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, kind := range all.Kinds() {
		want := "[]"
		if kind.Traits().Key == "crossref" {
			want = "[{Round:1 Pages:2 Accepted:3 CosItem:0.5 CosL0:0.4 Items:6 Layers:[7 8] Inferred:9 Terms:10 Labels:11 Relations:12 Alpha:13 Beta:14}]"
		}
		if got := fmt.Sprintf("%+v", kind.Kept(kind.Section(), dir).Rounds); got != want {
			t.Errorf("%s: %s, want %s", kind.Traits().Key, got, want)
		}
	}
}
