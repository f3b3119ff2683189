//go:build e2e

package studio_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"orbweaver/server/door/doortest"
	"orbweaver/studio"
)

// A browser is a tab of Chromium. What its console says and what it asks of others fails the test.
type browser struct {
	t   *testing.T
	ctx context.Context
}

// open opens a page in Chromium, in a window of a width.
func open(t *testing.T, addr string, width int64) *browser {
	t.Helper()
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(doortest.Chromium(t)), chromedp.NoSandbox)
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	b := &browser{t, ctx}
	if _, err := chromedp.Run(ctx, chromedp.EmulateViewport(width, 900)); err != nil { // the browser lives as long as this context
		t.Fatal(err)
	}
	b.do(chromedp.Func(func(_ context.Context, tab *chromedp.Target) error {
		said := cdp.Events(ctx, tab, cdplog.EntryAdded)
		thrown := cdp.Events(ctx, tab, runtime.ExceptionThrown)
		asked := cdp.Events(ctx, tab, network.RequestWillBeSent)
		go watch(said, func(e cdplog.EventEntryAdded) {
			if strings.HasPrefix(e.Entry.Text, "Blocked script execution") && strings.Contains(e.Entry.URL, "/web/") {
				return // an archived page may not run its scripts
			}
			t.Errorf("the console says: %s %s", e.Entry.Text, e.Entry.URL)
		})
		go watch(thrown, func(e runtime.EventExceptionThrown) { t.Errorf("a script fails: %s", e.ExceptionDetails.Text) })
		go watch(asked, func(e network.EventRequestWillBeSent) {
			url := e.Request.URL
			framed := strings.HasPrefix(url, "http://127.0.0.1:") && strings.Contains(url, "/web/") // archived pages have an origin of their own
			if !strings.HasPrefix(url, "http://"+addr+"/") && !strings.HasPrefix(url, "data:") && !framed {
				t.Errorf("it asks for %s", url)
			}
		})
		for _, enable := range []cdp.Command[cdp.Empty, cdp.Empty]{cdplog.Enable, runtime.Enable} {
			if _, err := cdp.Call(ctx, tab, enable, cdp.Empty{}); err != nil {
				return err
			}
		}
		return nil
	}))
	b.do(chromedp.Navigate("http://" + addr + "/"))
	return b
}

// watch looks at events until there are no more.
func watch[E any](events iter.Seq2[E, error], look func(E)) {
	for e, err := range events {
		if err != nil {
			return
		}
		look(e)
	}
}

// do acts on the page, again where a live page has replaced a node meanwhile.
func (b *browser) do(action chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, time.Minute)
	defer stop()
	for {
		_, err := chromedp.Run(ctx, action)
		if err == nil {
			return
		}
		if !replaced(err) || ctx.Err() != nil {
			b.t.Fatal(err)
		}
	}
}

// replaced is whether a node was no longer there when the browser was told what to do with it.
func replaced(err error) bool {
	return strings.Contains(err.Error(), "Could not find node") || strings.Contains(err.Error(), "No node with given id")
}

// click clicks what has this text, as a person sees it.
func (b *browser) click(text string) {
	b.t.Helper()
	b.tap(fmt.Sprintf(`//*[self::a or self::button or self::summary][normalize-space(.)=%q]`, text))
}

// tap clicks what an XPath finds. What a live page replaces before the mouse is there is looked for again.
func (b *browser) tap(path string) {
	b.t.Helper()
	b.until(path, func() bool {
		ctx, stop := context.WithTimeout(b.ctx, time.Minute)
		defer stop()
		_, err := chromedp.Run(ctx, chromedp.Click(path))
		if err != nil && !replaced(err) {
			text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("document.body.innerText.slice(0, 2000)"))
			b.t.Fatalf("%s cannot be clicked: %v, on\n%s", path, err, text)
		}
		return err == nil
	})
}

// sees waits until the page shows a text.
func (b *browser) sees(text string) {
	b.t.Helper()
	b.holds(fmt.Sprintf("document.body.innerText.includes(%q)", text))
}

// holds waits until an expression is true. A page that another one replaces meanwhile is asked again.
func (b *browser) holds(expression string) {
	b.t.Helper()
	b.until(expression, func() bool {
		is, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](expression))
		return is && err == nil
	})
}

// until waits until something is so.
func (b *browser) until(what string, is func() bool) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, time.Minute)
	defer stop()
	for !is() {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("document.body.innerText.slice(0, 2000)"))
			b.t.Fatalf("%s does not hold on:\n%s", what, text)
		}
	}
}

// TestFirstCrawl: a person who has read nothing crawls the demo web and sees why its best page is best, on a desktop and on a
// phone: nothing leaves the origin, nothing is wider than the window, and the console says nothing.
func TestFirstCrawl(t *testing.T) {
	for _, width := range []int64{1280, 360} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			addr := serve(t, studio.Options{})
			b := open(t, addr, width)
			fits := func() {
				t.Helper()
				b.holds("document.documentElement.scrollWidth <= window.innerWidth")
			}
			b.sees("There are no crawls yet")
			fits()
			b.click("Crawl the demo web")
			b.sees("aircraft")
			b.do(chromedp.Navigate("http://" + addr + "/crawls/aircraft"))
			b.sees("is over") // by the live parts, if it was not when the page came
			b.sees("A limit of the crawl file is reached")
			fits()
			b.holds("document.querySelector('.chart canvas') !== null || document.querySelector('.chart') === null")
			b.click("Results")
			b.sees("pages match")
			fits()
			b.do(chromedp.SetValue(chromedp.Search("#q-sort"), "score"))
			b.click("Show")
			b.holds("location.search.includes('sort=score')") // not the page before, which may have the same first row
			b.holds("document.readyState === 'complete' && document.querySelector('.rows li a')?.textContent.includes('Boeing 747')")
			b.do(chromedp.Click(chromedp.Search(".rows li a")))
			b.sees("Reasons of the score")
			b.sees("it names an entity of the target")
			b.sees("The way from a seed")
			fits()
			b.holds(`document.querySelector("iframe.replay") !== null`)
			b.holds(`(document.querySelector("iframe.replay").scrollIntoView(), true)`) // it loads now: what the policy refuses, the console says
		})
	}
}
