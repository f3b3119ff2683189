package render

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"orbweaver"
)

const (
	maxDialogs = 10 // of one page, until its current state is taken
	maxRefused = 20 // refused requests per permitted one, until the current state of a page is taken
)

// A tab renders one page. Separate goroutines answer its requests and dialogs; they end with it.
type tab struct {
	options Options
	url     string
	given   *answer // for the first request for the document itself
	get     Getter
	send    Sender          // of a visit; nil: a page is rendered
	context context.Context // chromedp's context of the tab
	fail    context.CancelCauseFunc
	work    sync.WaitGroup
	tooMuch func() // ends the wait for a page that sends requests without end

	mu      sync.Mutex
	over    bool // no more requests are answered
	opened  bool // the document was delivered
	asked   int  // calls of the Getter
	refused int
	dialogs int
	waiting int // pending answers
	done    int // completed answers
}

// makePage renders a page in its own context, which ends when makePage returns.
func makePage(ctx context.Context, p *process, o Options, url string, given *answer, get Getter) ([]byte, error) {
	limited, cancel := context.WithTimeout(p.browser, o.Timeout)
	defer cancel()
	failing, fail := context.WithCancelCause(limited)
	defer fail(nil)
	defer context.AfterFunc(ctx, func() { fail(context.Cause(ctx)) })()
	tabContext, closeTab := chromedp.NewContext(failing, chromedp.WithNewBrowserContext())
	t := &tab{options: o, url: url, given: given, get: get, context: tabContext, fail: fail}
	html, err := t.run()
	cause := context.Cause(failing) // before makePage cancels it
	fail(nil)
	t.finish()
	closeTab()
	if err != nil {
		return nil, blame(ctx, p, cause, err)
	}
	return html, nil
}

// blame finds the cause of a browser error.
func blame(ctx context.Context, p *process, cause, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case orbweaver.FailureOf(cause) != "error" && cause != nil:
		return cause
	case !p.alive():
		return fmt.Errorf("%w: the browser ended", orbweaver.ErrUnreadable)
	case errors.Is(cause, context.DeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: no text in time", orbweaver.ErrTimeout)
	case orbweaver.FailureOf(err) != "error":
		return err
	}
	return fmt.Errorf("%w: %w", orbweaver.ErrUnreadable, err)
}

// finish waits for the goroutines that answer the page. The tab's context has ended.
func (t *tab) finish() {
	t.mu.Lock()
	t.over = true
	t.mu.Unlock()
	t.work.Wait()
}

// run opens the page, waits until it is done, and reads it. It reserves the last part of the time for reading.
func (t *tab) run() ([]byte, error) {
	reading := min(max(2*time.Second, t.options.Timeout/15), t.options.Timeout/3)
	deadline, _ := t.context.Deadline() // there is one: see makePage
	ctx, cancel := context.WithDeadline(t.context, deadline.Add(-reading))
	defer cancel()
	t.tooMuch = cancel
	if err := t.prepare(); err != nil {
		return nil, err
	}
	t.begin(func() { t.limitWork(ctx) })
	w, err := t.open(ctx)
	if err == nil {
		err = t.settle(ctx, w)
	}
	if err == nil {
		err = t.act(ctx, w)
	}
	switch {
	case err == nil:
		html, _, err := t.read(t.context, w)
		return html, err
	case ctx.Err() == nil || t.context.Err() != nil:
		return nil, err
	}
	return t.interrupt(reading)
}

// limitWork ends the wait for a page that has used its time. Waiting for answers, and the time before it
// received its document, do not count.
func (t *tab) limitWork(ctx context.Context) {
	step := min(t.options.Work/4, 50*time.Millisecond)
	clock := time.NewTicker(step)
	defer clock.Stop()
	for worked := time.Duration(0); worked < t.options.Work; {
		select {
		case <-ctx.Done():
			return
		case <-clock.C:
		}
		t.mu.Lock()
		if t.opened && t.waiting == 0 {
			worked += step
		}
		t.mu.Unlock()
	}
	t.tooMuch()
}

// interrupt stops a page's scripts and reads the page, if it has text and can be read in time.
func (t *tab) interrupt(limit time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(t.context, limit)
	defer cancel()
	t.begin(func() { // answered once the scripts have stopped, which a dialog may delay
		_, _ = chromedp.Call(t.context, runtime.TerminateExecution, cdp.Empty{})
	})
	t.begin(t.dismiss)
	w, err := t.world(ctx)
	if err != nil {
		return nil, err
	}
	html, text, err := t.read(ctx, w)
	if err == nil && !text {
		err = fmt.Errorf("%w: no text in time", orbweaver.ErrTimeout)
	}
	return html, err
}

// prepare makes the tab, silences unused output, and intercepts its requests.
func (t *tab) prepare() error {
	if err := chromedp.Listen(t.context, t.hear); err != nil {
		return err
	}
	yes := true
	c := chromedp.FromContext(t.context)
	for _, step := range []struct {
		method string
		params any
	}{
		{css.Disable.Method, cdp.Empty{}},
		{dom.Disable.Method, cdp.Empty{}},
		{log.Disable.Method, cdp.Empty{}},
		{network.Disable.Method, cdp.Empty{}},
		{runtime.Disable.Method, cdp.Empty{}},
		{page.SetLifecycleEventsEnabled.Method, page.SetLifecycleEventsEnabledParams{}},
		{target.SetDiscoverTargets.Method, target.SetDiscoverTargetsParams{}},
		// Workers and frames in separate processes would bypass interception: they never run.
		{target.SetAutoAttach.Method, target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &yes}},
		{emulation.SetDeviceMetricsOverride.Method, emulation.SetDeviceMetricsOverrideParams{Width: 1280, Height: 1024, DeviceScaleFactor: 1}},
		{page.AddScriptToEvaluateOnNewDocument.Method, page.AddScriptToEvaluateOnNewDocumentParams{Source: silence}},
		{fetch.Enable.Method, fetch.EnableParams{Patterns: held()}},
	} {
		if err := c.Target.Call(t.context, step.method, step.params, nil); err != nil {
			return fmt.Errorf("%s: %w", step.method, err)
		}
	}
	_, err := chromedp.CallBrowser(t.context, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: c.BrowserContextID,
	})
	return err
}

// silence answers dialogs inside the page: scripts that wait for one cannot be stopped. Console output is discarded;
// too much of it would stall the browser.
const silence = `for (const name of Object.keys(console)) if (typeof console[name] === "function") console[name] = () => {};
for (const [name, answer] of [["alert", undefined], ["confirm", false], ["prompt", null], ["print", undefined]]) {
	Object.defineProperty(window, name, {value: () => answer, writable: true, enumerable: true});
}`

// open navigates to the page and returns an isolated world to read it from.
func (t *tab) open(ctx context.Context) (world, error) {
	res, err := chromedp.Call(ctx, page.Navigate, page.NavigateParams{URL: t.url})
	if err != nil {
		return 0, err
	}
	if res.ErrorText != "" {
		return 0, fmt.Errorf("%w: the browser does not show it: %s", orbweaver.ErrUnreadable, res.ErrorText)
	}
	return t.world(ctx)
}

// hear handles an event of the tab. It must not block: events are delivered one by one.
func (t *tab) hear(event any) {
	switch e := event.(type) {
	case *fetch.EventRequestPaused:
		t.request(e)
	case *page.EventJavascriptDialogOpening:
		t.dialog()
	case *inspector.EventTargetCrashed:
		t.fail(fmt.Errorf("%w: the page crashed", orbweaver.ErrUnreadable))
	}
}

// begin starts a goroutine for the page, unless the page is over.
func (t *tab) begin(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.over {
		t.work.Go(f)
	}
}

// dialog dismisses a dialog that silence did not prevent. After too many the last one stays open, so that the
// page waits.
func (t *tab) dialog() {
	t.mu.Lock()
	t.dialogs++
	answer := t.dialogs < maxDialogs
	t.mu.Unlock()
	if answer {
		t.begin(t.dismiss)
		return
	}
	t.tooMuch()
}

// dismiss answers a dialog, if one is open.
func (t *tab) dismiss() {
	_, _ = chromedp.Call(t.context, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{}) // an error: none is open
}
