package ledger_test

import (
	"slices"
	"testing"

	"orbweaver"
	"orbweaver/ledger"
)

// TestHolds: what a query asks pages to say.
func TestHolds(t *testing.T) {
	line := ledger.Line{URL: "http://a.test/Jets", Title: "Of Planes", Snippet: "They fly, the oﬃcer’s café said", Type: "application/pdf", Lang: "en", Reasons: []orbweaver.Reason{
		{Rule: "raw", Weight: 1}, {Rule: "entity", Evidence: "Airplane: planes ×3 (plane), jet ×1", Weight: 0.5}, {Rule: "terms", Evidence: "jet engine ×2", Weight: 0.1},
		{Rule: "entity", Evidence: "Boat: ship ×1", Weight: -0.5}, {Rule: "threshold", Evidence: "accepted from 0.5 on: of 21 pages", Weight: 0.5},
	}}
	if got := ledger.EntitiesOf(line); !slices.Equal(got, []string{"Airplane", "jet engine"}) {
		t.Errorf("entities %q", got)
	}
	for q, want := range map[ledger.PageQuery]bool{
		{}: true, {Type: "application"}: true, {Type: "application/pdf"}: true, {Type: "app"}: false, {Type: "text/html"}: false,
		{Lang: "en"}: true, {Lang: "de"}: false, {Entity: "Airplane"}: true, {Entity: "jet engine"}: true, {Entity: "Boat"}: false, {Entity: "jet"}: false,
		{Text: "officer's CAFE\u0301"}: true, {Entity: "jet\u00a0en\u00adgine"}: true,
		{Text: "PLANES"}: true, {Text: "fly"}: true, {Text: "/jets"}: true, {Text: "boats"}: false, {Text: "fly", Lang: "de"}: false,
	} {
		if got := q.Holds(line); got != want {
			t.Errorf("%+v: %v, want %v", q, got, want)
		}
		if reads := q != (ledger.PageQuery{}); q.Reads() != reads {
			t.Errorf("%+v reads: %v", q, q.Reads())
		}
	}
}
