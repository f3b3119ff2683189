package server

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
)

// A memory is an in-process listener.
type memory struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newMemory() *memory {
	return &memory{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

func (m *memory) Close() error {
	m.once.Do(func() { close(m.closed) })
	return nil
}

func (m *memory) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "unix"} }

// dial is a dialer.
func (m *memory) dial(ctx context.Context, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case m.conns <- far:
		return near, nil
	case <-m.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestClose checks the duration of Close with one running request.
func TestClose(t *testing.T) {
	for _, tc := range []struct {
		name   string
		handle func(ctx context.Context, over <-chan struct{}) // the request's work, until the test ends
		takes  time.Duration
		answer bool // the client receives an answer
		fails  bool
	}{
		{"one that ends by itself", func(context.Context, <-chan struct{}) { <-time.After(time.Second) }, time.Second, true, false},
		{"one that ends when it is told to", func(ctx context.Context, _ <-chan struct{}) { <-ctx.Done() }, grace, true, false},
		{"one that does not end", func(_ context.Context, over <-chan struct{}) { <-over }, 2 * grace, false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, began, over := newMemory(), make(chan struct{}), make(chan struct{})
				defer close(over)
				s := start(m, newHandler(&fake{}, []Route{{"GET /work", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					close(began)
					tc.handle(r.Context(), over)
					Answer(w, "done")
				})}}))
				c := newClient("memory", m.dial)
				answered := make(chan error, 1)
				go func() {
					answered <- c.Ask(t.Context(), http.MethodGet, "/work", nil, new(string))
				}()
				<-began
				before := time.Now()
				if err := s.Close(); (err != nil) != tc.fails {
					t.Errorf("closing: %v", err)
				}
				// the server looks now and then, at least twice a second, whether requests are over
				if took := time.Since(before); took < tc.takes || took > tc.takes+time.Second {
					t.Errorf("closing took %v, want %v", took, tc.takes)
				}
				if err := <-answered; (err == nil) != tc.answer {
					t.Errorf("the request's answer: %v", err)
				}
				if err := s.Close(); (err != nil) != tc.fails {
					t.Errorf("closing again: %v", err)
				}
				c.Close()
			})
		})
	}
}

// TestCloseWithQuietConnections: Close does not wait for connections without a request: idle ones, new ones
// and partial headers.
func TestCloseWithQuietConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		s := start(m, newHandler(&fake{}, nil))
		c := newClient("memory", m.dial)
		if _, err := c.Status(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, words := range []string{"", "GET /sta"} {
			conn, err := m.dial(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := io.WriteString(conn, words); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		before := time.Now()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(before); took > 100*time.Millisecond {
			t.Errorf("closing took %v", took)
		}
		c.Close()
	})
}

// TestSlowRequests: a slow header or body is cut off.
func TestSlowRequests(t *testing.T) {
	for _, tc := range []struct {
		name, first string
		within      time.Duration
	}{
		{"nothing", "", headerTime},
		{"a header", "GET /status HTTP/1.1\r\nX: ", headerTime},
		{"a body", "POST /add HTTP/1.1\r\nHost: crawl\r\nContent-Length: 1000\r\n\r\n", requestTime},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMemory()
				s := start(m, newHandler(&fake{}, nil))
				conn, err := m.dial(t.Context(), "")
				if err != nil {
					t.Fatal(err)
				}
				before := time.Now()
				if _, err := io.WriteString(conn, tc.first); err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, conn) // until the server ends it
				if took := time.Since(before); took > tc.within+time.Second {
					t.Errorf("cut off after %v, want %v", took, tc.within)
				}
				if err := errors.Join(conn.Close(), s.Close()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestSuspended: Dial does not wait for a process that accepts connections without answering.
func TestSuspended(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := time.Now()
		_, err := greet(newClient("crawls/aircraft", func(context.Context, string) (net.Conn, error) {
			near, far := net.Pipe()
			go func() { _, _ = io.Copy(io.Discard, far) }()
			return near, nil
		}))
		if took := time.Since(before); !errors.Is(err, orbweaver.ErrTimeout) || took != handshake {
			t.Errorf("%v after %v", err, took)
		}
	})
}

// TestNoCrawlAnswers: another server on the socket is not taken for a crawl.
func TestNoCrawlAnswers(t *testing.T) {
	for _, body := range []string{"{}", "[]", "hello", ""} {
		synctest.Test(t, func(t *testing.T) {
			m := newMemory()
			s := start(m, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }))
			if c, err := greet(newClient("memory", m.dial)); err == nil {
				t.Errorf("%q is taken for a crawl", body)
				c.Close()
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
