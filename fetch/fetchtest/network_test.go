package fetchtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func addr(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }

// pair returns the two ends of a connection.
func pair(latency time.Duration) (client, server *conn) {
	return newConns(net.TCPAddrFromAddrPort(addr("127.0.0.1:1")), net.TCPAddrFromAddrPort(addr("127.0.0.1:2")), latency)
}

func TestBytesArriveWholeAndInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		draw := rand.New(rand.NewPCG(1, 2))
		sent := make([]byte, 5*window+13)
		for i := range sent {
			sent[i] = byte(draw.Uint32())
		}
		client, server := pair(3 * time.Millisecond)
		go func() {
			for rest := sent; len(rest) > 0; {
				n := min(len(rest), 1+draw.IntN(2*window))
				if wrote, err := client.Write(rest[:n]); wrote != n || err != nil {
					t.Errorf("wrote %d of %d: %v", wrote, n, err)
				}
				rest = rest[n:]
			}
			client.Close()
		}()
		var got bytes.Buffer
		for chunk := make([]byte, 10_001); ; {
			n, err := server.Read(chunk)
			got.Write(chunk[:n])
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(got.Bytes(), sent) {
			t.Errorf("%d bytes arrived, not the %d sent", got.Len(), len(sent))
		}
	})
}

func TestLatencyIsExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const latency = 40 * time.Millisecond
		begin := time.Now()
		client, server := pair(latency)
		client.Write([]byte("a"))
		one := make([]byte, 1)
		server.Read(one)
		if took := time.Since(begin); took != latency {
			t.Errorf("a byte took %v, want %v", took, latency)
		}
		server.Close()
		if _, err := client.Read(one); err != io.EOF || time.Since(begin) != 2*latency {
			t.Errorf("the end came after %v as %v", time.Since(begin), err)
		}
	})
}

func TestDeadlines(t *testing.T) {
	full := make([]byte, window)
	for _, tc := range []struct {
		name string
		do   func(c *conn) error
		want error
		took time.Duration
	}{
		{"a read waits until its deadline", func(c *conn) error {
			c.SetReadDeadline(time.Now().Add(time.Second))
			_, err := c.Read(make([]byte, 1))
			return err
		}, os.ErrDeadlineExceeded, time.Second},
		{"a write waits until its deadline", func(c *conn) error {
			c.SetWriteDeadline(time.Now().Add(time.Second))
			c.Write(full)
			_, err := c.Write(full)
			return err
		}, os.ErrDeadlineExceeded, time.Second},
		{"a deadline wakes a read that waits", func(c *conn) error {
			time.AfterFunc(time.Second, func() { c.SetDeadline(time.Unix(1, 0)) })
			_, err := c.Read(make([]byte, 1))
			return err
		}, os.ErrDeadlineExceeded, time.Second},
		{"a deadline can be taken back", func(c *conn) error {
			c.SetReadDeadline(time.Now().Add(time.Second))
			time.AfterFunc(time.Millisecond, func() { c.SetReadDeadline(time.Time{}) })
			time.AfterFunc(time.Minute, func() { c.Close() })
			_, err := c.Read(make([]byte, 1))
			return err
		}, net.ErrClosed, time.Minute},
		{"a write after a close", func(c *conn) error {
			c.Close()
			_, err := c.Write(full)
			return err
		}, net.ErrClosed, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				client, _ := pair(0)
				err := tc.do(client)
				if !errors.Is(err, tc.want) || time.Since(begin) != tc.took {
					t.Errorf("%v after %v, want %v after %v", err, time.Since(begin), tc.want, tc.took)
				}
				var timeout net.Error
				if tc.want == os.ErrDeadlineExceeded && !(errors.As(err, &timeout) && timeout.Timeout()) {
					t.Errorf("%v is no time-out to package net", err)
				}
			})
		})
	}
}

func TestWritingToWhoLeft(t *testing.T) {
	client, server := pair(0)
	server.Close()
	if _, err := client.Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("got %v, want EPIPE", err)
	}
}

// says answers with a text.
func says(text string) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { io.WriteString(rw, text) })
}

// through is a client of package net/http on a network.
func through(n *Network) *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, hostport string) (net.Conn, error) {
			u := url.URL{Host: hostport}
			addrs, err := n.Resolve(ctx, u.Hostname())
			if err != nil {
				return nil, err
			}
			return n.Dial(ctx, netip.MustParseAddrPort(net.JoinHostPort(addrs[0].String(), u.Port())))
		},
	}}
}

func TestNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := NewNetwork()
		defer n.Close()
		shared := addr("25.0.0.1:80")
		n.Serve("a.test", shared, says("a"))
		n.Serve("B.test", shared, says("b"))
		n.Serve("c.test", addr("25.0.0.2:8080"), says("c"))
		n.Serve("two.test", addr("25.0.0.3:80"), says("first"))
		n.Serve("two.test", addr("25.0.0.4:80"), says("second"))
		n.Serve("off.test", addr("25.0.0.5:80"), nil)
		n.Serve("moved.test", addr("25.0.0.6:80"), says("moved"))
		n.Move("moved.test", addr("25.0.0.1:80").Addr())
		n.Serve("6.test", addr("[2a00::1]:80"), says("six"))
		client := through(n)
		defer client.CloseIdleConnections()
		for _, tc := range []struct{ url, body string }{
			{"http://a.test/", "a"}, {"http://b.test/", "b"}, {"http://A.test:80/", "a"}, {"http://c.test:8080/", "c"},
			{"http://two.test/", "first"}, {"http://25.0.0.1/", "nothing of that name here\n"},
			{"http://moved.test/", "nothing of that name here\n"}, {"http://6.test/", "six"},
		} {
			answer, err := client.Get(tc.url)
			if err != nil {
				t.Errorf("%s: %v", tc.url, err)
				continue
			}
			body, err := io.ReadAll(answer.Body)
			if string(body) != tc.body || err != nil {
				t.Errorf("%s says %q, want %q (%v)", tc.url, body, tc.body, err)
			}
			answer.Body.Close()
		}
		var unknown *net.DNSError
		if _, err := client.Get("http://d.test/"); !errors.As(err, &unknown) || !unknown.IsNotFound {
			t.Errorf("an unknown name: %v", err)
		}
		for _, refuses := range []string{"http://off.test/", "http://a.test:81/"} {
			if _, err := client.Get(refuses); !errors.Is(err, syscall.ECONNREFUSED) {
				t.Errorf("%s: %v, want a connection refused", refuses, err)
			}
		}
		if got, err := n.Resolve(t.Context(), "TWO.test"); len(got) != 2 || got[1] != addr("25.0.0.4:80").Addr() || err != nil {
			t.Errorf("two.test is at %v, %v", got, err)
		}
		if got := n.Lookups("two.test"); got != 2 {
			t.Errorf("two.test was looked up %d times, want 2", got)
		}
		if got := n.Dials(addr("25.0.0.2:8080")); got != 1 {
			t.Errorf("c.test was dialled %d times, want 1", got)
		}
	})
}

func TestLatencyOfAServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := NewNetwork()
		defer n.Close()
		at := addr("25.0.0.1:80")
		n.Serve("a.test", at, says("a"))
		n.SetLatency(at, 10*time.Millisecond)
		client := through(n)
		defer client.CloseIdleConnections()
		for _, want := range []time.Duration{40 * time.Millisecond, 20 * time.Millisecond} { // with and without connecting
			begin := time.Now()
			answer, err := client.Get("http://a.test/")
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
			if took := time.Since(begin); took != want {
				t.Errorf("took %v, want %v", took, want)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		defer cancel()
		if _, err := n.Dial(ctx, at); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a dial with less time than it takes: %v", err)
		}
	})
}

func TestServersCloseIdleConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := NewNetwork()
		defer n.Close()
		n.Serve("a.test", addr("25.0.0.1:80"), says("a"))
		c, err := n.Dial(t.Context(), addr("25.0.0.1:80"))
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		io.WriteString(c, "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
		if _, err := io.Copy(io.Discard, c); err != nil || time.Since(begin) != idleTimeout {
			t.Errorf("closed after %v with %v, want %v", time.Since(begin), err, idleTimeout)
		}
	})
}

// Close must end a network that is in use, with all its goroutines: synctest looks for those left.
func TestCloseInTheMidst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := NewNetwork()
		w := NewWeb(Politeness{}, Host{Name: "a.test", Pages: []Page{{Path: "/slow", Slow: time.Hour}}})
		w.Serve(n)
		c, err := n.Dial(t.Context(), Address(0))
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(c, "GET /slow HTTP/1.1\r\nHost: a.test\r\n\r\n")
		<-time.After(time.Second)
		n.Close()
		n.Close()
		if _, err := io.Copy(io.Discard, c); err != nil {
			t.Error(err)
		}
		if _, err := n.Dial(t.Context(), Address(0)); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("a dial after Close: %v", err)
		}
	})
}

func BenchmarkRequest(b *testing.B) {
	n := NewNetwork()
	defer n.Close()
	w := Generate(Plan{Hosts: 1, Pages: 50, Plain: true})
	w.Serve(n)
	client := through(n)
	b.ReportAllocs()
	for b.Loop() {
		answer, err := client.Get("http://h000.test/p1")
		if err != nil {
			b.Fatal(err)
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
}

// Connections that are handed over are the server's own, until the network ends.
func TestServeConns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := NewNetwork()
		defer n.Close()
		at := Address(0)
		n.ServeConns("raw.test", at, func(ctx context.Context, c net.Conn) {
			defer c.Close()
			io.WriteString(c, "no HTTP")
			<-ctx.Done()
		})
		if found, err := n.Resolve(t.Context(), "raw.test"); err != nil || len(found) != 1 || found[0] != at.Addr() {
			t.Errorf("%v, %v", found, err)
		}
		c, err := n.Dial(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		said := make([]byte, 7)
		if _, err := io.ReadFull(c, said); err != nil || string(said) != "no HTTP" {
			t.Errorf("%q, %v", said, err)
		}
		n.Close()
		if _, err := c.Read(said); err != io.EOF {
			t.Errorf("after the end: %v", err)
		}
	})
}
