package teach

import (
	"fmt"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// TestGivenIn: the last word on a page holds, a withdrawn one does not, the latest stand first, and parts neither repeat nor leave out.
func TestGivenIn(t *testing.T) {
	l, err := ledger.OpenInMemory(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var said []orbweaver.Decision
	for i := range 7 {
		said = append(said, orbweaver.Decision{Page: fmt.Sprintf("http://h.test/%d", i), Accepted: i%2 == 0, Part: i == 5, After: int64(10 + i)})
	}
	said = append(said, orbweaver.Decision{Page: "http://h.test/0", After: 20}, orbweaver.Decision{Page: "http://h.test/3", Withdrawn: true, After: 21},
		orbweaver.Decision{ID: "a suggestion", Accepted: true, After: 22})
	for _, d := range said {
		if err := l.Commit(step.Batch{Decision: &d}); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := GivenIn(l, GivenQuery{Limit: 100})
	if err != nil || whole.Next != 0 || whole.Total != (Said{About: 3, Part: 1, Not: 2}) {
		t.Fatalf("%+v, %v", whole, err)
	}
	if first := whole.Verdicts[0]; first.URL != "http://h.test/0" || first.Said != SaidNot || first.After != 20 {
		t.Errorf("the latest is %+v", first)
	}
	var parts []Given
	for q := (GivenQuery{Limit: 4}); ; {
		part, err := GivenIn(l, q)
		if err != nil || part.Total != whole.Total {
			t.Fatalf("%+v, %v", part, err)
		}
		parts = append(parts, part.Verdicts...)
		if q.After = part.Next; q.After == 0 {
			break
		}
	}
	if fmt.Sprint(parts) != fmt.Sprint(whole.Verdicts) || len(parts) != 6 {
		t.Errorf("%v, want %v", parts, whole.Verdicts)
	}
	if none, err := GivenIn(l, GivenQuery{}); err != nil || len(none.Verdicts) != 1 {
		t.Errorf("without a limit: %+v, %v", none, err)
	}
	for verdict, want := range map[string]string{SaidAbout: "relevant", SaidPart: "relevant in part", SaidNot: "not relevant", "odd": "odd"} {
		if got := SaidWords(verdict); got != want {
			t.Errorf("%s: %s", verdict, got)
		}
	}
}
