// Package replay lets an archived web be walked by any browser or crawler, in three ways on one
// address:
//
//   - as an HTTP proxy, for requests in absolute form and, by CONNECT, for https: TLS is answered with
//     certificates of an authority that lives as long as the server;
//   - as the hosts themselves, for requests whose Host is none of the server's own (curl
//     --connect-to, a browser's host rules);
//   - under /web/URL and /web/TIMESTAMP/URL, where links of HTML, SVG and CSS are rewritten so that
//     they stay there.
//
// Its ground is HTTP (RFC 9110, RFC 9112) and, for what a link is, the HTML, CSS Syntax and URL
// standards. The server opens no connection, so nothing is ever fetched; and it tells browsers, by a
// Content-Security-Policy, to load nothing from elsewhere for a page under /web/ and to keep the
// page's scripts from what other pages of the same address have. Requests that come in are bounded,
// and what archives hold is taken for hostile.
//
// Of several captures of a URL the archive chooses; a timestamp chooses nothing. Addresses that
// scripts put together are not rewritten. Keeping archives is not its business.
//
// This package is not part of the stable API.
package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"orbweaver"
	"orbweaver/internal/step"
)

// The bounds of what comes in, and of what is done at once.
const (
	maxHeader      = 64 << 10 // bytes of a request's head
	maxConnections = 256      // tunnels included; more wait
	maxWhole       = 2        // bodies held in memory at once
	maxBody        = 16 << 20 // bytes of such a body, coded or not
	maxRewritten   = 32 << 20 // bytes that it, or the links in it, may become
	headerTime     = 10 * time.Second
	idleTime       = 2 * time.Minute
	grace          = 2 * time.Second // that requests have to end by themselves
)

// An Archive answers requests, as archive.Web does: latest answer first, errors that wrap ErrAbsent,
// ErrTooLarge or ErrMalformed. Several goroutines may use it.
type Archive interface {
	Fetch(ctx context.Context, req orbweaver.Request) (*step.Response, error)
}

// Options say what a Server needs besides its archive.
type Options struct {
	// URLs are those that the archive holds, canonical, each once, in order of their bytes. They are
	// read once and kept in memory.
	URLs iter.Seq[string]

	// Decode takes the content codings that a header tells of off a payload, as page.Decode does;
	// what becomes larger than limit is an error.
	Decode func(header http.Header, payload []byte, limit int64) ([]byte, error)

	// Absent is the status with which a proxy's client is told that the archive lacks a URL; 0: 504,
	// as of a cache that may not ask further (RFC 9111, section 5.2.1.7). A robots.txt that is
	// lacking is 404 always: any 5xx would forbid the whole host (RFC 9309, section 2.3.1.4).
	Absent int
}

// A Server replays one archive. Any number of goroutines may use it.
type Server struct {
	archive   Archive
	opts      Options
	list      *list
	authority *authority
	pages     *pages
	whole     chan struct{} // a place for each body that may be held in memory

	mu     sync.Mutex
	closed bool
	active sync.WaitGroup // requests under way, tunnels included
}

// New makes a server, and the key of its authority. An error tells that URLs are out of order.
func New(a Archive, o Options) (*Server, error) {
	if o.Absent == 0 {
		o.Absent = http.StatusGatewayTimeout
	}
	list, err := newList(o.URLs)
	if err != nil {
		return nil, err
	}
	authority, err := newAuthority(time.Now())
	if err != nil {
		return nil, err
	}
	pages, err := newPages()
	if err != nil {
		return nil, err
	}
	return &Server{archive: a, opts: o, list: list, authority: authority, pages: pages, whole: make(chan struct{}, maxWhole)}, nil
}

// Certificate is that of the server's authority, in PEM: who trusts it trusts what is said to be of
// https hosts. Its key is in memory alone, and new for each Server.
func (s *Server) Certificate() []byte { return s.authority.pem() }

// Counts tells how many URLs the archive has, and of how many hosts.
func (s *Server) Counts() (urls, hosts int) { return s.list.len(), len(s.list.hosts) }

// Serve answers on a listener, which it closes, until ctx ends: then requests under way have two
// seconds. When it returns none is under way, and the archive may be closed; the server answers no
// more. That ctx ended is no error.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	requests, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	server := newHTTP(s)
	server.BaseContext = func(net.Listener) context.Context { return requests }
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		patience, done := context.WithTimeout(context.Background(), grace)
		defer done()
		_ = server.Shutdown(patience) // what is left is closed below
	})
	err := server.Serve(netutil.LimitListener(l, maxConnections))
	if !stop() {
		<-ended
	}
	cancel()
	_ = server.Close()
	s.drain()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("replay: %w", err)
}

// newHTTP is an HTTP server with bounds, of the outside or of one tunnel.
func newHTTP(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          log.New(io.Discard, "", 0), // of clients that go away, or trust no certificate
	}
}

// enter counts a request in, unless the server is over.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.active.Add(1)
	}
	return !s.closed
}

// drain lets no request in any more and waits for those under way.
func (s *Server) drain() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.active.Wait()
}

// hold waits for a place in memory; leave gives it back.
func (s *Server) hold(ctx context.Context) (leave func(), err error) {
	select {
	case s.whole <- struct{}{}:
		return func() { <-s.whole }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
