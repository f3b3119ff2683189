package recrawl

import (
	"testing"
	"time"
)

// TestLeast: no page is visited twice within the shortest time, whatever the budget, and never more often than that when it changes always.
func TestLeast(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	s := New(Options{Requests: 100_000, Explore: 0.1, Least: time.Minute}, now)
	last := map[uint64]time.Time{}
	for id := uint64(1); id <= 3; id++ {
		s.Put(Page{ID: id, Host: "h", Group: "g", Worth: 0.8, Record: Record{Last: now}}, now)
		last[id] = now
	}
	visits := 0
	for end := now.Add(2 * time.Hour); now.Before(end); now = s.Next(now) {
		for _, id := range s.Due(now, 100) {
			if gap := now.Sub(last[id]); gap < time.Minute {
				t.Fatalf("page %d is visited %v after the last visit", id, gap)
			}
			result := Same
			if id == 1 {
				result = Changed
			}
			s.Visited(id, Visit{At: now, Result: result})
			last[id], visits = now, visits+1
		}
	}
	if visits < 300 {
		t.Errorf("%d visits in two hours, though each page may be visited each minute", visits)
	}
}
