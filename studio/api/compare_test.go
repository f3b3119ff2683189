package api

import (
	"encoding/json"
	"math"
	"testing"

	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// TestOverlaid: curves with points at different requests are drawn over the same ones, and end where their crawls do.
func TestOverlaid(t *testing.T) {
	got := overlaid([]workspace.Compared{
		{ID: "long", Points: []crawl.Point{{}, {Requests: 10, Pages: 8, Accepted: 4}, {Requests: 20, Pages: 16, Accepted: 12}}},
		{ID: "short", Points: []crawl.Point{{}, {Requests: 5, Pages: 5, Accepted: 5}}},
	})
	text, err := json.Marshal(got.Accepted)
	want := `{"x":{"label":"requests","values":[0,5,10,20]},"y":{"label":"accepted pages"},"series":[{"label":"long","values":[0,2,4,12]},{"label":"short","values":[0,5,null,null]}]}`
	if err != nil || string(text) != want {
		t.Errorf("%s (%v)", text, err)
	}
	if h := got.Harvest.Series[0].Values; !math.IsNaN(h[0]) || h[1] != 0.5 || h[3] != 0.75 {
		t.Errorf("harvest %v", h)
	}
	if text, err := json.Marshal(overlaid([]workspace.Compared{})); err != nil || string(text) != `{"crawls":[],"accepted":{"x":{"label":"requests"},"y":{"label":"accepted pages"},"series":[]},"harvest":{"x":{"label":"requests"},"y":{"label":"harvest"},"series":[]}}` {
		t.Errorf("%s (%v)", text, err)
	}
}
