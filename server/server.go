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

	"golang.org/x/net/netutil"
)

// The bounds of what comes in.
const (
	maxBody        = 64 << 10 // bytes of a request's body
	maxHeader      = 16 << 10 // bytes of its header
	maxConnections = 64       // at once; more wait
	headerTime     = 5 * time.Second
	requestTime    = 30 * time.Second // header and body
	idleTime       = time.Minute      // between two requests of a connection
)

// grace is how long requests have that are under way when the server is closed: once to end by
// themselves, once more after their contexts were ended.
const grace = 2 * time.Second

// A Server answers at the socket of a crawl folder until it is closed.
type Server struct {
	http   *http.Server
	conns  *connections
	unlink func() error       // takes the socket's name away
	cancel context.CancelFunc // ends the requests' contexts
	served chan struct{}      // closed when nothing is accepted any more
	once   sync.Once
	closed error
}

// Serve listens at the socket of a crawl folder, which the caller owns, and answers for a crawl. The
// routes are added to those that all crawls have; a pattern that is malformed, or there already,
// panics, as in net/http. The error wraps ErrBusy when another process listens there, and ErrForeign
// when a file that is no socket is in the way.
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

// start answers on a listener.
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
		_ = s.http.Serve(netutil.LimitListener(listener, maxConnections)) // ErrServerClosed
	}()
	return s
}

// Close removes the socket, lets requests that are under way end, for a while, then ends their
// contexts, and returns when none is left; an error tells that some did not end even so. Closing
// once more changes nothing.
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
			err = errors.Join(err, errors.New("control socket: requests under way did not end when they were told to"))
		}
	}
	s.cancel()
	err = errors.Join(err, s.http.Close())
	<-s.served
	return err
}

// drain accepts nothing new and waits for requests under way.
func (s *Server) drain() error {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	return s.http.Shutdown(ctx)
}

// unlink removes a socket, if it is still the one that was made.
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

// connections are those that are open, and which of them have a request under way: one whose header
// was read and whose answer is not sent whole. The others need not be waited for at the end.
type connections struct {
	mu      sync.Mutex
	busy    map[net.Conn]bool
	closing bool
}

// connKey is the key of a request's connection in its context.
type connKey struct{}

// keep puts a connection into the context of its requests.
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

// changed follows the states of connections.
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

// closeQuiet closes the connections without a request, and from now on all that have none.
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
