package metrics

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/pprof"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"orbweaver/server/door"
)

// Bounds on requests.
const (
	maxHeader      = 16 << 10              // bytes of a request's header
	maxConnections = 128                   // at once; one more takes the place of the slowest
	patience       = 50 * time.Millisecond // with the slowest
	maxScrapes     = 4                     // gathered at once; more wait
	headerTime     = 5 * time.Second
	answerTime     = time.Minute      // to send a response, without the time of a profile
	profileTime    = 10 * time.Minute // of one profile
	idleTime       = 3 * time.Minute  // between two requests of a connection; scrapes are usually at most a minute apart
)

// grace is the time that running requests have when the server closes.
const grace = time.Second

// Listen listens on HOST:PORT. Without a host it listens on loopback, so that metrics are public only where
// the address says so. Port 0 is any free port.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("want HOST:PORT, as in 127.0.0.1:9100: %w", reason(err))
	}
	if host == "" {
		host = "127.0.0.1"
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, reason(err)
	}
	return l, nil
}

// reason is why listening failed, without the address, which the caller names.
func reason(err error) error {
	var op *net.OpError
	var address *net.AddrError
	switch {
	case errors.As(err, &op):
		return op.Err
	case errors.As(err, &address):
		return errors.New(address.Err)
	}
	return err
}

// A Server serves metrics until it is closed.
type Server struct {
	http   *http.Server
	addr   net.Addr
	served chan struct{} // closed when Serve has returned
}

// Serve serves GET /metrics on a listener, which Close closes; with profiles also net/http/pprof, under
// /debug/pprof/. names are those of the server besides localhost and IP addresses; pages of other sites get nothing.
func (m *Metrics) Serve(l net.Listener, profiles bool, names ...string) *Server {
	s := &Server{addr: l.Addr(), served: make(chan struct{}), http: &http.Server{
		Handler:           door.Options{Hosts: names}.Handler(m.handler(profiles)),
		ReadHeaderTimeout: headerTime, WriteTimeout: answerTime, IdleTimeout: idleTime,
		MaxHeaderBytes: maxHeader,
		ErrorLog:       log.New(io.Discard, "", 0), // the crawl's own words are on standard error
	}}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(door.Listen(l, maxConnections, patience)) // ErrServerClosed
	}()
	return s
}

// Addr is the server's address.
func (s *Server) Addr() net.Addr { return s.addr }

// Close waits for running requests, for a while, then cuts them off.
func (s *Server) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close()
	}
	<-s.served
}

// handler routes requests. No handler reads a body, so there is no read timeout, which would cut a profile
// short.
func (m *Metrics) handler(profiles bool) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", whole(promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})))
	if profiles {
		mux.HandleFunc("GET /debug/pprof/", bounded(pprof.Index))
		mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("GET /debug/pprof/profile", bounded(pprof.Profile))
		mux.HandleFunc("GET /debug/pprof/trace", bounded(pprof.Trace))
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	}
	return mux
}

// whole returns a handler that runs next a few times at once, and sends its answers when they are whole: a client that takes
// one slowly keeps nobody from the next.
func whole(next http.Handler) http.Handler {
	running := make(chan struct{}, maxScrapes)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case running <- struct{}{}:
		case <-r.Context().Done():
			return
		}
		answer := &kept{header: w.Header(), status: http.StatusOK}
		func() {
			defer func() { <-running }()
			next.ServeHTTP(answer, r)
		}()
		w.WriteHeader(answer.status)
		_, _ = w.Write(answer.body.Bytes()) // the client may be gone
	})
}

// A kept is an answer in memory.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the fields of the answer.
func (k *kept) Header() http.Header { return k.header }

// WriteHeader sets the status.
func (k *kept) WriteHeader(status int) { k.status = status }

// Write adds to the body.
func (k *kept) Write(p []byte) (int, error) { return k.body.Write(p) }

// bounded refuses profiles that would take too long.
func bounded(profile http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if seconds, err := strconv.ParseFloat(r.FormValue("seconds"), 64); err == nil && seconds > profileTime.Seconds() {
			http.Error(w, fmt.Sprintf("seconds: %v at most", profileTime.Seconds()), http.StatusBadRequest)
			return
		}
		profile(w, r)
	}
}
