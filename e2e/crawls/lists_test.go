//go:build e2e

package crawls_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/fetch/archive"
	"orbweaver/internal/apptest"
	"orbweaver/internal/realdata"
)

// TestList: a crawl that knows no URL but those of a list reaches them all, ranked by what they say, the same whether it is
// interrupted or not.
func TestList(t *testing.T) {
	examples := filepath.Join(realdata.Root(t), "examples")
	web, err := archive.OpenWeb([]string{filepath.Join(examples, "demo.warc.gz")}, archive.WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	var cdxj strings.Builder
	for e := range web.All() {
		fmt.Fprintf(&cdxj, "key 20260101000000 {\"url\": %q, \"status\": \"%d\"}\n", e.URL, e.Status)
	}
	list := filepath.Join(t.TempDir(), "index.cdxj")
	if err := os.WriteFile(list, []byte(cdxj.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	const file = `seeds: {list: %q}
web: {archive: %q}
focus: {ontology: {files: %q, target: "http://orbweaver.example/aircraft#Airplane"}}
limits: {requests: %d}
`
	crawl := func(dir string, requests int) []byte {
		_, journal := apptest.CrawlIn(t, dir, fmt.Sprintf(file, list, filepath.Join(examples, "demo.warc.gz"), filepath.Join(examples, "aircraft.ttl"), requests))
		return journal
	}
	whole, dir := crawl(t.TempDir(), 400), t.TempDir()
	if some := crawl(dir, 150); !bytes.HasPrefix(whole, some) {
		t.Error("the crawl begins otherwise with a lower limit")
	}
	if !bytes.Equal(crawl(dir, 400), whole) {
		t.Error("the crawl goes on otherwise than without the pause")
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	if !bytes.Contains(lines[0], []byte(`"url":"http://list.invalid/1/index.cdxj/1"`)) || len(lines) != 401 {
		t.Errorf("%d lines; the first is %s", len(lines), lines[0])
	}
	if n := bytes.Count(whole, []byte(`"parent":"http://list.invalid/1/index.cdxj/1"`)); n < 20 {
		t.Errorf("%d pages were requested from the list", n)
	}
}
