//go:build e2e

package studio_test

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"orbweaver/server/door/doortest"
)

// TestActions: every action on a crawl, by what a person reads on the screen, on a desktop and on a phone; what is light on the one is
// dark on the other. What a page is told while the crawl runs comes without a reload.
func TestActions(t *testing.T) {
	doortest.Chromium(t)
	for width, themes := range map[int64][2]string{1280: {"light", "dark"}, 360: {"dark", "light"}} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			web, addr := serveHeld(t)
			b := open(t, addr, width)
			for i, act := range []func(){
				func() { b.steers(web) }, func() { b.ends(web) }, func() { b.rates(addr, web) }, func() { b.teaches(addr) },
				func() { b.looks(addr) }, func() { b.exports(addr) }, func() { b.throwsAway(addr) },
			} {
				b.theme(themes[i%2])
				b.holds(fmt.Sprintf(`matchMedia("(prefers-color-scheme: %s)").matches`, themes[i%2]))
				act()
			}
		})
	}
}

// newest waits until the list of the newest pages has a text, on the page that is shown: it comes by itself.
func (b *browser) newest(text string) {
	b.t.Helper()
	b.holds(fmt.Sprintf(`document.querySelector("#part-newest").innerText.includes(%q)`, text))
}

// fits checks that the page is not wider than the window.
func (b *browser) fits() {
	b.t.Helper()
	b.holds("document.documentElement.scrollWidth <= window.innerWidth")
}

// to opens a page of the studio.
func (b *browser) to(addr, path string) {
	b.t.Helper()
	b.do(chromedp.Navigate("http://" + addr + path))
}

// press clicks a button, not a link, that has this text.
func (b *browser) press(text string) {
	b.t.Helper()
	b.tap(fmt.Sprintf(`//main//button[normalize-space(.)=%q]`, text))
}

// steers starts a crawl, watches it, pauses it, and changes while it runs what can be changed.
func (b *browser) steers(web *heldWeb) {
	b.t.Helper()
	b.click("kites")
	b.sees("It has not begun.")
	b.press("Start")
	b.sees("kites: it starts, or waits for others to end.")
	b.sees("It fetches pages, the most promising first.")
	b.run("window.sameDocument = true")
	web.let(1)
	b.newest("The village")
	web.let(1)
	b.newest("The kite")
	b.holds("window.sameDocument === true")
	b.holds(`/Memory\s*\d+(\.\d)? MB/i.test(document.querySelector("#part-counts").innerText) && /Speed\s*\d+\.\d pages\/s/i.test(document.querySelector("#part-counts").innerText)`)
	b.press("Pause")
	b.sees("kites is paused.")
	b.sees("It starts no requests until you resume it.")
	b.fits()

	b.click("Add URLs")
	b.fill("add-urls", web.url+"/attic-1\n"+web.url+"/kite-0")
	b.press("Add them as seeds")
	b.sees(web.url + "/attic-1: added")
	b.sees(web.url + "/kite-0: known")
	b.click("Change limits of this session")
	b.fill("l-pages", "8")
	b.press("Change limits")
	b.sees("pages 8")
	b.fits()
	b.click("Exclude URLs for good")
	b.fill("x-patterns", "/kettle-[0-9]/")
	b.press("Preview what it removes")
	b.sees("8 waiting requests would be removed")
	b.sees(web.url + "/kettle-3")
	b.fits()
	b.press("Exclude them")
	b.sees("Excluded: 8 waiting requests are removed")
}

// ends lets the crawl go on, stops it, and starts it again to its end.
func (b *browser) ends(web *heldWeb) {
	b.t.Helper()
	b.press("Resume")
	b.sees("kites goes on.")
	b.sees("It fetches pages, the most promising first.")
	b.press("Stop")
	b.sees("kites stops after the requests in flight.")
	web.let(0)
	b.sees("It was stopped before it was over.")
	b.press("Go on")
	b.sees("is over")
	b.newest("The attic")
	b.holds(`!document.body.innerText.includes("kettle")`)
	b.fits()
}

// rates gives verdicts on pages, alone and on a list, and takes them back.
func (b *browser) rates(addr string, web *heldWeb) {
	b.t.Helper()
	b.to(addr, web.onePath("kite-1"))
	b.press("Not relevant")
	b.sees("Your verdict: not relevant (1 pages).")
	b.sees("You said: not relevant.")
	b.fits()
	b.press("Undo")
	b.sees("Your verdict is withdrawn (1 pages).")
	b.holds(`!document.body.innerText.includes("You said")`)
	b.press("Relevant")
	b.sees("You said: relevant.")
	b.press("Withdraw it")
	b.sees("Your verdict is withdrawn (1 pages).")

	b.to(addr, "/crawls/kites/results")
	b.sees("pages match")
	for _, title := range []string{"The kite 1", "The kite 2"} {
		b.tap(fmt.Sprintf(`//input[@aria-label=%q]`, "Choose "+title))
	}
	b.press("Chosen pages are not relevant")
	b.sees("Your verdict: not relevant (2 pages).")
	b.to(addr, web.onePath("kite-2"))
	b.sees("You said: not relevant.")
	b.to(addr, "/crawls/kites/results")
	b.tap(`//input[@aria-label="Choose The kite 2"]`)
	b.press("Chosen pages are relevant")
	b.sees("Your verdict: relevant (1 pages).")
	b.press("Undo")
	b.sees("Your verdict is withdrawn (1 pages).")
	b.to(addr, web.onePath("kite-2"))
	b.sees("Reasons of the score")
	b.holds(`!document.body.innerText.includes("You said")`)
	b.to(addr, web.onePath("kite-1"))
	b.sees("You said: not relevant.")
}

// teaches answers questions by keys, sees what that changed, and takes it back.
func (b *browser) teaches(addr string) {
	b.t.Helper()
	b.to(addr, "/crawls/kites/teach")
	b.sees("Pages whose verdict teaches most")
	for _, key := range []string{"a", "k", "j", "2", "n"} { // k goes back to the first question
		b.do(chromedp.KeyEvent(key))
	}
	b.holds(`[...document.querySelectorAll("input[type=radio]:checked")].map((r) => r.value).join() .startsWith("about,part,not,,")`)
	b.fits()
	b.do(chromedp.KeyEvent("\r"))
	b.sees("The crawl has learned from 3 of your answers.")
	b.sees("Accepted after")
	b.sees("1 about it, 1 in part, 2 not")
	b.holds(`document.querySelectorAll("fieldset.question").length > 0`)
	b.fits()
	b.press("Undo")
	b.sees("Your verdict is withdrawn (3 pages).")
	b.sees("0 about it, 0 in part, 1 not")
}

// looks searches, compares and asks.
func (b *browser) looks(addr string) {
	b.t.Helper()
	b.click("Results")
	b.sees("pages match")
	b.do(chromedp.Click(chromedp.Search("#q-words")))
	b.do(chromedp.KeyEvent("attic"))
	b.sees("the best first")
	b.holds(`document.querySelector("#results mark")?.innerText.toLowerCase().includes("attic")`)
	b.fits()
	b.to(addr, "/crawls/kites/results")
	b.sees("10 pages match.")
	b.run(`document.querySelector("#q-min").focus()`)
	b.do(chromedp.KeyEvent(kb.End))
	for range 10 { // the slider moves by the keyboard, and the list follows
		b.do(chromedp.KeyEvent(kb.ArrowLeft))
	}
	b.holds(`document.querySelector("#q-min-shown").innerText === "0.90" && location.search.includes("min=0.9")`)
	b.sees("9 pages match.")
	b.click("Results")
	b.sees("10 pages match.")
	b.do(chromedp.Click(chromedp.Search("#q-words")))
	b.do(chromedp.KeyEvent("attic"))
	b.sees("the best first")
	b.holds(`document.querySelector("#results mark")?.innerText.toLowerCase().includes("attic")`)
	b.fits()
	b.click("Compare")
	b.sees("Choose two crawls or more.")
	b.tap(`//label[normalize-space(.)="kites"]`)
	b.press("Compare")
	b.sees("Side by side")
	b.holds(`document.querySelectorAll(".chart canvas").length === 2`)
	b.fits()
	b.to(addr, "/crawls/kites")
	b.click("Ask")
	b.sees("Query in SPARQL")
	b.holds(`document.querySelector(".CodeMirror") !== null`)
	b.run(`document.querySelector(".CodeMirror").CodeMirror.setValue("SELECT ?page WHERE { ?page <http://orbweaver.example/terms#score> ?score } LIMIT 3")`)
	b.press("Ask")
	b.holds(`document.querySelectorAll("#answer tbody tr").length === 3`)
	b.fits()
}

// exports clicks an export of what the filters select, and reads the file that the browser got.
func (b *browser) exports(addr string) {
	b.t.Helper()
	get := b.downloads()
	b.to(addr, "/crawls/kites/results?text=kite&min=0.1")
	b.sees("Pages that match")
	b.click("csv")
	text := get(".csv")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		b.t.Fatal(err)
	}
	shown, err := chromedp.Run(b.ctx, chromedp.Evaluate[int](`document.querySelectorAll("#results .rows > li").length`))
	if err != nil || len(rows) != shown+1 || shown < 5 {
		b.t.Errorf("%d pages are shown, the export has %d lines (%v)", shown, len(rows), err)
	}
	_, _, same := newClient(b.t, addr).send("GET", "/api/v1/crawls/kites/export?format=csv&text=kite&score=0.1", "")
	if text != same {
		b.t.Errorf("the file has\n%s\nthe API\n%s", text, same)
	}
}

// throwsAway deletes the crawl, undoes it, deletes it again and takes it out of the trash.
func (b *browser) throwsAway(addr string) {
	b.t.Helper()
	b.to(addr, "/")
	for range 2 {
		b.click("Delete …")
		b.press("Yes, move it to the trash")
		b.sees("kites is in the trash.")
		b.sees("There are no crawls yet.")
		b.press("Undo")
		b.holds(`document.querySelector(".crawl h2")?.innerText.includes("kites")`)
	}
	b.click("Delete …")
	b.press("Yes, move it to the trash")
	b.sees("There are no crawls yet.")
	b.click("1 in the trash")
	b.press("Restore")
	b.holds(`location.pathname !== "/trash" || document.body.innerText.includes("The trash is empty.")`)
	b.to(addr, "/crawls/kites")
	b.sees("is over")
	b.newest("The attic")
}
