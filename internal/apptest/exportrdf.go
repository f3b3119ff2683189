package apptest

import (
	"path/filepath"
	"testing"
)

// CrawledWeb is the folder of a crawl of all that can be reached from http://a.test/.
func CrawledWeb(t *testing.T, web string) string {
	t.Helper()
	folder := t.TempDir()
	CrawlIn(t, folder, "seeds: [http://a.test/]\nweb: {archive: "+web+"}\nfocus: {breadth_first: {}}\nduplicates: off\n")
	return filepath.Join(folder, "crawl")
}
