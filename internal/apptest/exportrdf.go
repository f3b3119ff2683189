package apptest

import (
	"path/filepath"
	"testing"
)

// CrawledWeb crawls everything reachable from http://a.test/ and returns the crawl folder.
func CrawledWeb(t *testing.T, web string) string {
	t.Helper()
	folder := t.TempDir()
	CrawlIn(t, folder, "seeds: [http://a.test/]\nweb: {archive: "+web+"}\nfocus: {breadth_first: {}}\nduplicates: off\n")
	return filepath.Join(folder, "crawl")
}
