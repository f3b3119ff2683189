package bus

import (
	"errors"
	"testing"
)

// TestLessons: what a worker publishes others find, the last alone; with the crawl it is gone.
func TestLessons(t *testing.T) {
	server := start(t)
	one, two := dial(t, "one", within(server)), dial(t, "two", within(server))
	for n := range int64(3) {
		if err := one.Teach(t.Context(), n+1, []byte{byte(n)}); err != nil {
			t.Fatal(err)
		}
	}
	pages, err := two.Lessons(t.Context())
	if err != nil || len(pages) != 1 || pages["one"] != 3 {
		t.Errorf("pages %v: %v", pages, err)
	}
	if body, err := two.Lesson(t.Context(), "one"); err != nil || string(body) != "\x02" {
		t.Errorf("lesson %v: %v", body, err)
	}
	if err := two.RemoveCrawl(t.Context(), two.Crawl()); err != nil {
		t.Fatal(err)
	}
	if _, err := two.Lesson(t.Context(), "one"); !errors.Is(err, ErrLost) {
		t.Errorf("of a crawl that is removed: %v", err)
	}
}
