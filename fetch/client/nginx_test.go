package client_test

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/andybalholm/brotli"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/fetch/guard"
)

// nginxServer is what the server of these tests does beside serving files.
const nginxServer = `
    location /plain/ { gzip off; }
    location = /moved { return 301 /plain/page.txt; }
    location = /once { keepalive_timeout 0; return 200 once; }
`

// An nginx is one that runs for a test.
type nginx struct {
	*fetchtest.Nginx
	page string // what /page.html holds
	ca   *ca
}

// startNginx starts nginx, or skips the test where there is none.
func startNginx(t *testing.T) *nginx {
	t.Helper()
	n := &nginx{ca: newCA(t), page: "<title>x</title>" + strings.Repeat("<p>hello to all spiders</p>\n", 2000)}
	root := t.TempDir()
	err := errors.Join(
		os.WriteFile(filepath.Join(root, "page.html"), []byte(n.page), 0o644),
		os.Mkdir(filepath.Join(root, "plain"), 0o755),
		os.WriteFile(filepath.Join(root, "plain", "page.txt"), []byte("hello"), 0o644),
	)
	if err != nil {
		t.Fatal(err)
	}
	cert, key := n.ca.pems("127.0.0.1")
	n.Nginx = fetchtest.StartNginx(t, fetchtest.NginxConfig{Root: root, Cert: cert, Key: key, Server: nginxServer})
	return n
}

// client returns a client that may ask this machine, and how often it connected.
func (n *nginx) client(t *testing.T) (*client.Client, *atomic.Int32) {
	t.Helper()
	var dials atomic.Int32
	c := client.New(client.Options{
		UserAgent: "orbweaver", Roots: n.ca.pool,
		Guard: guard.New(false, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}),
		Dial: func(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
			dials.Add(1)
			return new(net.Dialer).DialContext(ctx, "tcp", addr.String())
		},
	})
	t.Cleanup(func() { c.Close() })
	return c, &dials
}

func TestNginx(t *testing.T) {
	n := startNginx(t)
	for _, tc := range []struct{ base, protocol string }{{n.Plain, "http/1.1"}, {n.Secure, "h2"}} {
		t.Run(tc.protocol, func(t *testing.T) {
			c, dials := n.client(t)
			resp, body, err := get(c, tc.base+"/page.html")
			if err != nil {
				t.Fatal(err)
			}
			if resp.Protocol != tc.protocol || resp.Status != 200 || resp.Header.Get("Server") == "" {
				t.Errorf("%s %d %v", resp.Protocol, resp.Status, resp.Header)
			}
			coding := resp.Header.Get("Content-Encoding")
			if text, err := decoded(coding, body); err != nil || text != n.page {
				t.Errorf("%s: %d bytes, %v", coding, len(text), err)
			}
			if resp.Header.Get("Content-Length") != "" {
				t.Errorf("made while it is sent, with a length: %v", resp.Header)
			}
			if n.Brotli && coding != "br" || !n.Brotli && coding != "gzip" {
				t.Errorf("Content-Encoding %q", coding)
			}
			n.checkConditions(t, c, tc.base)
			if resp, body, err := get(c, tc.base+"/nothing"); err != nil || resp.Status != 404 || body == "" {
				t.Errorf("404: %v, %q, %v", resp, body, err)
			}
			if dials.Load() != 1 {
				t.Errorf("%d connections, want 1", dials.Load())
			}
			if resp, body, err := get(c, tc.base+"/once"); err != nil || body != "once" {
				t.Errorf("%v, %q, %v", resp, body, err)
			}
			if _, _, err := get(c, tc.base+"/plain/page.txt"); err != nil {
				t.Errorf("after a server closed: %v", err)
			}
		})
	}
}

// checkConditions checks an answer with a length, its conditional repetition, and a redirect.
func (n *nginx) checkConditions(t *testing.T, c *client.Client, base string) {
	t.Helper()
	resp, body, err := get(c, base+"/plain/page.txt")
	if err != nil || body != "hello" || resp.Header.Get("Content-Length") != "5" {
		t.Fatalf("%v, %q, %v", resp, body, err)
	}
	etag, modified := resp.Header.Get("ETag"), resp.Header.Get("Last-Modified")
	for _, cond := range [][2]string{{etag, ""}, {"", modified}, {etag, modified}} {
		resp, err := c.FetchIf(t.Context(), orbweaver.Request{URL: base + "/plain/page.txt"}, cond[0], cond[1])
		if err != nil || resp.Status != http.StatusNotModified {
			t.Fatalf("%q: %v, %v", cond, resp, err)
		}
		resp.Body.Close()
	}
	if resp, body, err := get(c, base+"/moved"); err != nil || resp.Status != 301 || resp.Redirect != base+"/plain/page.txt" || body == "" {
		t.Errorf("redirect: %+v, %v", resp, err)
	}
}

func decoded(coding, body string) (string, error) {
	var r io.Reader = strings.NewReader(body)
	switch coding {
	case "gzip":
		z, err := gzip.NewReader(r)
		if err != nil {
			return "", err
		}
		r = z
	case "br":
		r = brotli.NewReader(r)
	}
	text, err := io.ReadAll(r)
	return string(text), err
}
