package replay

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/page"
)

// A kept is an archived response.
type kept struct {
	status int
	header map[string]string
	body   string
	fail   error // of reading on after the body
}

// A fake is an in-memory archive.
type fake map[string]kept

func (f fake) Fetch(_ context.Context, req orbweaver.Request) (*step.Response, error) {
	k, ok := f[req.URL]
	if !ok {
		return nil, fmt.Errorf("fetch %s: %w", req.URL, orbweaver.ErrAbsent)
	}
	if k.status == 0 {
		k.status = 200
	}
	h := http.Header{}
	for key, value := range k.header {
		h.Set(key, value)
	}
	var body io.Reader = strings.NewReader(k.body)
	if k.fail != nil {
		body = io.MultiReader(body, &failing{k.fail})
	}
	return &step.Response{Request: req, Status: k.status, Header: h, Body: io.NopCloser(body),
		At: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)}, nil
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

// serve replays an archive on loopback until the test ends.
func serve(t *testing.T, f fake) (here string, s *Server) {
	t.Helper()
	s, err := New(f, Options{URLs: slices.Values(slices.Sorted(maps.Keys(f))), Decode: page.Decode})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Skipf("no loopback: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String(), s
}

// through returns a client that uses the proxy, trusts its authority, and neither follows redirects nor
// decodes bodies.
func through(t *testing.T, here string, s *Server) *http.Client {
	t.Helper()
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(s.Certificate()) {
		t.Fatal("no certificate")
	}
	transport := &http.Transport{
		Proxy:              http.ProxyURL(&url.URL{Scheme: "http", Host: here}),
		TLSClientConfig:    &tls.Config{RootCAs: roots},
		DisableCompression: true,
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// directly returns a client without proxy.
func directly(t *testing.T) *http.Client {
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// ask makes a request, with header fields in pairs, and returns the response with its body.
func ask(t *testing.T, c *http.Client, method, target string, fields ...string) (resp *http.Response, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(fields); i += 2 {
		if fields[i] == "Host" {
			req.Host = fields[i+1]
		} else {
			req.Header.Set(fields[i], fields[i+1])
		}
	}
	resp, err = c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		return resp, string(content) + " …" + err.Error()
	}
	return resp, string(content)
}

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, s)
	z.Close()
	return b.String()
}

// web returns an archive with a resource of each kind.
func web() fake {
	html := map[string]string{"Content-Type": "text/html"}
	return fake{
		"http://a.test/":           {header: html, body: `<a href="/b">b</a>`},
		"https://a.test/":          {header: html, body: `<a href="/s">secure</a>`},
		"https://a.test:8443/":     {body: "other port"},
		"https://[2001:db8::1]/":   {body: "by address"},
		"http://a.test/gone":       {status: 410, header: html, body: `<a href=/>gone</a>`},
		"http://a.test/moved":      {status: 301, header: map[string]string{"Location": "//b.test/to#there", "Refresh": "0; url=x"}},
		"http://a.test/cached":     {header: map[string]string{"Content-Type": "text/plain", "ETag": `W/"1"`, "Last-Modified": "Thu, 02 Jan 2020 00:00:00 GMT"}, body: "cached"},
		"http://a.test/zipped":     {header: map[string]string{"Content-Type": "text/html", "Content-Encoding": "gzip"}, body: zipped(`<a href="/b">`)},
		"http://a.test/lying":      {header: map[string]string{"Content-Type": "text/plain", "Content-Encoding": "gzip"}, body: "plain"},
		"http://a.test/broken":     {header: map[string]string{"Content-Type": "text/html", "Content-Encoding": "gzip"}, body: zipped("x")[:15]},
		"http://a.test/torn":       {header: map[string]string{"Content-Type": "text/plain"}, body: "torn", fail: orbweaver.ErrMalformed},
		"https://a.test/torn":      {body: strings.Repeat("torn", 10_000), fail: orbweaver.ErrMalformed},
		"http://a.test/untyped":    {body: `<!DOCTYPE html><a href=x>`},
		"http://a.test/strict":     {header: map[string]string{"Content-Type": "text/html", "Set-Cookie": "a=b", "Strict-Transport-Security": "max-age=1", "Content-Security-Policy": "default-src 'none'", "X-Frame-Options": "DENY", "Connection": "X-Hop", "X-Hop": "1", "Keep-Alive": "1", "X-Own": "1", "Link": "<http://live.test/>; rel=preload"}},
		"http://a.test/paper.pdf":  {header: map[string]string{"Content-Type": "application/pdf"}, body: "%PDF"},
		"http://a.test/empty":      {status: 204, header: map[string]string{"Content-Length": "7"}},
		"http://a.test/switch":     {status: 101},
		"http://a.test/not":        {status: 304},
		"http://a.test/odd":        {status: 1000},
		"http://b.test/web/http:x": {body: "x"},
	}
}

func TestProxy(t *testing.T) {
	here, s := serve(t, web())
	c := through(t, here, s)
	for _, tc := range []struct {
		name, url string
		fields    []string
		status    int
		body      string
	}{
		{"plain", "http://a.test/", nil, 200, `<a href="/b">b</a>`},
		{"secure", "https://a.test/", nil, 200, `<a href="/s">secure</a>`},
		{"another port", "https://a.test:8443/", nil, 200, "other port"},
		{"an address", "https://[2001:db8::1]/", nil, 200, "by address"},
		{"not canonical", "http://A.test:80", nil, 200, `<a href="/b">b</a>`},
		{"not found then", "http://a.test/gone", nil, 410, `<a href=/>gone</a>`},
		{"a redirect", "http://a.test/moved", nil, 301, ""},
		{"the same, by tag", "http://a.test/cached", []string{"If-None-Match", `"0", "1"`}, 304, ""},
		{"another, by tag", "http://a.test/cached", []string{"If-None-Match", `"2"`, "If-Modified-Since", "Thu, 02 Jan 2020 00:00:00 GMT"}, 200, "cached"},
		{"the same, by date", "http://a.test/cached", []string{"If-Modified-Since", "Thu, 02 Jan 2020 00:00:00 GMT"}, 304, ""},
		{"another, by date", "http://a.test/cached", []string{"If-Modified-Since", "Wed, 01 Jan 2020 00:00:00 GMT"}, 200, "cached"},
		{"a range", "http://a.test/cached", []string{"Range", "bytes=1-2"}, 200, "cached"},
		{"coded", "http://a.test/zipped", []string{"Accept-Encoding", "br, gzip"}, 200, zipped(`<a href="/b">`)},
		{"coded for a client that takes none", "http://a.test/zipped", nil, 200, `<a href="/b">`},
		{"coded for a client that refuses", "http://a.test/zipped", []string{"Accept-Encoding", "gzip;q=0, *"}, 200, `<a href="/b">`},
		{"coded in word alone", "http://a.test/lying", []string{"Accept-Encoding", "gzip"}, 200, "plain"},
		{"a broken coding, of which some is whole", "http://a.test/broken", nil, 200, "x"},
		{"no content", "http://a.test/empty", nil, 204, ""},
		{"an answer that is none", "http://a.test/switch", nil, 504, "*"},
		{"not modified, and nothing before", "http://a.test/not", nil, 504, "*"},
		{"no status", "http://a.test/odd", nil, 504, "*"},
		{"absent", "http://a.test/none", nil, 504, "*"},
		{"absent, securely", "https://none.test/", nil, 504, "*"},
		{"robots.txt", "http://a.test/robots.txt", nil, 404, "*"},
		{"the server itself", "http://" + here + "/", nil, 504, "*"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			resp, body := ask(t, c, "GET", tc.url, tc.fields...)
			if resp.StatusCode != tc.status || tc.body != "*" && body != tc.body {
				t.Errorf("%d %q, want %d %q", resp.StatusCode, body, tc.status, tc.body)
			}
			if tc.body == "*" && !strings.Contains(body, "is not in the archive, and nothing is fetched") {
				t.Errorf("%q", body)
			}
			head, body := ask(t, c, "HEAD", tc.url, tc.fields...)
			if body != "" || head.StatusCode != resp.StatusCode && tc.status != 502 {
				t.Errorf("HEAD: %d %q", head.StatusCode, body)
			}
		})
	}
}

// TestTorn: an incomplete body aborts the connection.
func TestTorn(t *testing.T) {
	here, s := serve(t, web())
	for _, target := range []string{"http://a.test/torn", "https://a.test/torn"} {
		resp, err := through(t, here, s).Get(target)
		if err != nil {
			continue
		}
		if body, err := io.ReadAll(resp.Body); err == nil && resp.StatusCode == 200 {
			t.Errorf("%s: %q looks whole", target, body)
		}
		resp.Body.Close()
	}
}

// TestProxyFields: header fields are passed on, except those with effects beyond the session.
func TestProxyFields(t *testing.T) {
	here, s := serve(t, web())
	resp, _ := ask(t, through(t, here, s), "GET", "http://a.test/strict")
	for _, gone := range []string{"Set-Cookie", "Strict-Transport-Security", "Connection", "Keep-Alive", "X-Hop"} {
		if got := resp.Header.Get(gone); got != "" {
			t.Errorf("%s: %s", gone, got)
		}
	}
	for key, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'", "X-Frame-Options": "DENY", "X-Own": "1",
		"Memento-Datetime": "Thu, 02 Jan 2020 03:04:05 GMT",
	} {
		if got := resp.Header.Get(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	if resp, _ := ask(t, through(t, here, s), "GET", "http://a.test/untyped"); resp.Header["Content-Type"] != nil {
		t.Errorf("a type was made up: %v", resp.Header["Content-Type"])
	}
}

// TestNothingOfOthers: an answer about one host has no information about another.
func TestNothingOfOthers(t *testing.T) {
	here, s := serve(t, web())
	_, body := ask(t, through(t, here, s), "GET", "http://a.tess/")
	if strings.Contains(body, "a.test") {
		t.Error(body)
	}
	if _, body = ask(t, through(t, here, s), "GET", "http://a.test/go"); !strings.Contains(body, "\nhttp://a.test/gone\n") {
		t.Error(body)
	}
}

func TestMethods(t *testing.T) {
	here, s := serve(t, web())
	for _, target := range []string{"http://a.test/", "https://a.test/"} {
		if resp, _ := ask(t, through(t, here, s), "POST", target); resp.StatusCode != 405 || resp.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d", target, resp.StatusCode)
		}
	}
}

func TestWeb(t *testing.T) {
	here, _ := serve(t, web())
	c := directly(t)
	for _, tc := range []struct {
		name, path string
		fields     []string
		status     int
		body, to   string // body "*": a page of the server's own
	}{
		{"a page", "/web/http://a.test/", nil, 200, `<a href="/web/http://a.test/b">b</a>`, ""},
		{"at a time", "/web/20200102/http://a.test/", nil, 200, `<a href="/web/20200102/http://a.test/b">b</a>`, ""},
		{"secure", "/web/https://a.test/", nil, 200, `<a href="/web/https://a.test/s">secure</a>`, ""},
		{"not found then", "/web/http://a.test/gone", nil, 410, `<a href="/web/http://a.test/">gone</a>`, ""},
		{"a redirect", "/web/2020/http://a.test/moved", nil, 301, "", "/web/2020/http://b.test/to#there"},
		{"as typed", "/web/2020/A.test", nil, 302, "", "/web/2020/http://a.test/"},
		{"a slash lost", "/web/http:/a.test/", nil, 302, "", "/web/http://a.test/"},
		{"dots", "/web/http://a.test/x/../gone", nil, 302, "", "/web/http://a.test/gone"},
		{"coded", "/web/http://a.test/zipped", []string{"Accept-Encoding", "gzip"}, 200, `<a href="/web/http://a.test/b">`, ""},
		{"untouched", "/web/http://a.test/cached", nil, 200, "cached", ""},
		{"untouched, the same", "/web/http://a.test/cached", []string{"If-None-Match", `"1"`}, 304, "", ""},
		{"type by bytes", "/web/http://a.test/untyped", nil, 200, `<!DOCTYPE html><a href="/web/http://a.test/x">`, ""},
		{"broken, but for the beginning", "/web/http://a.test/broken", nil, 200, "x", ""},
		{"absent", "/web/http://a.test/none", nil, 404, "*", ""},
		{"no answer", "/web/http://a.test/switch", nil, 404, "*", ""},
		{"no address", "/web/::", nil, 404, "*", ""},
		{"nothing", "/web/", nil, 404, "*", ""},
		{"the path of a page", "/b?x", []string{"Referer", "http://" + here + "/web/20/http://a.test/gone"}, 307, "", "/web/20/http://a.test/b?x"},
		{"the path of nothing", "/b", []string{"Referer", "http://other.test/web/http://a.test/"}, 404, "not here: the list of what the archive has is at /, its pages are at /web/URL\n", ""},
		{"as the host itself", "/", []string{"Host", "a.test"}, 200, `<a href="/b">b</a>`, ""},
		{"a path like ours of the host itself", "/web/http:x", []string{"Host", "b.test"}, 200, "x", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			resp, body := ask(t, c, "GET", "http://"+here+tc.path, tc.fields...)
			if tc.body == "*" && strings.Contains(body, "The archive does not have") {
				body = "*"
			}
			if resp.StatusCode != tc.status || body != tc.body || resp.Header.Get("Location") != tc.to {
				t.Errorf("%d %q to %q, want %d %q to %q", resp.StatusCode, body, resp.Header.Get("Location"), tc.status, tc.body, tc.to)
			}
			if resp, body := ask(t, c, "HEAD", "http://"+here+tc.path, tc.fields...); body != "" || resp.StatusCode != tc.status && tc.status != 502 {
				t.Errorf("HEAD: %d %q", resp.StatusCode, body)
			}
		})
	}
}

// TestConfined: a page under /web/ loses its archived policies and gets confining ones.
func TestConfined(t *testing.T) {
	here, _ := serve(t, web())
	resp, _ := ask(t, directly(t), "GET", "http://"+here+"/web/http://a.test/strict")
	want := http.Header{
		"Content-Type":            {"text/html; charset=utf-8"},
		"Content-Security-Policy": {"sandbox allow-scripts allow-forms allow-modals allow-popups allow-downloads allow-top-navigation-by-user-activation; default-src http://" + here + " data: blob: 'unsafe-inline' 'unsafe-eval'; form-action http://" + here + "; base-uri http://" + here},
		"Referrer-Policy":         {"same-origin"}, "Cache-Control": {"no-store"},
		"Memento-Datetime": {"Thu, 02 Jan 2020 03:04:05 GMT"}, "Content-Length": {"0"},
	}
	delete(resp.Header, "Date")
	if !maps.EqualFunc(resp.Header, want, slices.Equal) {
		t.Errorf("%v", resp.Header)
	}
	if resp, _ := ask(t, directly(t), "GET", "http://"+here+"/web/http://a.test/paper.pdf"); strings.Contains(resp.Header.Get("Content-Security-Policy"), "sandbox") {
		t.Error("no browser shows a PDF in a sandbox")
	}
}

func TestFront(t *testing.T) {
	f := web()
	f["http://z.test/?<script>&\"'"] = kept{}
	here, _ := serve(t, f)
	for _, tc := range []struct {
		name, path  string
		has, hasNot []string
	}{
		{"hosts", "/", []string{`href="/web/http://a.test/">http://a.test</a>`, ">15</a>", "https://a.test:8443", "21 URLs of 6 hosts"}, nil},
		{"search", "/?q=A.test+MOVED", []string{"1 of 21 URLs", `href="/web/http://a.test/moved"`}, []string{"gone"}},
		{"hostile", "/?q=" + url.QueryEscape(`"><script>`), []string{"0 of 21"}, []string{"<script>"}},
		{"hostile URLs", "/?q=z.test", []string{"&lt;script&gt;"}, []string{"<script>"}},
		{"long", "/?q=" + strings.Repeat("é", 5000), []string{"0 of 21"}, []string{"\uFFFD", strings.Repeat("é", 101)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, body := ask(t, directly(t), "GET", "http://"+here+tc.path)
			for _, want := range tc.has {
				if !strings.Contains(body, want) {
					t.Errorf("no %s in\n%s", want, body)
				}
			}
			for _, bad := range tc.hasNot {
				if strings.Contains(body, bad) {
					t.Errorf("%s in\n%s", bad, body)
				}
			}
		})
	}
}

// TestEnds: the end of the context ends waiting tunnels and refuses further requests.
func TestEnds(t *testing.T) {
	s, err := New(web(), Options{URLs: func(func(string) bool) {}, Decode: page.Decode})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Skipf("no loopback: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, l) }()
	ask(t, through(t, l.Addr().String(), s), "GET", "https://a.test/") // and its tunnel stays
	waiting, err := net.Dial("tcp4", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer waiting.Close()
	io.WriteString(waiting, "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n")
	if _, err := io.ReadFull(waiting, make([]byte, 12)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := io.Copy(io.Discard, waiting); err != nil && !errors.Is(err, net.ErrClosed) && !strings.Contains(err.Error(), "reset") {
		t.Error(err)
	}
	if s.enter() {
		t.Error("still open")
	}
}

// TestPlainTunnel: traffic other than TLS in a tunnel is HTTP.
func TestPlainTunnel(t *testing.T) {
	here, _ := serve(t, web())
	conn, err := net.Dial("tcp4", here)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "CONNECT 192.0.2.1:80 HTTP/1.1\r\nHost: 192.0.2.1:80\r\n\r\nGET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n")
	all, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(all), "HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK\r\n") || !strings.HasSuffix(string(all), `<a href="/b">b</a>`) {
		t.Errorf("%q, %v", all, err)
	}
}

func TestOutOfOrder(t *testing.T) {
	for _, urls := range [][]string{{"http://b.test/", "http://a.test/"}, {"http://a.test/", "http://a.test/"}} {
		if _, err := New(fake{}, Options{URLs: slices.Values(urls)}); err == nil {
			t.Errorf("%v is taken", urls)
		}
	}
}

func TestNearest(t *testing.T) {
	l, err := newList(slices.Values([]string{"http://a.test/", "http://a.test/x/1", "http://a.test/x/2", "http://b.test/", "https://a.test/x/10", "https://c.test/"}))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		url  string
		want []string
	}{
		{"http://a.test/x/10", []string{"https://a.test/x/10", "http://a.test/x/1"}},
		{"http://a.test/x/3", []string{"http://a.test/x/1", "http://a.test/x/2"}},
		{"http://zzz.test/", nil},
		{"", nil},
	} {
		if got := l.nearest(tc.url, 2); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.url, got, tc.want)
		}
	}
}
