package studio_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/server/door/doortest"
	"orbweaver/studio"
	"orbweaver/studio/workspace"
)

// serve serves a workspace on loopback, and returns its address.
func serve(t *testing.T, o studio.Options) string {
	t.Helper()
	ws, err := workspace.Open(t.TempDir(), workspace.Options{Spare: -1})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Skipf("no loopback: %v", err)
	}
	o.Workspace = ws
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- studio.New(o).Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-done, ws.Close()); err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// A client sends requests as a browser or a program does.
type client struct {
	t    *testing.T
	addr string
	http *http.Client
}

func newClient(t *testing.T, addr string) *client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &client{t, addr, &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// send sends a request with header lines, and returns status and answer.
func (c *client) send(method, path, body string, lines ...string) (int, http.Header, string) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, "http://"+c.addr+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		if r.Header.Set(name, value); name == "Host" {
			r.Host = value
		}
	}
	response, err := c.http.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(text)
}

var csrf = regexp.MustCompile(`<meta name="csrf" content="([^"]+)">`)

const (
	html = "Accept: text/html"
	form = "Content-Type: application/x-www-form-urlencoded"
)

// TestForgery: what changes something needs the token of the browser's session; programs of this machine need none.
func TestForgery(t *testing.T) {
	addr := serve(t, studio.Options{})
	browser := newClient(t, addr)
	code, header, page := browser.send("GET", "/", "", html)
	token := csrf.FindStringSubmatch(page)
	if code != 200 || token == nil {
		t.Fatalf("%d %s", code, page)
	}
	if cookie := header.Get("Set-Cookie"); !strings.Contains(cookie, "SameSite=Strict") || !strings.Contains(cookie, "HttpOnly") {
		t.Errorf("%s", cookie)
	}
	own := "Origin: http://" + addr
	for _, tc := range []struct {
		name   string
		code   int
		client *client
		path   string
		body   string
		lines  []string
	}{
		{"another site's form", 403, browser, "/demo", "", []string{form, "Origin: http://evil.example"}},
		{"another site's form with a guess", 403, browser, "/demo", "csrf=x", []string{form, own}},
		{"a frame without an origin", 403, browser, "/demo", "", []string{form, "Origin: null"}},
		{"another site, by Sec-Fetch-Site", 403, browser, "/demo", "", []string{form, "Sec-Fetch-Site: cross-site"}},
		{"no token", 403, browser, "/demo", "", []string{form, own}},
		{"a browser without a session", 403, newClient(t, addr), "/demo", "csrf=" + token[1], []string{form, own}},
		{"no token, API", 403, browser, "/api/v1/demo", "", []string{own}},
		{"text/plain, API", 403, browser, "/api/v1/crawls", `{"name": "x", "file": {}}`, []string{"Content-Type: text/plain", own}},
		{"rebound name", 421, browser, "/api/v1/demo", "", []string{"Host: evil.example"}},
		{"the form", 303, browser, "/demo", "csrf=" + url.QueryEscape(token[1]), []string{form, own}},
		{"the header", 202, browser, "/api/v1/demo", "", []string{own, "X-CSRF-Token: " + token[1]}},
		{"a program", 202, newClient(t, addr), "/api/v1/demo", "", nil},
	} {
		if code, _, text := tc.client.send("POST", tc.path, tc.body, tc.lines...); code != tc.code {
			t.Errorf("%s: %d, want %d: %.200s", tc.name, code, tc.code, text)
		}
	}
}

// TestHeaders: every answer is of one type, in no frame, and runs nothing but the studio's own scripts.
func TestHeaders(t *testing.T) {
	addr := serve(t, studio.Options{})
	c := newClient(t, addr)
	for _, path := range []string{"/", "/trash", "/nothing", "/crawls/none", "/api/v1/crawls", "/api/v1/nothing", "/assets/none", "/login", "/crawls/..%2F..%2Fetc/results"} {
		_, h, text := c.send("GET", path, "", html)
		csp := h.Get("Content-Security-Policy")
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin"} {
			if h.Get(name) != want {
				t.Errorf("%s: %s: %q", path, name, h.Get(name))
			}
		}
		if len(h.Values("Content-Type")) != 1 || !strings.Contains(csp, "frame-ancestors 'none'") || !strings.Contains(csp, "default-src 'self'") || strings.Contains(csp, "unsafe") || strings.Contains(text, "/etc/passwd") {
			t.Errorf("%s: %v", path, h)
		}
	}
}

// TestTokens: other addresses than this machine's want a token and TLS, and a token for reading changes nothing.
func TestTokens(t *testing.T) {
	const all, read = "a-token-for-all-of-it", "a-token-for-reading"
	other := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 7979}
	for _, o := range []studio.Options{{}, {ReadToken: read}, {Token: all}} {
		if err := o.Check(other); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%+v: %v", o, err)
		}
		if err := o.Check(&net.TCPAddr{IP: net.IPv6loopback, Port: 1}); err != nil {
			t.Error(err)
		}
	}
	if err := (studio.Options{Token: all, Open: true}).Check(other); err != nil {
		t.Error(err)
	}
	addr := serve(t, studio.Options{Token: all, ReadToken: read})
	program := newClient(t, addr)
	for _, tc := range []struct {
		code         int
		method, path string
		lines        []string
	}{
		{401, "GET", "/api/v1/crawls", nil},
		{401, "GET", "/api/v1/crawls", []string{"Authorization: Bearer wrong"}},
		{303, "GET", "/", []string{html}},
		{401, "POST", "/demo", nil},
		{200, "GET", "/api/v1/crawls", []string{"Authorization: Bearer " + read}},
		{403, "POST", "/api/v1/demo", []string{"Authorization: Bearer " + read}},
		{403, "DELETE", "/api/v1/crawls/x", []string{"Authorization: Bearer " + read}},
		{200, "POST", "/api/v1/validate", []string{"Authorization: Bearer " + read}},
		{202, "POST", "/api/v1/demo", []string{"Authorization: Bearer " + all}},
	} {
		if code, _, text := program.send(tc.method, tc.path, "", tc.lines...); code != tc.code {
			t.Errorf("%s %s %v: %d, want %d: %.200s", tc.method, tc.path, tc.lines, code, tc.code, text)
		}
	}
	browser := newClient(t, addr)
	if code, _, _ := browser.send("POST", "/login", "token=wrong", form); code != 403 {
		t.Errorf("a wrong token: %d", code)
	}
	if code, _, _ := browser.send("POST", "/login", "token="+read, form); code != 303 {
		t.Errorf("the token for reading: %d", code)
	}
	code, _, page := browser.send("GET", "/", "", html)
	token := csrf.FindStringSubmatch(page)
	if code != 200 || strings.Contains(page, "<button") || token == nil {
		t.Errorf("%d: %s", code, page)
	}
	if code, _, _ := browser.send("POST", "/demo", "csrf="+url.QueryEscape(token[1]), form); code != 403 {
		t.Errorf("a reader begins a crawl: %d", code)
	}
	if code, _, _ := browser.send("POST", "/logout", "csrf="+url.QueryEscape(token[1]), form); code != 303 {
		t.Errorf("logout: %d", code)
	}
	if code, _, _ := browser.send("GET", "/", "", html); code != 303 {
		t.Errorf("after logout: %d", code)
	}
	last := 0
	for range 30 {
		last, _, _ = browser.send("POST", "/login", "token=guess", form)
	}
	if last != 429 {
		t.Errorf("the 30th guess: %d", last)
	}
}

// TestNoPageReadsStudio: in Chromium no page of another site reads the studio, DNS rebinding included.
func TestNoPageReadsStudio(t *testing.T) {
	doortest.Browsed(t, serve(t, studio.Options{}), "/", "/api/v1/crawls", "/api/v1/openapi.json")
}

// TestPageInABrowser: Chromium shows a page of the studio, whose scripts run.
func TestPageInABrowser(t *testing.T) {
	browser := doortest.Chromium(t)
	addr := serve(t, studio.Options{})
	out, err := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=5000", "--dump-dom", "http://"+addr+"/").Output()
	if err != nil {
		t.Skipf("Chromium does not run here: %v", err)
	}
	if page := string(out); !strings.Contains(page, "<h1>") || !strings.Contains(page, "Orbweaver Studio</title>") {
		t.Errorf("%.2000s", page)
	}
}
