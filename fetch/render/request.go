package render

import (
	"net/http"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// A verdict decides how a request is answered.
type verdict int

const (
	refuse verdict = iota
	leave          // unanswered: the page sends requests without end
	give           // with the fetched document
	ask            // by the Getter
)

// held are the URL patterns of intercepted requests: all that can reach a network. URLs that the page made
// itself (data:, blob:) pass.
func held() []*fetch.RequestPattern {
	return []*fetch.RequestPattern{{URLPattern: "http://*"}, {URLPattern: "https://*"}}
}

// request decides about a request, in the order the page makes them.
func (t *tab) request(e *fetch.EventRequestPaused) {
	switch t.judge(e) {
	case refuse:
		t.begin(func() { t.refuse(e) })
	case give:
		t.begin(func() { t.answer(e, t.given) })
	case ask:
		t.begin(func() { t.fetch(e) })
	}
}

// judge gives the verdict and counts it.
func (t *tab) judge(e *fetch.EventRequestPaused) verdict {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.send != nil:
		return t.visiting(e)
	case !t.opened && t.isPage(e):
		t.opened = true
		t.waiting++
		return give
	case t.asked < t.options.MaxRequests && worthAsking(e):
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

// isPage reports whether a request is for the document itself: the first navigation.
func (t *tab) isPage(e *fetch.EventRequestPaused) bool {
	main := cdp.FrameID(chromedp.FromContext(t.context).Target.TargetID)
	return e.ResourceType == network.ResourceTypeDocument && e.FrameID == main
}

// worthAsking reports whether a request may go to the Getter: scripts, and what scripts fetch.
func worthAsking(e *fetch.EventRequestPaused) bool {
	if e.Request.Method != "GET" || e.Request.HasPostData || len(e.Request.URL) > maxURL {
		return false
	}
	switch e.ResourceType {
	case network.ResourceTypeScript, network.ResourceTypeXHR, network.ResourceTypeFetch:
		// Prefetches for another page and endless event streams also have type XHR or Fetch.
		return sent(e, "Sec-Purpose") == "" && sent(e, "Accept") != "text/event-stream"
	}
	return false
}

// maxURL is the maximum length of a URL passed to a Getter.
const maxURL = 8 << 10

// sent returns a header of a request, or "".
func sent(e *fetch.EventRequestPaused, name string) string {
	for key, value := range e.Request.Headers { // at most one matches
		if s, ok := value.(string); ok && strings.EqualFold(key, name) {
			return s
		}
	}
	return ""
}

// refuse fails a request. A navigation fails as if the user had stopped it, so that the page stays.
func (t *tab) refuse(e *fetch.EventRequestPaused) {
	reason := network.ErrorReasonBlockedByClient
	if e.ResourceType == network.ResourceTypeDocument {
		reason = network.ErrorReasonAborted
	}
	t.failRequest(e, reason)
}

func (t *tab) failRequest(e *fetch.EventRequestPaused, reason network.ErrorReason) {
	// An error means that the page no longer waits for it.
	_, _ = chromedp.Call(t.context, fetch.FailRequest, fetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: reason})
}

// fetch answers a request by the Getter.
func (t *tab) fetch(e *fetch.EventRequestPaused) {
	get := t.post
	if t.send == nil {
		get = func(e *fetch.EventRequestPaused) (int, http.Header, []byte, error) {
			return t.get(t.context, e.Request.URL, sent(e, "Accept"))
		}
	}
	status, header, body, err := get(e)
	if err == nil {
		var a *answer
		if a, err = newAnswer(status, header, body, t.options.MaxBody); err == nil {
			t.answer(e, a)
			return
		}
	}
	t.failRequest(e, network.ErrorReasonFailed)
	t.answered()
}

// answer passes an answer to the page.
func (t *tab) answer(e *fetch.EventRequestPaused, a *answer) {
	_, err := chromedp.Call(t.context, fetch.FulfillRequest, fetch.FulfillRequestParams{
		RequestID: e.RequestID, ResponseCode: int64(a.status), ResponseHeaders: a.header, Body: a.body,
	})
	if err != nil { // invalid for the browser, or no longer awaited
		t.failRequest(e, network.ErrorReasonFailed)
	}
	t.answered()
}

func (t *tab) answered() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting--
	t.done++
}
