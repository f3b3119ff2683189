package replay

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// firstRecord is the first byte of TLS: a handshake record (RFC 8446, section 5.1).
const firstRecord = 0x16

// tunnel answers CONNECT as the requested host. The TLS handshake and the requests inside name the host, since
// the client may have requested an IP address.
func (s *Server) tunnel(w http.ResponseWriter, r *http.Request) {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, "CONNECT needs HTTP/1.1", http.StatusHTTPVersionNotSupported)
		return
	}
	defer conn.Close()
	defer context.AfterFunc(r.Context(), func() { conn.Close() })()
	conn.SetDeadline(time.Now().Add(headerTime))
	if _, err := io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	first, err := buffered.Reader.Peek(1)
	if err != nil {
		return
	}
	conn.SetDeadline(time.Time{})
	inside := net.Conn(&bufferedConn{conn, buffered.Reader})
	scheme := "http"
	if first[0] == firstRecord {
		scheme = "https"
		inside = tls.Server(inside, s.authority.config(hostname(r.Host)))
	}
	s.serveInside(inside, scheme)
}

// serveInside serves the requests of one tunnel, and returns when the last has ended.
func (s *Server) serveInside(conn net.Conn, scheme string) {
	server := newHTTP(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.inside(w, r, scheme) }))
	l := &single{conn: conn, done: make(chan struct{})}
	server.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed || state == http.StateHijacked {
			l.Close()
		}
	}
	_ = server.Serve(l) // ends with the connection
}

// inside answers a request in a tunnel.
func (s *Server) inside(w http.ResponseWriter, r *http.Request, scheme string) {
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "an archive is read with GET and HEAD", http.StatusMethodNotAllowed)
	case strings.HasPrefix(r.RequestURI, "/"):
		s.proxy(w, r, scheme+"://"+r.Host+r.RequestURI)
	default:
		s.proxy(w, r, r.RequestURI)
	}
}

// A bufferedConn is a connection with buffered input.
type bufferedConn struct {
	net.Conn
	r *bufio.Reader
}

// Read reads buffered input first.
func (c *bufferedConn) Read(p []byte) (int, error) { return c.r.Read(p) }

// A single is a listener with one connection. It closes with the connection.
type single struct {
	conn net.Conn
	done chan struct{}
	once sync.Once

	mu       sync.Mutex
	accepted bool
}

// Accept returns the connection; the next call waits for its end.
func (l *single) Accept() (net.Conn, error) {
	l.mu.Lock()
	first := !l.accepted
	l.accepted = true
	l.mu.Unlock()
	if first {
		return l.conn, nil
	}
	<-l.done
	return nil, io.EOF
}

// Close ends the wait.
func (l *single) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

// Addr is the local address.
func (l *single) Addr() net.Addr { return l.conn.LocalAddr() }
