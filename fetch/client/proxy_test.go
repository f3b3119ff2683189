package client_test

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/internal/step"
)

// A fakeProxy answers plain requests itself and opens tunnels to a server behind it. It notes what
// it was asked.
type fakeProxy struct {
	mu     sync.Mutex
	asked  []string // method, target, Host, Proxy-Authorization
	refuse bool
	secure *tls.Config // spoken to clients; nil: plain
	server *tls.Config // of the server behind; its answers are those of answering
}

func (p *fakeProxy) serve(_ string, c net.Conn) {
	if p.secure != nil {
		c = tls.Server(c, p.secure)
	}
	r := bufio.NewReader(c)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		p.mu.Lock()
		p.asked = append(p.asked, strings.Join([]string{req.Method, req.RequestURI, req.Host, req.Header.Get("Proxy-Authorization")}, " "))
		p.mu.Unlock()
		switch {
		case p.refuse:
			io.WriteString(c, "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 2\r\n\r\nno")
		case req.Method == "CONNECT":
			io.WriteString(c, "HTTP/1.1 200 Connection established\r\n\r\n")
			behind := tls.Server(c, p.server)
			answering("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecure", false)("", behind)
			return
		default:
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nplain")
		}
	}
}

func TestProxy(t *testing.T) {
	ca := newCA(t)
	const auth = " Basic dXNlcjpwYSBzcw=="
	for _, tc := range []struct {
		name, proxy, url string
		refuse           bool
		failure          orbweaver.Failure
		asked, dialed    string
	}{
		{"plain", "http://proxy.test:3128", "http://a.test/x?y", false, "",
			"GET http://a.test/x?y a.test ", "127.0.0.1:3128"},
		{"with a password", "http://user:pa%20ss@proxy.test", "http://a.test:81/", false, "",
			"GET http://a.test:81/ a.test:81" + auth, "127.0.0.1:80"},
		{"a tunnel to the checked address", "http://user:pa%20ss@proxy.test:3128", "https://a.test/", false, "",
			"CONNECT " + public + ":443 " + public + ":443" + auth, "127.0.0.1:3128"},
		{"a secure proxy", "https://proxy.test", "http://a.test/", false, "",
			"GET http://a.test/ a.test ", "127.0.0.1:443"},
		{"a tunnel in a secure proxy", "https://proxy.test", "https://a.test/", false, "",
			"CONNECT " + public + ":443 " + public + ":443 ", "127.0.0.1:443"},
		{"no tunnel", "http://proxy.test:3128", "https://a.test/", true, orbweaver.ErrConnect,
			"CONNECT " + public + ":443 " + public + ":443 ", "127.0.0.1:3128"},
		{"no proxy of that name", "http://none.test", "http://a.test/", false, orbweaver.ErrNoHost, "", ""},
		{"a private server", "http://proxy.test:3128", "http://private.test/", false, orbweaver.ErrPrivate, "", ""},
		{"a private server, securely", "http://proxy.test:3128", "https://private.test/", false, orbweaver.ErrPrivate, "", ""},
		{"a private address", "http://proxy.test:3128", "http://10.0.0.1/", false, orbweaver.ErrPrivate, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			via, err := url.Parse(tc.proxy)
			if err != nil {
				t.Fatal(err)
			}
			p := &fakeProxy{refuse: tc.refuse, server: ca.server("a.test")}
			if via.Scheme == "https" {
				p.secure = ca.server("proxy.test")
			}
			n := newNet(p.serve)
			n.names["proxy.test"], n.names["private.test"] = []string{"127.0.0.1"}, []string{"10.0.0.1"}
			c := n.client(client.Options{Proxy: via, Roots: ca.pool})
			resp, body, err := get(c, tc.url)
			wantFailure(t, err, tc.failure)
			c.Close()
			n.conns.Wait()
			if got := strings.Join(p.asked, "; "); got != tc.asked {
				t.Errorf("the proxy was asked %q, want %q", got, tc.asked)
			}
			if got := strings.Join(n.dialed, " "); got != tc.dialed {
				t.Errorf("dialed %q, want %q", got, tc.dialed)
			}
			if err == nil {
				checkProxied(t, tc.url, resp, body)
			} else if tc.refuse && !strings.Contains(err.Error(), "407 Proxy Authentication Required") {
				t.Errorf("%v does not say why", err)
			}
		})
	}
}

// checkProxied checks that an answer through a proxy is that of the server, and shows no password.
func checkProxied(t *testing.T, url string, resp *step.Response, body string) {
	t.Helper()
	want := "plain"
	if strings.HasPrefix(url, "https") {
		want = "secure"
	}
	if body != want || !strings.HasPrefix(resp.Address, public+":") {
		t.Errorf("got %q of %s", body, resp.Address)
	}
	if resp.Asked.Get("Proxy-Authorization") != "" {
		t.Errorf("the password is shown: %v", resp.Asked)
	}
}

func TestConnectionsToAProxyAreUsedAgain(t *testing.T) {
	ca := newCA(t)
	p := &fakeProxy{server: ca.server("a.test")}
	n := newNet(p.serve)
	n.names["proxy.test"] = []string{"127.0.0.1"}
	c := n.client(client.Options{Proxy: &url.URL{Scheme: "http", Host: "proxy.test:3128"}, Roots: ca.pool})
	defer c.Close()
	for _, url := range []string{"http://a.test/", "http://a.test/x", "https://a.test/", "https://a.test/x"} {
		if _, _, err := get(c, url); err != nil {
			t.Fatal(err)
		}
	}
	if n.dials() != 2 || len(p.asked) != 3 {
		t.Errorf("%d connections, %q; want 2, one of them a tunnel asked for once", n.dials(), p.asked)
	}
}

func TestTheEnvironmentIsNotLookedAt(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:1")
	}
	n := newNet(answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", true))
	c := n.client(client.Options{})
	defer c.Close()
	if _, body, err := get(c, "http://a.test/"); err != nil || body != "hi" || n.dialed[0] != public+":80" {
		t.Errorf("%q, %v; dialed %v", body, err, n.dialed)
	}
}
