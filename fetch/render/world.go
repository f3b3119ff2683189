package render

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"orbweaver"
)

// A world is an isolated JavaScript context that sees the page's DOM and that the page's scripts cannot affect.
type world runtime.ExecutionContextID

// world returns an isolated world of the current page, with a counter of changes.
func (t *tab) world(ctx context.Context) (world, error) {
	main := cdp.FrameID(chromedp.FromContext(t.context).Target.TargetID)
	res, err := chromedp.Call(ctx, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: main, WorldName: "orbweaver"})
	if err != nil {
		return 0, err
	}
	w := world(res.ExecutionContextID)
	return w, w.evaluate(ctx, watch, nil)
}

// watch counts changes of text, of elements, and of link targets. Purely visual attributes are not worth
// waiting for.
const watch = `if (!Object.hasOwn(globalThis, "changes")) {
	globalThis.changes = 1;
	new MutationObserver(() => { globalThis.changes++ }).observe(document,
		{subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["href"]});
}`

// evaluate runs a script in the world and decodes its value into result, unless that is nil.
func (w world) evaluate(ctx context.Context, script string, result any) error {
	yes := true
	res, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{
		Expression: script, ContextID: runtime.ExecutionContextID(w), ReturnByValue: &yes, Silent: &yes,
	})
	switch {
	case err != nil:
		return err
	case res.ExceptionDetails != nil:
		return fmt.Errorf("script: %s", res.ExceptionDetails.Text)
	case result == nil:
		return nil
	case res.Result == nil:
		return errors.New("script: no result")
	}
	return json.Unmarshal(res.Result.Value, result)
}

// A state is what must not change for a page to be done.
type state struct {
	Changes int  `json:"changes"`
	Loading bool `json:"loading"`
	waiting int
	done    int
}

// settle waits until no request is in flight, the page has loaded, and its state has not changed for the quiet
// time, in every check of that time. A check completes only when the page's scripts are idle.
func (t *tab) settle(ctx context.Context, w world) error {
	step := max(t.options.Quiet/10, 10*time.Millisecond)
	clock := time.NewTicker(step)
	defer clock.Stop()
	var last state
	for quiet := time.Duration(0); quiet < t.options.Quiet; quiet += step {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-clock.C:
		}
		now, err := t.look(ctx, w)
		if err != nil {
			return err
		}
		if now != last || now.Loading || now.waiting > 0 {
			last, quiet = now, -step
		}
	}
	return nil
}

const look = `({
	changes: globalThis.changes,
	loading: Object.getOwnPropertyDescriptor(Document.prototype, "readyState").get.call(document) !== "complete",
})`

func (t *tab) look(ctx context.Context, w world) (state, error) {
	var now state
	err := w.evaluate(ctx, look, &now)
	t.mu.Lock()
	defer t.mu.Unlock()
	now.waiting, now.done = t.waiting, t.done
	return now, err
}

// read returns the page's HTML, and whether it has text.
func (t *tab) read(ctx context.Context, w world) (html []byte, text bool, err error) {
	var got struct {
		URL  string `json:"url"`
		Size int64  `json:"size"`
		Text bool   `json:"text"`
		HTML string `json:"html"`
	}
	asked, err := json.Marshal(t.url)
	if err != nil {
		return nil, false, err
	}
	script := strings.NewReplacer("LIMIT", fmt.Sprint(t.options.MaxBody), "ASKED", string(asked)).Replace(serialize)
	if err := w.evaluate(ctx, script, &got); err != nil {
		return nil, false, err
	}
	switch {
	case !strings.HasPrefix(got.URL, "http"):
		return nil, false, fmt.Errorf("%w: it went to %.80q", orbweaver.ErrUnreadable, got.URL)
	case max(got.Size, int64(len(got.HTML))) > t.options.MaxBody:
		return nil, false, fmt.Errorf("%w: the page made has more than %d bytes", orbweaver.ErrTooLarge, t.options.MaxBody)
	}
	return []byte(got.HTML), got.Text, nil
}

// serialize writes the document as HTML. If it has open shadow roots, it first copies the document into an
// inert one and puts their content before their hosts' own children. If scripts changed the document's URL, the
// copy has a base URL. Properties are read by the prototypes' own getters, since element names can shadow those
// of documents and forms.
const serialize = `(() => {
	const getter = (prototype, name) => {
		const get = Object.getOwnPropertyDescriptor(prototype, name).get;
		return (of) => get.call(of);
	};
	const children = getter(Node.prototype, "childNodes");
	const shadow = getter(Element.prototype, "shadowRoot");
	const localName = getter(Element.prototype, "localName");
	const element = getter(Document.prototype, "documentElement")(document);
	const address = (of) => { const url = new URL(of); url.hash = ""; return url.href; };
	const moved = address(location.href) !== address(ASKED);
	const hasShadow = () => {
		for (const e of Document.prototype.getElementsByTagName.call(document, "*")) if (shadow(e)) return true;
		return false;
	};
	const flatten = () => {
		const inert = getter(Document.prototype, "implementation")(document).createHTMLDocument("");
		const copy = inert.importNode(element, false);
		const waiting = [[element, copy]];
		while (waiting.length > 0) {
			const [from, to] = waiting.pop();
			for (const parent of [shadow(from), from]) {
				for (const child of parent ? children(parent) : []) {
					const isElement = child.nodeType === Node.ELEMENT_NODE;
					const made = inert.importNode(child, isElement && localName(child) === "template");
					Node.prototype.appendChild.call(to, made);
					if (isElement) waiting.push([child, made]);
				}
			}
		}
		if (moved) {
			const base = inert.createElement("base");
			base.setAttribute("href", getter(Node.prototype, "baseURI")(document));
			Element.prototype.prepend.call(Element.prototype.querySelector.call(copy, "head") ?? copy, base);
		}
		return copy;
	};
	const hasText = (root) => {
		const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT);
		const silent = ["script", "style", "noscript", "title", "template"];
		while (walker.nextNode()) {
			const parent = walker.currentNode.parentNode;
			if (/\S/.test(walker.currentNode.data) && !silent.includes(localName(parent))) return true;
		}
		return false;
	};
	const url = location.href.slice(0, 200);
	if (!element) return {url, size: 0, text: false, html: ""};
	const root = moved || hasShadow() ? flatten() : element;
	const text = hasText(root);
	const html = (getter(Document.prototype, "doctype")(document) ? "<!DOCTYPE html>" : "") + root.outerHTML;
	return {url, text, size: html.length, html: html.length > LIMIT ? "" : html.toWellFormed()};
})()`
