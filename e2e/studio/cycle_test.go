//go:build e2e

package studio_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"orbweaver/crawl"
	"orbweaver/examples"
	"orbweaver/studio"
	"orbweaver/studio/workspace"
)

// serveFolder serves a workspace in a folder.
func serveFolder(t *testing.T, dir string) string {
	t.Helper()
	ws, err := workspace.Open(dir, workspace.Options{Spare: -1})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Skipf("no loopback: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- studio.New(studio.Options{Workspace: ws}).Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-done, ws.Close()); err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// truthOf are the relevant pages of the demo web, which no crawl sees.
func truthOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "demo-truth.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	relevant := map[string]bool{}
	for _, row := range rows {
		if strings.HasPrefix(row[1], "aircraft") {
			relevant[row[0]] = true
		}
	}
	return relevant
}

// acceptedNow counts the pages that a crawl accepts as it judges now, and the relevant ones among them.
func acceptedNow(t *testing.T, folder string, relevant map[string]bool) (accepted, right int) {
	t.Helper()
	c, err := crawl.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range c.PagesNow(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Accepted {
			if accepted++; relevant[p.URL] {
				right++
			}
		}
	}
	return accepted, right
}

// dropOn drags a proposal by its words onto an entity of the graph.
func (b *browser) dropOn(words, iri string) {
	b.t.Helper()
	b.holds(fmt.Sprintf(`[...document.querySelectorAll("#proposals [draggable]")].some(n => n.querySelector("bdi").textContent === %q)`, words))
	b.run(fmt.Sprintf(`
		const chip = [...document.querySelectorAll("#proposals [draggable]")].find(n => n.querySelector("bdi").textContent === %q);
		const canvas = document.querySelector("#graph .graph-canvas"), at = canvas._cyreg.cy.getElementById(%q).renderedPosition(), box = canvas.getBoundingClientRect();
		const dataTransfer = new DataTransfer(), where = {bubbles: true, cancelable: true, dataTransfer, clientX: box.left + at.x, clientY: box.top + at.y};
		chip.dispatchEvent(new DragEvent("dragstart", where)); canvas.dispatchEvent(new DragEvent("dragover", where)); canvas.dispatchEvent(new DragEvent("drop", where))`, words, iri))
	b.holds(`document.querySelector("dialog.ask[open]") !== null`)
}

// TestCycle is CATYRPEL's cycle (Fig. 7 of the paper) in a browser: the ontology is seen as a graph, a crawl starts from it and is watched,
// two of its proposals come onto the graph, pages are judged again, and by a truth that no crawl saw more relevant ones are accepted; the
// draft is saved, the file has the new lines and no other change, and the crawl goes on.
func TestCycle(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"aircraft.ttl", "demo.warc.gz", "demo-truth.tsv", "aircraft.yaml"} {
		content, err := examples.Demo.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "aircraft.yaml" { // no truth: the studio must not know
			before, rest, _ := strings.Cut(string(content), "truth:")
			_, after, _ := strings.Cut(rest, "limits:")
			content = []byte(strings.Replace(before+"limits:"+after, "../crawls/", "crawls/", 1))
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.ReadFile(filepath.Join(dir, "aircraft.ttl"))
	if err != nil {
		t.Fatal(err)
	}
	relevant, folder := truthOf(t, dir), filepath.Join(dir, "crawls/aircraft")
	addr := serveFolder(t, dir)
	b := open(t, addr, 1280)
	editor := "http://" + addr + "/ontology?" + url.Values{"file": {"aircraft.ttl"}, "entity": {aircraftNS + "Airplane"}}.Encode()

	b.do(chromedp.Navigate(editor))
	b.holds(`Number(document.querySelector("#graph").dataset.placed) > 10`)
	b.click("Crawl for this")
	b.holds(`document.querySelector("#n-target").value.endsWith("#Airplane") && document.querySelector("#n-file").value === "aircraft.ttl"`)
	b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft")) // one that reads the archive is there
	b.press("Start")
	b.sees("is over")
	accepted, right := acceptedNow(t, folder, relevant)

	b.do(chromedp.Navigate(editor))
	b.holds(`document.querySelectorAll("#proposals [draggable]").length > 5 && document.querySelector("#graph .graph-canvas")?._cyreg !== undefined`)
	b.dropOn("Vickers Viscount", aircraftNS+"Airplane")
	b.run(`document.querySelector("dialog.ask select").value = "instance"`)
	b.tap(`//dialog//button[normalize-space(.)="Accept"]`)
	b.holds(`document.querySelector("#proposals").dataset.decided === "1"`)
	b.holds(`(() => { const n = document.querySelector("#graph .graph-canvas")._cyreg.cy.nodes('[name = "Vickers Viscount"]'); return n.length === 1 && n[0].data("kind") === "individual" })()`)
	b.run(`[...document.querySelectorAll("#proposals [draggable]")].find(n => n.querySelector("bdi").textContent === "Hawker Hurricane").focus()`)
	b.do(chromedp.KeyEvent("i"))
	b.holds(`document.querySelector("#proposals").dataset.decided === "2"`)

	acceptedThen, rightThen := acceptedNow(t, folder, relevant)
	t.Logf("accepted %d pages, %d relevant by the truth; with two proposals %d, %d relevant", accepted, right, acceptedThen, rightThen)
	if rightThen < right+2 || acceptedThen-accepted > rightThen-right {
		t.Errorf("accepted %d pages, %d relevant; with two proposals %d, %d relevant", accepted, right, acceptedThen, rightThen)
	}

	b.click("Add a name …")
	b.fills(`#entity form input[placeholder="another word for it"]`, "winged vehicle")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.sees("label “winged vehicle” of “airplane”")
	b.click("Save …")
	b.sees("These lines of aircraft.ttl change")
	b.press("Save")
	b.sees("aircraft.ttl is saved.")
	after, err := os.ReadFile(filepath.Join(dir, "aircraft.ttl"))
	if err != nil {
		t.Fatal(err)
	}
	onlyNew(t, before, after, "Vickers Viscount", "Hawker Hurricane", "winged vehicle")

	b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft/edit"))
	b.fills(`[name="k.limits.requests"]`, "260")
	b.press("Save")
	b.holds(`location.pathname === "/crawls/aircraft"`)
	b.press("Start again")
	b.holds(`document.querySelector("#part-counts").innerText.includes("260")`)
	b.sees("is over")
}

// onlyNew checks that a file has new lines with all of some words, and lost none but those to which something was added.
func onlyNew(t *testing.T, before, after []byte, words ...string) {
	t.Helper()
	have := map[string]int{}
	for _, line := range bytes.Split(after, []byte("\n")) {
		have[string(line)]++
	}
	lost := 0
	for _, line := range bytes.Split(before, []byte("\n")) {
		if have[string(line)]--; have[string(line)] < 0 {
			lost++
			if !bytes.Contains(after, bytes.TrimRight(line, " .;,\r")) {
				t.Errorf("the file lost %q", line)
			}
		}
	}
	if lost > 1 { // the line of names to which one more was added
		t.Errorf("%d lines changed", lost)
	}
	for _, w := range words {
		if !bytes.Contains(after, []byte(w)) {
			t.Errorf("the file lacks %q", w)
		}
	}
}
