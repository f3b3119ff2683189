package client_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/guard"
)

// TestConnectionsAreUsedAgain: how many connections two requests take, by what the first answer was.
func TestConnectionsAreUsedAgain(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	for _, tc := range []struct {
		name, answer string
		conns        int
	}{
		{"a length", ok + "Content-Length: 2\r\n\r\nhi", 1},
		{"no body", ok + "Content-Length: 0\r\n\r\n", 1},
		{"chunks", ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", 1},
		{"not modified", "HTTP/1.1 304 Not Modified\r\n\r\n", 1},
		{"HTTP/1.0 that keeps alive", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi", 1},
		{"HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", 2},
		{"close", ok + "Connection: close\r\nContent-Length: 2\r\n\r\nhi", 2},
		{"more than its length", ok + "Content-Length: 2\r\n\r\nhi!", 2},
		{"a body where none may be", "HTTP/1.1 304 Not Modified\r\n\r\nhi", 2},
		{"kept for no time", ok + "Keep-Alive: timeout=0\r\nContent-Length: 2\r\n\r\nhi", 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNet(answering(tc.answer, false))
				c := n.client(client.Options{})
				defer c.Close()
				for range 2 {
					if _, _, err := get(c, "http://a.test/"); err != nil {
						t.Fatal(err)
					}
				}
				if n.dials() != tc.conns {
					t.Errorf("%d connections, want %d", n.dials(), tc.conns)
				}
			})
		})
	}
}

func TestIdleConnectionsExpire(t *testing.T) {
	for _, tc := range []struct {
		header string
		idle   time.Duration
		conns  int
	}{
		{"", 30*time.Second - 1, 1},
		{"", 30 * time.Second, 2},
		{"Keep-Alive: timeout=5, max=100\r\n", 4*time.Second - 1, 1},
		{"Keep-Alive: timeout=5, max=100\r\n", 4 * time.Second, 2},
		{"Keep-Alive: timeout=500\r\n", 30 * time.Second, 2},
		{"Keep-Alive: nonsense, timeout=\r\n", 29 * time.Second, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := newNet(answering("HTTP/1.1 200 OK\r\n"+tc.header+"Content-Length: 2\r\n\r\nhi", false))
			c := n.client(client.Options{})
			defer c.Close()
			get(c, "http://a.test/")
			in(tc.idle)
			if _, _, err := get(c, "http://a.test/"); err != nil || n.dials() != tc.conns {
				t.Errorf("%q after %v: %d connections, %v; want %d", tc.header, tc.idle, n.dials(), err, tc.conns)
			}
		})
	}
}

// TestStaleConnectionsAreFound: a server that closes, or speaks out of turn, while nobody asks costs
// a connection and no failure, in memory and over TCP.
func TestStaleConnectionsAreFound(t *testing.T) {
	for _, farewell := range []string{"", "HTTP/1.1 408 Request Timeout\r\n\r\n"} {
		gone := make(chan bool)
		answered := answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", true)
		serve := func(addr string, c net.Conn) {
			answered(addr, c)
			if _, tcp := c.(*net.TCPConn); tcp {
				io.WriteString(c, farewell)
			}
			c.Close()
			gone <- true
		}
		n := newNet(serve)
		tcp, dials := loopback(t, serve)
		for name, c := range map[string]*client.Client{"memory": n.client(client.Options{}), "TCP": tcp} {
			for range 3 {
				if _, _, err := get(c, "http://a.test/"); err != nil {
					t.Errorf("%s, %q: %v", name, farewell, err)
				}
				<-gone
			}
			c.Close()
		}
		if n.dials() != 3 || dials.Load() != 3 {
			t.Errorf("%d and %d connections, want 3", n.dials(), dials.Load())
		}
	}
}

// loopback returns a client whose every address is a server on this machine.
func loopback(t testing.TB, serve func(string, net.Conn)) (*client.Client, *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip("no loopback network: ", err)
	}
	t.Cleanup(func() { l.Close() })
	var accepted atomic.Int32
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted.Add(1)
			go serve("", c)
		}
	}()
	n := newNet(nil)
	c := n.client(client.Options{Dial: dialTo(l.Addr().String())})
	t.Cleanup(func() { c.Close() })
	return c, &accepted
}

func dialTo(addr string) func(context.Context, netip.AddrPort) (net.Conn, error) {
	return func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", addr)
	}
}

// TestADeathIsNoSecondRequest: a connection that dies when the request is written already is a
// failure; the request is not repeated.
func TestADeathIsNoSecondRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var requests atomic.Int32
		n := newNet(func(_ string, c net.Conn) {
			answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", true)("", c)
			c.Read(make([]byte, 4096))
			requests.Add(1)
		})
		c := n.client(client.Options{})
		defer c.Close()
		if _, _, err := get(c, "http://a.test/"); err != nil {
			t.Fatal(err)
		}
		_, _, err := get(c, "http://a.test/")
		wantFailure(t, err, orbweaver.ErrCut)
		if n.dials() != 1 || requests.Load() != 1 {
			t.Errorf("%d connections, %d requests on the dying one", n.dials(), requests.Load())
		}
	})
}

func TestABodyClosedEarly(t *testing.T) {
	for _, tc := range []struct {
		name  string
		size  int
		sent  int
		conns int
	}{
		{"little, and there", 60 << 10, 60 << 10, 1},
		{"too much", 80 << 10, 80 << 10, 2},
		{"not there yet", 60 << 10, 30 << 10, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				head := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", tc.size)
				n := newNet(answering(head+strings.Repeat("x", tc.sent), false))
				c := n.client(client.Options{})
				defer c.Close()
				for range 2 {
					resp, err := c.Fetch(t.Context(), orbweaver.Request{URL: "http://a.test/"})
					if err != nil {
						t.Fatal(err)
					}
					io.ReadFull(resp.Body, make([]byte, 10))
					began := time.Now()
					resp.Body.Close()
					resp.Body.Close()
					if took := time.Since(began); took > 2*time.Millisecond {
						t.Errorf("closing took %v", took)
					}
					if _, err := resp.Body.Read(make([]byte, 1)); err == nil || err == io.EOF {
						t.Errorf("read of a closed body: %v", err)
					}
				}
				if n.dials() != tc.conns {
					t.Errorf("%d connections, want %d", n.dials(), tc.conns)
				}
			})
		})
	}
}

// TestLeastRecentlyUsedGoesFirst: with room for two, the third host's connection costs the first its
// own.
func TestLeastRecentlyUsedGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNet(answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false))
		for i, name := range []string{"a.test", "b.test", "c.test"} {
			n.names[name] = []string{fmt.Sprintf("8.8.8.%d", i+1)}
		}
		c := n.client(client.Options{Idle: 2})
		for _, name := range []string{"a", "b", "a", "c", "a", "b"} {
			if _, _, err := get(c, "http://"+name+".test/"); err != nil {
				t.Fatal(err)
			}
			in(time.Millisecond)
		}
		if got, want := strings.Join(n.dialed, " "), "8.8.8.1:80 8.8.8.2:80 8.8.8.3:80 8.8.8.2:80"; got != want {
			t.Errorf("dialed %s, want %s", got, want)
		}
		c.Close()
		n.conns.Wait() // all are closed
		if _, _, err := get(c, "http://a.test/"); err != nil {
			t.Error(err)
		}
		n.conns.Wait() // none is kept after Close
	})
}

func TestConcurrentRequestsHaveConnectionsOfTheirOwn(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, strings.Repeat(r.URL.Path, 10_000))
	}))
	defer s.Close()
	addr := netip.MustParseAddrPort(strings.TrimPrefix(s.URL, "http://"))
	c := client.New(client.Options{Guard: guard.New(false, []netip.Prefix{netip.PrefixFrom(addr.Addr(), 32)})})
	defer c.Close()
	done := make(chan error)
	for i := range 8 {
		go func() {
			for j := range 50 {
				path := fmt.Sprintf("/%d/%d", i, j)
				_, body, err := get(c, s.URL+path)
				if err == nil && body != strings.Repeat(path, 10_000) {
					err = fmt.Errorf("%s: %d bytes of something else", path, len(body))
				}
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
