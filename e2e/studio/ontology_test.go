//go:build e2e

package studio_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"orbweaver/server/door/doortest"
)

const aircraftNS = "http://orbweaver.example/aircraft#"

// editorOf is the path of the editor of the demo's ontology at an entity.
func editorOf(local string) string {
	q := url.Values{"file": {"demo/aircraft.ttl"}}
	if local != "" {
		q.Set("entity", aircraftNS+local)
	}
	return "/ontology?" + q.Encode()
}

// value is the value of an expression on the page.
func (b *browser) value(expression string) string {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](expression))
	if err != nil {
		b.t.Fatal(err)
	}
	return value
}

// fills writes a value into a field by the keyboard. The mouse is not used: what loads above the field may move it meanwhile.
func (b *browser) fills(selector, text string) {
	b.t.Helper()
	b.do(chromedp.WaitVisible(chromedp.Search(selector)))
	b.run(fmt.Sprintf("document.querySelector(%q).value = ''", selector))
	b.do(chromedp.SendKeys(chromedp.Search(selector), text))
}

// TestOntologyEditor: an ontology is seen, searched, edited, undone and saved in a browser, by mouse and by keys.
func TestOntologyEditor(t *testing.T) {
	addr, b := crawled(t, 1280)
	b.do(chromedp.Navigate("http://" + addr + editorOf("")))
	b.holds(`Number(document.querySelector("#graph").dataset.placed) > 5`)
	b.run("window.sameDocument = true")

	b.fills("#t-q", "glid")
	b.holds(`document.querySelector("#hits a")?.textContent === "glider"`)
	b.tap(`//ul[@id="hits"]//a`)
	b.holds(`document.querySelector("#entity h2")?.textContent.startsWith("glider")`)
	b.holds(`document.querySelector('[role="treeitem"][aria-selected="true"]')?.dataset.iri.endsWith("#Glider")`)

	b.click("Add a name …")
	b.fills(`#entity form input[placeholder="another word for it"]`, "sailplane")
	b.press("Add")
	b.sees("label “sailplane” of “glider”")
	b.sees("1 statements are not saved yet")
	b.click("Undo")
	b.sees("Undone: label “sailplane” of “glider”")
	b.sees("The file has all changes")
	b.click("Redo")
	b.sees("Done again")

	b.click("Move …")
	b.fills(`#entity form input[aria-label="Below"]`, "light aircraft")
	b.press("Move")
	b.sees("“glider” is below “light aircraft”")
	b.click("Move …")
	b.fills(`#entity form input[aria-label="Below"]`, aircraftNS+"Glider")
	b.press("Move")
	b.sees("cannot be below")

	b.holds(`document.querySelector('[role="treeitem"][aria-selected="true"]')?.parentElement.closest('[role="treeitem"]')?.dataset.iri.endsWith("#LightAirplane")`)
	b.holds(`(document.querySelector('[role="treeitem"][tabindex="0"]').focus(), true)`)
	b.do(chromedp.KeyEvent(kb.ArrowUp))
	b.do(chromedp.KeyEvent(kb.Enter))
	b.holds(`document.querySelector("#entity h2")?.textContent.startsWith("light aircraft")`)

	b.holds(`document.querySelector("#findings").dataset.checked !== undefined`)
	b.run(`window.checkedBefore = Number(document.querySelector("#findings").dataset.checked)`)
	b.run(`fetch("/api/v1/ontology/edits", {method: "POST", headers: {"Content-Type": "application/json", "X-CSRF-Token": document.querySelector("meta[name=csrf]").content}, body: JSON.stringify({file: "demo/aircraft.ttl", by: "", edits: [{do: "create", kind: "class", iri: "http://orbweaver.example/aircraft#Nameless"}]})})`)
	b.click("New entity …")
	b.fills("#c-text", "ultralight")
	b.press("Add it")
	b.holds(`document.querySelector("#entity h2")?.textContent.startsWith("ultralight")`)
	b.holds(`[...document.querySelectorAll('[role="treeitem"]')].some(n => n.dataset.iri.endsWith("#Ultralight"))`)
	b.holds(`Number(document.querySelector("#findings").dataset.checked) > window.checkedBefore`) // as ontology check says it, beside the editor
	b.holds(`document.querySelector("#findings").textContent.includes("no name")`)
	b.holds("window.sameDocument === true")

	b.click("Save …")
	b.sees("These lines of demo/aircraft.ttl change")
	lines := b.value(`[...document.querySelectorAll(".diff .added, .diff .removed")].map(n => n.textContent.trim()).join("\n")`)
	for _, want := range []string{"sailplane", ":Ultralight a ", ":LightAirplane"} {
		if !strings.Contains(lines, want) {
			t.Errorf("the changes lack %s:\n%s", want, lines)
		}
	}
	b.press("Save")
	b.sees("demo/aircraft.ttl is saved.")
	b.sees("The file has all changes")
	b.click("Check")
	b.sees("that an author may want to look at")
}

// TestTreeKeepsItsPlace: while the tree is read again after an edit, the entity that is selected stays so, and stays where the keys begin.
func TestTreeKeepsItsPlace(t *testing.T) {
	addr, b := crawled(t, 1280)
	b.do(chromedp.Navigate("http://" + addr + editorOf("Glider")))
	b.holds(`document.querySelector('[role="treeitem"][aria-selected="true"]')?.dataset.iri.endsWith("#Glider")`)
	b.holds(`Number(document.querySelector("#graph").dataset.placed) > 3`)
	b.run(`window.before = document.querySelector('[role="treeitem"][aria-selected="true"]')`)
	b.run(`{ const ask = window.fetch; window.fetch = (url, sent) => (String(url).includes("/ontology/entity?") ? new Promise(() => {}) : ask(url, sent)) }`) // what would select it again never answers
	b.click("Add a name …")
	b.fills(`#entity form input[placeholder="another word for it"]`, "sailplane")
	b.press("Add")
	b.holds(`!window.before.isConnected`)
	for _, mark := range []string{`aria-selected="true"`, `tabindex="0"`} {
		if at := b.value(`String(document.querySelector('[role="treeitem"][` + mark + `]')?.dataset.iri)`); at != aircraftNS+"Glider" {
			t.Errorf("the entity with %s is %s", mark, at)
		}
	}
}

// apart puts two nodes beside each other, away from all others, and returns where they are in the window.
const apart = `(() => {
		const canvas = document.querySelector("#graph .graph-canvas"), cy = canvas._cyreg.cy;
		canvas.scrollIntoView({block: "center"});
		const [from, to] = ["Glider", "Engine"].map(n => cy.nodes().filter(x => x.id().endsWith("#" + n))[0] ?? cy.nodes("[kind = 'class']").filter(x => !x.id().endsWith("#Glider"))[0]);
		cy.getElementById(to.id()).position({x: from.position("x") + 200, y: from.position("y") + 10});
		cy.nodes().filter(n => n !== from && n !== to && !n.same(from) && !n.same(to)).forEach(n => n.position({x: n.position("x"), y: n.position("y") + 2000}));
		cy.center(from);
		const box = canvas.getBoundingClientRect();
		return [from, to].map(n => [box.left + n.renderedPosition().x, box.top + n.renderedPosition().y]);
})()`

// TestOntologyByHand: an edge is drawn from a node to another, and what counts is told in colours that follow the form.
func TestOntologyByHand(t *testing.T) {
	addr, b := crawled(t, 1280)
	b.do(chromedp.Navigate("http://" + addr + "/ontology/counts?" + url.Values{"file": {"demo/aircraft.ttl"}, "target": {aircraftNS + "Airplane"}}.Encode()))
	b.holds(`document.querySelector("#graph").dataset.weighed?.includes("base=0.5")`)
	b.sees("commercial airplane")
	b.holds(`(() => { const s = document.querySelector("#w-base"); s.value = "0.25"; s.dispatchEvent(new Event("input", {bubbles: true})); s.dispatchEvent(new Event("change", {bubbles: true})); return true })()`)
	b.holds(`document.querySelector("#graph").dataset.weighed?.includes("base=0.25")`)
	b.sees("0.25")

	b.do(chromedp.Navigate("http://" + addr + editorOf("Glider")))
	b.holds(`Number(document.querySelector("#graph").dataset.placed) > 3`)
	b.click("Draw edges")
	var ends [][]float64
	b.until("an edge is drawn to another node", func() bool { // on a busy machine the layout may still move what the mouse is on
		var err error
		if ends, err = chromedp.Run(b.ctx, chromedp.Evaluate[[][]float64](apart)); err != nil {
			return false
		}
		b.do(chromedp.MouseEvent(chromedp.MouseMoved, ends[0][0], ends[0][1]))
		b.do(chromedp.MouseEvent(chromedp.MousePressed, ends[0][0], ends[0][1], chromedp.ButtonLeft))
		for step := range 5 {
			part := float64(step+1) / 5
			b.do(chromedp.MouseEvent(chromedp.MouseMoved, ends[0][0]+part*(ends[1][0]-ends[0][0]), ends[0][1]+part*(ends[1][1]-ends[0][1]), chromedp.ButtonLeft))
		}
		for range 20 {
			if over, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`document.querySelector("#graph .graph-canvas")._cyreg.cy.elements(".eh-preview").nonempty()`)); over && err == nil {
				return true
			}
		}
		b.do(chromedp.MouseEvent(chromedp.MouseReleased, ends[0][0], ends[0][1]-150, chromedp.ButtonLeft)) // upon nothing
		return false
	})
	b.do(chromedp.MouseEvent(chromedp.MouseReleased, ends[1][0], ends[1][1], chromedp.ButtonLeft))
	b.holds(`document.querySelector("dialog.ask[open]") !== null`)
	b.run(`document.querySelector("dialog.ask select").value = "disjoint with"; document.querySelector('dialog.ask button[value="yes"]').click()`)
	b.sees("disjoint with")
	b.sees("1 statements are not saved yet")
	b.topEntities(addr)
}

// topEntities: the results of a crawl show for each page its most relevant entities, ten at most, each with what it adds; one leads to the
// ontology, and from there to the pages that name it.
func (b *browser) topEntities(addr string) {
	b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft/results?view=table"))
	b.sees("Most relevant entities")
	b.holds(`[...document.querySelectorAll("td.wrap")].every(n => n.querySelectorAll("a").length <= 10)`)
	b.holds(`[...document.querySelectorAll("td.wrap")].some(n => n.querySelectorAll("a").length > 3)`)
	b.holds(`[...document.querySelectorAll("td.wrap")].every(n => { const w = [...n.querySelectorAll(".weight")].map(w => Number(w.textContent)); return w.every((x, i) => i === 0 || x <= w[i - 1]) })`)
	b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft/results"))
	name := b.value(`document.querySelector(".entities a").textContent`)
	b.tap(`(//p[@class="entities"]//a)[1]`)
	b.holds(fmt.Sprintf(`document.querySelector("#entity h2 bdi")?.textContent.toLowerCase() === %q`, strings.ToLower(name)))
	b.click("Pages of aircraft that name it")
	b.sees("Pages that match")
	b.holds(fmt.Sprintf(`[...document.querySelectorAll(".entities")].every(n => [...n.querySelectorAll("a")].some(a => a.textContent === %q))`, name))
	b.tap(`(//ol[@class="rows"]/li/a)[1]`)
	b.sees("Its most relevant entities")
}

// TestOntologyAccessible: on a desktop and a phone, light and dark, the pages about ontologies fit and have no fault that axe finds.
func TestOntologyAccessible(t *testing.T) {
	doortest.Chromium(t)
	axe, err := os.ReadFile(filepath.Join(os.Getenv("ORBWEAVER_NODE"), "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Skip("ORBWEAVER_NODE names no folder that has axe-core")
	}
	for width, theme := range map[int64]string{1280: "dark", 360: "light"} {
		addr, b := crawled(t, width)
		of := url.Values{"file": {"demo/aircraft.ttl"}, "entity": {aircraftNS + "Glider"}, "target": {aircraftNS + "Glider"}, "from": {"demo/aircraft.ttl"}}.Encode()
		for _, p := range []struct{ name, path, ready string }{
			{"ontologies", "/ontologies", "true"},
			{"editor", editorOf("Glider"), `Number(document.querySelector("#graph").dataset.placed) > 1`},
			{"counts", "/ontology/counts?" + of, `document.querySelector("#graph").dataset.weighed !== undefined`},
			{"save", "/ontology/save?" + of, "true"}, {"check", "/ontology/check?" + of, "true"}, {"delete", "/ontology/delete?" + of, "true"},
			{"history", "/ontology/history?" + of, "true"}, {"import", "/ontology/import?" + of, "true"},
		} {
			b.theme(theme)
			b.do(chromedp.Navigate("http://" + addr + p.path))
			b.holds(p.ready)
			b.holds("document.documentElement.scrollWidth <= window.innerWidth")
			b.accessible(fmt.Sprintf("%s, %d wide, %s", p.name, width, theme), string(axe))
		}
	}
}
