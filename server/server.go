package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"orbweaver/server/door"
)

// Bounds on requests.
const (
	maxBody        = 64 << 10              // bytes of a request's body
	maxHeader      = 16 << 10              // bytes of its header
	maxConnections = 128                   // at once; one more takes the place of the slowest
	patience       = 50 * time.Millisecond // with the slowest
	headerTime     = 5 * time.Second
	requestTime    = 30 * time.Second // header and body
	idleTime       = time.Minute      // between two requests of a connection
)

// grace is the time that running requests have when the server closes: once to end by themselves, and once
// more after their contexts are canceled.
const grace = 2 * time.Second

// A Server answers at the socket of a crawl folder until it is closed.
type Server struct {
	http   *http.Server
	conns  *connections
	unlink func() error       // removes the socket
	cancel context.CancelFunc // cancels the requests' contexts
	served chan struct{}      // closed when Serve has returned
	once   sync.Once
	closed error
}

// Serve listens on the socket of a crawl folder, which the caller owns, and serves a crawl. The routes are
// added to those of all crawls; a malformed or duplicate pattern panics, as in net/http. The error wraps
// ErrBusy if another process listens there, and ErrForeign if a file that is not a socket is in the way.
func Serve(dir string, c Crawl, more ...Route) (*Server, error) {
	handler := newHandler(c, more)
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("control socket: %w", err)
	}
	listener, info, err := listen(dir)
	if err != nil {
		return nil, err
	}
	s := start(listener, handler)
	s.unlink = func() error { return unlink(filepath.Join(dir, SocketFile), info) }
	return s, nil
}

// start serves on a listener.
func start(listener net.Listener, handler http.Handler) *Server {
	ctx, cancel := context.WithCancel(context.Background())
	conns := &connections{busy: map[net.Conn]bool{}}
	s := &Server{
		conns: conns, cancel: cancel, served: make(chan struct{}),
		unlink: func() error { return nil },
		http: &http.Server{
			Handler:           http.MaxBytesHandler(conns.watch(handler), maxBody),
			ReadHeaderTimeout: headerTime, ReadTimeout: requestTime, IdleTimeout: idleTime,
			MaxHeaderBytes: maxHeader,
			BaseContext:    func(net.Listener) context.Context { return ctx },
			ConnContext:    keep,
			ConnState:      conns.changed,
			ErrorLog:       log.New(io.Discard, "", 0), // the crawl's own words are on standard error
		},
	}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(door.Listen(listener, maxConnections, patience)) // ErrServerClosed
	}()
	return s
}

// Close removes the socket, waits for running requests, then cancels their contexts, and returns when none
// is left. An error means that some did not end even then. Close is idempotent.
func (s *Server) Close() error {
	s.once.Do(func() { s.closed = s.shut() })
	return s.closed
}

func (s *Server) shut() error {
	err := s.unlink()
	s.conns.closeQuiet()
	if s.drain() != nil {
		s.cancel()
		if s.drain() != nil {
			err = errors.Join(err, errors.New("control socket: requests did not end after their contexts were canceled"))
		}
	}
	s.cancel()
	err = errors.Join(err, s.http.Close())
	<-s.served
	return err
}

// drain accepts no more requests and waits for the running ones.
func (s *Server) drain() error {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	return s.http.Shutdown(ctx)
}

// unlink removes a socket, if it is still the one that Serve made.
func unlink(path string, made fs.FileInfo) error {
	info, err := os.Lstat(path)
	if err == nil && os.SameFile(info, made) {
		err = os.Remove(path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("control socket: %w", err)
	}
	return nil
}

// connections tracks open connections and which of them are busy: the header of a request was read and its
// response is not complete. Close waits for busy ones alone.
type connections struct {
	mu      sync.Mutex
	busy    map[net.Conn]bool
	closing bool
}

// connKey is the key of a request's connection in its context.
type connKey struct{}

// keep stores a connection in the context of its requests.
func keep(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// watch marks a connection busy before its request is handled.
func (c *connections) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, _ := r.Context().Value(connKey{}).(net.Conn)
		c.mu.Lock()
		if _, open := c.busy[conn]; open {
			c.busy[conn] = true
		}
		c.mu.Unlock()
		next.ServeHTTP(w, r)
	})
}

// changed tracks the states of connections.
func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew, http.StateIdle:
		c.busy[conn] = false
		if c.closing {
			_ = conn.Close()
		}
	case http.StateClosed, http.StateHijacked:
		delete(c.busy, conn)
	}
}

// closeQuiet closes idle connections, now and whenever one becomes idle.
func (c *connections) closeQuiet() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing = true
	for conn, busy := range c.busy {
		if !busy {
			_ = conn.Close()
		}
	}
}
