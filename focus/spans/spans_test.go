package spans

import (
	"slices"
	"testing"

	"orbweaver"
)

// TestList: with too many spans each name keeps its first, and the title precedes the text.
func TestList(t *testing.T) {
	var l List
	for i := range 20 * Most {
		l.Add(orbweaver.Span{Field: orbweaver.InText, Start: i, End: i + 1, Name: "frequent"})
	}
	rare := orbweaver.Span{Field: orbweaver.InText, Start: 9, End: 10, Name: "rare"}
	title := orbweaver.Span{Field: orbweaver.InTitle, Start: 5, End: 6, Name: "title"}
	l.Add(rare)
	l.Add(title)
	got := l.Sorted()
	if len(got) != Most || got[0] != title || !slices.Contains(got, rare) || got[1].Start != 0 || got[Most-1].Start != Most-3 {
		t.Errorf("%d spans, %+v, %+v … %+v", len(got), got[0], got[1], got[len(got)-1])
	}
	if got := new(List).Sorted(); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestManyNames: beyond Most names the first on the page are kept, in any order of additions.
func TestManyNames(t *testing.T) {
	var up, down List
	for i := range 9 * Most {
		up.Add(orbweaver.Span{Field: orbweaver.InText, Start: i, End: i + 1, Name: string(rune(i + 1<<16))})
		j := 9*Most - 1 - i
		down.Add(orbweaver.Span{Field: orbweaver.InText, Start: j, End: j + 1, Name: string(rune(j + 1<<16))})
	}
	a, b := up.Sorted(), down.Sorted()
	if len(a) != Most || a[Most-1].Start != Most-1 || !slices.Equal(a, b) {
		t.Errorf("%d spans to %+v, and %d to %+v", len(a), a[len(a)-1], len(b), b[len(b)-1])
	}
}
