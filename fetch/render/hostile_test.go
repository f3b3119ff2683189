package render

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"orbweaver"

	"orbweaver/internal/tier"
)

// patience are factors of the times that a page is given. A busy machine gives it less than it is given, so
// what a test expects of it must come true with one of them, and no matter with which.
func patience() []time.Duration { return []time.Duration{1, 6, 36} }

// patiently tries with more and more time, until something is as expected.
func patiently(t *testing.T, try func(factor time.Duration) error) {
	t.Helper()
	var err error
	for _, factor := range patience() {
		if err = try(factor); err == nil {
			return
		}
		t.Logf("with %d times the time: %v", factor, err)
	}
	t.Error(err)
}

// TestHostilePages: each ends, with what there is or with an error, and harms no page after it.
func TestHostilePages(t *testing.T) {
	tier.Long(t, "a browser visits dozens of hostile pages")
	browsers := map[time.Duration]*Browser{}
	for _, factor := range patience() {
		browsers[factor] = newBrowser(t, Options{Quiet: 100 * time.Millisecond, Work: factor * time.Second, Timeout: factor * 9 * time.Second, MaxRequests: 5, MaxBody: 1e6})
	}
	t.Run("pages", func(t *testing.T) {
		pages := hostilePages()
		for _, name := range slices.Sorted(maps.Keys(pages)) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				patiently(t, func(factor time.Duration) error { return pages[name].visit(t, browsers[factor]) })
			})
		}
	})
	last := patience()[len(patience())-1]
	for _, b := range browsers {
		if b.process == nil { // nobody needed it
			continue
		}
		b.options.Work, b.options.Timeout = last*time.Second, last*9*time.Second // for the pages after
		html, err := visit(t, b, applicationWeb(), application)
		if err != nil {
			t.Fatal(err)
		}
		wantApplication(t, html)
	}
}

// A hostilePage has text, and a script that does all it can.
type hostilePage struct {
	document string
	want     string // in the HTML
	err      error  // instead; orbweaver.ErrUnknown: any
}

// visit returns what is not as expected. That it asks for too much is no matter of time.
func (tc hostilePage) visit(t *testing.T, b *Browser) error {
	t.Helper()
	var asked atomic.Int64
	html, err := b.Render(t.Context(), "http://example.org/", media("text/html"), []byte(tc.document),
		func(context.Context, string, string) (int, http.Header, []byte, error) {
			asked.Add(1)
			return http.StatusOK, http.Header{}, []byte("x"), nil
		})
	if asked.Load() > 5 {
		t.Errorf("asked %d times", asked.Load())
	}
	switch {
	case tc.err == orbweaver.ErrUnknown && err == nil:
		t.Logf("%d bytes", len(html))
	case tc.err == orbweaver.ErrUnknown:
		if f := orbweaver.FailureOf(err); f != orbweaver.ErrUnreadable && f != orbweaver.ErrTimeout && f != orbweaver.ErrTooLarge {
			return err
		}
	case tc.err != nil:
		if !errors.Is(err, tc.err) {
			return fmt.Errorf("%.200q, %w, want %w", html, err, tc.err)
		}
	case err != nil:
		return err
	case !strings.Contains(string(html), tc.want):
		return fmt.Errorf("no %q in %.2000s", tc.want, html)
	}
	return nil
}

func hostilePages() map[string]hostilePage {
	before := func(script string) hostilePage {
		return hostilePage{document: "<p>before<script>" + script + "</script>", want: "before"}
	}
	ends := func(script string) hostilePage {
		return hostilePage{document: "<p>before<script>" + script + "</script>", err: orbweaver.ErrUnknown}
	}
	return map[string]hostilePage{
		"a loop after text":                   before(`while (true) {}`),
		"a loop by timer":                     before(`setTimeout(() => { while (true) {} }, 50)`),
		"a loop without text":                 {document: `<script>while (true) {}</script>`, err: orbweaver.ErrTimeout},
		"alerts":                              before(`while (true) alert("!")`),
		"alerts without text":                 {document: `<script>while (true) alert("!")</script>`, err: orbweaver.ErrTimeout},
		"a question before leaving":           before(`onbeforeunload = e => { e.preventDefault(); return "stay" }; location = "http://example.com/"`),
		"printing":                            before(`print(); prompt("?")`),
		"requests without end":                before(`const again = i => fetch("/" + i).finally(() => again(i + 1)); again(0)`),
		"refused requests without end":        before(`const again = i => fetch("/" + i, {method: "POST"}).finally(() => again(i + 1)); again(0)`),
		"many requests at once":               before(`for (let i = 0; i < 500; i++) fetch("/" + i).catch(() => {})`),
		"changes without end":                 before(`setInterval(() => document.body.append("x"), 1)`),
		"messages without end":                ends(`setInterval(() => { for (let i = 0; i < 1e4; i++) console.log("x".repeat(1000)) }, 1)`),
		"errors without end":                  ends(`setInterval(() => { for (let i = 0; i < 1e3; i++) reportError("x".repeat(1000)) }, 1)`),
		"a history without end":               before(`setInterval(() => history.pushState(0, "", "/" + Math.random()), 1)`),
		"frames without end":                  before(`setInterval(() => document.body.append(document.createElement("iframe")), 1)`),
		"a page that goes on and on":          before(`setInterval(() => location.href = "/" + Math.random(), 1)`),
		"a page that writes without end":      before(`document.open(); document.write("<p>before")`),
		"a page that writes itself again":     {document: `<p>before<script>setTimeout(() => { document.open(); document.write("<p>after"); document.close() }, 50)</script>`, want: "after"},
		"a large upload":                      {document: `<p>before<script>const up = new XMLHttpRequest(); up.open("POST", "/", false); up.send("x".repeat(4e6))</script>`, err: orbweaver.ErrUnreadable}, // it waits for the answer, so that the page is not quiet before the browser tells
		"a large URL":                         {document: `<p>before<script>fetch("/" + "x".repeat(1e5)).catch(() => document.body.append("no" + "ne"))</script>`, want: "none"},
		"nesting":                             ends(`let e = document.body; for (let i = 0; i < 3e3; i++) e = e.appendChild(document.createElement("div"))`),
		"nested shadows":                      ends(`let e = document.body; for (let i = 0; i < 3e3; i++) { e = e.appendChild(document.createElement("div")); e = e.attachShadow({mode: "open"}) }`),
		"a heap that grows":                   ends(`const a = []; while (true) a.push(new Array(1e5).fill(a.length))`),
		"elements without end":                ends(`while (true) document.body.append(document.createElement("p"))`),
		"buffers without end":                 ends(`const a = []; while (true) a.push(new Uint8Array(1e8).fill(1))`),
		"its own end":                         before(`close(); stop()`),
		"scripts that are not what they seem": before(`Object.prototype.toJSON = Array.prototype.push = JSON.stringify = () => "x"; MutationObserver = null; document.createTreeWalker = null; Object.defineProperty(Node.prototype, "childNodes", {get() { while (true) {} }})`),
	}
}

// TestWork: a page that never stands still is taken after its own time, however long it may wait for
// answers, and what it waited for them is not its own time.
func TestWork(t *testing.T) {
	tier.Long(t, "a browser works for a page")
	patiently(t, func(factor time.Duration) error {
		work := factor * 400 * time.Millisecond
		b := newBrowser(t, Options{Quiet: 50 * time.Millisecond, Work: work, Timeout: time.Hour})
		w := &web{answers: map[string]reply{"http://example.org/slow": {body: "slow"}}}
		html, err := b.Render(t.Context(), "http://example.org/", media("text/html"),
			[]byte(`<p>before<script>fetch("/slow").then(r => r.text()).then(s => { document.body.append("and " + s); setInterval(() => document.body.append("x"), 1) })</script>`),
			func(ctx context.Context, url, accept string) (int, http.Header, []byte, error) {
				select { // for longer than the page's own time
				case <-time.After(work + 200*time.Millisecond):
				case <-ctx.Done():
				}
				return w.get(ctx, url, accept)
			})
		if err == nil && (!strings.Contains(string(html), "before") || !strings.Contains(string(html), "and slow")) {
			err = fmt.Errorf("neither before nor and slow, or one of them, in %.2000s", html)
		}
		return err
	})
}

// ears are two servers on this machine that note who speaks to them.
type ears struct {
	stream  net.Listener
	packets net.PacketConn
	heard   chan string
}

func listen(t *testing.T) *ears {
	t.Helper()
	stream, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	packets, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	e := &ears{stream, packets, make(chan string, 1000)}
	var ends sync.WaitGroup
	ends.Go(func() {
		for {
			c, err := stream.Accept()
			if err != nil {
				return
			}
			e.heard <- "TCP from " + c.RemoteAddr().String()
			_ = c.Close()
		}
	})
	ends.Go(func() {
		for {
			_, from, err := packets.ReadFrom(make([]byte, 1500))
			if err != nil {
				return
			}
			e.heard <- "UDP from " + from.String()
		}
	})
	t.Cleanup(func() {
		_, _ = stream.Close(), packets.Close()
		ends.Wait()
	})
	return e
}

// want: the ears hear what the test says itself, and heard nothing before.
func (e *ears) want(t *testing.T) {
	t.Helper()
	for _, to := range []net.Addr{e.stream.Addr(), e.packets.LocalAddr()} {
		c, err := net.Dial(to.Network(), to.String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := c.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		want := strings.ToUpper(to.Network()) + " from " + c.LocalAddr().String()
		for got := range e.heard {
			if got == want {
				break
			}
			t.Errorf("heard %s", got)
		}
	}
}

// TestNothingGetsOut: two servers wait on this machine, and hear nothing of a page that tries all ways
// to reach them. Each way leaves a mark in the page when it was gone, and so does what becomes of it
// where the page is told.
func TestNothingGetsOut(t *testing.T) {
	tier.Long(t, "a browser tries each way out")
	e := listen(t)
	host, udp := e.stream.Addr().String(), e.packets.LocalAddr().String()
	document := strings.NewReplacer("HOST", host, "UDP", udp).Replace(escapes)
	patiently(t, func(factor time.Duration) error {
		b := newBrowser(t, Options{Quiet: factor * 700 * time.Millisecond})
		return tryWaysOut(t, b, host, document)
	})
	e.want(t)
}

// tryWaysOut renders a page that tries all ways out, and returns which it did not come to try.
func tryWaysOut(t *testing.T, b *Browser, host, document string) error {
	t.Helper()
	worker := script(`postMessage("ran"); fetch("http://` + host + `/from-worker"); new WebSocket("ws://` + host + `/")`)
	marks := map[string]bool{}
	for _, scheme := range []string{"http://", "https://"} {
		w := &web{answers: map[string]reply{scheme + host + "/w.js": worker}}
		html, err := b.Render(t.Context(), scheme+host+"/", media("text/html"), []byte(document), w.get)
		if err != nil {
			t.Fatal(err)
		}
		_, list, found := strings.Cut(string(html), `<ol id="marks">`)
		list, _, closed := strings.Cut(list, "</ol>")
		if !found || !closed {
			t.Fatalf("no marks in %s", html)
		}
		for _, mark := range strings.Split(strings.Trim(list, ";"), ";") {
			marks[mark] = true
		}
		if !slices.Contains(w.requests(), "http://"+host+"/asked") && scheme == "http://" {
			return fmt.Errorf("the Getter was not asked: %q", w.requests())
		}
	}
	for mark := range marks {
		if strings.Contains(mark, "worker ran") {
			t.Error(mark)
		}
	}
	left := slices.DeleteFunc(waysOut(), func(way string) bool { return marks[way] })
	if len(left) > 0 {
		return fmt.Errorf("not tried: %q; marks: %q", left, slices.Sorted(maps.Keys(marks)))
	}
	return nil
}

// waysOut are the marks that escapes leaves, on one scheme at least.
func waysOut() []string {
	return []string{
		"frame with a document ran", "frame of data ran", "stylesheet failed", "image failed", "video failed",
		"websocket gone", "websocket failed", "websocket by name gone", "websocket by name failed", "events gone", "events failed",
		"fetch gone", "fetch failed", "upload gone", "upload failed", "beacon gone", "worker gone", "shared worker gone",
		"worker of a blob gone", "service worker gone", "window gone", "click gone", "form gone", "transport gone", "transport failed",
		"peers gone", "location gone", "late fetch gone", "kept fetch gone", "module gone", "module failed", "payment gone", "identity gone",
	}
}

// escapes is a page that tries all ways out at once.
const escapes = `<!doctype html><body><ol id=marks></ol>
<script>
const mark = (s) => document.getElementById("marks").append(s + ";");
onmessage = (e) => mark(e.data);
</script>
<link rel=preconnect href=http://HOST/><link rel=dns-prefetch href=http://HOST/><link rel=prefetch href=http://HOST/p>
<link rel=stylesheet href=http://HOST/s.css onerror="mark('stylesheet failed')"><link rel=icon href=http://HOST/i><link rel=preload as=image href=http://HOST/l>
<img src=http://HOST/i.png onerror="mark('image failed')"><iframe src=http://HOST/f></iframe>
<iframe sandbox=allow-scripts srcdoc="<script>new WebSocket('ws://HOST/'); fetch('http://HOST/', {mode: 'no-cors'}); parent.postMessage('frame with a document ran', '*')</script>"></iframe>
<iframe src="data:text/html,<script>try { new WebSocket('ws://HOST/') } catch {} fetch('http://HOST/d', {mode: 'no-cors', method: 'POST'}); parent.postMessage('frame of data ran', '*')</script>"></iframe>
<video src=http://HOST/v onerror="mark('video failed')"></video><a href=http://HOST/a ping=http://HOST/ping id=a></a><form id=f method=post action=http://HOST/post></form>
<script type=speculationrules>{"prefetch": [{"urls": ["http://HOST/s"]}], "prerender": [{"urls": ["http://HOST/r"]}]}</script>
<script>
const told = (name, target) => { target.onerror = () => mark(name + " failed"); return target; };
const heard = (name, worker) => { worker.onmessage = () => mark(name + " ran"); return worker; };
const ways = {
	"websocket": () => told("websocket", new WebSocket("ws://HOST/")),
	"websocket by name": () => told("websocket by name", new WebSocket("ws://localhost:" + "HOST".split(":")[1] + "/")),
	"events": () => told("events", new EventSource("http://HOST/e")),
	"fetch": () => fetch("http://HOST/asked", {mode: "cors"}), "upload": () => fetch("http://HOST/up", {method: "POST", body: "x"}),
	"beacon": () => navigator.sendBeacon("http://HOST/b", "x"),
	"worker": () => heard("worker", new Worker("/w.js")), "shared worker": () => new SharedWorker("/w.js"),
	"worker of a blob": () => heard("blob worker", new Worker(URL.createObjectURL(new Blob(["postMessage('ran'); new WebSocket('ws://HOST/'); fetch('http://HOST/blob', {method: 'POST'})"])))),
	"service worker": () => navigator.serviceWorker.register("/w.js"), "window": () => open("http://HOST/o"),
	"click": () => document.getElementById("a").click(), "form": () => document.getElementById("f").submit(),
	"transport": () => new WebTransport("https://UDP/").ready, "transport over TCP": () => new WebTransport("https://HOST/").ready,
	"peers": () => { const c = new RTCPeerConnection({iceServers: [{urls: "stun:UDP"}, {urls: "turn:HOST?transport=tcp", username: "u", credential: "p"}]}); c.createDataChannel("d"); return c.createOffer().then(o => c.setLocalDescription(o)) },
	"location": () => { location.href = "http://HOST/l" }, "late fetch": () => { fetchLater("http://HOST/later") },
	"kept fetch": () => fetch("http://HOST/k", {method: "POST", keepalive: true}),
	"module": () => { const l = told("module", document.createElement("link")); l.rel = "modulepreload"; l.href = "http://HOST/m.js"; document.head.append(l) },
	"payment": () => new PaymentRequest([{supportedMethods: "http://HOST/pay"}], {total: {label: "x", amount: {currency: "EUR", value: "1"}}}).canMakePayment(),
	"identity": () => navigator.credentials.get({identity: {providers: [{configURL: "http://HOST/fedcm", clientId: "1"}]}}),
};
for (const [name, way] of Object.entries(ways)) {
	try {
		const gone = way();
		mark(name + " gone");
		if (gone && gone.then) gone.then(() => mark(name + " done"), () => mark(name + " failed"));
	} catch (e) { mark(name + " threw " + e.name) }
}
</script>`

// TestKilled: a browser that died between two pages is started again; the page during which it dies is
// given up, and the next one is made.
func TestKilled(t *testing.T) {
	tier.Long(t, "browsers are killed")
	b := newBrowser(t, Options{Quiet: 50 * time.Millisecond})
	if err := b.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	dead := b.process
	kill(dead.command.Process)
	<-dead.exited
	_, err := b.Render(t.Context(), "http://example.org/", media("text/html"), []byte(`<p>x<script src=/a.js></script>`),
		func(ctx context.Context, _, _ string) (int, http.Header, []byte, error) {
			kill(b.process.command.Process)
			<-ctx.Done()
			return 0, nil, nil, ctx.Err()
		})
	if !errors.Is(err, orbweaver.ErrUnreadable) {
		t.Error(err)
	}
	html, err := visit(t, b, applicationWeb(), application)
	if err != nil {
		t.Fatal(err)
	}
	wantApplication(t, html)
}

// TestCloseLeavesNothing: no process, no folder, no goroutine; pages being made end.
func TestCloseLeavesNothing(t *testing.T) {
	tier.Long(t, "browsers are begun and closed")
	b := newBrowser(t, Options{Quiet: 200 * time.Millisecond})
	if _, err := visit(t, b, applicationWeb(), application); err != nil {
		t.Fatal(err)
	}
	p := b.process
	if left := leftovers(t, p.folder); len(left) == 0 {
		t.Error("no process of it is found while it runs: the test sees nothing")
	}
	_, err := b.Render(t.Context(), "http://example.org/", media("text/html"), []byte(`<script src=/a.js></script>`),
		func(ctx context.Context, _, _ string) (int, http.Header, []byte, error) {
			go func() { _ = b.Close() }()
			<-ctx.Done()
			return 0, nil, nil, ctx.Err()
		})
	if !errors.Is(err, orbweaver.ErrUnreadable) {
		t.Error(err)
	}
	for range 2 {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	<-p.exited
	if _, err := visit(t, b, applicationWeb(), application); err == nil {
		t.Error("a page after Close")
	}
	wantSoon(t, "processes", func() string { return strings.Join(leftovers(t, p.folder), "\n") })
	wantSoon(t, "files", func() string { return found(p.folder) })
	wantSoon(t, "goroutines", func() string {
		all := make([]byte, 1<<20)
		all = all[:runtime.Stack(all, true)]
		var ours []string
		for _, stack := range strings.Split(string(all), "\n\n") {
			if strings.Contains(stack, "chromedp") || strings.Contains(stack, "render.(*") {
				ours = append(ours, stack)
			}
		}
		return strings.Join(ours, "\n\n")
	})
}

// wantSoon waits until nothing is left, at most ten seconds.
func wantSoon(t *testing.T, what string, left func() string) {
	t.Helper()
	clock := time.NewTicker(10 * time.Millisecond)
	defer clock.Stop()
	for range 60_000 { // ten minutes: a guard against hanging
		if left() == "" {
			return
		}
		<-clock.C
	}
	t.Errorf("%s left: %s", what, left())
}
