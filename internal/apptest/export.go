package apptest

import (
	"path/filepath"
	"testing"

	"orbweaver/internal/apptest/toy"
)

// CrawledFor crawls the demo web for aircraft and returns the crawl folder.
func CrawledFor(t testing.TB, more string) string {
	t.Helper()
	folder := t.TempDir()
	CrawlIn(t, folder, toy.DemoLines(t)+toy.DemoFocus(t)+"limits: {requests: 200}\n"+more)
	return filepath.Join(folder, "crawl")
}
