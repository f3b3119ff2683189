// Package replay serves an archived web to any browser or crawler, in three ways on one address:
//
//   - as an HTTP proxy, for requests in absolute form and, by CONNECT, for https: TLS is answered with
//     certificates of an authority that lives as long as the server;
//   - as the hosts themselves, for requests whose Host is not one of the server's own (curl
//     --connect-to, a browser's host rules);
//   - under /web/URL and /web/TIMESTAMP/URL, where links of HTML, SVG and CSS are rewritten so that
//     they stay there.
//
// It follows HTTP (RFC 9110, RFC 9112) and, for links, the HTML, CSS Syntax and URL standards. The server
// opens no connection, so nothing is ever fetched. A Content-Security-Policy makes browsers load nothing
// from elsewhere for a page under /web/, and keeps the page's scripts from the data of other pages on the
// same address. Requests are bounded, and archives are treated as hostile.
//
// The archive chooses among several captures of a URL; the timestamp is ignored. URLs that scripts compute
// are not rewritten. Writing archives is out of scope.
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

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/server/door"
)

// Bounds on requests and on concurrent work.
const (
	maxHeader      = 64 << 10              // bytes of a request's header
	maxConnections = 256                   // tunnels included; one more takes the place of the slowest
	patience       = 50 * time.Millisecond // with the slowest
	maxWhole       = 2                     // bodies held in memory at once
	maxBody        = 16 << 20              // bytes of such a body, coded or not
	maxRewritten   = 32 << 20              // bytes of such a body, or of its links, after rewriting
	smallBody      = 1 << 20               // bytes of a body that is kept for its client beside those
	sendTime       = 10 * time.Second      // to send a larger one
	headerTime     = 10 * time.Second
	idleTime       = 2 * time.Minute
	grace          = 2 * time.Second // for requests to end by themselves
)

// An Archive answers requests, as archive.Web does: with the latest response, or an error that wraps
// ErrAbsent, ErrTooLarge or ErrMalformed. It is called from many goroutines.
type Archive interface {
	Fetch(ctx context.Context, req orbweaver.Request) (*step.Response, error)
}

// Options configure a Server.
type Options struct {
	// URLs are the canonical URLs of the archive, distinct and in byte order. They are read once and kept in
	// memory.
	URLs iter.Seq[string]

	// Decode removes the content codings that a header declares from a payload, as page.Decode does; a result
	// larger than limit is an error.
	Decode func(header http.Header, payload []byte, limit int64) ([]byte, error)

	// Absent is the status of the proxy's response for a URL that the archive lacks; 0: 504, as of a cache
	// that may not forward (RFC 9111, section 5.2.1.7). A missing robots.txt is always 404: a 5xx would
	// forbid the whole host (RFC 9309, section 2.3.1.4).
	Absent int

	// Record receives every request that a client of the proxy made: its canonical URL, method and the status of the
	// answer, when the answer begins. Calls are in that order, never two at once. Nil: none are recorded.
	Record func(url, method string, status int)
}

// A Server replays one archive. It is safe for concurrent use.
type Server struct {
	archive   Archive
	opts      Options
	list      *list
	authority *authority
	pages     *pages
	whole     chan struct{} // one for each body in memory

	records sync.Mutex // held during Record

	mu     sync.Mutex
	closed bool
	active sync.WaitGroup // running requests and tunnels
}

// New returns a server with a new key for its authority. The error means that URLs are out of order.
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

// Certificate is the certificate of the server's authority, in PEM. A client that trusts it accepts the
// server as any https host. Its key is in memory alone, and new for each Server.
func (s *Server) Certificate() []byte { return s.authority.pem() }

// Counts returns the numbers of URLs and hosts in the archive.
func (s *Server) Counts() (urls, hosts int) { return s.list.len(), len(s.list.hosts) }

// Serve serves on a listener, which it closes, until ctx ends: then running requests have two seconds to end.
// No request runs when it returns, and the archive may be closed; the Server cannot be used again. The end
// of ctx is not an error.
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
		_ = server.Shutdown(patience) // remaining connections are closed below
	})
	err := server.Serve(door.Listen(l, maxConnections, patience))
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

// newHTTP returns an HTTP server with bounds, for the listener or for one tunnel.
func newHTTP(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          log.New(io.Discard, "", 0), // it reports clients that disconnect, or do not trust the certificate
	}
}

// enter counts a request, unless the server has ended.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.active.Add(1)
	}
	return !s.closed
}

// drain admits no more requests and waits for the running ones.
func (s *Server) drain() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.active.Wait()
}

// lend frees the memory of a body of which size bytes are about to be written: at once if it is small, as many clients may
// take theirs slowly; otherwise by done, and the client has sendTime to take it.
func lend(w http.ResponseWriter, size int, leave func()) (done func()) {
	if size <= smallBody {
		leave()
		return func() {}
	}
	send := http.NewResponseController(w)
	_ = send.SetWriteDeadline(time.Now().Add(sendTime)) // without deadlines, as in tests, it may take longer
	return func() {
		leave()
		_ = send.SetWriteDeadline(time.Time{})
	}
}

// hold waits for memory for a body; leave releases it.
func (s *Server) hold(ctx context.Context) (leave func(), err error) {
	select {
	case s.whole <- struct{}{}:
		return func() { <-s.whole }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
