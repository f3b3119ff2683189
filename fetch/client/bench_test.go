package client_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/client"
)

// BenchmarkFetch fetches a page of 20 kB over one connection that is kept, by this client and by
// net/http's.
func BenchmarkFetch(b *testing.B) {
	const size = 20_000
	answer := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nDate: Sat, 01 Jan 2000 00:00:00 GMT\r\nServer: x\r\nContent-Length: %d\r\n\r\n%s", size, strings.Repeat("x", size))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Skip("no loopback network: ", err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go serveFast(c, []byte(answer))
		}
	}()
	n := newNet(nil)
	dial := dialTo(l.Addr().String())
	buf := make([]byte, 32<<10)
	read := func(b *testing.B, body io.ReadCloser) {
		got := 0
		for {
			n, err := body.Read(buf)
			if got += n; err != nil {
				break
			}
		}
		body.Close()
		if got != size {
			b.Fatalf("%d bytes", got)
		}
	}
	b.Run("client", func(b *testing.B) {
		c := n.client(client.Options{UserAgent: "orbweaver", Dial: dial})
		defer c.Close()
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		b.ReportAllocs()
		for b.Loop() {
			resp, err := c.Fetch(ctx, orbweaver.Request{URL: "http://a.test/some/page.html"})
			if err != nil {
				b.Fatal(err)
			}
			read(b, resp.Body)
		}
	})
	b.Run("net-http", func(b *testing.B) {
		t := &http.Transport{DisableCompression: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dial(ctx, netip.AddrPort{})
		}}
		defer t.CloseIdleConnections()
		c := &http.Client{Transport: t}
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		b.ReportAllocs()
		for b.Loop() {
			req, err := http.NewRequestWithContext(ctx, "GET", "http://a.test/some/page.html", nil)
			if err != nil {
				b.Fatal(err)
			}
			req.Header.Set("User-Agent", "orbweaver")
			req.Header.Set("Accept", "text/html")
			resp, err := c.Do(req)
			if err != nil {
				b.Fatal(err)
			}
			read(b, resp.Body)
		}
	})
}

// serveFast answers requests that come in one piece each.
func serveFast(c net.Conn, answer []byte) {
	defer c.Close()
	buf := make([]byte, 4096)
	for {
		if _, err := c.Read(buf); err != nil {
			return
		}
		if _, err := c.Write(answer); err != nil {
			return
		}
	}
}
