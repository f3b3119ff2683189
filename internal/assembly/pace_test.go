package assembly

import (
	"testing"
	"time"
)

// TestPace: the pages of a second are those of now, not of the whole session, however often somebody asks.
func TestPace(t *testing.T) {
	for _, every := range []time.Duration{100 * time.Millisecond, time.Second, time.Minute} {
		var p pace
		now, pages := time.Unix(0, 0), int64(0)
		run := func(rate int64, for_ time.Duration) (got float64) {
			for end := now.Add(for_); now.Before(end); {
				now = now.Add(every)
				pages += rate * int64(every) / int64(time.Second)
				got = p.of(pages, now)
			}
			return got
		}
		if got := p.of(0, now); got != 0 {
			t.Errorf("first: %v", got)
		}
		if got := run(50, 2*time.Minute); got < 49 || got > 51 {
			t.Errorf("asked every %v, 50 pages a second are %v", every, got)
		}
		if got := run(0, 3*time.Minute); got != 0 {
			t.Errorf("asked every %v, none is %v", every, got)
		}
	}
	if n := memory(); n < 1<<20 {
		t.Errorf("the process has %d bytes", n)
	}
}
