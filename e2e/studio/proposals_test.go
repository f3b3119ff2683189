//go:build e2e

package studio_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// key presses a key without its character: the page takes it.
func (b *browser) key(key string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "rawKeyDown", Key: key})
		return err
	}))
}

// TestProposalsByKeys: a person goes through the queue by keys: sees what accepting would change without leaving the page, accepts,
// postpones, undoes; the curve marks what was decided.
func TestProposalsByKeys(t *testing.T) {
	addr, b := crawled(t, 1280)
	at := func(n int) string {
		return fmt.Sprintf(`document.activeElement.id === "p-%d"`, n)
	}
	b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft/proposals"))
	b.sees("Proposals of aircraft")
	b.until("the script listens", func() bool {
		b.key("j")
		is, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`document.activeElement.id.startsWith("p-")`))
		return is && err == nil
	})
	for range 3 {
		b.key("k")
	}
	b.holds(at(0))
	b.key("j")
	b.holds(at(1))
	const words = `document.querySelector("#p-1 h2 bdi").innerText`
	first, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](words))
	if err != nil {
		t.Fatal(err)
	}
	b.key("e")
	b.holds(`document.querySelector("#x-1").innerText.includes("pages would be accepted, now")`)
	b.key("a")
	b.sees("is accepted:")
	b.holds(fmt.Sprintf(`%s !== %q && %s`, words, first, at(1))) // the next one has moved up
	b.key("l")
	b.sees("waits under later")
	b.click("Undo")
	b.sees("is open again")
	b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft/proposals?state=accepted"))
	b.sees(first)
	b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft"))
	b.holds(`document.querySelector(".plot")?.getAttribute("aria-label").includes("3 decisions are marked")`)
	b.holds(fmt.Sprintf(`document.querySelector(".chart").textContent.includes("accepted: " + %q)`, first))
}
