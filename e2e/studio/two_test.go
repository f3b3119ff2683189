//go:build e2e

package studio_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestTwoBrowsers: what is done in one browser shows in the other without a reload, on the live page and on the home page, and both have
// the same counts in the end.
func TestTwoBrowsers(t *testing.T) {
	web, addr := serveHeld(t)
	desk, phone := open(t, addr, 1280), open(t, addr, 360)
	desk.to(addr, "/crawls/kites")
	desk.press("Start")
	desk.sees("It fetches pages, the most promising first.")
	phone.holds(`document.querySelector(".crawl .badge")?.innerText.includes("runs")`) // on the home page, by itself
	phone.run("window.sameDocument = true")
	web.let(1)
	phone.holds(`/Pages\s*1\b/.test(document.querySelector(".crawl .figures")?.innerText)`)
	desk.press("Pause")
	desk.sees("kites is paused.")
	phone.sees("It starts no requests until you resume it.")
	phone.holds(`document.querySelector(".crawl .actions").innerText.includes("Resume") && window.sameDocument === true`)

	phone.click("kites")
	phone.sees("It starts no requests until you resume it.")
	desk.run("window.sameDocument = true")
	phone.press("Resume")
	phone.sees("kites goes on.")
	desk.sees("It fetches pages, the most promising first.")
	desk.to(addr, web.onePath(""))
	desk.press("Not relevant")
	desk.sees("You said: not relevant.")
	desk.to(addr, "/crawls/kites")
	desk.run("window.sameDocument = true")
	phone.run("window.sameDocument = true")
	web.let(0)
	desk.sees("is over")
	phone.sees("is over")
	for _, b := range []*browser{desk, phone} { // 17 pages: the verdict of the desk has moved those after it for both
		b.holds(`/Pages\s*17\b/.test(document.querySelector("#part-counts").innerText) && window.sameDocument === true`)
	}
	counts := func(b *browser) string {
		text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`[...document.querySelectorAll("#part-counts .figure")].map(f => f.querySelector("dt").innerText + " " + f.querySelector("dd").firstChild.textContent).join("; ")`))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	last := ""
	desk.until("both have the same counts", func() bool {
		a, b := counts(desk), counts(phone)
		last = fmt.Sprint(a, " | ", b)
		return a == b
	})
	t.Log(last)
	phone.to(addr, web.onePath(""))
	phone.sees("You said: not relevant.")
}

// TestHomeListChanges: a crawl that another browser makes is told on the home page, as its list lacks it.
func TestHomeListChanges(t *testing.T) {
	web, addr := serveHeld(t)
	b := open(t, addr, 360)
	b.sees("It has not begun.")
	if code, _, text := newClient(t, addr).send("POST", "/api/v1/crawls?name=others", web.file(), "Content-Type: application/yaml"); code != 201 {
		t.Fatalf("%d: %s", code, text)
	}
	b.sees("The list of crawls has changed.")
	b.click("Show it")
	b.holds(`document.querySelectorAll(".crawl").length === 2`)
}
