package render

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// A Step is something that a person does on a page: fill in a field, click on an element, or wait for one. Each is a CSS selector.
type Step struct{ Fill, With, Click, Wait string }

// A Sender makes a request of a visit: a GET, or with a media type a POST of that body. The rules of a Getter hold. A redirect is
// returned as it is.
type Sender func(ctx context.Context, url, accept, mediaType string, body []byte) (status int, header http.Header, answer []byte, err error)

// A Visited is where a visit ended.
type Visited struct {
	URL     string
	Found   bool           // the page has the element or the text that was looked for
	Cookies []*http.Cookie // that scripts of the page set
}

const (
	visitTime = 3 * time.Minute // of a visit
	stepTime  = 30 * time.Second
	stepPause = 50 * time.Millisecond
)

// Visit opens a page, takes steps on it and on the pages that they lead to, and looks whether the last one has an element that
// matches selector and contains text; an empty one counts as found. Unlike Render, it lets the page navigate and post, always by send,
// which decides what is reached. Errors name the step by its number and never say what was filled in.
func (b *Browser) Visit(ctx context.Context, url string, steps []Step, selector, text string, send Sender) (Visited, error) {
	if err := checkURL(url); err != nil {
		return Visited{}, err
	}
	select {
	case b.tabs <- struct{}{}:
		defer func() { <-b.tabs }()
	case <-ctx.Done():
		return Visited{}, context.Cause(ctx)
	}
	p, err := b.begin(ctx)
	if err != nil {
		return Visited{}, err
	}
	defer b.pages.Done()
	limited, cancel := context.WithTimeout(p.browser, visitTime)
	defer cancel()
	failing, fail := context.WithCancelCause(limited)
	defer fail(nil)
	defer context.AfterFunc(ctx, func() { fail(context.Cause(ctx)) })()
	tabContext, closeTab := chromedp.NewContext(failing, chromedp.WithNewBrowserContext())
	t := &tab{options: b.options, url: url, send: send, context: tabContext, fail: fail, tooMuch: func() { fail(errors.New("the pages make requests without end")) }}
	seen, err := t.visit(steps, selector, text)
	cause := context.Cause(failing)
	fail(nil)
	t.finish()
	closeTab()
	if err != nil {
		return Visited{}, fmt.Errorf("visit %s: %w", url, blame(ctx, p, cause, err))
	}
	return seen, nil
}

// visit takes the steps.
func (t *tab) visit(steps []Step, selector, text string) (seen Visited, err error) {
	if err := t.prepare(); err != nil {
		return seen, err
	}
	if _, err := t.open(t.context); err != nil {
		return seen, err
	}
	if err := t.calm(); err != nil {
		return seen, err
	}
	for i, s := range steps {
		if err := t.step(s); err != nil {
			return seen, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	w, err := t.world(t.context)
	if err != nil {
		return seen, err
	}
	var last struct {
		URL   string `json:"url"`
		Found bool   `json:"found"`
	}
	script := `({url: location.href, found: (SELECTOR === "" || !!document.querySelector(SELECTOR)) &&
		(TEXT === "" || document.body !== null && document.body.innerText.replace(/\s+/g, " ").includes(TEXT))})`
	if err := w.evaluate(t.context, filled(script, "SELECTOR", selector, "TEXT", text), &last); err != nil {
		return seen, err
	}
	seen.URL, seen.Found = last.URL, last.Found
	seen.Cookies, err = t.cookies()
	return seen, err
}

// filled returns a script in which names stand for texts.
func filled(script string, namesAndTexts ...string) string {
	var pairs []string
	for i := 0; i+1 < len(namesAndTexts); i += 2 {
		quoted, err := json.Marshal(namesAndTexts[i+1])
		if err != nil { // unreachable: of a string
			quoted = []byte(`""`)
		}
		pairs = append(pairs, namesAndTexts[i], string(quoted))
	}
	return strings.NewReplacer(pairs...).Replace(script)
}

// fill sets a field as a person who types does; click clicks.
const (
	fill = `(() => {
	const e = document.querySelector(SELECTOR);
	if (!e) return false;
	e.focus();
	const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), "value")?.set;
	if (set) set.call(e, TEXT); else e.value = TEXT;
	e.dispatchEvent(new Event("input", {bubbles: true}));
	e.dispatchEvent(new Event("change", {bubbles: true}));
	return true;
})()`
	click = `(() => { const e = document.querySelector(SELECTOR); if (!e) return false; setTimeout(() => e.click(), 0); return true; })()`
	there = `!!document.querySelector(SELECTOR)`
)

// step takes one step: it waits for the element, and after it until the page is calm.
func (t *tab) step(s Step) error {
	ctx, cancel := context.WithTimeout(t.context, stepTime)
	defer cancel()
	script, selector := there, s.Wait
	switch {
	case s.Fill != "":
		script, selector = fill, s.Fill
	case s.Click != "":
		script, selector = click, s.Click
	}
	clock := time.NewTicker(stepPause)
	defer clock.Stop()
	for {
		var found bool
		w, err := t.world(ctx) // that of the page before is gone after a navigation
		if err == nil {
			err = w.evaluate(ctx, filled(script, "SELECTOR", selector, "TEXT", s.With), &found)
		}
		if err == nil && found {
			return t.calm()
		}
		select {
		case <-clock.C:
		case <-ctx.Done():
			if t.context.Err() != nil {
				return t.context.Err()
			}
			return fmt.Errorf("the page has no %s", selector)
		}
	}
}

// calm waits until the page, or the one that follows it, has loaded and makes no requests.
func (t *tab) calm() error {
	ctx, cancel := context.WithTimeout(t.context, stepTime)
	defer cancel()
	for {
		w, err := t.world(ctx)
		if err == nil {
			err = t.settle(ctx, w)
		}
		switch {
		case err == nil:
			return nil
		case t.context.Err() != nil:
			return t.context.Err()
		case ctx.Err() != nil:
			return nil // it never rests
		}
		pause := time.NewTimer(stepPause) // the page was left
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
		}
	}
}

// cookies returns those of the tab's browser context.
func (t *tab) cookies() ([]*http.Cookie, error) {
	c := chromedp.FromContext(t.context)
	var all []*http.Cookie
	res, err := chromedp.CallBrowser(t.context, storage.GetCookies, storage.GetCookiesParams{BrowserContextID: c.BrowserContextID})
	if err != nil {
		return nil, err
	}
	for _, k := range res.Cookies {
		if k.HTTPOnly { // no script sets it
			continue
		}
		one := &http.Cookie{Name: k.Name, Value: k.Value, Path: k.Path, Domain: k.Domain, Secure: k.Secure}
		if !strings.HasPrefix(k.Domain, ".") {
			one.Domain = "" // of its host alone
		}
		if k.Expires > 0 {
			one.Expires = time.Unix(int64(k.Expires), 0).UTC()
		}
		all = append(all, one)
	}
	return all, nil
}

// visiting decides about a request of a visit: the page itself, its scripts and what they fetch go to the Sender.
func (t *tab) visiting(e *fetch.EventRequestPaused) verdict {
	switch {
	case t.asked < 10*t.options.MaxRequests && t.worthSending(e):
		t.opened = true
		t.asked++
		t.waiting++
		return ask
	case t.refused < maxRefused*t.options.MaxRequests:
		t.refused++
		return refuse
	}
	t.tooMuch()
	return leave
}

// worthSending reports whether a request of a visit may go to the Sender.
func (t *tab) worthSending(e *fetch.EventRequestPaused) bool {
	if len(e.Request.URL) > maxURL || e.Request.Method != "GET" && e.Request.Method != "POST" {
		return false
	}
	switch e.ResourceType {
	case network.ResourceTypeDocument:
		return t.isPage(e)
	case network.ResourceTypeScript, network.ResourceTypeXHR, network.ResourceTypeFetch:
		return sent(e, "Sec-Purpose") == "" && sent(e, "Accept") != "text/event-stream"
	}
	return false
}

// post answers a request of a visit by the Sender.
func (t *tab) post(e *fetch.EventRequestPaused) (status int, header http.Header, body []byte, err error) {
	if e.Request.Method == "GET" {
		return t.send(t.context, e.Request.URL, sent(e, "Accept"), "", nil)
	}
	content, err := posted(e)
	if err != nil {
		return 0, nil, nil, err
	}
	kind := sent(e, "Content-Type")
	if kind == "" {
		kind = "text/plain"
	}
	return t.send(t.context, e.Request.URL, sent(e, "Accept"), kind, content)
}

// posted returns the body of a request.
func posted(e *fetch.EventRequestPaused) ([]byte, error) {
	var body []byte
	for _, part := range e.Request.PostDataEntries {
		body = append(body, part.Bytes...)
	}
	if body == nil && e.Request.HasPostData {
		return nil, errors.New("a body that the browser does not tell")
	}
	return body, nil
}
