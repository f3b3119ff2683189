//go:build e2e

package studio_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"orbweaver/studio"
	"orbweaver/studio/nodes"
)

// packages are the npm packages that tests use, in the folder that ORBWEAVER_NODE names. Without them a test skips.
func packages(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(os.Getenv("ORBWEAVER_NODE"), "node_modules", name)
	if _, err := os.Stat(path); err != nil || os.Getenv("ORBWEAVER_NODE") == "" {
		t.Skipf("ORBWEAVER_NODE names no folder with node_modules/%s", name)
	}
	return path
}

// TestAccessible: axe-core finds no violation of WCAG 2.2 AA on any page, light on a desktop and dark on a phone, with ORBWEAVER_EFFECT=all
// both on both; nothing is wider than the window.
func TestAccessible(t *testing.T) {
	axe, err := os.ReadFile(filepath.Join(packages(t, "axe-core"), "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	addr := serve(t, studio.Options{Cluster: nodes.New("127.0.0.1:4222", newTrio())})
	const page = "http://skylines.example/types/a320.html"
	for i, width := range []int64{1280, 360} {
		b := open(t, addr, width)
		if i == 0 {
			b.click("Crawl the demo web")
			b.sees("aircraft")
			b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft"))
			b.sees("is over")
		}
		if i == 0 {
			knowing(t, addr)
			lasting(t, addr)
		}
		themes := []string{"light", "dark"}
		if os.Getenv("ORBWEAVER_EFFECT") != "all" { // colours do not depend on the width
			themes = themes[i : i+1]
		}
		for _, theme := range themes {
			b.theme(theme)
			for _, path := range []string{
				"/", "/cluster", "/trash", "/new", "/new?from=words", "/new?from=ontology", "/compare?crawl=aircraft", "/crawls/aircraft", "/crawls/aircraft/results", "/crawls/aircraft/results?view=table",
				"/crawls/aircraft/results?words=jet", "/crawls/aircraft/page?url=" + page, "/crawls/aircraft/page?url=http://nowhere.example/", "/crawls/aircraft/map",
				"/crawls/aircraft/map?url=" + page, "/crawls/aircraft/ask", "/crawls/aircraft/teach", "/crawls/aircraft/edit", "/crawls/aircraft/exclude?patterns=skylines.example", "/crawls/aircraft/removed", "/crawls/aircraft/removed?patterns=skylines.example",
				"/crawls/linked/links", "/crawls/linked/links?view=hosts", "/crawls/terms/endpoints", "/crawls/terms/recommendations", "/crawls/terms/recommendations?view=terms",
				"/crawls/terms/recommendations?view=tables", "/crawls/terms/recommendations?view=graph",
				"/crawls/aircraft/stopping", "/crawls/kept/stopping", "/crawls/kept/schedule", "/crawls/aircraft/schedule", "/crawls/lost/logins", "/crawls/aircraft/logins",
				"/help", "/help?q=crawl", "/help/howto/simulate", "/help/reference/reasons", "/help/tutorial/data-web", "/models", "/topics/new", "/crawls/aircraft/ratings", "/crawls/aircraft/proposals", "/crawls/aircraft/proposals?state=accepted", "/crawls/aircraft/proposals?kind=pair",
			} {
				b.do(chromedp.Navigate("http://" + addr + path))
				b.holds(`document.readyState === "complete"`)
				b.holds("(function () {" + string(axe) + "\n; return true; })()")
				b.holds(`(window.found === undefined && (window.found = 0, axe.run(document, {iframes: false, resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}).then(
					(r) => window.found = r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html + " " + n.failureSummary).slice(0, 3).join("; ")))), Array.isArray(window.found))`)
				said, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string]("window.found"))
				if err != nil {
					t.Fatal(err)
				}
				for _, violation := range said {
					t.Errorf("%s, %d px, %s: %.600s", path, width, theme, violation)
				}
				b.holds("document.documentElement.scrollWidth <= window.innerWidth")
			}
		}
	}
}

// knowing makes two crawls: "linked", of the demo web's linked data, and "terms", for terms; they end within the moment that other pages take.
func knowing(t *testing.T, addr string) {
	t.Helper()
	for name, file := range map[string]string{
		"linked": "seeds: [http://tidings.example/]\nweb: {archive: demo/demo.warc.gz}\nfocus: {linked_data: {}}\nlimits: {requests: 100}\n",
		"terms": "focus: {metadata: {terms: ['http://orbweaver.example/aircraft#Airplane'], datasets: [{name: aircraft, dump: demo/aircraft.ttl}]}}\n" +
			"documents: {'http://orbweaver.example/aircraft': demo/aircraft.ttl}\n",
	} {
		r, err := http.Post("http://"+addr+"/api/v1/crawls?start=true&name="+name, "application/yaml", strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if r.Body.Close(); r.StatusCode != http.StatusCreated {
			t.Fatalf("%s: %s", name, r.Status)
		}
	}
}

// TestKeyboard: the first crawl by the keyboard alone.
func TestKeyboard(t *testing.T) {
	addr := serve(t, studio.Options{})
	b := open(t, addr, 1280)
	b.reach("Crawl the demo web")
	b.do(chromedp.KeyEvent("\r"))
	b.sees("aircraft")
	b.sees("is over")
	b.reach("Results")
	b.do(chromedp.KeyEvent("\r"))
	b.sees("pages match")
	for searching := false; !searching; { // until the script listens
		b.do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error { // pressed, without its character: the page takes it
			_, err := cdp.Call(ctx, tab, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "rawKeyDown", Key: "/", Code: "Slash"})
			return err
		}))
		var err error
		if searching, err = chromedp.Run(b.ctx, chromedp.Evaluate[bool](`document.activeElement.id === "q-words"`)); err != nil {
			t.Fatal(err)
		}
	}
	b.reach("Airbus A320 - Skylines")
	b.do(chromedp.KeyEvent("\r"))
	b.sees("Reasons of the score")
	b.sees("it names an entity of the target")
}

// reach presses the tabulator until what has the focus has a text, and shows that it has.
func (b *browser) reach(text string) {
	b.t.Helper()
	for range 200 {
		b.do(chromedp.KeyEvent("\t"))
		is, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](fmt.Sprintf(`document.activeElement.innerText?.trim() === %q`, text)))
		if err != nil {
			b.t.Fatal(err)
		}
		if is {
			b.holds(`(() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle !== "none" && s.outlineWidth !== "0px"; })()`)
			return
		}
	}
	b.t.Fatalf("200 tabulators do not lead to %q", text)
}

// TestSearchAsYouType: what is typed is searched for without a key more, and what is typed stays under the hands of who types; the
// address can be sent to others.
func TestSearchAsYouType(t *testing.T) {
	addr, b := crawled(t, 1280)
	b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft/results"))
	b.sees("pages match")
	b.do(chromedp.Click(chromedp.Search("#q-words")))
	b.do(chromedp.KeyEvent("turbofan"))
	b.sees("the best first")
	b.holds(`document.querySelectorAll("#results mark").length > 0 && document.querySelectorAll("#results").length === 1`)
	b.holds(`document.activeElement.id === "q-words" && document.activeElement.value === "turbofan"`)
	b.holds(`location.search.includes("words=turbofan")`)
	b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft/results?text=Airbus&sort=url"))
	b.sees("All about the Airbus A220")
	b.click("Table")
	b.holds(`document.querySelector("#results table") !== null`)
}
