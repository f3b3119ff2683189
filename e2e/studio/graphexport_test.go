//go:build e2e

package studio_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"orbweaver/server/door/doortest"
)

// downloads lets the browser save files, and returns how one of them is awaited, by the end of its name.
func (b *browser) downloads() (get func(end string) string) {
	b.t.Helper()
	folder := b.t.TempDir()
	b.do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{Behavior: "allow", DownloadPath: folder})
		return err
	}))
	return func(end string) (text string) {
		b.t.Helper()
		b.until("a file "+end, func() bool {
			files, _ := filepath.Glob(filepath.Join(folder, "*"+end))
			if len(files) != 1 {
				return false
			}
			content, err := os.ReadFile(files[0])
			text = string(content)
			return err == nil && text != ""
		})
		return text
	}
}

// TestGraphExport: a person exports one graph by a rule of theirs, and validates it by shapes of theirs, on a desktop and on a phone.
func TestGraphExport(t *testing.T) {
	doortest.Chromium(t)
	for _, width := range []int64{1280, 360} {
		addr, b := crawled(t, width)
		folder := t.TempDir()
		for name, text := range map[string]string{
			"named.rq":   "CONSTRUCT { ?page a <http://example.org/Page> } WHERE { GRAPH ?page { ?s ?p ?o } }",
			"shapes.ttl": "@prefix sh: <http://www.w3.org/ns/shacl#> . [] a sh:NodeShape ; sh:targetClass <http://example.org/Page> ; sh:property [ sh:path <http://example.org/owner> ; sh:minCount 1 ; sh:message \"no owner\" ] .",
		} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		get := b.downloads()
		b.to(addr, "/crawls/aircraft/results")
		b.click("One graph of what the pages say")
		b.do(chromedp.SetUploadFiles(chromedp.Search("#g-rules"), []string{filepath.Join(folder, "named.rq")}))
		b.do(chromedp.SetUploadFiles(chromedp.Search("#g-shapes"), []string{filepath.Join(folder, "shapes.ttl")}))
		b.fits()
		b.press("Export the graph")
		if graph := get("aircraft.ttl"); !strings.Contains(graph, "a <http://example.org/Page>") {
			t.Errorf("%d: the graph has nothing of the rule:\n%.2000s", width, graph)
		}
		b.press("Validation report")
		if report := get("aircraft.report.txt"); !strings.Contains(report, "the data does not conform") || !strings.Contains(report, "no owner") {
			t.Errorf("%d: %.2000s", width, report)
		}
		b.press("The same in Turtle")
		if report := get("aircraft.report.ttl"); !strings.Contains(report, "sh:conforms false") || !strings.Contains(report, "prov:wasDerivedFrom") {
			t.Errorf("%d: %.2000s", width, report)
		}
	}
}
