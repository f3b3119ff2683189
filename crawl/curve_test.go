package crawl_test

import (
	"path/filepath"
	"testing"

	"orbweaver/crawl"
)

// TestCurve: the curve of a crawl has its counts at its end, and goes on with a crawl that goes on.
func TestCurve(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "planes")
	c := planes(t, folder, 100)
	if points, err := c.Curve(t.Context(), 10); err != nil || len(points) != 0 {
		t.Errorf("before it begins: %v, %v", points, err)
	}
	var before []crawl.Point
	for _, requests := range []int{60, 100} {
		d := planes(t, folder, requests)
		sum, err := d.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{2, 7, 1000} {
			points, err := c.Curve(t.Context(), n)
			if err != nil || len(points) < 2 || len(points) > n+1 {
				t.Fatalf("%d points: %v, %v", n, points, err)
			}
			last := points[len(points)-1]
			if points[0] != (crawl.Point{}) || last.Requests != sum.Progress.Requests || last.Pages != sum.Progress.Pages || last.Accepted == 0 || last.Accepted > last.Pages {
				t.Errorf("%v, want %+v", points, sum.Progress)
			}
			for i := 1; i < len(points); i++ {
				if points[i].Requests <= points[i-1].Requests || points[i].Pages < points[i-1].Pages {
					t.Errorf("%v", points)
				}
			}
			if n == 1000 {
				if before != nil && points[30] != before[30] {
					t.Errorf("%v was %v", points[30], before[30])
				}
				before = points
			}
		}
	}
}
