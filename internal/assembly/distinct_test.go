package assembly

import (
	"testing"

	"orbweaver/ledger"
)

// TestDistinct: of pages with the same bytes the first counts; pages whose digest is unknown all do.
func TestDistinct(t *testing.T) {
	best := []ledger.Line{{N: 1, Digest: "a"}, {N: 2, Digest: "a"}, {N: 3}, {N: 4}, {N: 5, Digest: "b"}, {N: 6, Digest: "c"}}
	var got []int64
	for _, line := range distinct(best, 4) {
		got = append(got, line.N)
	}
	if len(got) != 4 || got[0] != 1 || got[1] != 3 || got[2] != 4 || got[3] != 5 {
		t.Errorf("got %v", got)
	}
}
