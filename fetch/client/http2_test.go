package client_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"

	"orbweaver"
	"orbweaver/fetch/client"
)

// serveHTTP2 serves connections in memory over TLS, with HTTP/2.
func serveHTTP2(t testing.TB, ca *ca, h http.HandlerFunc) func(string, net.Conn) {
	config := ca.server("a.test", "h2")
	return func(_ string, c net.Conn) {
		s := tls.Server(c, config)
		if err := s.Handshake(); err != nil {
			return
		}
		//lint:ignore SA1019 http.Server listens; one connection in memory is served here
		server := new(http2.Server)
		//lint:ignore SA1019 as above
		http2.ConfigureServer(new(http.Server), server) // or it shares channels with other bubbles
		//lint:ignore SA1019 as above
		server.ServeConn(s, &http2.ServeConnOpts{Handler: h})
	}
}

func TestHTTP2(t *testing.T) {
	var seen atomic.Pointer[http.Request]
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.Store(r)
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/there", http.StatusFound)
			return
		}
		if r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("X-Test", "y")
		io.WriteString(w, strings.Repeat("hello ", 50_000))
	}))
	s.EnableHTTP2 = true
	ca := newCA(t)
	s.TLS = ca.server("a.test")
	s.StartTLS()
	defer s.Close()
	var dials atomic.Int32
	dial := dialTo(s.Listener.Addr().String())
	n := newNet(nil)
	c := n.client(client.Options{UserAgent: "orbweaver/1", Roots: ca.pool,
		Dial: func(ctx context.Context, a netip.AddrPort) (net.Conn, error) {
			dials.Add(1)
			return dial(ctx, a)
		}})
	defer c.Close()

	resp, body, err := get(c, "https://a.test//a|b?c=%zz")
	if err != nil || body != strings.Repeat("hello ", 50_000) {
		t.Fatalf("%d bytes, %v", len(body), err)
	}
	if resp.Protocol != "h2" || resp.Status != 200 || resp.Address != public+":443" || resp.Header.Get("X-Test") != "y" {
		t.Errorf("got %+v", resp)
	}
	if resp.Started.IsZero() || resp.Started.After(resp.At) {
		t.Errorf("started %v, answered %v", resp.Started, resp.At)
	}
	r := seen.Load()
	if r.RequestURI != "//a|b?c=%zz" || r.Host != "a.test" || r.UserAgent() != "orbweaver/1" || r.Header.Get("Accept-Encoding") != "gzip, br, zstd" {
		t.Errorf("the server saw %s %s %v", r.Host, r.RequestURI, r.Header)
	}
	if resp.Asked.Get("Host") != "a.test" || resp.Asked.Get("Accept") != r.Header.Get("Accept") {
		t.Errorf("Asked %v", resp.Asked)
	}
	if resp, _, err := get(c, "https://a.test/moved"); err != nil || resp.Redirect != "https://a.test/there" {
		t.Errorf("redirect %v, %v", resp, err)
	}
	if resp, err := c.FetchIf(t.Context(), orbweaver.Request{URL: "https://a.test/"}, `"1"`, ""); err != nil || resp.Status != 304 {
		t.Errorf("conditional: %v, %v", resp, err)
	}
	if dials.Load() != 1 {
		t.Errorf("%d connections, want 1", dials.Load())
	}
}

// TestHTTP2IsShared: requests to a host at the same time have one connection, the first included.
func TestHTTP2IsShared(t *testing.T) {
	ca := newCA(t)
	synctest.Test(t, func(t *testing.T) {
		n := newNet(serveHTTP2(t, ca, func(w http.ResponseWriter, r *http.Request) {
			in(time.Second)
			io.WriteString(w, r.URL.Path)
		}))
		c := n.client(client.Options{Roots: ca.pool})
		began := time.Now()
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				path := fmt.Sprintf("/%d", i)
				if _, body, err := get(c, "https://a.test"+path); err != nil || body != path {
					t.Errorf("%s: %q, %v", path, body, err)
				}
			})
		}
		all.Wait()
		if n.dials() != 1 || time.Since(began) != time.Second {
			t.Errorf("%d connections, %v; want 1, 1s", n.dials(), time.Since(began))
		}
		in(90 * time.Second)
		if _, _, err := get(c, "https://a.test/"); err != nil || n.dials() != 2 {
			t.Errorf("idle for long: %v, %d connections, want 2", err, n.dials())
		}
		c.Close()
		n.conns.Wait()
	})
}

func TestHTTP2Troubles(t *testing.T) {
	ca := newCA(t)
	for _, tc := range []struct {
		name    string
		serve   http.HandlerFunc
		failure orbweaver.Failure
		after   time.Duration
		conns   int // of this request and one more
	}{
		{"no answer", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, orbweaver.ErrTimeout, 12 * time.Second, 2},
		{"a body that stalls", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "hi")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, orbweaver.ErrTimeout, 4 * time.Second, 2},
		{"a body that drips", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				io.WriteString(w, "x")
				w.(http.Flusher).Flush()
				select {
				case <-time.After(time.Second):
				case <-r.Context().Done():
				}
			}
		}, orbweaver.ErrTimeout, 12 * time.Second, 2},
		{"a stream broken off", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "hi")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, orbweaver.ErrCut, 0, 1},
		{"a stream broken off at once", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, orbweaver.ErrCut, 0, 1},
		{"an endless head", func(w http.ResponseWriter, r *http.Request) {
			for i := range 300 {
				w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("x", 1000))
			}
		}, orbweaver.ErrMalformed, 0, 2},
		{"shorter than its length", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "9")
			io.WriteString(w, "hi")
		}, orbweaver.ErrCut, 0, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNet(serveHTTP2(t, ca, func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path != "/fine" {
						tc.serve(w, r)
					}
				}))
				c := n.client(client.Options{Roots: ca.pool, Timeout: 12 * time.Second})
				began := time.Now()
				_, _, err := get(c, "https://a.test/")
				wantFailure(t, err, tc.failure)
				if took := time.Since(began); took != tc.after {
					t.Errorf("took %v, want %v", took, tc.after)
				}
				if _, _, err := get(c, "https://a.test/fine"); err != nil || n.dials() != tc.conns {
					t.Errorf("afterwards: %v, %d connections, want %d", err, n.dials(), tc.conns)
				}
				c.Close()
				n.conns.Wait()
			})
		})
	}
}

func TestHTTP2ReaderMayTakeItsTime(t *testing.T) {
	ca := newCA(t)
	synctest.Test(t, func(t *testing.T) {
		n := newNet(serveHTTP2(t, ca, func(w http.ResponseWriter, r *http.Request) {
			for r.URL.Path == "/endless" { // what is received whole cannot be cancelled
				if _, err := io.WriteString(w, "more and more"); err != nil {
					return
				}
			}
			io.WriteString(w, strings.Repeat("x", 100_000))
		}))
		c := n.client(client.Options{Roots: ca.pool, Timeout: 12 * time.Second})
		resp, err := c.Fetch(t.Context(), orbweaver.Request{URL: "https://a.test/"})
		if err != nil {
			t.Fatal(err)
		}
		io.ReadFull(resp.Body, make([]byte, 10))
		in(8 * time.Second) // twice what a server may stall
		if rest, err := io.ReadAll(resp.Body); err != nil || len(rest) != 100_000-10 {
			t.Errorf("%d bytes, %v", len(rest), err)
		}
		resp, err = c.Fetch(t.Context(), orbweaver.Request{URL: "https://a.test/"})
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		ctx, cancel := context.WithCancel(t.Context())
		if resp, err = c.Fetch(ctx, orbweaver.Request{URL: "https://a.test/endless"}); err != nil {
			t.Fatal(err)
		}
		cancel()
		synctest.Wait()
		if _, err := io.ReadAll(resp.Body); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		if n.dials() != 1 {
			t.Errorf("%d connections, want 1", n.dials())
		}
		c.Close()
		n.conns.Wait()
	})
}

// TestAGoneConnectionIsReplaced: GOAWAY, or a limit of streams that is reached, costs another
// connection and no failure.
func TestAGoneConnectionIsReplaced(t *testing.T) {
	ca := newCA(t)
	config := ca.server("a.test", "h2")
	synctest.Test(t, func(t *testing.T) {
		n := newNet(func(_ string, c net.Conn) {
			s := tls.Server(c, config)
			preface := make([]byte, len(http2.ClientPreface))
			if _, err := io.ReadFull(s, preface); err != nil || !bytes.Equal(preface, []byte(http2.ClientPreface)) {
				return
			}
			f := http2.NewFramer(s, s)
			f.WriteSettings()
			for {
				frame, err := f.ReadFrame()
				if err != nil {
					return
				}
				if h, ok := frame.(*http2.HeadersFrame); ok {
					f.WriteHeaders(http2.HeadersFrameParam{StreamID: h.StreamID, BlockFragment: []byte{0x88}, EndStream: true, EndHeaders: true})
					f.WriteGoAway(h.StreamID, http2.ErrCodeNo, nil)
				}
			}
		})
		c := n.client(client.Options{Roots: ca.pool})
		for range 3 {
			if resp, _, err := get(c, "https://a.test/"); err != nil || resp.Status != 200 {
				t.Errorf("%v, %v", resp, err)
			}
			synctest.Wait()
		}
		if n.dials() != 3 {
			t.Errorf("%d connections, want 3", n.dials())
		}
		c.Close()
		n.conns.Wait()
	})
}
