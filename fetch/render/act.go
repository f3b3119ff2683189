package render

import (
	"context"
	"encoding/json"
	"strings"
)

// An Action is what is done on a page once it is loaded. Exactly one of Scroll and Click is set.
type Action struct {
	Scroll int    // times to the page's end, as long as it grows
	Click  string // CSS selector of an element
	Times  int    // of Click, as long as the element is there and visible; at least 1
}

// act does the actions of a page, and waits after each until the page is done. It ends early with its context.
func (t *tab) act(ctx context.Context, w world) error {
	if t.options.Actions == nil {
		return nil
	}
	for _, a := range t.options.Actions(t.url) {
		var err error
		if a.Scroll > 0 {
			err = t.scroll(ctx, w, a.Scroll)
		} else {
			err = t.click(ctx, w, a.Click, max(a.Times, 1))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

const scrollDown = `(() => {
	window.scrollTo(0, 1e9);
	return Object.getOwnPropertyDescriptor(Element.prototype, "scrollHeight").get.call(
		Object.getOwnPropertyDescriptor(Document.prototype, "documentElement").get.call(document));
})()`

func (t *tab) scroll(ctx context.Context, w world, times int) error {
	last := -1.0
	for range times {
		var height float64
		if err := w.evaluate(ctx, scrollDown, &height); err != nil {
			return err
		}
		if height <= last {
			return nil
		}
		last = height
		if err := t.settle(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

// click reports whether there was a visible element. A selector that is none finds nothing.
const clickOn = `(() => {
	let e = null;
	try { e = Document.prototype.querySelector.call(document, SELECTOR) } catch { return false }
	if (!e || Element.prototype.getClientRects.call(e).length === 0) return false;
	if (e instanceof HTMLElement) HTMLElement.prototype.click.call(e);
	return e instanceof HTMLElement;
})()`

func (t *tab) click(ctx context.Context, w world, selector string, times int) error {
	quoted, err := json.Marshal(selector)
	if err != nil {
		return err
	}
	script := strings.Replace(clickOn, "SELECTOR", string(quoted), 1)
	for range times {
		var there bool
		if err := w.evaluate(ctx, script, &there); err != nil || !there {
			return err
		}
		if err := t.settle(ctx, w); err != nil {
			return err
		}
	}
	return nil
}
