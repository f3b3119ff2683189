package client_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/guard"
)

const nginxConfig = `%[1]s
daemon off; worker_processes 1; pid %[2]s/pid; error_log stderr crit;
events { worker_connections 64; }
http {
  access_log off; keepalive_timeout 60;
  client_body_temp_path %[2]s/t1; proxy_temp_path %[2]s/t2; fastcgi_temp_path %[2]s/t3; uwsgi_temp_path %[2]s/t4; scgi_temp_path %[2]s/t5;
  types { text/html html; text/plain txt; }
  server {
    listen 127.0.0.1:%[3]d; listen 127.0.0.1:%[4]d ssl http2;
    ssl_certificate %[2]s/cert.pem; ssl_certificate_key %[2]s/key.pem;
    root %[2]s/web; gzip on; gzip_min_length 1; gzip_types text/html; %[5]s
    location /plain/ { gzip off; }
    location = /moved { return 301 /plain/page.txt; }
    location = /once { keepalive_timeout 0; return 200 once; }
  }
}
`

const brotliModule = "/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so"

// An nginx is one that runs for a test.
type nginx struct {
	plain, secure string // URLs without a path
	page          string // what /page.html holds
	brotli        bool
	ca            *ca
}

// startNginx starts nginx, or skips the test where there is none.
func startNginx(t *testing.T) *nginx {
	t.Helper()
	binary, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("nginx is not installed")
	}
	dir := t.TempDir()
	n := &nginx{ca: newCA(t), page: "<title>x</title>" + strings.Repeat("<p>hello to all spiders</p>\n", 2000)}
	cert, key := n.ca.pems("127.0.0.1")
	write := func(name string, content []byte) {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("cert.pem", cert)
	write("key.pem", key)
	write("web/page.html", []byte(n.page))
	write("web/plain/page.txt", []byte("hello"))
	modules, directives := "", ""
	if _, err := os.Stat(brotliModule); err == nil {
		n.brotli, modules, directives = true, "load_module "+brotliModule+";", "brotli on; brotli_min_length 1; brotli_types text/html;"
	}
	ports := freePorts(t, 2)
	if os.Getuid() == 0 {
		modules += " user root;"
	}
	write("nginx.conf", fmt.Appendf(nil, nginxConfig, modules, dir, ports[0], ports[1], directives))
	n.plain, n.secure = fmt.Sprintf("http://127.0.0.1:%d", ports[0]), fmt.Sprintf("https://127.0.0.1:%d", ports[1])
	run(t, binary, dir)
	awaitPorts(t, ports)
	return n
}

func run(t *testing.T, binary, dir string) {
	t.Helper()
	cmd := exec.Command(binary, "-p", dir, "-c", filepath.Join(dir, "nginx.conf"), "-e", "stderr")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		if t.Failed() && said.Len() > 0 {
			t.Logf("nginx says: %s", said.String())
		}
	})
}

func freePorts(t *testing.T, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Skip("no loopback network: ", err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

func awaitPorts(t *testing.T, ports []int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for _, port := range ports {
		for {
			c, err := new(net.Dialer).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
			if err == nil {
				c.Close()
				break
			}
			select {
			case <-again.C:
			case <-ctx.Done():
				t.Fatalf("nginx does not listen: %v", err)
			}
		}
	}
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
	for _, tc := range []struct{ base, protocol string }{{n.plain, "http/1.1"}, {n.secure, "h2"}} {
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
			if n.brotli && coding != "br" && coding != "gzip" || !n.brotli && coding != "gzip" {
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
