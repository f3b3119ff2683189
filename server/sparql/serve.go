package sparql

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"orbweaver/server/door"
)

// Bounds on requests.
const (
	maxHeader      = 64 << 10              // bytes of a request's header: a query may be in its URL
	maxConnections = 256                   // one more takes the place of the slowest
	patience       = 50 * time.Millisecond // with the slowest
	headerTime     = 10 * time.Second
	idleTime       = 2 * time.Minute
	grace          = 2 * time.Second // to send an error, and for requests to end by themselves
)

// Serve serves on a listener, which it closes, until ctx ends: then running requests have two seconds to end,
// and are cut off. No request runs when it returns. The end of ctx is not an error.
func (h *Handler) Serve(ctx context.Context, l net.Listener) error {
	requests, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	active := make(chan struct{}, maxConnections)
	server := &http.Server{
		Handler:           counted(h, active),
		BaseContext:       func(net.Listener) context.Context { return requests },
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          log.New(io.Discard, "", 0), // it reports clients that disconnect
	}
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
	for range maxConnections { // until no request holds one
		active <- struct{}{}
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("sparql: %w", err)
}

// counted lets each request of a handler hold a place while it runs.
func counted(next http.Handler, active chan struct{}) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		active <- struct{}{}
		defer func() { <-active }()
		next.ServeHTTP(w, r)
	})
}
