package render

import (
	"context"
	"errors"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"orbweaver"
)

// TestHostilePages: each ends, with what there is or with an error, and harms no page after it.
func TestHostilePages(t *testing.T) {
	b := newBrowser(t, Options{Quiet: 200 * time.Millisecond, Timeout: 6 * time.Second, MaxRequests: 5, MaxBody: 1e6})
	for _, tc := range []struct {
		name     string
		document string
		want     string // in the HTML
		err      error  // instead; orbweaver.ErrUnknown: any
	}{
		{name: "a loop after text", document: `<p>before<script>while (true) {}</script>`, want: "before"},
		{name: "a loop by timer", document: `<p>before<script>setTimeout(() => { while (true) {} }, 50)</script>`, want: "before"},
		{name: "a loop without text", document: `<script>while (true) {}</script>`, err: orbweaver.ErrTimeout},
		{name: "alerts", document: `<p>before<script>while (true) alert("!")</script>`, want: "before"},
		{name: "alerts without text", document: `<script>while (true) alert("!")</script>`, err: orbweaver.ErrTimeout},
		{name: "a question before leaving", document: `<p>before<script>onbeforeunload = e => { e.preventDefault(); return "stay" }; location = "http://example.com/"</script>`, want: "before"},
		{name: "printing", document: `<p>before<script>print(); prompt("?")</script>`, want: "before"},
		{name: "requests without end", document: `<p>before<script>const again = i => fetch("/" + i).finally(() => again(i + 1)); again(0)</script>`, want: "before"},
		{name: "refused requests without end", document: `<p>before<script>const again = i => fetch("/" + i, {method: "POST"}).finally(() => again(i + 1)); again(0)</script>`, want: "before"},
		{name: "many requests at once", document: `<p>before<script>for (let i = 0; i < 2e3; i++) fetch("/" + i).catch(() => {})</script>`, want: "before"},
		{name: "changes without end", document: `<p>before<script>setInterval(() => document.body.append("x"), 1)</script>`, want: "before"},
		{name: "messages without end", document: `<p>before<script>setInterval(() => { for (let i = 0; i < 1e4; i++) console.log("x".repeat(1000)) }, 1)</script>`, err: orbweaver.ErrUnknown},
		{name: "a history without end", document: `<p>before<script>setInterval(() => history.pushState(0, "", "/" + Math.random()), 1)</script>`, want: "before"},
		{name: "frames without end", document: `<p>before<script>setInterval(() => document.body.append(document.createElement("iframe")), 1)</script>`, want: "before"},
		{name: "a page that goes on and on", document: `<p>before<script>setInterval(() => location.href = "/" + Math.random(), 1)</script>`, want: "before"},
		{name: "a page that writes itself again", document: `<p>before<script>setTimeout(() => { document.open(); document.write("<p>after"); document.close() }, 50)</script>`, want: "after"},
		{name: "a large upload", document: `<p>before<script>fetch("/", {method: "POST", body: "x".repeat(4e6)})</script>`, err: orbweaver.ErrUnreadable},
		{name: "a large URL", document: `<p>before<script>fetch("/" + "x".repeat(1e6)).catch(() => document.body.append("no" + "ne"))</script>`, want: "none"},
		{name: "nesting", document: `<p>before<script>let e = document.body; for (let i = 0; i < 1e4; i++) e = e.appendChild(document.createElement("div"))</script>`, err: orbweaver.ErrUnknown},
		{name: "nested shadows", document: `<p>before<script>let e = document.body; for (let i = 0; i < 1e4; i++) { e = e.appendChild(document.createElement("div")); e = e.attachShadow({mode: "open"}) }</script>`, err: orbweaver.ErrUnknown},
		{name: "a heap that grows", document: `<p>before<script>const a = []; while (true) a.push({a: a.length, b: [a.length]})</script>`, err: orbweaver.ErrUnknown},
		{name: "elements without end", document: `<p>before<script>while (true) document.body.append(document.createElement("p"))</script>`, err: orbweaver.ErrUnknown},
		{name: "buffers without end", document: `<p>before<script>const a = []; while (true) a.push(new Uint8Array(1e8).fill(1))</script>`, err: orbweaver.ErrUnknown},
		{name: "its own end", document: `<p>before<script>close(); stop()</script>`, want: "before"},
		{name: "scripts that are not what they seem", document: `<p>before<script>Object.prototype.toJSON = Array.prototype.push = JSON.stringify = () => "x"; MutationObserver = null; document.createTreeWalker = null; Object.defineProperty(Node.prototype, "childNodes", {get() { while (true) {} }})</script>`, want: "before"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var asked atomic.Int64
			html, err := b.Render(t.Context(), "http://example.org/", media("text/html"), []byte(tc.document),
				func(context.Context, string, string) (int, http.Header, []byte, error) {
					asked.Add(1)
					return http.StatusOK, http.Header{}, []byte("x"), nil
				})
			switch {
			case asked.Load() > 5:
				t.Errorf("asked %d times", asked.Load())
			case tc.err == orbweaver.ErrUnknown && err == nil:
				t.Logf("%d bytes", len(html))
			case tc.err == orbweaver.ErrUnknown:
				if f := orbweaver.FailureOf(err); f != orbweaver.ErrUnreadable && f != orbweaver.ErrTimeout && f != orbweaver.ErrTooLarge {
					t.Error(err)
				}
			case tc.err != nil:
				if !errors.Is(err, tc.err) {
					t.Errorf("%.200q, %v, want %v", html, err, tc.err)
				}
			case err != nil:
				t.Error(err)
			default:
				wantIn(t, string(html), tc.want)
			}
		})
	}
	html, err := visit(t, b, applicationWeb(), application)
	if err != nil {
		t.Fatal(err)
	}
	wantApplication(t, html)
}

// TestNothingGetsOut: two servers wait on this machine, and hear nothing.
func TestNothingGetsOut(t *testing.T) {
	stream, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	packets, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer packets.Close()
	var heard atomic.Int64
	go func() {
		for {
			c, err := stream.Accept()
			if err != nil {
				return
			}
			heard.Add(1)
			_ = c.Close()
		}
	}()
	go func() {
		for {
			if _, _, err := packets.ReadFrom(make([]byte, 1500)); err != nil {
				return
			}
			heard.Add(1)
		}
	}()
	host, udp := stream.Addr().String(), packets.LocalAddr().String()
	document := strings.NewReplacer("HOST", host, "UDP", udp).Replace(escapes)
	b := newBrowser(t, Options{Quiet: time.Second})
	w := &web{answers: map[string]reply{"http://" + host + "/w.js": script(`fetch("http://` + host + `/from-worker"); new WebSocket("ws://` + host + `/")`)}}
	for _, scheme := range []string{"http://", "https://"} {
		html, err := b.Render(t.Context(), scheme+host+"/", media("text/html"), []byte(document), w.get)
		if err != nil {
			t.Fatal(err)
		}
		wantIn(t, string(html), "all tried")
	}
	if n := heard.Load(); n > 0 {
		t.Errorf("heard %d times", n)
	}
	if !slices.Contains(w.requests(), "http://"+host+"/asked") {
		t.Errorf("the Getter was not asked: %q", w.requests())
	}
}

// escapes is a page that tries all ways out at once.
const escapes = `<!doctype html><body><p id=p>
<link rel=preconnect href=http://HOST/><link rel=dns-prefetch href=http://HOST/><link rel=prefetch href=http://HOST/p>
<link rel=stylesheet href=http://HOST/s.css><link rel=icon href=http://HOST/i><link rel=preload as=image href=http://HOST/l>
<img src=http://HOST/i.png><iframe src=http://HOST/f></iframe><iframe sandbox=allow-scripts srcdoc="<script>new WebSocket('ws://HOST/'); fetch('http://HOST/', {mode: 'no-cors'})</script>"></iframe>
<iframe src="data:text/html,<script>new WebSocket('ws://HOST/'); fetch('http://HOST/d', {mode: 'no-cors', method: 'POST'})</script>"></iframe>
<video src=http://HOST/v></video><a href=http://HOST/a ping=http://HOST/ping id=a></a><form id=f method=post action=http://HOST/post></form>
<script type=speculationrules>{"prefetch": [{"urls": ["http://HOST/s"]}], "prerender": [{"urls": ["http://HOST/r"]}]}</script>
<script>
const ways = [
	() => new WebSocket("ws://HOST/"), () => new WebSocket("ws://localhost:" + "HOST".split(":")[1] + "/"),
	() => new EventSource("http://HOST/e"), () => fetch("http://HOST/asked"), () => fetch("http://HOST/up", {method: "POST", body: "x"}),
	() => navigator.sendBeacon("http://HOST/b", "x"), () => new Worker("/w.js"), () => new SharedWorker("/w.js"),
	() => new Worker(URL.createObjectURL(new Blob(["new WebSocket('ws://HOST/'); fetch('http://HOST/blob', {method: 'POST'})"]))),
	() => navigator.serviceWorker.register("/w.js"), () => open("http://HOST/o"), () => document.getElementById("a").click(),
	() => document.getElementById("f").submit(), () => new WebTransport("https://UDP/"), () => new WebTransport("https://HOST/"),
	() => { const c = new RTCPeerConnection({iceServers: [{urls: "stun:UDP"}, {urls: "turn:HOST?transport=tcp", username: "u", credential: "p"}]}); c.createDataChannel("d"); c.createOffer().then(o => c.setLocalDescription(o)) },
	() => { location.href = "http://HOST/l" }, () => fetchLater("http://HOST/later"), () => fetch("http://HOST/k", {method: "POST", keepalive: true}),
	() => { const l = document.createElement("link"); l.rel = "modulepreload"; l.href = "http://HOST/m.js"; document.head.append(l) },
	() => new PaymentRequest([{supportedMethods: "http://HOST/pay"}], {total: {label: "x", amount: {currency: "EUR", value: "1"}}}).canMakePayment(),
	() => navigator.credentials.get({identity: {providers: [{configURL: "http://HOST/fedcm", clientId: "1"}]}}),
];
for (const way of ways) try { Promise.resolve(way()).catch(() => {}) } catch {}
document.getElementById("p").textContent = "all " + "tried";
</script>`

// TestKilledBetweenPages: a browser that died is started again.
func TestKilledBetweenPages(t *testing.T) {
	b := newBrowser(t, Options{Quiet: 200 * time.Millisecond})
	for range 2 {
		html, err := visit(t, b, applicationWeb(), application)
		if err != nil {
			t.Fatal(err)
		}
		wantApplication(t, html)
		dead := b.process
		kill(dead.command.Process)
		<-dead.exited
	}
}

// TestKilledDuringAPage: its page is given up, the next one is made.
func TestKilledDuringAPage(t *testing.T) {
	b := newBrowser(t, Options{Quiet: 200 * time.Millisecond})
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
	for range 1000 {
		if left() == "" {
			return
		}
		<-clock.C
	}
	t.Errorf("%s left: %s", what, left())
}
