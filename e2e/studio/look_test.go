//go:build e2e

package studio_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// theme sets the theme that the browser asks pages for: light or dark.
func (b *browser) theme(name string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	}))
}

// TestMapCompareAsk: on a desktop and on a phone, light and dark, the pages of the map, of comparisons and of questions work with their
// scripts, fit the window, and have no fault that axe finds, where its package is installed.
func TestMapCompareAsk(t *testing.T) {
	axe, err := os.ReadFile(filepath.Join(os.Getenv("ORBWEAVER_NODE"), "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Log("without axe: ORBWEAVER_NODE names no folder that has it")
	}
	for _, width := range []int64{1280, 360} {
		addr, b := crawled(t, width)
		query := url.QueryEscape("SELECT ?page ?score { ?page <http://orbweaver.example/terms#score> ?score } LIMIT 20")
		for _, p := range []struct{ name, path, ready string }{
			{"live", "/crawls/aircraft", `document.querySelector(".chart canvas") !== null`},
			{"map", "/crawls/aircraft/map", `Number(document.querySelector(".graph").dataset.placed) > 3`},
			{"around", "/crawls/aircraft/map?url=" + url.QueryEscape("http://tidings.example/"), `Number(document.querySelector(".graph").dataset.placed) > 3`},
			{"compare", "/compare?crawl=aircraft", `document.querySelectorAll(".chart canvas").length === 2`},
			{"ask", "/crawls/aircraft/ask?query=" + query, `document.querySelector(".CodeMirror") !== null && document.querySelectorAll("#answer tbody tr").length === 20`},
		} {
			for _, theme := range []string{"light", "dark"} {
				b.theme(theme)
				b.do(chromedp.Navigate("http://" + addr + p.path))
				b.holds(p.ready)
				b.holds("document.documentElement.scrollWidth <= window.innerWidth")
				if axe != nil {
					b.accessible(fmt.Sprintf("%s, %d wide, %s", p.name, width, theme), string(axe))
				}
			}
		}
	}
}

// accessible checks the page that is shown by axe.
func (b *browser) accessible(name, axe string) {
	b.t.Helper()
	b.run(axe + `; window.faults = null; axe.run({runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}).then(found => window.faults = found.violations.flatMap(v => v.nodes.slice(0, 2).map(n => v.id + ": " + n.html.slice(0, 200) + " " + n.failureSummary)).join("\\n"), e => window.faults = String(e))`)
	b.holds("window.faults !== null")
	faults, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("window.faults"))
	if err != nil || faults != "" {
		b.t.Errorf("%s: %s (%v)", name, faults, err)
	}
}
