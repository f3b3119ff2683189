package replay

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/page"
	"orbweaver/server/door/doortest"
)

// A forged archive answers with header fields that may have several values.
type forged map[string]forgery

type forgery struct {
	header http.Header
	body   string
}

func (f forged) Fetch(_ context.Context, req orbweaver.Request) (*step.Response, error) {
	k, ok := f[req.URL]
	if !ok {
		return nil, fmt.Errorf("fetch %s: %w", req.URL, orbweaver.ErrAbsent)
	}
	return &step.Response{Request: req, Status: 200, Header: k.header.Clone(), Body: body(k.body)}, nil
}

func body(s string) interface {
	Read([]byte) (int, error)
	Close() error
} {
	return struct {
		*strings.Reader
		nothing
	}{strings.NewReader(s), nothing{}}
}

type nothing struct{}

func (nothing) Close() error { return nil }

// attack is a script that reports, by requests for URLs of leak.test, what it can do from %s: read another archived page, the
// list of hosts, or storage, or install a service worker.
const attack = `<script>
const tell = what => { new Image().src = "/web/http://leak.test/%[1]s/" + what };
tell("runs");
fetch("/web/http://secret.test/").then(r => r.text()).then(t => { if (t.includes("secret")) tell("page") }).catch(() => {});
fetch("/").then(r => r.text()).then(t => { if (t.includes("hosts")) tell("list") }).catch(() => {});
try { localStorage.setItem("x", "1"); tell("storage") } catch (e) {}
try { document.cookie = "x=1"; if (document.cookie) tell("cookie") } catch (e) {}
try { navigator.serviceWorker.register("/web/http://worker.test/w.js").then(() => tell("worker")).catch(() => {}) } catch (e) {}
try { if (parent !== window && parent.document.title !== undefined) tell("parent") } catch (e) {}
</script>`

// tricks are header fields by which a page may try to shed its sandbox.
func tricks() map[string]http.Header {
	t := map[string]http.Header{}
	add := func(name string, fields ...string) {
		h := http.Header{}
		for i := 0; i+1 < len(fields); i += 2 {
			h.Add(fields[i], fields[i+1])
		}
		t[name] = h
	}
	const ct = "Content-Type"
	add("plain-html", ct, "text/html")
	add("no-type")
	add("pdf-then-html", ct, "application/pdf", ct, "text/html")
	add("html-then-pdf", ct, "text/html", ct, "application/pdf")
	add("pdf-comma-html", ct, "application/pdf, text/html")
	add("html-comma-pdf", ct, "text/html, application/pdf")
	add("pdf-only", ct, "application/pdf")
	add("pdf-parameter", ct, "application/pdf; charset=utf-8")
	add("pdf-upper", ct, "Application/PDF")
	add("pdf-spaces", ct, " application/pdf ")
	add("pdf-quoted", ct, `application/pdf; x="a,text/html"`)
	add("pdf-empty", ct, "application/pdf", ct, "")
	add("empty-pdf", ct, "", ct, "application/pdf")
	add("empty", ct, "")
	add("star", ct, "*/*")
	add("unknown", ct, "application/unknown")
	add("nonsense", ct, "text/html\x00")
	add("xhtml", ct, "application/xhtml+xml")
	add("xml", ct, "text/xml")
	add("svg", ct, "image/svg+xml")
	add("rss", ct, "application/rss+xml")
	add("mhtml", ct, "multipart/related; boundary=x")
	add("mixed", ct, "multipart/x-mixed-replace; boundary=x")
	add("wasm", ct, "application/wasm")
	add("plain", ct, "text/plain")
	add("image", ct, "image/png")
	add("script", ct, "text/javascript")
	add("utf-7", ct, "text/html; charset=utf-7")
	add("utf-16", ct, "text/html; charset=utf-16")
	add("csp-own", ct, "text/html", "Content-Security-Policy", "sandbox allow-same-origin allow-scripts")
	add("csp-none", ct, "text/html", "Content-Security-Policy", "")
	add("cors", ct, "text/html", "Access-Control-Allow-Origin", "*", "Access-Control-Allow-Credentials", "true")
	add("cookie", ct, "text/html", "Set-Cookie", "a=b; Path=/")
	add("clear", ct, "text/html", "Clear-Site-Data", `"*"`)
	add("worker-allowed", ct, "text/html", "Service-Worker-Allowed", "/")
	add("preload", ct, "text/html", "Link", "</web/http://leak.test/preload/page>; rel=preload; as=image")
	add("origin-agent", ct, "text/html", "Origin-Agent-Cluster", "?1")
	add("opener", ct, "text/html", "Cross-Origin-Opener-Policy", "unsafe-none", "Cross-Origin-Embedder-Policy", "unsafe-none")
	add("disposition", ct, "text/html", "Content-Disposition", "inline", "Content-Disposition", "attachment")
	add("refresh", ct, "text/html", "Refresh", "0;url=javascript:fetch('/')")
	add("refresh-data", ct, "text/html", "Refresh", "0;url=data:text/html,<script>fetch('/')</script>")
	add("connection", ct, "text/html", "Connection", "Content-Security-Policy")
	add("transfer", ct, "text/html", "Transfer-Encoding", "identity", "Trailer", "Content-Security-Policy")
	return t
}

func trickWeb() forged {
	html := http.Header{"Content-Type": {"text/html"}}
	f := forged{
		"http://secret.test/":     {html, "<p>secret"},
		"http://worker.test/w.js": {http.Header{"Content-Type": {"text/javascript"}, "Service-Worker-Allowed": {"/"}}, "self.onfetch = e => {}"},
	}
	for name, header := range tricks() {
		f["http://trick.test/"+name] = forgery{header, fmt.Sprintf(attack, name)}
	}
	return f
}

// TestConfinedWhateverTheHeader: under /web/, whatever the header of an archived response, exactly one content type is sent, with a sandbox
// unless it is that of PDF alone and not to be sniffed, and no field that concerns another origin passes.
func TestConfinedWhateverTheHeader(t *testing.T) {
	s, err := New(trickWeb(), Options{URLs: slices.Values(slices.Sorted(maps.Keys(trickWeb()))), Decode: page.Decode})
	if err != nil {
		t.Fatal(err)
	}
	here := listening(t, s)
	for name := range tricks() {
		resp, _ := ask(t, directly(t), http.MethodGet, "http://"+here+"/web/http://trick.test/"+name)
		types, policies := resp.Header["Content-Type"], resp.Header["Content-Security-Policy"]
		if len(types) > 1 || len(policies) != 1 {
			t.Errorf("%s: types %q, policies %q", name, types, policies)
			continue
		}
		pdf := len(types) == 1 && types[0] == "application/pdf" && resp.Header.Get("X-Content-Type-Options") == "nosniff"
		if !strings.HasPrefix(policies[0], "sandbox allow-scripts") && !pdf || strings.Contains(policies[0], "allow-same-origin") {
			t.Errorf("%s: type %q has policy %q", name, types, policies[0])
		}
		for _, key := range []string{"Set-Cookie", "Service-Worker-Allowed", "Access-Control-Allow-Origin", "Access-Control-Allow-Credentials",
			"Clear-Site-Data", "Link", "Trailer", "Cross-Origin-Opener-Policy", "Origin-Agent-Cluster"} {
			if v, ok := resp.Header[key]; ok {
				t.Errorf("%s: %s: %q", name, key, v)
			}
		}
	}
	if resp, _ := ask(t, directly(t), http.MethodGet, "http://"+here+"/web/http://worker.test/w.js", "Service-Worker", "script"); resp.StatusCode != http.StatusForbidden {
		t.Errorf("a service worker: status %d", resp.StatusCode)
	}
}

// listening serves on loopback until the test ends.
func listening(t *testing.T, s http.Handler) string {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Skipf("no loopback: %v", err)
	}
	server := &http.Server{Handler: s}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return l.Addr().String()
}

// TestConfinedInABrowser: in Chromium no trick reads another page or the list, stores anything, or installs a service worker.
// Each page is looked at by itself and in a frame of the server's own origin.
func TestConfinedInABrowser(t *testing.T) {
	browser := doortest.Chromium(t)
	s, err := New(trickWeb(), Options{URLs: slices.Values(slices.Sorted(maps.Keys(trickWeb()))), Decode: page.Decode})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var leaks []string
	ran := map[string]bool{}
	here := listening(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if what, ok := strings.CutPrefix(r.URL.Path, "/web/http://leak.test/"); ok {
			mu.Lock()
			if name, done := strings.CutSuffix(what, "/runs"); done {
				ran[name] = true
			} else {
				leaks = append(leaks, what)
			}
			mu.Unlock()
		}
		if r.URL.Path == "/frames" { // of the origin that the pages must not reach
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>frames</title>")
			for _, name := range slices.Sorted(maps.Keys(tricks())) {
				fmt.Fprintf(w, `<iframe src="/web/http://trick.test/%s"></iframe>`, name)
			}
			return
		}
		s.ServeHTTP(w, r)
	}))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	visit := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir="+t.TempDir(),
		"--timeout=15000", "--virtual-time-budget=10000", "--dump-dom", "http://"+here+"/frames")
	if out, err := visit.Output(); err != nil || !strings.Contains(string(out), "iframe") {
		t.Skipf("Chromium does not run here: %v", err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(ran) < 20 {
		t.Errorf("only the scripts of %d pages ran: %v", len(ran), slices.Sorted(maps.Keys(ran)))
	}
	if len(leaks) > 0 {
		t.Errorf("leaks: %v", leaks)
	}
}
