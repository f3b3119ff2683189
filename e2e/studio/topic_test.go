//go:build e2e

package studio_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"orbweaver/examples"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/labelmodel"
)

// drops drops files from outside the browser on what a selector finds.
func (b *browser) drops(selector string, files ...string) {
	b.t.Helper()
	var x, y float64
	place := b.value(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return (r.x + r.width / 2) + " " + (r.y + r.height / 2); })()`, selector))
	if _, err := fmt.Sscan(place, &x, &y); err != nil {
		b.t.Fatal(err)
	}
	for _, kind := range []string{"dragEnter", "dragOver", "drop"} {
		b.do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
			_, err := cdp.Call(ctx, tab, input.DispatchDragEvent, input.DispatchDragEventParams{
				Type: input.DispatchDragEventType(kind), X: x, Y: y, Data: &input.DragData{Items: []*input.DragDataItem{}, Files: files, DragOperationsMask: 1},
			})
			return err
		}))
	}
}

// planesFolder is a workspace with the demo web and a crawl by a topic that is not there yet, and a folder of texts outside it.
func planesFolder(t *testing.T) (dir string, texts []string) {
	t.Helper()
	dir = t.TempDir()
	archive, err := examples.Demo.ReadFile("demo.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	crawlFile := "seeds: [http://tidings.example/, http://signpost.example/]\nweb: {archive: [demo.warc.gz], robots: archived}\nfocus: {krs: {file: topics/planes.krs}}\nlimits: {requests: 60}\narchive: on\n"
	outside := t.TempDir()
	files := map[string]string{filepath.Join(dir, "demo.warc.gz"): string(archive), filepath.Join(dir, "planes.yaml"): crawlFile}
	for i, text := range []string{
		"Airliners\n\nAn airliner is an aircraft for passengers. The airliner has two engines and long wings.", "Engines\n\nThe engine of an aircraft is a turbofan. A jet has two engines.",
		"Wings\n\nThe wings carry the aircraft. The wing of a jet is swept.", "Airbus\n\nAirbus makes aircraft: the airliner A320 and the airliner A350.",
	} {
		path := filepath.Join(outside, fmt.Sprintf("plane (%d).txt", i))
		files[path], texts = text, append(texts, path)
	}
	for path, text := range files {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, texts
}

// TestTopic: in a browser a topic is learned from dropped files and its progress is seen; its nouns are shown, the line of a crawl by it is moved by
// keys and written into the crawl file, and the tree of labels that were learned from the crawl is opened by keys.
func TestTopic(t *testing.T) {
	dir, texts := planesFolder(t)
	addr := serveFolder(t, dir)
	b := open(t, addr, 1280)
	b.click("Models")
	b.click("Learn a topic from documents")
	b.fill("t-topic", "planes")
	b.drops("#t-upload", texts...)
	b.holds(fmt.Sprintf(`document.querySelector("#t-upload").files.length === %d`, len(texts)))
	b.run(`document.querySelectorAll("#t-background option").forEach(o => o.selected = o.value === "demo.warc.gz")`)
	b.click("Learn the topic")
	b.holds(`location.pathname.startsWith("/topics/") && document.querySelector("progress") !== null || location.pathname === "/topic"`)
	b.holds(`location.pathname === "/topic"`) // it leads there by itself
	b.sees("Mean IDF")
	b.holds(`[...document.querySelectorAll("tbody th")].some(th => th.innerText === "aircraft")`)
	b.fits()

	b.to(addr, "/crawls/planes")
	b.press("Start")
	b.sees("is over")
	b.to(addr, "/crawls/planes/krs?view=acceptance")
	b.sees("pages would be accepted")
	const would = `Number(document.querySelector("#line strong").innerText)`
	was := b.value("String(" + would + ")")
	b.run(`document.querySelector("#a-at").focus()`)
	for range 3 {
		b.do(chromedp.KeyEvent(kb.PageDown)) // the line goes left
	}
	b.holds(would + " > " + was)
	b.holds(`Math.abs(Number(document.querySelector("#a-accept").value) - Number(document.querySelector("#a-at").value)) < 0.001`) // the page has followed
	b.press("Write it into the crawl file")
	b.sees("The crawl file has focus.krs.accept: 0.")
	b.sees("as the crawl file says (0.")
	b.press("Undo")
	b.sees("The crawl file leaves the threshold to the pages of the crawl again")
	b.fits()

	folder := filepath.Join(dir, "crawls", "planes")
	con := &console.Console{Out: &strings.Builder{}, Err: &strings.Builder{}}
	if err := labelmodel.Train(t.Context(), con, labelmodel.Training{Stream: []string{filepath.Join(dir, "demo.warc.gz")}, Out: filepath.Join(folder, labelmodel.Folder)}); err != nil {
		t.Fatal(err)
	}
	b.to(addr, "/crawls/planes/labels")
	b.sees("Alpha rules")
	b.reach(strings.TrimSpace(b.value(`document.querySelector(".twigs details summary").innerText`)))
	b.do(chromedp.KeyEvent("\r"))
	b.holds(`document.querySelector(".twigs details[open] .below .twigs li") !== null`) // it came by itself
	b.fits()
	code, header, text := newClient(t, addr).send("POST", "/api/v1/topics", `{"topic": "none", "urls": ["http://127.0.0.1:1/"]}`, "Content-Type: application/json")
	if code != 202 {
		t.Fatalf("%d %s", code, text)
	}
	failed := strings.TrimPrefix(header.Get("Location"), "/api/v1")
	b.to(addr, failed)
	b.sees("Try again")
	b.looksWell(addr, failed, "/topic?model=topics/planes.krs", "/crawls/planes/krs?view=acceptance", "/crawls/planes/labels", "/crawls/planes/labels?view=drift", "/crawls/planes/labels?view=why")
}

// looksWell checks that pages fit a desktop, light and dark, and a phone, and have no fault that axe finds where its package is installed.
func (b *browser) looksWell(addr string, paths ...string) {
	b.t.Helper()
	axe, err := os.ReadFile(filepath.Join(os.Getenv("ORBWEAVER_NODE"), "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		b.t.Log("without axe: ORBWEAVER_NODE names no folder that has it")
	}
	for i, width := range []int64{1280, 360} {
		if _, err := chromedp.Run(b.ctx, chromedp.EmulateViewport(width, 900)); err != nil {
			b.t.Fatal(err)
		}
		for _, theme := range []string{"light", "dark"}[:2-i] { // colours do not depend on the width
			b.theme(theme)
			for _, path := range paths {
				b.to(addr, path)
				b.holds(`document.readyState === "complete"`)
				b.fits()
				if axe != nil {
					b.accessible(fmt.Sprintf("%s, %d wide, %s", path, width, theme), string(axe))
				}
			}
		}
	}
}
