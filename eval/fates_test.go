package eval

import (
	"testing"

	"orbweaver"
	"orbweaver/ledger"
)

// TestFates: seeds and what links led to are distinguished, redirects by their targets.
func TestFates(t *testing.T) {
	var f fates
	for _, l := range []ledger.Line{
		{URL: "http://www.a.test/", Accepted: true},
		{URL: "http://b.test/old", Redirect: "http://b.test/"},
		{URL: "http://b.test/"},
		{URL: "http://c.test/", Error: orbweaver.ErrTimeout},
		{URL: "http://x.a.test/1", Depth: 1, Parent: "http://www.a.test/", Accepted: true},
		{URL: "http://x.a.test/2", Depth: 1, Parent: "http://www.a.test/", Redirect: "http://out.test/", Error: orbweaver.ErrScope},
	} {
		f.add(l)
	}
	want := []Fact{
		{"what seeds were", "accepted 1 (33.3 %), rejected 1 (33.3 %), failed 1 (33.3 %)"},
		{"what links led to", "accepted 1 (50.0 %), rejected 0 (0.0 %), failed 1 (50.0 %)"},
		{"domain names of pages", "2"},
	}
	for i, got := range f.list() {
		if got != want[i] {
			t.Errorf("%v, want %v", got, want[i])
		}
	}
	f = fates{source: func(url string) string { return url[:1] }}
	for _, url := range []string{"a", "b", "a"} {
		f.add(ledger.Line{URL: url, Accepted: true})
	}
	if got := f.list()[0]; got != (Fact{"what seeds of a were", "accepted 2 (100.0 %), rejected 0 (0.0 %), failed 0 (0.0 %)"}) || len(f.list()) != 4 {
		t.Errorf("by source: %v", f.list())
	}
	if (fate{}).String() != "" {
		t.Error("nothing is told as something")
	}
}
