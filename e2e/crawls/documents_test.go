//go:build e2e

package crawls_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/apptest"
	"orbweaver/internal/realdata"
)

// TestDocuments: the file of a URL prefix answers all URLs under the prefix.
func TestDocuments(t *testing.T) {
	folder := t.TempDir()
	vocabulary := "<http://vocab.test/ns/Plane> <http://www.w3.org/2000/01/rdf-schema#label> \"plane\"@en .\n"
	if err := os.WriteFile(filepath.Join(folder, "vocabulary.ttl"), []byte(vocabulary), 0o666); err != nil {
		t.Fatal(err)
	}
	_, lines := apptest.CrawlIn(t, folder, "seeds: [http://vocab.test/ns/Plane, http://vocab.test/other]\n"+
		"web: {archive: "+filepath.Join(realdata.Root(t), "examples/demo.warc.gz")+"}\n"+
		"documents: {'http://vocab.test/ns/': vocabulary.ttl}\nfocus: {keyword: {terms: [plane]}}\n")
	for _, want := range []string{
		`"url":"http://vocab.test/ns/Plane","status":200,"type":"text/turtle"`,
		`"url":"http://vocab.test/other","error":"absent"`,
	} {
		if !strings.Contains(string(lines), want) {
			t.Errorf("%s is not in\n%s", want, lines)
		}
	}
}
