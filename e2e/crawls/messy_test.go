//go:build e2e

package crawls_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"orbweaver/fetch/fetchtest"
	"orbweaver/fetch/fetchtest/messy"
	"orbweaver/ledger"
)

// TestMessyWeb crawls the ordinary Web with the defaults: its lists come to their ends, its encodings are read, and the summary
// names each hindrance with its true count.
func TestMessyWeb(t *testing.T) {
	w, dir := messy.New(), t.TempDir()
	truth := "url\ttopic\n"
	for _, url := range w.Truth {
		truth += url + "\tlighthouse\n"
	}
	for name, text := range map[string]string{"lights.ttl": messy.Ontology, "truth.tsv": truth} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var printed string
	synctest.Test(t, func(t *testing.T) {
		n := fetchtest.NewNetwork()
		defer n.Close()
		w.Serve(n)
		var err error
		if printed, err = sit(t, n, dir, "seeds: ['"+strings.Join(w.Seeds, "', '")+"']\nfocus: {ontology: {files: lights.ttl, target: '"+messy.Target+"'}}\n"); err != nil {
			t.Fatal(err)
		}
	})
	t.Log(printed)
	t.Log(w.Planted, w.Lists)
	for line, err := range ledger.Lines(filepath.Join(dir, "crawls", "mine", ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d %s %d %s %s %q %.3f %v %v", line.N, line.URL, line.Status, line.Error, line.Type, line.Title, line.Score, line.Accepted, line.Reasons)
	}
}
