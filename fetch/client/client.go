package client

import (
	"context"
	"crypto/x509"
	"net"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"orbweaver"
	"orbweaver/fetch/access"
	"orbweaver/fetch/guard"
)

const (
	usualTimeout = 30 * time.Second
	usualIdle    = 512
	longestPhase = 10 * time.Second // of lookup, connect, handshake
	maxHead      = 256 << 10        // bytes of a response head, interim responses included
	maxInterim   = 10               // 1xx responses before the final one
	streamWindow = 1 << 20          // unread bytes of an HTTP/2 body, at most
)

// Options configure a Client.
type Options struct {
	UserAgent string // sent unchanged; empty: none

	// Timeout bounds a whole exchange including the body; 0: 30 s. Lookup, connect and handshake may each take a
	// third of it, 10 s at most; the first byte of the response the remainder; a stall in the body a third.
	Timeout time.Duration

	Guard  *guard.Guard   // nil: all private addresses are refused
	Idle   int            // idle connections kept, all hosts together; 0: 512. Least recently used goes first
	Proxy  *url.URL       // http or https, with optional userinfo; nil: none. The environment is never read
	Roots  *x509.CertPool // authorities that may sign servers' certificates; nil: the system's
	Access *access.Access // what hosts are sent beside a request, and how they are reached; nil: nothing

	// Query returns what is sent for a request with a Query: the URL and Accept of the HTTP request and, unless
	// it is a GET, the media type and body of a POST; see sparql.Put. Nil: a Query is not sent.
	Query func(r orbweaver.Request) (to orbweaver.Request, mediaType string, form []byte)

	// Resolve looks up the addresses of a name; nil: the system's resolver.
	Resolve func(ctx context.Context, name string) ([]netip.Addr, error)

	// Dial connects to an address that passed the guard, or to the proxy; nil: over TCP.
	Dial func(ctx context.Context, addr netip.AddrPort) (net.Conn, error)
}

// A Client fetches from the live Web. It is safe for concurrent use.
type Client struct {
	opt     Options
	share   time.Duration // longest duration of one of the first phases
	stall   time.Duration // longest pause while reading a body
	h2      *http2Transport
	direct  *way     // of what Access has no route for
	ways    sync.Map // access.Route → *way
	names   *names
	pool    *pool
	readers readers
	floods  atomic.Int64
}

// New returns a client. It opens connections only on requests.
func New(o Options) *Client {
	o = withDefaults(o)
	c := &Client{
		opt:   o,
		share: min(o.Timeout/3, longestPhase),
		stall: o.Timeout / 3,
		names: newNames(o.Guard.Check),
		pool:  newPool(o.Idle),
	}
	c.h2, c.direct = newHTTP2(c.stall), newWay(o, access.Route{})
	return c
}

func withDefaults(o Options) Options {
	if o.Timeout <= 0 {
		o.Timeout = usualTimeout
	}
	if o.Guard == nil {
		o.Guard = guard.New(false, nil)
	}
	if o.Idle <= 0 {
		o.Idle = usualIdle
	}
	if o.Resolve == nil {
		o.Resolve = func(ctx context.Context, name string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", name)
		}
	}
	if o.Dial == nil {
		o.Dial = func(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "tcp", addr.String())
		}
	}
	return o
}

// Floods is how many HTTP/2 connections the client closed because the server sent more frames or bytes than the
// requests made on it allow, as with pings or unknown frames without end, in use or idle.
func (c *Client) Floods() int64 { return c.floods.Load() }

// Close closes idle connections, and others once they are unused. It never fails; a closed client still works
// but keeps no connections.
func (c *Client) Close() error {
	c.pool.close()
	return nil
}
