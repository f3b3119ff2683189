package render

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver"

	"orbweaver/internal/tier"
)

// A web answers from a map, and remembers what it was asked for.
type web struct {
	answers map[string]reply
	mu      sync.Mutex
	asked   []string
}

type reply struct {
	status int // 0: 200
	header http.Header
	body   string
	err    error
}

func (w *web) get(_ context.Context, url, _ string) (int, http.Header, []byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, url)
	a, ok := w.answers[url]
	switch {
	case !ok:
		return http.StatusNotFound, http.Header{}, nil, nil
	case a.status == 0:
		a.status = http.StatusOK
	}
	return a.status, a.header, []byte(a.body), a.err
}

func (w *web) requests() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.asked)
}

func (w *web) wantAsked(t *testing.T, want ...string) {
	t.Helper()
	if got := slices.Sorted(slices.Values(w.requests())); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("asked for %q, want %q", got, want)
	}
}

func media(types string) http.Header { return http.Header{"Content-Type": {types}} }

func script(body string) reply { return reply{header: media("text/javascript"), body: body} }

// newBrowser returns a browser that is closed when the test ends, or skips the test.
func newBrowser(t testing.TB, o Options) *Browser {
	t.Helper()
	// How long a page may take is no matter of these tests: but for those that say so, it guards against hanging.
	o.Timeout, o.Work = cmp.Or(o.Timeout, 10*time.Minute), cmp.Or(o.Work, 5*time.Minute)
	b, err := New(o)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// visit renders an HTML document of http://example.org/.
func visit(t testing.TB, b *Browser, w *web, document string) (string, error) {
	t.Helper()
	html, err := b.Render(t.Context(), "http://example.org/", media("text/html; charset=utf-8"), []byte(document), w.get)
	return string(html), err
}

func wantIn(t *testing.T, html string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in %.2000s", want, html)
		}
	}
}

// application is a page that is empty until its script has asked for its items.
const application = `<!doctype html><title>Shop</title><link rel=stylesheet href=/style.css>
<div id=app></div><img src=/logo.png><script src=/app.js></script>`

func applicationWeb() *web {
	return &web{answers: map[string]reply{
		"http://example.org/app.js": script(`
			fetch("/api/items.json").then(r => r.json()).then(items => {
				const list = document.createElement("ul");
				for (const i of items) list.innerHTML += "<li><a href='/item/" + i.id + "'>" + i.name + "</a>";
				document.getElementById("app").append(list);
			});`),
		"http://example.org/api/items.json": {
			header: media("application/json"), body: `[{"id": 1, "name": "A biplane"}, {"id": 2, "name": "Ein Löwe, 獅子"}]`,
		},
	}}
}

func wantApplication(t *testing.T, html string) {
	t.Helper()
	wantIn(t, html, "<!DOCTYPE html>", "<title>Shop</title>",
		`<a href="/item/1">A biplane</a>`, `<a href="/item/2">Ein Löwe, 獅子</a>`)
}

// TestApplication: a page that is empty as it came is what its scripts make of it, and the same each
// time.
func TestApplication(t *testing.T) {
	tier.Long(t, "a browser runs an application")
	b, w := newBrowser(t, Options{}), applicationWeb()
	first, err := visit(t, b, w, application)
	if err != nil {
		t.Fatal(err)
	}
	wantApplication(t, first)
	w.wantAsked(t, "http://example.org/app.js", "http://example.org/api/items.json")
	for range 2 {
		if again, err := visit(t, b, applicationWeb(), application); err != nil || again != first {
			t.Fatalf("%s\nis not\n%s (%v)", again, first, err)
		}
	}
	t.Run("in its codings", func(t *testing.T) { decodes(t, b) })
	t.Run("of which parts are refused", func(t *testing.T) { bearsRefusals(t, b) })
	t.Run("that nobody waits for any more", func(t *testing.T) { endsWithItsCaller(t, b) })
}

// TestPages has pages made that mean no harm, by one browser.
func TestPages(t *testing.T) {
	tier.Long(t, "a browser visits dozens of pages")
	b := newBrowser(t, Options{Quiet: 200 * time.Millisecond, UserAgent: "Orbweaver/1.0 (+https://example.org/bot)", Tabs: 3})
	t.Run("of scripts", func(t *testing.T) { makesPages(t, b) })
	t.Run("staying where they are", func(t *testing.T) { staysWhereItIs(t, b) })
	t.Run("in parallel", func(t *testing.T) { keepsPagesApart(t, b) })
}

// makesPages: what scripts may count on.
func makesPages(t *testing.T, b *Browser) {
	for _, tc := range []struct {
		name     string
		document string
		answers  map[string]reply
		want     string
	}{
		{name: "a page without scripts is itself", document: `<p>Plain <b>text</b>`, want: "<p>Plain <b>text</b></p>"},
		{name: "the text comes by a timer", document: `<body><script>setTimeout(() => document.body.append("la" + "te"), 150)</script>`, want: "late"},
		{
			name:     "a module imports a module",
			document: `<body><script type=module>import {x} from "/m.js"; document.body.append("is " + x)</script>`,
			answers:  map[string]reply{"http://example.org/m.js": script(`export const x = "imported"`)}, want: "is imported",
		},
		{
			name:     "XMLHttpRequest",
			document: `<body><script>const r = new XMLHttpRequest(); r.open("GET", "/t"); r.onload = () => document.body.append(r.status + r.responseText + r.getResponseHeader("x-total")); r.send()</script>`,
			answers:  map[string]reply{"http://example.org/t": {status: 404, header: http.Header{"X-Total": {"7"}}, body: "gone"}}, want: "404gone7",
		},
		{
			name:     "a redirect is followed",
			document: `<body><script>fetch("/old").then(async r => document.body.append(r.url + await r.text()))</script>`,
			answers: map[string]reply{
				"http://example.org/old": {status: 302, header: http.Header{"Location": {"/new"}}}, "http://example.org/new": {body: " moved"},
			}, want: "http://example.org/new moved",
		},
		{
			name:     "another host that allows it",
			document: `<body><script>fetch("http://api.example/x").then(async r => document.body.append("got " + await r.text()))</script>`,
			answers:  map[string]reply{"http://api.example/x": {header: http.Header{"Access-Control-Allow-Origin": {"*"}}, body: "foreign"}}, want: "got foreign",
		},
		{
			name:     "another host that does not",
			document: `<body><script>fetch("http://api.example/x").catch(() => document.body.append("den" + "ied"))</script>`,
			answers:  map[string]reply{"http://api.example/x": {body: "secret"}}, want: "denied",
		},
		{
			name:     "text in shadow roots, closed in their hosts",
			document: `<body><my-el><i>slotted</i></my-el><script>customElements.define("my-el", class extends HTMLElement { connectedCallback() { const s = this.attachShadow({mode: "open"}); s.innerHTML = "<p>shade</p><div></div>"; s.lastChild.attachShadow({mode: "open"}).innerHTML = "<a href=/deep>deeper</a>" } })</script>`,
			want:     `<my-el><p>shade</p><div><a href="/deep">deeper</a></div><i>slotted</i></my-el>`,
		},
		{name: "names that hide a document's own", document: `<form name=documentElement><input name=childNodes></form><img name=createTreeWalker><img name=doctype><a id=changes>x</a><my-x></my-x><script>document.querySelector("my-x").attachShadow({mode: "open"}).innerHTML = "in" + "side"</script>`, want: "<my-x>inside</my-x>"},
		{name: "who and where it is", document: `<body><script>document.body.append(["", navigator.userAgent, innerWidth + "x" + innerHeight, navigator.language, new Date(0).getHours(), confirm("sure?"), prompt("name?"), ""].join("|"))</script>`, want: "|Orbweaver/1.0 (+https://example.org/bot)|1280x1024|en-US|0|false||"},
		{name: "links of a page that calls itself otherwise", document: `<title>t</title><body><script>history.replaceState(0, "", "/deep/er/?q=1&amp=2#f"); document.body.innerHTML = "<a href=x>x</a>"</script>`, want: `<head><base href="http://example.org/deep/er/?q=1&amp;amp=2#f"><title>t</title></head><body><a href="x">x</a></body>`},
		{name: "a page that goes to another part of itself", document: `<title>t</title><body><script>location.hash = "part"; document.body.innerHTML = "<a href=x>x</a>"</script>`, want: `<head><title>t</title></head>`},
		{name: "a frame that is refused keeps nothing waiting", document: `<iframe src=http://example.com/></iframe><body onload="setTimeout(() => document.body.append('lo' + 'aded'))">`, want: "loaded"},
		{name: "data: and blob: pass", document: `<body><script>fetch("data:,da").then(r => r.text()).then(a => fetch(URL.createObjectURL(new Blob(["ta"]))).then(r => r.text()).then(b => document.body.append(a + b)))</script>`, want: "data"},
		{name: "half a character", document: `<body><script>document.body.append("a\ud800b")</script>`, want: "a\ufffdb"},
		{name: "a policy that forbids eval", document: `<meta http-equiv=content-security-policy content="default-src 'unsafe-inline'"><body><script>document.body.append("str" + "ict")</script>`, want: "strict"},
		{name: "no document element", document: `<body><script>document.documentElement.remove()</script>`, want: ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			html, err := visit(t, b, &web{answers: tc.answers}, tc.document)
			if err != nil {
				t.Fatal(err)
			}
			wantIn(t, html, tc.want)
		})
	}
}

// decodes: documents and answers come with their content coding on, in the charset they say.
func decodes(t *testing.T, b *Browser) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, "<meta charset=iso-8859-1><body><p>L\xf6we<script src=/s.js></script>")
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	w := &web{answers: map[string]reply{"https://example.org/s.js": script(`document.body.append("Bär")`)}}
	header := http.Header{"Content-Type": {"text/html"}, "Content-Encoding": {"gzip"}, "Content-Length": {"1"}}
	html, err := b.Render(t.Context(), "https://example.org/a/b?c#d", header, packed.Bytes(), w.get)
	if err != nil {
		t.Fatal(err)
	}
	wantIn(t, string(html), "Löwe", "B")
}

// bearsRefusals: a page that does not get what it asks for is made of what there is.
func bearsRefusals(t *testing.T, b *Browser) {
	for _, failure := range []error{orbweaver.ErrRobots, orbweaver.ErrPrivate, errors.New("something else")} {
		w := applicationWeb()
		w.answers["http://example.org/api/items.json"] = reply{err: failure}
		html, err := visit(t, b, w, application+"<noscript>x</noscript><p>Still here")
		if err != nil {
			t.Fatal(err)
		}
		wantIn(t, html, "Still here", `<div id="app"></div>`)
	}
}

// staysWhereItIs: no way leads to another page, and nothing is asked for but scripts and what they
// fetch. Each page says that its script ran to its end.
func staysWhereItIs(t *testing.T, b *Browser) {
	for _, tc := range []struct{ name, document, script string }{
		{name: "location", script: `location.href = "http://example.com/"`},
		{name: "reload", script: `location.reload()`},
		{name: "meta refresh", document: `<meta http-equiv=refresh content="0; url=http://example.com/">`},
		{name: "a form", document: `<form action=/post method=post><input name=a></form>`, script: `document.forms[0].submit()`},
		{name: "a form by GET", document: `<form action=/get><input name=a></form>`, script: `document.forms[0].submit()`},
		{name: "a click", document: `<a href=/next>n</a>`, script: `document.querySelector("a").click()`},
		{
			name:     "windows and downloads",
			document: `<a href=/next target=_blank>n</a><a href=/file.zip download>d</a>`,
			script:   `open("http://example.com/"); for (const a of document.querySelectorAll("a")) a.click()`,
		},
		{
			name: "what is no script",
			document: `<iframe src=http://example.com/></iframe><img src=/i.png><video src=/v.mp4></video><audio src=/a.mp3></audio>
				<style>@font-face{font-family:f;src:url(/f.woff)}p{font-family:f}</style><object data=/o></object><embed src=/e>
				<link rel=prefetch href=/p><link rel=prerender href=/q><link rel=dns-prefetch href=//example.com><link rel=preconnect href=//example.com>
				<link rel=manifest href=/m.json><script type=speculationrules>{"prefetch":[{"urls":["/s"]}]}</script>`,
			script: `fetch("/up", {method: "POST", body: "x"}).catch(() => {}); fetch("/put", {method: "PUT"}).catch(() => {}); navigator.sendBeacon("/beacon", "x");
				fetch("http://api.example/", {headers: {"X-Mine": "1"}}).catch(() => {}); new EventSource("/events");
				new Worker("/w.js"); new SharedWorker("/s.js"); navigator.serviceWorker?.register("/sw.js")`,
		},
		{name: "a frameset", document: `<frameset><frame src=/f></frameset>`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := &web{}
			document := "<title>t</title><body><p>I stay" + tc.document + "<p id=p><script>" + tc.script + `; document.getElementById("p").append("ran to " + "its end")</script>`
			html, err := visit(t, b, w, document)
			if err != nil {
				t.Fatal(err)
			}
			wantIn(t, html, "I stay", "ran to its end")
			w.wantAsked(t)
		})
	}
}

// keepsPagesApart: of pages made at a time none sees what another keeps.
func keepsPagesApart(t *testing.T, b *Browser) {
	var together sync.WaitGroup
	for i := range 6 {
		together.Go(func() {
			w := &web{answers: map[string]reply{"http://example.org/n": {body: fmt.Sprintf("number-%d", i)}}}
			html, err := visit(t, b, w, `<body><script>
				document.cookie = "seen=1"; const before = localStorage.n; localStorage.n = 1;
				fetch("/n").then(r => r.text()).then(n => document.body.append(n + " after " + before + document.cookie.length))</script>`)
			if err != nil {
				t.Error(err)
			}
			wantIn(t, html, fmt.Sprintf("number-%d after undefined6", i)) // its own cookie, and nobody else's storage
		})
	}
	together.Wait()
}

// TestBounds: what is too large, wrong or late is said to be so.
func TestBounds(t *testing.T) {
	tier.Long(t, "a browser meets each bound")
	b := newBrowser(t, Options{Quiet: 100 * time.Millisecond, MaxBody: 100_000})
	ended, end := context.WithCancel(t.Context())
	end()
	for _, tc := range []struct {
		name     string
		ctx      context.Context
		url      string
		header   http.Header
		document string
		want     error
	}{
		{name: "no URL", url: "http://[", want: orbweaver.ErrBadURL},
		{name: "a URL of no Web", url: "file:///etc/passwd", want: orbweaver.ErrBadURL},
		{name: "no host", url: "http:///a", want: orbweaver.ErrBadURL},
		{name: "a large document", document: strings.Repeat("x", 100_001), want: orbweaver.ErrTooLarge},
		{name: "a broken coding", header: http.Header{"Content-Encoding": {"gzip"}}, document: "\x1f\x8bxx", want: orbweaver.ErrMalformed},
		{name: "a large page of a small document", document: `<body><script>document.body.append("x".repeat(100000))</script>`, want: orbweaver.ErrTooLarge},
		{name: "one far too large", document: `<body><script>document.body.append("x".repeat(2e6))</script>`, want: orbweaver.ErrTooLarge},
		{name: "what is no page", header: media("application/zip"), document: "PK", want: orbweaver.ErrUnreadable},
		{name: "a page that goes nowhere", document: `<p>text<script>location = "about:blank"</script>`, want: orbweaver.ErrUnreadable},
		{name: "over before it begins", ctx: ended, document: "<p>x", want: context.Canceled},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, url, header := tc.ctx, tc.url, tc.header
			if ctx == nil {
				ctx = t.Context()
			}
			if url == "" {
				url = "http://example.org/"
			}
			if header == nil {
				header = media("text/html")
			}
			html, err := b.Render(ctx, url, header, []byte(tc.document), (&web{}).get)
			if !errors.Is(err, tc.want) || !strings.Contains(fmt.Sprint(err), url) {
				t.Errorf("%.100q, %v, want %v", html, err, tc.want)
			}
		})
	}
}

// endsWithItsCaller: a page ends, and its requests with it, when its caller wants it no more.
func endsWithItsCaller(t *testing.T, b *Browser) {
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("the crawl is over")
	_, err := b.Render(ctx, "http://example.org/", media("text/html"), []byte(`<p>x<script src=/slow.js></script>`),
		func(ctx context.Context, _, _ string) (int, http.Header, []byte, error) {
			cancel(reason)
			<-ctx.Done()
			return 0, nil, nil, ctx.Err()
		})
	if !errors.Is(err, reason) {
		t.Error(err)
	}
}

func TestNoBrowser(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, name := range []string{"", "no-such-browser", "/no/such/browser"} {
		if b, err := New(Options{Browser: name}); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%q: %v, %v", name, b, err)
		}
	}
	_, err := New(Options{})
	wantIn(t, fmt.Sprint(err), "chromium-headless-shell", "headless_shell", "install")
}

// TestNotABrowser: a program that ends at once is an error with what it said.
func TestNotABrowser(t *testing.T) {
	program := t.TempDir() + "/chromium"
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho no display here >&2\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, Options{Browser: program})
	_, err := visit(t, b, &web{}, "<p>x")
	if !errors.Is(err, orbweaver.ErrInput) {
		t.Error(err)
	}
	wantIn(t, fmt.Sprint(err), "does not start", "no display here")
	if err := b.Start(t.Context()); !errors.Is(err, orbweaver.ErrInput) {
		t.Error(err)
	}
}

// TestStartEnds: a browser that never answers is waited for as long as its caller waits.
func TestStartEnds(t *testing.T) {
	program := t.TempDir() + "/chromium"
	if err := os.WriteFile(program, []byte("#!/bin/sh\nexec sleep 3600\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, Options{Browser: program})
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errors.New("the crawl is over"))
	defer cancel()
	if err := b.Start(ctx); err == nil || !strings.Contains(err.Error(), "the crawl is over") {
		t.Error(err)
	}
}

func TestDefaults(t *testing.T) {
	want := Options{Timeout: 30 * time.Second, Work: 10 * time.Second, Quiet: 200 * time.Millisecond, MaxRequests: 50, MaxBody: 10e6, Tabs: 2}
	if got := (Options{}).withDefaults(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if own := (Options{Timeout: 1, Work: 6, Quiet: 2, MaxRequests: 3, MaxBody: 4, Tabs: 5, UserAgent: "u"}); !reflect.DeepEqual(own.withDefaults(), own) {
		t.Errorf("%+v", own.withDefaults())
	}
}

// BenchmarkRender is a page of a script and an answer, quiet time left out as far as can be.
func BenchmarkRender(b *testing.B) {
	browser := newBrowser(b, Options{Quiet: 50 * time.Millisecond})
	if _, err := visit(b, browser, applicationWeb(), application); err != nil { // starts it
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := visit(b, browser, applicationWeb(), application); err != nil {
			b.Fatal(err)
		}
	}
}
