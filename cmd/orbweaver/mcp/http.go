package mcp

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/server/door"
)

// Bounds of clients over HTTP.
const (
	maxConnections = 64
	patience       = 10 * time.Second // of a slow client, when all connections are taken
	headerTime     = 10 * time.Second
	idleTime       = 2 * time.Minute
	maxHeader      = 64 << 10
	maxBody        = 1 << 20
	grace          = 500 * time.Millisecond
)

// serve answers clients over HTTP until ctx ends, which is no error.
func (s *server) serve(ctx context.Context, a *job.Job) error {
	token, err := door.Token(s.token)
	if err != nil {
		return fmt.Errorf("mcp: --token: %w (%w)", err, orbweaver.ErrInput)
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", s.listen)
	if err != nil {
		return fmt.Errorf("mcp: --listen %s: %w (%w)", s.listen, err, orbweaver.ErrInput)
	}
	if at, err := netip.ParseAddrPort(l.Addr().String()); err != nil || !at.Addr().Unmap().IsLoopback() {
		return errors.Join(fmt.Errorf("mcp: --listen %s is reached from other machines: give an address of this one, as 127.0.0.1:7979 (%w)", s.listen, orbweaver.ErrInput), l.Close())
	}
	requests, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	server := &http.Server{
		Handler: s.handler(token), BaseContext: func(net.Listener) context.Context { return requests },
		ReadHeaderTimeout: headerTime, ReadTimeout: headerTime + idleTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ErrorLog: log.New(io.Discard, "", 0), // it reports clients that disconnect
	}
	stop := context.AfterFunc(ctx, func() {
		cancel() // streams have no other end
		waiting, done := context.WithTimeout(context.Background(), grace)
		defer done()
		_ = server.Shutdown(waiting) // what is left is closed below
		_ = server.Close()
	})
	defer stop()
	console.Say(a.Out, "MCP at http://%s/mcp", l.Addr())
	console.Say(a.Out, "Ctrl-C ends it")
	if err := server.Serve(door.Listen(l, maxConnections, patience)); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("mcp: %w", err)
	}
	return nil
}

// handler checks who asks, and answers at /mcp. Each request stands for itself: there are no sessions to hold.
func (s *server) handler(token string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/mcp", sdk.NewStreamableHTTPHandler(
		func(*http.Request) *sdk.Server { return s.sdk },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true},
	))
	return door.Options{}.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		if token != "" && !bears(r, token) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "this server asks for its token", http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	}))
}

// bears reports whether a request has a token. It takes the same time for all wrong ones.
func bears(r *http.Request, token string) bool {
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	own, other := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(given))
	return ok && subtle.ConstantTimeCompare(own[:], other[:]) == 1
}
