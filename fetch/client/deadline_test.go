package client_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
)

// TestDeadlines: each phase ends when it should, to the tick, and says which it was.
func TestDeadlines(t *testing.T) {
	const timeout = 12 * time.Second
	drip := func(c net.Conn, what string, every time.Duration) {
		for {
			if _, err := io.WriteString(c, what); err != nil {
				return
			}
			in(every)
		}
	}
	for _, tc := range []struct {
		name, url, phase string
		after            time.Duration
		options          client.Options
		serve            func(net.Conn)
	}{
		{"looking up", "http://a.test/", "look-up", timeout / 3, client.Options{
			Resolve: func(ctx context.Context, _ string) ([]netip.Addr, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}}, nil},
		{"connecting", "http://a.test/", "connect", timeout / 3, client.Options{
			Dial: func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}}, nil},
		{"shaking hands", "https://a.test/", "handshake", timeout / 3, client.Options{},
			func(c net.Conn) { io.Copy(io.Discard, c) }},
		{"no request is read", "http://a.test/", "request", timeout, client.Options{},
			func(c net.Conn) { in(time.Hour) }},
		{"no answer", "http://a.test/", "answer", timeout, client.Options{},
			func(c net.Conn) { io.Copy(io.Discard, c) }},
		{"a head that drips", "http://a.test/", "answer", timeout, client.Options{},
			func(c net.Conn) {
				http.ReadRequest(bufio.NewReader(c))
				io.WriteString(c, "HTTP/1.1 200 OK\r\nX: ")
				drip(c, "x", time.Second)
			}},
		{"a body that stalls", "http://a.test/", "body", timeout / 3, client.Options{},
			func(c net.Conn) {
				http.ReadRequest(bufio.NewReader(c))
				io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi")
				io.Copy(io.Discard, c)
			}},
		{"a body that drips", "http://a.test/", "body", timeout, client.Options{},
			func(c net.Conn) {
				http.ReadRequest(bufio.NewReader(c))
				io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
				drip(c, "x", time.Second)
			}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNet(func(_ string, c net.Conn) { tc.serve(c) })
				tc.options.Timeout = timeout
				c := n.client(tc.options)
				defer c.Close()
				began := time.Now()
				_, _, err := get(c, tc.url)
				wantFailure(t, err, orbweaver.ErrTimeout)
				if !strings.Contains(err.Error(), tc.phase) {
					t.Errorf("%v does not name %q", err, tc.phase)
				}
				if took := time.Since(began); took != tc.after {
					t.Errorf("took %v, want %v", took, tc.after)
				}
				n.conns.Wait()
			})
		})
	}
}

func TestEarlyPhasesHaveTenSecondsAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNet(func(_ string, c net.Conn) { io.Copy(io.Discard, c) })
		c := n.client(client.Options{Timeout: 10 * time.Minute})
		defer c.Close()
		began := time.Now()
		_, _, err := get(c, "https://a.test/")
		wantFailure(t, err, orbweaver.ErrTimeout)
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

func TestNoConnection(t *testing.T) {
	n := newNet(nil)
	n.refuse[public] = true
	_, _, err := get(n.client(client.Options{}), "http://a.test/")
	wantFailure(t, err, orbweaver.ErrConnect)
	if want := "fetch http://a.test/: connect: connect to " + public + ":80: connection refused"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestNoSecureConnection(t *testing.T) {
	ca := newCA(t)
	for _, tc := range []struct {
		name, says string
		serve      func(net.Conn)
	}{
		{"plain HTTP", "does not look like a TLS handshake", func(c net.Conn) {
			c.Read(make([]byte, 8192))
			io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n")
			io.Copy(io.Discard, c)
		}},
		{"closed", "the connection ended", func(c net.Conn) { c.Read(make([]byte, 8192)) }},
		{"unknown authority", "certificate: ", func(c net.Conn) { tls.Server(c, ca.server("a.test")).Handshake() }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNet(func(_ string, c net.Conn) { tc.serve(c) })
				c := n.client(client.Options{})
				_, _, err := get(c, "https://a.test/")
				wantFailure(t, err, orbweaver.ErrTLS)
				if !strings.Contains(err.Error(), tc.says) {
					t.Errorf("%v does not say %q", err, tc.says)
				}
				n.conns.Wait()
			})
		})
	}
}

func TestCertificatesAreChecked(t *testing.T) {
	ca := newCA(t)
	for _, tc := range []struct{ host, cert, says string }{
		{"a.test", "a.test", ""},
		{"a.test.", "a.test", ""},
		{"a.test", "b.test", "certificate is valid for b.test"},
		{"a.test", "expired.a.test", "certificate has expired"},
	} {
		synctest.Test(t, func(t *testing.T) { checkCertificate(t, ca, tc.host, tc.cert, tc.says) })
	}
}

// checkCertificate asks a host that has the certificate of another, or its own. says is what the
// failure says; empty: there is none.
func checkCertificate(t *testing.T, ca *ca, host, cert, says string) {
	n := newNet(func(_ string, c net.Conn) {
		s := tls.Server(c, ca.server(cert))
		if s.Handshake() == nil {
			answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", true)("", s)
		}
	})
	n.names["a.test."] = []string{public}
	c := n.client(client.Options{Roots: ca.pool})
	_, body, err := get(c, "https://"+host+"/")
	c.Close()
	n.conns.Wait()
	if says == "" {
		if err != nil || body != "hi" {
			t.Errorf("%s with that of %s: %q, %v", host, cert, body, err)
		}
		return
	}
	wantFailure(t, err, orbweaver.ErrTLS)
	if !strings.Contains(err.Error(), says) {
		t.Errorf("%s with that of %s: %v does not say %q", host, cert, err, says)
	}
}
