package ontology

import (
	"fmt"
	"slices"
	"testing"
)

func TestWhatIsKeptStays(t *testing.T) {
	var k kept
	var hits [][]hit
	var texts []string
	for i := range 200 {
		room := k.hits(i%40 + 2)
		hits = append(hits, k.keep(append(room, hit{entity: int32(i), count: 1}, hit{entity: int32(i), count: 2})))
		texts = append(texts, k.text(fmt.Appendf(nil, "%0*d", i*3+1, i)))
	}
	for i := range 200 {
		if want := []hit{{entity: int32(i), count: 1}, {entity: int32(i), count: 2}}; !slices.Equal(hits[i], want) || cap(hits[i]) != 2 {
			t.Errorf("%v of room for %d, want %v", hits[i], cap(hits[i]), want)
		}
		if want := fmt.Sprintf("%0*d", i*3+1, i); texts[i] != want {
			t.Errorf("%q, want %q", texts[i], want)
		}
	}
}
