package baseline

import (
	"errors"
	"math"
	"testing"

	"orbweaver"
)

func TestBestFirstByItem(t *testing.T) {
	for _, tc := range []struct {
		name        string
		item        orbweaver.Page
		title, text string
		score       float64
		accepted    bool
	}{
		{"the same words", orbweaver.Page{Title: "Plane", Text: "the sea"}, "Seas", "a plane", 1, true},
		{"stop words count on neither side", orbweaver.Page{Text: "the the the plane"}, "", "the the the sea", 0, false},
		{"cosine of (1 1 1 1) and (1)", orbweaver.Page{Title: "plane"}, "Title", "Planes fly high", 0.5, true},
		{"cosine of (4 1) and (1 4)", orbweaver.Page{Text: "sea sea sea sea ship"}, "sea", "ship ship ship ship", 8. / 17, true},
		{"too little in common to be accepted", orbweaver.Page{Text: "sea ship boat ferry"}, "sea", "moon star sun sky cloud", 1 / math.Sqrt(24), false},
	} {
		item := tc.item
		item.Lang = "en"
		f := must(NewBestFirstByItem(&item, 1))
		p := page(tc.text)
		p.Title = tc.title
		j, plan := run(t, f, p)
		if math.Abs(j.Score-tc.score) > 1e-12 || j.Accepted != tc.accepted {
			t.Errorf("%s: %+v, want %v, %v", tc.name, j, tc.score, tc.accepted)
		}
		if tc.score == 1 && plan != "0:1 3:1 x:1" {
			t.Errorf("%s: plan %s", tc.name, plan)
		}
	}
}

func TestItemsThatCannotBe(t *testing.T) {
	for _, text := range []string{"", "the of", " - "} {
		if _, err := NewBestFirstByItem(&orbweaver.Page{Text: text}, 1); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := NewBestFirstByItem(&orbweaver.Page{Text: "sea"}, 0); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("rounds of none: %v", err)
	}
	r, ok := must(NewBestFirstByItem(&orbweaver.Page{Text: "sea"}, 50)).(orbweaver.Rounder)
	if !ok || r.RoundSize() != 50 {
		t.Error("best-50-first has no rounds of 50")
	}
}
